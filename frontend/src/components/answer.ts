/** A directive that keeps an element's content equal to a Markdown text: `<div ${answer(text)}></div>`. */
import { noChange } from "lit";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit/directive.js";
import { Renderer } from "../markdown/render";

class Answer extends Directive {
  #renderer: Renderer | undefined;
  #text = "";

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new TypeError("answer() stands in an element's tag");
  }

  override render(_text: string): typeof noChange {
    return noChange;
  }

  override update(part: ElementPart, [text]: [string]): typeof noChange {
    this.#renderer ??= new Renderer(part.element as HTMLElement);
    if (text !== this.#text) this.#renderer.show(text);
    this.#text = text;
    return noChange;
  }
}

export const answer = directive(Answer);
