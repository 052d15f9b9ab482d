/**
 * What the web API of deskhand sends: its shapes, and nothing else.
 *
 * They are written down once here and never checked at run time: the API is ours and of the same version, and whatever text stands in
 * them is only ever put into the page as text (see markdown/).
 */

/** How a tool call or a card ended. `running` is the panel's own word for a call that has no end yet. */
export type Outcome = string;

export interface ToolNote {
  title: string;
  outcome: Outcome;
  /** Short and in plain words; never the result itself. */
  summary: string;
}

/** A stored row of a conversation. */
export interface Message {
  seq: number;
  role: "user" | "assistant" | "tool" | "notice";
  content: string;
  created_at: string;
  turn: string | null;
  ending: "complete" | "stopped" | "incomplete" | "";
  /** Name of a notice, or nothing. */
  notice: string;
  tool: ToolNote | null;
  calls: { title: string }[];
  /** The card that this row proposes, or whose end it says. */
  confirmation?: string | null;
  /** That card as it stands now. In pages only; an event names the card and no more. */
  card?: Card | null;
  /** This row stands in the place of the row with that number and of all that followed it. */
  replaces_seq?: number | null;
}

export interface Change {
  field: string;
  before: string;
  after: string;
}

/**
 * A confirmation card. Each text is the server's, made from the stored proposal: nothing in it was written by the model, and signs that
 * cannot be seen were made visible. It is shown whole and as it is.
 */
export interface Card {
  id: string;
  conversation: string;
  /** Number of the proposal's row. */
  seq: number;
  tool: string;
  title: string;
  /** What the button says. */
  verb: string;
  object: { name: string; url: string | null } | null;
  changes: Change[];
  touches: string[];
  /** Rows of a batch. */
  items: { title: string; changes: Change[] }[];
  arguments: { name: string; value: string }[];
  /** Whether data that changes before the click is noticed. */
  compares: boolean;
  is_outside: boolean;
  expires_at: string;
  seconds_left: number;
  outcome: null | "confirmed" | "rejected" | "expired" | "changed" | "failed";
  reason: string;
  results: { title: string; is_done: boolean; words: string }[];
  can_decide: boolean;
  why_not: "" | "other_session" | "expired" | "in_progress";
  must_acknowledge: boolean;
}

/** What a person can say to a card. */
export type Verdict = "confirm" | "reject" | "acknowledge";

export interface Page {
  messages: Message[];
  has_more: boolean;
  running_turn: string | null;
}

export interface Conversation {
  id: string;
  title: string;
  active_at: string;
  running_turn: string | null;
}

export interface ConversationPage {
  conversations: Conversation[];
  next: string | null;
}

export interface State {
  csrf: string;
  /** `key` is the account's own, whatever its name is changed to. */
  user: { name: string; key?: string };
  provider: { name: string; model: string; is_offline: boolean };
  limits: { message_chars: number };
  running: { turn: string; conversation: string }[];
  /** Titles of a few tools that this person may use. */
  tools?: string[];
  /** Whether this server streams; if not, the panel polls from the start. */
  streams: boolean;
}

/** One event of a turn. Numbers rise and may have gaps. */
export type TurnEvent = { number: number } & (
  | { kind: "text"; payload: { text: string } }
  | { kind: "thinking"; payload: Record<string, never> }
  | { kind: "waiting"; payload: { seconds: number } }
  | { kind: "tool"; payload: { call: number; title: string; state: Outcome; summary: string } }
  | { kind: "message"; payload: Message }
  | { kind: "done"; payload: { end: string; last_seq: number } }
);

export interface EventPage {
  events: TurnEvent[];
  is_running: boolean;
  wait_ms: number;
}
