/**
 * A small real HTTP twin of deskhand's web API, for working on the panel and for testing it without Django.
 *
 * It keeps conversations in memory, runs turns on timers, streams numbered events, answers busy, stop, search, undo as the real server
 * does, and serves a page with the panel under the strictest policy that the panel promises to work under. What its "model" answers
 * depends on words in the question (see script.mjs); cards are in cards.mjs. `POST /dev/control` sets faults: see {@link Faults}.
 *
 * A development tool: no accounts, no persistence, no Django. Run by `npm run dev`, or `node dev/server.mjs --port 0`; it prints its
 * address on the first line.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { newToken, Refusal, read, rows, send, sessionOf, shown, since } from "./answers.mjs";
import { CALM_CARDS, Cards } from "./cards.mjs";
import { page } from "./page.mjs";
import { script } from "./script.mjs";

const PANEL = new URL("../../src/deskhand/static/deskhand/panel.js", import.meta.url);
const BASE = "/assistant/api/";
const PAGE_CONVERSATIONS = 30;
const POLL_MS = 150;
const COMMENT_MS = 15_000;

/**
 * @typedef {object} Faults
 * @property {boolean} streams   what `state` says; false: the panel polls from the start
 * @property {boolean} held      streams are opened and nothing is ever sent, as behind a proxy that holds answers back
 * @property {boolean} mute      nothing more comes of any turn, in streams or polls, as behind a proxy whose server is gone
 * @property {number} cutAfter   each stream is cut after so many events (0: never)
 * @property {number} cut        how many further streams are cut so; then no more
 * @property {number} refuse     how many further streams are answered 503, as by a proxy whose server is restarting
 * @property {boolean} full      no stream is lent: each is answered 429
 * @property {boolean} repeats   each stream begins with the first event, whatever was asked for
 * @property {number} failStarts how many further starts of a turn are answered 500
 * @property {null | {status: number, code: string, message: string}} refuseStarts  each start of a turn is refused so
 * @property {number} loseStarts how many further starts work, but their answer is lost on the way
 * @property {number} startMs    how long a start of a turn takes to answer
 * @property {number} pieceMs    time between two pieces of an answer
 */
const CALM = {
  ...CALM_CARDS,
  streams: true,
  held: false,
  mute: false,
  cutAfter: 0,
  cut: 0,
  refuse: 0,
  full: false,
  repeats: false,
  failStarts: 0,
  refuseStarts: null,
  loseStarts: 0,
  startMs: 0,
  pieceMs: 30,
};

