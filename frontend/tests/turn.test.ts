import { describe, expect, it } from "vitest";
import { after, newTurn, type Turn } from "../src/turn";
import type { Message, TurnEvent } from "../src/wire";

function message(given: Partial<Message>): Message {
  return {
    seq: 1,
    role: "assistant",
    content: "",
    created_at: "",
    turn: "t",
    ending: "",
    notice: "",
    tool: null,
    calls: [],
    ...given,
  };
}

function replay(events: TurnEvent[]): Turn {
  return events.reduce(after, newTurn("t"));
}

const tool = (number: number, call: number, state: string): TurnEvent => ({
  number,
  kind: "tool",
  payload: { call, title: "Orders", state, summary: state === "running" ? "" : "12 rows" },
});

describe("a running turn", () => {
  it("shows the text that is not stored yet, and no more once its row is there (B62)", () => {
    const text: TurnEvent[] = [
      { number: 1, kind: "text", payload: { text: "Twelve " } },
      { number: 2, kind: "text", payload: { text: "orders" } },
    ];
    expect(replay(text).text).toBe("Twelve orders");
    expect(replay([...text, { number: 3, kind: "message", payload: message({ content: "Twelve orders" }) }]).text).toBe(
      "",
    );
  });

  it("shows each call once, with its latest state, in the order of the calls", () => {
    const turn = replay([tool(1, 2, "running"), tool(2, 1, "running"), tool(3, 2, "ok")]);
    expect(turn.activities.map(({ call, outcome }) => [call, outcome])).toEqual([
      [1, "running"],
      [2, "ok"],
    ]);
  });

  it("lets go of a call when its row is stored, and of one only", () => {
    const row = message({ role: "tool", tool: { title: "Orders", outcome: "ok", summary: "12 rows" } });
    const turn = replay([tool(1, 1, "ok"), tool(2, 2, "running"), { number: 3, kind: "message", payload: row }]);
    expect(turn.activities.map(({ call }) => call)).toEqual([2]);
  });

  it("says why nothing comes: thinking, or asked to wait", () => {
    expect(replay([{ number: 1, kind: "thinking", payload: {} }]).phase).toBe("thinking");
    const waiting = replay([{ number: 1, kind: "waiting", payload: { seconds: 7 } }]);
    expect([waiting.phase, waiting.waitSeconds]).toEqual(["waiting", 7]);
  });
});
