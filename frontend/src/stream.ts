/**
 * Follows one turn to its end: each of its events is handed over once and in order, whatever the network does.
 *
 * It opens the turn's stream and goes over to short polls by itself if the server does not stream, or if nothing at all (no event, no
 * comment) came within `silenceMs` of opening: then something between browser and server holds the answer back. A stream that ends
 * early is taken up after the last number seen. A lost connection is tried again, later each time, and said (`onLink`): one that broke,
 * that the browser calls offline, or that has fallen silent after it had worked.
 *
 * `fetch` rather than `EventSource`: that one hides the status of a refusal and retries by rules of its own.
 *
 * Never ends the turn: whoever stops following leaves it running.
 */
import { type Api, ApiError } from "./api";
import { Reader } from "./sse";
import type { TurnEvent } from "./wire";

/** How the connection stands: `live`, or lost with the moment of the next attempt (0: being tried now). */
export type Link = { state: "live" } | { state: "lost"; retryAt: number };

export interface Following {
  api: Api;
  turn: string;
  /** Number of the last event that is known; 0 for all. */
  after: number;
  /** Whether to try the stream at all. */
  streams: boolean;
  signal: AbortSignal;
  onEvent: (event: TurnEvent) => void;
  onLink: (link: Link) => void;
  /** The stream gave nothing: later turns need not try it. */
  onNoStream?: () => void;
  waits?: Partial<Waits>;
}

export interface Waits {
  /** Nothing within this time after opening: go over to polls. */
  silenceMs: number;
  /** Nothing within this time on a stream that had worked (the server sends a comment every 15 s): open it anew. */
  idleMs: number;
  /** No answer to a poll within this time: lost. */
  answerMs: number;
  /** First wait after a lost connection; doubled up to `longestMs`. */
  firstMs: number;
  longestMs: number;
}

const WAITS: Waits = { silenceMs: 4_000, idleMs: 20_000, answerMs: 10_000, firstMs: 500, longestMs: 15_000 };

/** So many attempts in a row that brought nothing where a stream had worked: from then on polls. */
const SILENT = 3;

/**
 * True once the turn's last event was handed over, false if `signal` was aborted before.
 *
 * Throws the ApiError of a refusal that waiting will not change (signed out, gone).
 */
export async function follow(following: Following): Promise<boolean> {
  return new Follower(following).run();
}

class Follower {
  readonly #f: Following;
  readonly #waits: Waits;
  #last: number;
  #streams: boolean;
  #isDone = false;
  #hasStreamed = false;
  #failures = 0;

  constructor(following: Following) {
    this.#f = following;
    this.#waits = { ...WAITS, ...following.waits };
    this.#last = following.after;
    this.#streams = following.streams;
  }

  async run(): Promise<boolean> {
    const { signal } = this.#f;
    while (!this.#isDone && !signal.aborted) {
      try {
        await (this.#streams ? this.#stream() : this.#poll());
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof ApiError && !error.isPassing) throw error;
        await this.#backOff();
      }
    }
    return this.#isDone;
  }

  /** Reads one stream to its end; returns also if it turned out to be held back. */
  async #stream(): Promise<void> {
    let heard = false;
    const reading = new Attempt(this.#f.signal, this.#waits.silenceMs);
    const alive = () => {
      heard = true;
      this.#hasStreamed = true;
      this.#isLive();
      reading.limit(this.#waits.idleMs);
    };
    try {
      const body = await this.#f.api.stream(this.#f.turn, this.#last, reading.signal);
      await this.#read(body, alive);
      // Ended without a last event, and without any: as good as held back, and asking again at once would never end.
      if (!this.#isDone) heard ? await pause(50, this.#f.signal) : this.#goOver();
    } catch (error) {
      // So many streams are open that the server lends no more: this turn is polled, the next may stream.
      if (error instanceof ApiError && error.status === 429) {
        this.#streams = false;
        return;
      }
      if (!reading.isOver) throw error;
      // Silent from the start: held back. Silent where one had worked: lost, unless it stays so.
      if (!heard && this.#hasStreamed && this.#failures < SILENT) throw error;
      if (!heard) this.#goOver();
    } finally {
      reading.end();
    }
  }

  async #read(body: ReadableStream<Uint8Array>, alive: () => void): Promise<void> {
    const lines = new Reader(({ id, event, data }) => {
      alive();
      this.#take({ number: Number(id), kind: event, payload: JSON.parse(data) } as TurnEvent);
    }, alive);
    const decoder = new TextDecoder();
    const reader = body.getReader();
    while (!this.#isDone) {
      const { done, value } = await reader.read();
      if (done) return;
      lines.feed(decoder.decode(value, { stream: true }));
    }
    reader.cancel().catch(() => undefined);
  }

  async #poll(): Promise<void> {
    const asking = new Attempt(this.#f.signal, this.#waits.answerMs);
    const page = await this.#f.api.events(this.#f.turn, this.#last, asking.signal).finally(() => asking.end());
    this.#isLive();
    for (const event of page.events) this.#take(event);
    if (!this.#isDone) await pause(page.wait_ms, this.#f.signal);
  }

  /** Hands an event over, unless it was handed over before. The last one counts whatever its number. */
  #take(event: TurnEvent): void {
    if (this.#isDone || this.#f.signal.aborted) return;
    if (event.number <= this.#last && event.kind !== "done") return;
    this.#last = Math.max(this.#last, event.number);
    if (event.kind === "done") this.#isDone = true;
    this.#f.onEvent(event);
  }

  #goOver(): void {
    this.#streams = false;
    this.#f.onNoStream?.();
  }

  #isLive(): void {
    this.#failures = 0;
    this.#f.onLink({ state: "live" });
  }

  /** Waits before the next attempt; less if the browser says that the network is back, or the person asks (`deskhand-retry` on the window). */
  async #backOff(): Promise<void> {
    const wait =
      Math.min(this.#waits.firstMs * 2 ** this.#failures, this.#waits.longestMs) * (0.75 + Math.random() / 2);
    this.#failures += 1;
    this.#f.onLink({ state: "lost", retryAt: Date.now() + wait });
    await pause(wait, this.#f.signal, ["online", "deskhand-retry"]);
    this.#f.onLink({ state: "lost", retryAt: 0 });
  }
}

/** One request with an end: when `outer` is aborted, when its time is over, or when the browser says that it is offline. */
class Attempt {
  /** Whether its time was over. */
  isOver = false;
  readonly #inner = new AbortController();
  readonly #outer: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal, ms: number) {
    this.#outer = outer;
    outer.addEventListener("abort", this.end);
    globalThis.addEventListener?.("offline", this.end);
    if (outer.aborted) this.end();
    this.limit(ms);
  }

  get signal(): AbortSignal {
    return this.#inner.signal;
  }

  /** Its time is over in `ms`, and no more when it was before. */
  limit(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.end();
    }, ms);
  }

  readonly end = (): void => {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.end);
    globalThis.removeEventListener?.("offline", this.end);
    this.#inner.abort();
  };
}

/** Returns after `ms`, at an abort, or when the window hears one of `sooner`; whichever comes first. */
export function pause(ms: number, signal: AbortSignal, sooner: string[] = []): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      for (const name of sooner) globalThis.removeEventListener?.(name, end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    for (const name of sooner) globalThis.addEventListener?.(name, end);
    if (signal.aborted) end();
  });
}
