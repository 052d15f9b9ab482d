import { describe, expect, it } from "vitest";
import { Sentences } from "../src/sentences";

describe("announcing", () => {
  it("speaks finished sentences only, each once, and the rest at the end (UI4)", () => {
    const sentences = new Sentences();
    const text = "There are 14.5 open orders. The oldest is PO-1";
    const spoken: string[] = [];
    for (let end = 1; end <= text.length; end += 1) {
      const said = sentences.next(text.slice(0, end));
      if (said) spoken.push(said);
    }
    spoken.push(sentences.finish(text));
    expect(spoken).toEqual(["There are 14.5 open orders.", "The oldest is PO-1"]);
  });

  it("leaves Markdown's signs out of what is spoken (UI4)", () => {
    const sentences = new Sentences();
    expect(sentences.next("## Late\n- **PO-1** of [Mill](https://a.example/x)\n")).toBe("Late\nPO-1 of Mill");
  });

  it("begins anew with the next text", () => {
    const sentences = new Sentences();
    sentences.next("A long first text. ");
    sentences.finish("A long first text. ");
    expect(sentences.next("Next. ")).toBe("Next.");
  });
});
