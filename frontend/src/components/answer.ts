/**
 * A directive that keeps an element's content equal to a Markdown text: `<div ${answer(text)}></div>`.
 *
 * A text that is slow to read (20,000 spaces take a third of a second) is drawn less often while it grows, so that the page stays free for
 * the person; its end is always drawn.
 */
import { noChange } from "lit";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit/directive.js";
import { Renderer } from "../markdown/render";

/** Drawing that takes longer counts as slow, and is followed by a rest of so many times its length. */
const SLOW_MS = 25;
const REST = 5;

class Answer extends Directive {
  #renderer: Renderer | undefined;
  #text = "";
  #notBefore = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new TypeError("answer() stands in an element's tag");
  }

  override render(_text: string): typeof noChange {
    return noChange;
  }

  override update(part: ElementPart, [text]: [string]): typeof noChange {
    this.#renderer ??= new Renderer(part.element as HTMLElement);
    if (text === this.#text) return noChange;
    this.#text = text;
    const wait = this.#notBefore - performance.now();
    if (wait <= 0) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), wait);
    return noChange;
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const began = performance.now();
    this.#renderer?.show(this.#text);
    const cost = performance.now() - began;
    this.#notBefore = cost > SLOW_MS ? began + cost * REST : 0;
  }
}

export const answer = directive(Answer);
