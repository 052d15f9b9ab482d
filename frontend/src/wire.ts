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
}

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
  user: { name: string };
  provider: { name: string; model: string; is_offline: boolean };
  limits: { message_chars: number };
  running: { turn: string; conversation: string }[];
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
