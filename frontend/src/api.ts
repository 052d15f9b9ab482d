/**
 * The web API of deskhand as functions: each asks one address and gives what it answers.
 *
 * A refusal or a lost connection becomes an {@link ApiError}, whose `message` is a sentence for the person. The CSRF token is read from
 * `state` and sent with every unsafe request; if it went stale (a login in another tab), it is read anew and the request sent once more.
 *
 * Never sends anything to another origin, and never asks by itself again, but for that one case: whether a request is repeated is for
 * its caller to say.
 */
import type { Card, Conversation, ConversationPage, EventPage, Message, Page, State, Verdict } from "./wire";
import { say } from "./words";

/** After so long without an answer nobody is there. */
const ANSWER_MS = 60_000;

/** Why a request did not give what it should. */
export class ApiError extends Error {
  /** HTTP status; 0 if no answer came. */
  readonly status: number;
  /** The server's word for it: `busy`, `not_found` …; `offline` if no answer came. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Whether the person has to sign in again. */
  get isSignedOut(): boolean {
    return this.code === "signed_out";
  }

  /** Whether nobody answered, or only somebody in between. */
  get isAway(): boolean {
    return this.status === 0 || (this.status >= 502 && this.code !== "switched_off");
  }

  /** Whether the same request may well work a little later. A page of somebody in between in the place of an answer goes, too. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 429 || this.code === "unreadable";
  }

  /** Whether our server says that what was asked for is not there; a 404 of somebody in between says nothing. */
  get isGone(): boolean {
    return this.code === "not_found";
  }
}

export interface NewTurn {
  text: string;
  /** The client's key: the same key again is answered with the same turn. */
  key: string;
  page: string;
  locale: string;
  /** The last question of the person, in whose place this one is to stand. */
  replaces?: number;
}

export class Api {
  readonly #base: string;
  /** Called when something is refused or not there: it may be that somebody else is signed in by now. */
  onRefused: () => void = () => undefined;
  /** Key of the account that the page shows: what the server has for another is refused. Nothing: as long as nobody is known. */
  account = "";
  #csrf = "";

