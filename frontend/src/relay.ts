/**
 * Follows one turn together with the other tabs of this browser: one of them leads and holds the stream, the others hear each event from it.
 *
 * Who leads is the browser's to say: the lead is a lock with the turn's name, free again as soon as its tab closes, crashes or lets go.
 * A tab that hears nothing asks; a leader asleep does not answer, and after {@link Hearing.silenceMs} more the lead is taken from it. Each
 * word says after which event it comes, so that every tab takes each event once, in order, and asks for what it lacks.
 *
 * Tabs hear each other only if they show the same installation to the same account. A refusal is never relayed: the lead passes on, and
 * each tab that gets it learns from the server itself. Where the browser has no locks (plain http) every tab follows alone.
 */
import { ApiError } from "./api";
import { type Following, follow, type Link, pause } from "./stream";
import type { TurnEvent } from "./wire";

export interface Hearing {
  /** So long without a word of the leader: ask; and once more so long: take the lead. */
  silenceMs: number;
}

const HEARING: Hearing = { silenceMs: 900 };

/** So long the word of a tab may take to another. */
const LAST_WORD_MS = 50;

/** What tabs say to each other. */
interface Word {
  /** Number of the event before `events`; in a question, of the last one that is known. */
  after: number;
  /** The leader's alone, as is all below: what comes next. A word without is a question. */
  events?: TurnEvent[];
  link?: Link;
  /** Nobody sees the leader: its clocks may be slow. */
  isHidden?: boolean;
  /** A question that asks to try the lost connection now. */
  isUrgent?: boolean;
}

/** As `follow`, for all tabs that give the same `circle`: the name of installation and account. */
export async function followTogether(
  following: Following,
  circle: string,
  hearing: Hearing = HEARING,
): Promise<boolean> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks || typeof BroadcastChannel === "undefined") return follow(following);
  return new Companion(following, locks, `deskhand:${circle}:${following.turn}`, hearing).run();
}

class Companion {
  readonly #f: Following;
  readonly #locks: LockManager;
  readonly #name: string;
  readonly #hearing: Hearing;
  readonly #channel: BroadcastChannel;
  readonly #events: TurnEvent[] = [];
  #link: Link = { state: "live" };
  #isDone = false;
  #isLeading = false;
  #hasHeard = false;
  #hasAsked = false;
  #byForce = false;
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** Ends the wait for the lead, or the lead itself. */
  #part: AbortController = new AbortController();

  constructor(following: Following, locks: LockManager, name: string, hearing: Hearing) {
    this.#f = following;
    this.#locks = locks;
    this.#name = name;
    this.#hearing = hearing;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }: MessageEvent<Word>) => this.#hear(data);
  }

  async run(): Promise<boolean> {
    const { signal } = this.#f;
    const leave = () => this.#part.abort();
    const retry = () => this.#isLeading || this.#say({ after: this.#last, isUrgent: true });
    signal.addEventListener("abort", leave);
    globalThis.addEventListener?.("deskhand-retry", retry);
    try {
      this.#ask();
      while (!this.#isDone && !signal.aborted) await this.#attend();
    } finally {
      clearTimeout(this.#silence);
      signal.removeEventListener("abort", leave);
      globalThis.removeEventListener?.("deskhand-retry", retry);
      this.#channel.close();
    }
    return this.#isDone;
  }

  /** Waits for the lead, and leads until the turn's end, or until another tab takes the lead. Throws the refusal that ended it. */
  async #attend(): Promise<void> {
    const part = new AbortController();
    this.#part = part;
    const how: LockOptions = this.#byForce ? { steal: true } : { signal: part.signal };
    this.#byForce = false;
    try {
      await this.#locks.request(this.#name, how, () => this.#lead(part.signal));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // Not let go of, and not taken: here the browser gives no locks. Then alone.
      if ((error as Error).name !== "AbortError") await this.#lead(part.signal);
    } finally {
      part.abort();
      this.#isLeading = false;
      this.#listen();
    }
  }

  async #lead(signal: AbortSignal): Promise<void> {
    // The lead may come sooner than the last word of who had it.
    if (this.#hasHeard) await pause(LAST_WORD_MS, signal);
    if (this.#isDone || signal.aborted) return;
    this.#isLeading = true;
    clearTimeout(this.#silence);
    this.#tell(this.#last, []);
    await follow({
      ...this.#f,
      after: this.#last,
      signal,
      onEvent: (event) => {
        const after = this.#last;
        this.#take(event);
        this.#tell(after, [event]);
      },
      onLink: (link) => {
        const isNews = link.state === "lost" || this.#link.state === "lost";
        this.#linked(link);
        if (isNews) this.#tell(this.#last, []);
      },
    });
  }

  get #last(): number {
    return this.#events.at(-1)?.number ?? this.#f.after;
  }

  #hear({ after, events, link, isHidden, isUrgent }: Word): void {
    if (this.#isDone || this.#f.signal.aborted) return;
    // What a tab still says from whom the lead was taken while it slept is old.
    if (events && !this.#isLeading) this.#hearLeader(after, events, link, isHidden);
    if (events || !this.#isLeading) return;
    if (isUrgent) globalThis.dispatchEvent?.(new Event("deskhand-retry"));
    this.#tell(
      after,
      this.#events.filter(({ number, kind }) => number > after || kind === "done"),
    );
  }

  #hearLeader(after: number, events: TurnEvent[], link: Link | undefined, isHidden: boolean | undefined): void {
    this.#hasHeard = true;
    this.#listen();
    if (after > this.#last) {
      this.#ask();
      return;
    }
    for (const event of events) this.#take(event);
    if (this.#isDone) this.#part.abort();
    else if (link) this.#linked(link);
    // What is tried again by the clock is better tried where the clock is right.
    if (!this.#isDone && link?.state === "lost" && isHidden && isSeen()) this.#seize();
  }

  #take(event: TurnEvent): void {
    const isLast = event.kind === "done";
    if (this.#isDone || this.#f.signal.aborted || (event.number <= this.#last && !isLast)) return;
    this.#events.push(event);
    this.#isDone = isLast;
    this.#f.onEvent(event);
  }

  #linked(link: Link): void {
    this.#link = link;
    this.#f.onLink(link);
  }

  #tell(after: number, events: TurnEvent[]): void {
    this.#say({ after, events, link: this.#link, isHidden: !isSeen() });
  }

  #say(word: Word): void {
    this.#channel.postMessage(word);
  }

  #ask(): void {
    this.#say({ after: this.#last });
    this.#listen(true);
  }

  /** Winds the clock for the next silence. */
  #listen(hasAsked = false): void {
    clearTimeout(this.#silence);
    this.#hasAsked = hasAsked;
    if (this.#isDone || this.#f.signal.aborted) return;
    // Not all at once: one is enough to take the lead.
    const wait = this.#hearing.silenceMs * (1 + Math.random() / 5);
    this.#silence = setTimeout(() => (this.#hasAsked ? this.#seize() : this.#ask()), wait);
  }

  #seize(): void {
    this.#byForce = true;
    this.#part.abort();
  }
}

function isSeen(): boolean {
  return globalThis.document?.visibilityState === "visible";
}
