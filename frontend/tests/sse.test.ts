import { describe, expect, it } from "vitest";
import { type Heard, Reader } from "../src/sse";

function hear(pieces: string[]): { events: Heard[]; comments: number } {
  const heard: { events: Heard[]; comments: number } = { events: [], comments: 0 };
  const reader = new Reader(
    (event) => heard.events.push(event),
    () => {
      heard.comments += 1;
    },
  );
  for (const piece of pieces) reader.feed(piece);
  return heard;
}

const STREAM =
  ': open\n\nid: 1\nevent: text\ndata: {"text":"a: b"}\n\nid: 2\nevent: text\ndata: one\ndata: two\n\n: still here\n\nevent: done\ndata:{}\n\n';

describe("a stream of events", () => {
  for (const [name, end] of [
    ["line feeds", "\n"],
    ["carriage returns", "\r"],
    ["both", "\r\n"],
  ] as const) {
    it(`gives the same events wherever it is cut, with ${name} (B24, B66)`, () => {
      const text = STREAM.replaceAll("\n", end);
      const whole = hear([text]);
      expect(whole.comments).toBe(2);
      expect(whole.events).toEqual([
        { id: "1", event: "text", data: '{"text":"a: b"}' },
        { id: "2", event: "text", data: "one\ntwo" },
        { id: "2", event: "done", data: "{}" },
      ]);
      for (let at = 0; at <= text.length; at += 1) expect(hear([text.slice(0, at), text.slice(at)])).toEqual(whole);
      expect(hear([...text])).toEqual(whole);
    });
  }

  it("never hands over an event that was cut off by its end", () => {
    expect(hear(["id: 1\nevent: text\ndata: half"]).events).toEqual([]);
    expect(hear(["id: 1\nevent: text\ndata: half\n"]).events).toEqual([]);
  });

  it("says nothing of an event without data, and skips fields that it does not know", () => {
    expect(hear(["event: text\n\nretry: 10\nnonsense\ndata: x\n\n"]).events).toEqual([
      { id: "", event: "", data: "x" },
    ]);
  });

  it("takes one space after the colon away, and no more", () => {
    expect(hear(["data:  x\n\n"]).events[0]?.data).toBe(" x");
  });
});
