/**
 * What a running turn shows, computed from its events by one pure function.
 *
 * Replaying all events of a turn from the first gives the same value as having watched them come (`B62`). Rows that the turn stored
 * are not kept here; they are handed to the conversation, where they stand by number.
 */
import type { TurnEvent } from "./wire";

export interface Activity {
  call: number;
  title: string;
  outcome: string;
  summary: string;
}

export interface Turn {
  readonly id: string;
  /** The piece of the answer that is not stored yet. */
  readonly text: string;
  /** Calls whose row is not stored yet. */
  readonly activities: readonly Activity[];
  readonly phase: "starting" | "thinking" | "waiting" | "writing" | "looking";
  readonly waitSeconds: number;
  readonly isStopping: boolean;
}

export function newTurn(id: string): Turn {
  return { id, text: "", activities: [], phase: "starting", waitSeconds: 0, isStopping: false };
}

/** `turn` after `event`. */
export function after(turn: Turn, event: TurnEvent): Turn {
  switch (event.kind) {
    case "text":
      return { ...turn, phase: "writing", text: turn.text + event.payload.text };
    case "thinking":
      return { ...turn, phase: "thinking" };
    case "waiting":
      return { ...turn, phase: "waiting", waitSeconds: event.payload.seconds };
    case "tool": {
      const { call, title, state: outcome, summary } = event.payload;
      const others = turn.activities.filter((activity) => activity.call !== call);
      const activities = [...others, { call, title, outcome, summary }].sort((a, b) => a.call - b.call);
      return { ...turn, activities, phase: outcome === "running" ? "looking" : "thinking" };
    }
    case "message":
      return stored(turn, event.payload);
    default:
      return turn;
  }
}

/** A row took the place of what was shown until now: an assistant's of the streamed text, a tool's of its activity. */
function stored(turn: Turn, message: { role: string; tool: { title: string } | null }): Turn {
  if (message.role === "assistant") return { ...turn, text: "" };
  if (message.role !== "tool" || !message.tool) return turn;
  const { title } = message.tool;
  const index = turn.activities.findIndex((activity) => activity.title === title);
  return index < 0 ? turn : { ...turn, activities: turn.activities.filter((_, place) => place !== index) };
}
