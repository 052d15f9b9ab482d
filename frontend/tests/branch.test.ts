import { describe, expect, it } from "vitest";
import { lastPair, shown } from "../src/branch";
import type { Message } from "../src/wire";

function row(seq: number, role: Message["role"], more: Partial<Message> = {}): Message {
  return {
    seq,
    role,
    content: `row ${seq}`,
    created_at: "",
    turn: null,
    ending: "",
    notice: "",
    tool: null,
    calls: [],
    ...more,
  };
}

const numbers = (rows: Message[]) => rows.map(({ seq }) => seq);

describe("the rows that are shown", () => {
  it("are all, as long as nothing was asked anew", () => {
    const rows = [row(1, "user"), row(2, "assistant"), row(3, "user"), row(4, "assistant")];
    expect(numbers(shown(rows))).toEqual([1, 2, 3, 4]);
  });

  it("jump over what was replaced (TU9)", () => {
    const rows = [
      row(1, "user"),
      row(2, "assistant"),
      row(3, "user"),
      row(4, "assistant"),
      row(5, "user", { replaces_seq: 3 }),
      row(6, "assistant"),
    ];
    expect(numbers(shown(rows))).toEqual([1, 2, 5, 6]);
  });

  it("jump over all earlier versions of a question that was asked anew again and again (TU9)", () => {
    const rows = [
      row(1, "user"),
      row(2, "assistant"),
      row(3, "user", { replaces_seq: 1 }),
      row(4, "assistant"),
      row(5, "user", { replaces_seq: 3 }),
    ];
    expect(numbers(shown(rows))).toEqual([5]);
  });

  it("keep the cards of a replaced branch, and no other row of it (TU9)", () => {
    const rows = [
      row(1, "user"),
      row(2, "assistant", { calls: [{ title: "Change order" }] }),
      row(3, "tool", { confirmation: "card" }),
      row(4, "tool"),
      row(5, "assistant"),
      row(6, "notice", { confirmation: "card" }),
      row(7, "user", { replaces_seq: 1 }),
    ];
    expect(numbers(shown(rows))).toEqual([3, 7]);
  });

  it("jump also where the replaced row itself is not loaded", () => {
    expect(numbers(shown([row(8, "assistant"), row(9, "user", { replaces_seq: 5 })]))).toEqual([9]);
  });

  it("never run in circles, whatever the numbers say", () => {
    expect(numbers(shown([row(1, "user", { replaces_seq: 1 }), row(2, "user", { replaces_seq: 2 })]))).toEqual([1, 2]);
  });
});

describe("the last pair", () => {
  it("is the last question and the last row that closes an answer to it", () => {
    const rows = [
      row(1, "user"),
      row(2, "assistant"),
      row(3, "user"),
      row(4, "assistant", { calls: [{ title: "x" }] }),
      row(5, "assistant"),
      row(6, "notice"),
    ];
    const { question, answer } = lastPair(rows);
    expect([question?.seq, answer?.seq]).toEqual([3, 5]);
  });

  it("has no answer if nothing closed one, and is nothing in an empty conversation", () => {
    expect(lastPair([row(1, "user"), row(2, "notice")]).answer).toBeUndefined();
    expect(lastPair([]).question).toBeUndefined();
  });
});