export class Twin {
  constructor(faults = {}) {
    /** @type {Faults & import("./cards.mjs").CardFaults} */
    this.faults = { ...CALM, ...faults };
    this.conversations = new Map();
    this.turns = new Map();
    this.keys = new Map();
    this.cards = new Cards(this);
    /** Every request to the API: method, path, and body if there was one. */
    this.requests = [];
    this.numbers = 0;
    this.token = newToken();
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error) => {
        if (error instanceof Refusal)
          send(response, error.status, { error: { code: error.code, message: error.message } });
        else send(response, 500, { error: { code: "server", message: "" } });
      });
    });
  }

  /** Forgets everything, faults too. */
  reset() {
    this.faults = { ...CALM };
    for (const turn of this.turns.values()) clearTimeout(turn.timer);
    for (const kept of [this.conversations, this.turns, this.keys, this.cards.all]) kept.clear();
    this.requests.length = 0;
    this.numbers = 0;
    this.token = newToken();
  }

  /** Resolves with the address once it listens. */
  listen(port = 0) {
    return new Promise((resolve) => {
      this.server.listen(port, "127.0.0.1", () => resolve(`http://127.0.0.1:${this.server.address().port}`));
    });
  }

  close() {
    for (const turn of this.turns.values()) clearTimeout(turn.timer);
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  async answer(request, response) {
    const url = new URL(request.url, "http://twin");
    if (url.pathname.startsWith("/dev/")) return this.control(url, request, response);
    if (url.pathname === "/static/deskhand/panel.js") {
      response.writeHead(200, { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-store" });
      return response.end(readFileSync(PANEL));
    }
    if (url.pathname.startsWith(BASE)) return this.api(url, request, response);
    if (url.pathname.startsWith("/static/")) return page.style(response);
    if (url.pathname === "/favicon.ico") return response.writeHead(204).end();
    return page.html(url, response, request.headers.cookie);
  }

  async control(url, request, response) {
    if (url.pathname === "/dev/requests") return send(response, 200, this.requests);
    if (url.pathname === "/dev/reset") this.reset();
    const body = request.method === "POST" ? await read(request) : {};
    if (body.conversations) for (const given of body.conversations) this.furnish(given);
    const { conversations: _, ...faults } = body;
    Object.assign(this.faults, faults);
    return send(response, 200, this.faults);
  }

  /**
   * A conversation that was there before: its title, and rows as `[role, content]`, whole messages, or `{card}`.
   *
   * @param {{title: string, rows?: any[]}} given
   */
  furnish({ title, rows = [] }) {
    const conversation = this.create(title);
    for (const row of rows) {
      if (row.card) this.cards.put(conversation, row.card, null, null);
      else this.store(conversation, Array.isArray(row) ? { role: row[0], content: row[1] } : row, null);
    }
  }

  async api(url, request, response) {
    const path = url.pathname.slice(BASE.length);
    const { method } = request;
    const body = ["POST", "PATCH"].includes(method) ? await read(request) : undefined;
    this.requests.push({ method, path, body });
    if (method !== "GET" && request.headers["x-csrftoken"] !== this.token)
      throw new Refusal(403, "not_allowed", "Not allowed.");
    const parts = path.split("/");
    if (path === "state") return send(response, 200, this.state());
    const session = sessionOf(request);
    if (parts[0] === "conversations")
      return this.ofConversations(method, parts, url.searchParams, body, session, response);
    if (parts[0] === "cards") return this.cards.answer(method, parts, session, request, response);
    if (parts[0] === "turns") return this.ofTurns(method, parts, url, request, response);
    throw new Refusal(404, "not_found", "There is nothing here.");
  }

  state() {
    return {
      csrf: this.token,
      user: { name: "Practice", key: "account-1" },
      provider: { name: "Example AI", model: "practice-1", is_offline: false },
      limits: { message_chars: 20_000 },
      running: [...this.turns.values()]
        .filter((turn) => !turn.end)
        .map((turn) => ({ turn: turn.id, conversation: turn.conversation.id })),
      streams: this.faults.streams,
      tools: ["Orders", "Customers"],
    };
  }

  async ofConversations(method, [, id, verb], query, body, session, response) {
    if (!id) {
      return method === "POST" ? send(response, 201, shown(this.create(""))) : send(response, 200, this.find(query));
    }
    const conversation = this.conversations.get(id);
    if (!conversation || (conversation.isHidden && verb !== "restore"))
      throw new Refusal(404, "not_found", "There is nothing here.");
    if (verb === "messages") return send(response, 200, this.cards.withCards(rows(conversation, query), session));
    if (verb === "cards") return send(response, 200, this.cards.of(conversation, session));
    if (verb === "turns") return this.start(conversation, body, session, response);
    if (verb === "restore") conversation.isHidden = false;
    if (method === "PATCH") conversation.title = String(body.title);
    if (method === "DELETE") {
      conversation.isHidden = true;
      if (conversation.running) this.end(conversation.running, "stopped");
      return send(response, 200, { undo_seconds: 10 });
    }
    return send(response, 200, shown(conversation));
  }

  create(title) {
    this.numbers += 1;
    const conversation = {
      id: `c${this.numbers}`,
      title,
      active_at: new Date().toISOString(),
      order: this.numbers,
      rows: [],
      running: null,
      isHidden: false,
    };
    this.conversations.set(conversation.id, conversation);
    return conversation;
  }

  find(query) {
    const wanted = (query.get("q") ?? "").toLowerCase();
    const before = Number(query.get("before") ?? Number.POSITIVE_INFINITY);
    const found = [...this.conversations.values()]
      .filter((one) => !one.isHidden && one.order < before)
      .filter((one) =>
        `${one.title} ${one.rows.map(({ content }) => content).join(" ")}`.toLowerCase().includes(wanted),
      )
      .sort((a, b) => b.order - a.order);
    const part = found.slice(0, PAGE_CONVERSATIONS);
    return { conversations: part.map(shown), next: found.length > part.length ? String(part.at(-1).order) : null };
  }

  async start(conversation, { text, key, replaces }, session, response) {
    if (this.faults.startMs) await new Promise((resolve) => setTimeout(resolve, this.faults.startMs));
    if (this.faults.failStarts > 0) {
      this.faults.failStarts -= 1;
      throw new Refusal(500, "server", "");
    }
    const { refuseStarts: no } = this.faults;
    if (no) throw new Refusal(no.status, no.code, no.message);
    let turn = this.keys.get(key);
    if (!turn) {
      if ([...this.turns.values()].some((one) => !one.end))
        throw new Refusal(409, "busy", "An answer is still being written.");
      if (replaces !== undefined && conversation.rows.findLast(({ role }) => role === "user")?.seq !== replaces)
        throw new Refusal(400, "invalid", "Only the last question can be asked anew.");
      turn = this.begin(conversation, text, replaces, session);
      this.keys.set(key, turn);
    }
    if (this.faults.loseStarts > 0) {
      this.faults.loseStarts -= 1;
      // After the headers: a browser silently repeats a request that broke before them.
      response.writeHead(202, { "Content-Type": "application/json", "Content-Length": 999 });
      response.flushHeaders();
      setTimeout(() => response.destroy(), 20);
      return;
    }
    return send(response, 202, { turn: turn.id, message: turn.message });
  }

  begin(conversation, text, replaces, session) {
    this.numbers += 1;
    if (replaces !== undefined) this.cards.endFrom(conversation, replaces);
    const turn = {
      id: `t${this.numbers}`,
      conversation,
      events: [],
      number: 0,
      end: "",
      followers: new Set(),
      text: "",
      timer: null,
    };
    turn.message = this.store(conversation, { role: "user", content: text, replaces_seq: replaces ?? null }, turn);
    conversation.title ||= text.slice(0, 60);
    conversation.order = this.numbers;
    conversation.active_at = new Date().toISOString();
    conversation.running = turn;
    this.turns.set(turn.id, turn);
    const steps = script(text);
    const step = () => {
      if (turn.end) return;
      const next = steps.next();
      if (next.done) return this.end(turn, "answered");
      const { wait = this.faults.pieceMs, ...event } = next.value;
      if (event.propose) this.event(turn, "message", this.cards.put(conversation, event.propose, turn, session));
      else if (event.store) this.event(turn, "message", this.store(conversation, event.store, turn));
      else this.event(turn, event.kind, event.payload);
      if (event.kind === "text") turn.text += event.payload.text;
      if (event.store?.role === "assistant") turn.text = "";
      turn.timer = setTimeout(step, wait);
    };
    turn.timer = setTimeout(step, 20);
    return turn;
  }

  store(conversation, given, turn) {
    const row = {
      seq: conversation.rows.length + 1,
      role: "assistant",
      content: "",
      created_at: new Date().toISOString(),
      turn: turn?.id ?? null,
      ending: given.role === "assistant" ? "complete" : "",
      notice: "",
      tool: null,
      calls: [],
      model: "practice-1",
      cost_micro_usd: null,
      input_tokens: null,
      output_tokens: null,
      ...given,
    };
    conversation.rows.push(row);
    return row;
  }

  /** Numbers have gaps on purpose, as the real ones may. */
  event(turn, kind, payload) {
    turn.number += 1 + (turn.number % 3 === 2 ? 1 : 0);
    turn.events.push({ number: turn.number, kind, payload });
    for (const wake of [...turn.followers]) wake();
  }

  end(turn, end) {
    if (turn.end) return;
    clearTimeout(turn.timer);
    turn.end = end;
    if (turn.text) {
      const ending = end === "stopped" ? "stopped" : "complete";
      this.event(
        turn,
        "message",
        this.store(turn.conversation, { role: "assistant", content: turn.text, ending }, turn),
      );
    }
    turn.conversation.running = null;
    this.event(turn, "done", { end, last_seq: turn.conversation.rows.length });
  }

  ofTurns(_method, [, id, verb], url, request, response) {
    const turn = this.turns.get(id);
    if (!turn) throw new Refusal(404, "not_found", "There is nothing here.");
    if (verb === "stop") {
      this.end(turn, "stopped");
      return send(response, 200, { id, is_running: false, end: turn.end });
    }
    const after = Number(request.headers["last-event-id"] ?? url.searchParams.get("after") ?? 0);
    if (this.faults.mute && verb) return;
    if (verb === "events") {
      return send(response, 200, { events: since(turn, after), is_running: !turn.end, wait_ms: POLL_MS });
    }
    if (verb === "stream") return this.stream(turn, after, response);
    return send(response, 200, {
      id,
      conversation: turn.conversation.id,
      is_running: !turn.end,
      end: turn.end,
      last_event: turn.number,
    });
  }

  stream(turn, after, response) {
    const { faults } = this;
    if (faults.refuse > 0) {
      faults.refuse -= 1;
      throw new Refusal(503, "unavailable", "");
    }
    if (faults.full) throw new Refusal(429, "limit_reached", "");
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache",
      "X-Accel-Buffering": "no",
    });
    response.flushHeaders();
    if (faults.held) return;
    response.write(": open\n\n");
    const comment = setInterval(() => response.write(": still here\n\n"), COMMENT_MS);
    let last = faults.repeats ? 0 : after;
    let sent = 0;
    const wake = () => {
      if (faults.mute) return;
      for (const event of since(turn, last)) {
        response.write(`id: ${event.number}\nevent: ${event.kind}\ndata: ${JSON.stringify(event.payload)}\n\n`);
        last = event.number;
        sent += 1;
        if (event.kind === "done") return response.end();
        if (faults.cut > 0 && faults.cutAfter > 0 && sent >= faults.cutAfter) {
          faults.cut -= 1;
          turn.followers.delete(wake);
          return response.destroy();
        }
      }
    };
    turn.followers.add(wake);
    response.on("close", () => {
      clearInterval(comment);
      turn.followers.delete(wake);
    });
    wake();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = process.argv.includes("--port") ? Number(process.argv[process.argv.indexOf("--port") + 1]) : 8765;
  console.log(await new Twin().listen(port));
}
