/** How the twin reads requests and writes answers: shapes and JSON, no state. */

const PAGE_ROWS = 50;

export class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function newToken() {
  return `token-${Math.random().toString(36).slice(2)}`;
}

export function since(turn, after) {
  return turn.events.filter(({ number, kind }) => number > after || kind === "done");
}

export function shown({ id, title, active_at, running }) {
  return { id, title, active_at, running_turn: running?.id ?? null };
}

export function rows(conversation, query) {
  const running_turn = conversation.running?.id ?? null;
  const all = conversation.rows;
  if (query.has("after")) {
    const rest = all.filter(({ seq }) => seq > Number(query.get("after")));
    return { messages: rest.slice(0, PAGE_ROWS), has_more: rest.length > PAGE_ROWS, running_turn };
  }
  const before = all.filter(({ seq }) => seq < Number(query.get("before") ?? Number.POSITIVE_INFINITY));
  return { messages: before.slice(-PAGE_ROWS), has_more: before.length > PAGE_ROWS, running_turn };
}

export function send(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "private, no-store" });
  response.end(JSON.stringify(body));
}

export async function read(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return pieces.length ? JSON.parse(Buffer.concat(pieces).toString("utf8")) : {};
}

/** Which browser asks. */
export function sessionOf(request) {
  return /\bsession=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
}
