/**
 * Keeps an element's content equal to a Markdown text that grows.
 *
 * Blocks that did not change keep their nodes (a selection in them stays, a copy button stays in focus); those that did are made anew.
 * The content depends on the text alone, never on the pieces in which it came: a streamed answer ends as the very nodes that a reload
 * gives (`B102`).
 */
import { block, plain } from "./build";
import { read } from "./grammar";

interface Made {
  raw: string;
  nodes: Node[];
}

export class Renderer {
  readonly #box: HTMLElement;
  #made: Made[] = [];
  #definitions = "";

  /** `box` belongs to the renderer from now on. */
  constructor(box: HTMLElement) {
    this.#box = box;
  }

  /** Afterwards the box shows `text`, whole: as Markdown, or as it is written if it nests deeper than can be read. */
  show(text: string): void {
    try {
      this.#update(text);
    } catch (error) {
      // Thousands of marks within each other are no prose; a stack that ran out is the lexer's way to say so.
      if (!(error instanceof RangeError)) throw error;
      this.#keep(0);
      const nodes = [plain(text)];
      this.#box.replaceChildren(...nodes);
      this.#made = [{ raw: "", nodes }];
    }
  }

  #update(text: string): void {
    const tokens = read(text);
    // A link's definition may stand anywhere after the link: a new one can change every block.
    const definitions = JSON.stringify(tokens.links);
    if (definitions !== this.#definitions) this.#keep(0);
    this.#definitions = definitions;
    let same = 0;
    while (same < this.#made.length && this.#made[same]?.raw === tokens[same]?.raw) same += 1;
    this.#keep(same);
    for (const token of tokens.slice(same)) {
      const nodes = block(token);
      this.#box.append(...nodes);
      this.#made.push({ raw: token.raw, nodes });
    }
  }

  #keep(blocks: number): void {
    for (const { nodes } of this.#made.splice(blocks)) {
      for (const node of nodes) (node as ChildNode).remove();
    }
  }
}
