/**
 * Which rows of a conversation are shown: those of the branch that counts (`TU9`).
 *
 * A question that was asked anew stands in the place of an earlier one: what lies between is jumped over. Cards in the gap stay in view,
 * with their ends: what was done in a replaced branch was done.
 */
import type { Message } from "./wire";

/** The rows to be shown of `messages`, which are in order; in order. */
export function shown(messages: readonly Message[]): Message[] {
  const replaces = new Map(messages.map(({ seq, replaces_seq }) => [seq, replaces_seq]));
  /** What is from here on to the row before was replaced. */
  let gap = Number.POSITIVE_INFINITY;
  const rows: Message[] = [];
  for (const message of [...messages].reverse()) {
    const isReplaced = message.seq >= gap;
    if (!isReplaced || isProposal(message)) rows.unshift(message);
    if (!isReplaced) gap = start(message, replaces) ?? gap;
  }
  return rows;
}

/** Where the gap before `message` starts: a replaced row may itself stand in the place of an earlier one. */
function start({ replaces_seq }: Message, replaces: Map<number, number | null | undefined>): number | undefined {
  let at = replaces_seq ?? undefined;
  while (at !== undefined) {
    const further = replaces.get(at);
    if (typeof further !== "number" || further >= at) break;
    at = further;
  }
  return at;
}

/** Whether a row is where a card stands. */
export function isProposal({ role, confirmation }: Message): boolean {
  return role === "tool" && Boolean(confirmation);
}

/** The last question and the answer's last closing row, if there is one: the pair that can be asked anew. */
export function lastPair(rows: readonly Message[]): { question: Message | undefined; answer: Message | undefined } {
  const at = rows.findLastIndex(({ role }) => role === "user");
  const answer = rows.slice(at + 1).findLast(closes);
  return { question: rows[at], answer };
}

/** Whether the last turn broke off: its last word is a notice, and the person's own Stop is not the reason. */
export function isBroken(rows: readonly Message[]): boolean {
  const last = rows.at(-1);
  return last?.role === "notice" && !last.confirmation && last.notice !== "stopped";
}

/** Whether a row is an answer's end: words of the assistant, and no call after them. */
export function closes({ role, calls, content }: Message): boolean {
  return role === "assistant" && calls.length === 0 && content.trim() !== "";
}