  /** `base` ends with a slash and lies on the page's own origin; anything else throws a TypeError. */
  constructor(base: string) {
    const url = new URL(base, location.href);
    if (url.origin !== location.origin) throw new TypeError("data-api must lie on the page's own origin");
    this.#base = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  }

  async state(): Promise<State> {
    const state = await this.#json<State>("GET", "state");
    this.#csrf = state.csrf;
    return state;
  }

  conversations(query = "", before: string | null = null): Promise<ConversationPage> {
    const parameters = new URLSearchParams();
    if (query) parameters.set("q", query);
    if (before) parameters.set("before", before);
    return this.#json("GET", `conversations?${parameters}`);
  }

  conversation(id: string): Promise<Conversation> {
    return this.#json("GET", `conversations/${encodeURIComponent(id)}`);
  }

  create(): Promise<Conversation> {
    return this.#json("POST", "conversations", {});
  }

  rename(id: string, title: string): Promise<Conversation> {
    return this.#json("PATCH", `conversations/${encodeURIComponent(id)}`, { title });
  }

  remove(id: string): Promise<{ undo_seconds: number }> {
    return this.#json("DELETE", `conversations/${encodeURIComponent(id)}`);
  }

  restore(id: string): Promise<unknown> {
    return this.#json("POST", `conversations/${encodeURIComponent(id)}/restore`, {});
  }

  /** The newest page, the page before `before`, or what came after `after`; oldest first. */
  messages(id: string, where: { before?: number; after?: number } = {}): Promise<Page> {
    const parameters = new URLSearchParams();
    if (where.before !== undefined) parameters.set("before", String(where.before));
    if (where.after !== undefined) parameters.set("after", String(where.after));
    return this.#json("GET", `conversations/${encodeURIComponent(id)}/messages?${parameters}`);
  }

  start(conversation: string, turn: NewTurn): Promise<{ turn: string; message: Message }> {
    return this.#json("POST", `conversations/${encodeURIComponent(conversation)}/turns`, turn);
  }

  stop(turn: string): Promise<{ id: string; is_running: boolean; end: string }> {
    return this.#json("POST", `turns/${encodeURIComponent(turn)}/stop`, {});
  }

  /** Those that wait in a conversation, and those that ended a moment ago. */
  cards(conversation: string): Promise<{ cards: Card[] }> {
    return this.#json("GET", `conversations/${encodeURIComponent(conversation)}/cards`);
  }

  card(id: string): Promise<Card> {
    return this.#json("GET", `cards/${encodeURIComponent(id)}`);
  }

  /** Says the person's verdict. The answer is how the card stands then, also if another click had been first. */
  decide(id: string, verdict: Verdict): Promise<{ card: Card }> {
    return this.#json("POST", `cards/${encodeURIComponent(id)}/${verdict}`, {});
  }

  events(turn: string, after: number, signal: AbortSignal): Promise<EventPage> {
    return this.#json("GET", `turns/${encodeURIComponent(turn)}/events?after=${after}`, undefined, signal);
  }

  /** The open stream of a turn's events after `after`. Its body is for stream.ts to read. */
  async stream(turn: string, after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const path = `turns/${encodeURIComponent(turn)}/stream?after=${after}`;
    const response = await this.#send("GET", path, undefined, signal, "text/event-stream");
    if (!response.ok || !response.body) throw await this.#refused(response);
    return response.body;
  }

  async #json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    let response = await this.#send(method, path, body, signal);
    if (response.status === 403 && method !== "GET") {
      const stale = this.#csrf;
      const { user } = await this.state();
      const isOurs = !this.account || user.key === this.account;
      if (isOurs && this.#csrf !== stale) response = await this.#send(method, path, body, signal);
    }
    if (!response.ok) throw path === "state" ? await refusal(response) : await this.#refused(response);
    try {
      return (await response.json()) as T;
    } catch (error) {
      if (error instanceof SyntaxError) throw new ApiError(response.status, "unreadable", say("error.unreadable"));
      if (signal?.aborted) throw error;
      throw new ApiError(0, "offline", say("error.offline"));
    }
  }

  async #refused(response: Response): Promise<ApiError> {
    if (response.status === 403 || response.status === 404) this.onRefused();
    return refusal(response);
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
    signal: AbortSignal | undefined,
    accept = "application/json",
  ): Promise<Response> {
    const headers: Record<string, string> = { Accept: accept };
    // What is signed in now is asked for by whoever wants to know whether it is another.
    if (this.account && path !== "state") headers["X-Deskhand-Account"] = encodeURIComponent(this.account);
    if (method !== "GET") headers["X-CSRFToken"] = this.#csrf;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    try {
      return await fetch(this.#base + path, {
        method,
        headers,
        credentials: "same-origin",
        redirect: "manual",
        cache: "no-store",
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal ?? AbortSignal.timeout(ANSWER_MS),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, "offline", say("error.offline"));
    }
  }
}

/** The server's refusal as an ApiError: its own sentence where it gave one, else ours for the status. */
async function refusal(response: Response): Promise<ApiError> {
  // A redirect leads to a login page: the session is gone.
  if (response.type === "opaqueredirect") return new ApiError(403, "signed_out", say("error.signed_out"));
  let code = "";
  let message = "";
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    ({ code, message } = error);
  } catch {
    // Not from our API: a proxy's page, or the host's. Its text is not for the person.
  }
  if (response.status === 401) code = "signed_out";
  return new ApiError(response.status, code || String(response.status), message || ourWords(response.status));
}

function ourWords(status: number): string {
  if (status === 401) return say("error.signed_out");
  if (status === 403) return say("error.forbidden");
  if (status === 404) return say("error.gone");
  if (status === 409) return say("error.busy");
  if (status === 413) return say("error.too_large");
  if (status === 429) return say("error.limit");
  return say("error.server");
}
