/**
 * The confirmation cards of one conversation: what the server says of each, what the person's click is doing, how long one still waits.
 *
 * Nothing here ever decides how a card ended: that is always the server's answer. A click whose answer was lost is asked about until the
 * server says what became of it; another tab's ring only makes this one ask. While a card waits and the person can see it, the server is
 * asked now and then whether another device decided it; else never.
 */
import { type Api, ApiError } from "./api";
import { left, SOON_MS } from "./countdown";
import { pause } from "./stream";
import type { Card, Verdict } from "./wire";
import { count, say, type Word } from "./words";

/** A card as the panel holds it. */
export interface Held {
  readonly card: Card;
  /** When it runs out, on this tab's clock. */
  readonly until: number;
  /** What is being done with it now; `asking`: the server is asked how it stands. */
  readonly doing: "" | "asking" | Verdict;
  /** What became of the last click, for the person. */
  readonly words: string;
}

export interface CardWaits {
  /** Between two looks while a card waits: its end shows elsewhere within ten seconds (`CO10`). */
  lookMs: number;
  /** The same while one is being carried out, or its time is over. */
  soonMs: number;
  /** First wait before asking again after a lost connection; doubled up to `lookMs`. */
  againMs: number;
}

const WAITS: CardWaits = { lookMs: 7_000, soonMs: 1_500, againMs: 500 };

/** What cards need from the conversation around them. */
export interface Table {
  api: Api;
  waits?: Partial<CardWaits>;
  changed: () => void;
  announce: (text: string) => void;
  /** Whether the person can see the conversation: the tab is in front, the panel open. */
  isSeen: () => boolean;
  /** A card has ended: rows came with it. */
  ended: () => void;
  /** A click of this tab changed how a card stands: the other tabs are to be told. */
  decided: () => void;
}

/** How a card ended, or nothing while it waits. One whose time the server calls over has ended, though no row says so yet. */
export function end({ outcome, why_not }: Card): Exclude<Card["outcome"], null> | "" {
  return outcome ?? (why_not === "expired" ? "expired" : "");
}

/** Whether something is the person's to say here. */
export function isDue(card: Card): boolean {
  return card.must_acknowledge || (card.can_decide && !end(card));
}

/** Whether the person may press a button of it now. */
export function isOpen({ card, doing, until }: Held, now = performance.now()): boolean {
  return !doing && isDue(card) && (card.must_acknowledge || until > now);
}

/** Words for how a card stands: its end, or why it has no buttons, or that it waits. */
export function standing({ card, doing, until }: Held, now = performance.now()): Word {
  if (card.must_acknowledge) return doing ? "card.asking" : "card.unknown";
  const ended = end(card);
  if (ended) return `card.${ended}`;
  if (doing === "asking") return card.why_not === "in_progress" ? "card.in_progress" : "card.asking";
  if (doing) return doing === "reject" ? "card.rejecting" : "card.confirming";
  if (card.why_not) return `card.${card.why_not}` as Word;
  return until > now ? "card.waiting" : "card.over";
}

export class Cards {
  readonly #table: Table;
  readonly #waits: CardWaits;
  readonly #held = new Map<string, Held>();
  readonly #wanted = new Set<string>();
  #conversation: string | null = null;
  #looking: ReturnType<typeof setTimeout> | undefined;
  #ticking: ReturnType<typeof setTimeout> | undefined;
  #lookedAt = performance.now();
  readonly #left = new AbortController();

  constructor(table: Table) {
    this.#table = table;
    this.#waits = { ...WAITS, ...table.waits };
  }

  get(id: string): Held | undefined {
    return this.#held.get(id);
  }

  /** Those that have not ended. */
  get waiting(): Held[] {
    return [...this.#held.values()].filter(({ card }) => !end(card));
  }

  /** How many of those before row `seq` are the person's to decide. */
  dueBefore(seq: number): number {
    return [...this.#held.values()].filter(({ card }) => card.seq < seq && isDue(card)).length;
  }

  /** Lets go of all clocks. */
  leave(): void {
    this.#left.abort();
    clearTimeout(this.#looking);
    clearTimeout(this.#ticking);
  }

  /** Takes what the server says of a card. An answer that a later one overtook is dropped: final is final. */
  take(card: Card, isNews = false): void {
    const known = this.#held.get(card.id);
    if (known && end(known.card) && !card.outcome) return;
    if (known?.card.outcome && card.must_acknowledge && !known.card.must_acknowledge) return;
    this.#conversation = card.conversation || this.#conversation;
    const isWaiting = !end(card);
    const { doing, words } = isWaiting && known ? known : { doing: "" as const, words: "" };
    this.#held.set(card.id, { card, until: performance.now() + card.seconds_left * 1_000, doing, words });
    if (known && (end(known.card) !== end(card) || known.card.must_acknowledge !== card.must_acknowledge)) {
      this.#announce(`card.said_${card.must_acknowledge ? "unknown" : end(card)}` as Word, card);
      this.#table.ended();
    } else if (isNews && isWaiting) this.#announce("card.said_waiting", card);
    this.#table.changed();
    if (isWaiting) this.#schedule();
  }

  /** A row names a card: it is fetched unless it is known as the row says. */
  want(id: string, isEnd: boolean): void {
    const known = this.#held.get(id);
    if (this.#wanted.has(id) || (known && (!isEnd || known.card.outcome))) return;
    this.#wanted.add(id);
    void this.#ask(id, true).finally(() => this.#wanted.delete(id));
  }

  /** Asks how the waiting cards stand. Nothing if none waits. */
  async look(): Promise<void> {
    const waiting = this.waiting;
    if (!this.#conversation || waiting.length === 0 || this.#left.signal.aborted) return;
    this.#lookedAt = performance.now();
    try {
      const { cards } = await this.#table.api.cards(this.#conversation);
      for (const card of cards) if (this.#held.has(card.id)) this.take(card);
      const told = new Set(cards.map(({ id }) => id));
      await Promise.all(waiting.filter(({ card }) => !told.has(card.id)).map(({ card }) => this.#once(card.id)));
    } catch {
      // The next look may do better; a click says for itself if it cannot reach the server.
    }
    this.#schedule();
  }

  /** The person's verdict. One click counts until its answer is there. */
  async decide(id: string, verdict: Verdict): Promise<void> {
    const held = this.#held.get(id);
    if (!held || held.doing) return;
    this.#set(id, verdict, "");
    try {
      const { card } = await this.#table.api.decide(id, verdict);
      this.take(card);
      this.#set(id, "", "");
      this.#table.decided();
    } catch (error) {
      await this.#refused(id, error);
    }
  }

  /** No outcome came. Whether the click arrived is for the server to say; a refusal's words are shown, and how the card stands now. */
  async #refused(id: string, error: unknown): Promise<void> {
    const refusal = error instanceof ApiError ? error : null;
    const isUnknown = !refusal || (refusal.isPassing && refusal.status !== 429);
    if (isUnknown) this.#set(id, "asking", say("card.doubt"));
    else this.#set(id, "asking", refusal.code === "in_progress" ? "" : refusal.message);
    await this.#ask(id, false);
    const held = this.#held.get(id);
    if (!held || !isUnknown) return;
    if (end(held.card)) this.#table.decided();
    else if (held.card.can_decide && !held.words) this.#set(id, "", say("card.not_done"));
  }

  /** Asks about one card until the server answers. */
  async #ask(id: string, isNews: boolean): Promise<void> {
    for (let wait = this.#waits.againMs; !this.#left.signal.aborted; wait = Math.min(wait * 2, this.#waits.lookMs)) {
      try {
        await this.#once(id, isNews);
        const held = this.#held.get(id);
        // Words of a doubt end with it; those of a refusal stay.
        if (held?.doing) this.#set(id, "", held.words === say("card.doubt") ? "" : held.words);
        return;
      } catch (error) {
        if (!(error instanceof ApiError && error.isPassing)) {
          if (error instanceof ApiError && error.status === 404) this.#close(id);
          this.#set(id, "", error instanceof ApiError ? error.message : say("error.unreadable"));
          return;
        }
      }
      await pause(wait, this.#left.signal, ["online", "deskhand-retry"]);
    }
  }

  async #once(id: string, isNews = false): Promise<void> {
    this.take(await this.#table.api.card(id), isNews);
  }

  /** The card is not there any more: nothing can be pressed on what is left of it. */
  #close(id: string): void {
    const held = this.#held.get(id);
    if (held) this.#held.set(id, { ...held, card: { ...held.card, can_decide: false, must_acknowledge: false } });
  }

  #set(id: string, doing: Held["doing"], words: string): void {
    const held = this.#held.get(id);
    if (held) this.#held.set(id, { ...held, doing, words });
    this.#table.changed();
  }

  /** Winds both clocks: the next look at the server, and the next moment at which the words of a countdown are others. */
  #schedule(): void {
    clearTimeout(this.#looking);
    clearTimeout(this.#ticking);
    const waiting = this.waiting;
    if (waiting.length === 0 || this.#left.signal.aborted) return;
    const now = performance.now();
    const isSoon = waiting.some(({ card, until }) => card.why_not === "in_progress" || until <= now);
    const dueAt = this.#lookedAt + (isSoon ? this.#waits.soonMs : this.#waits.lookMs);
    this.#looking = setTimeout(() => this.#table.isSeen() && this.look(), Math.max(0, dueAt - now));
    const next = Math.min(...waiting.filter(({ until }) => until > now).map(({ until }) => left(until - now).nextMs));
    if (Number.isFinite(next)) this.#ticking = setTimeout(() => this.#tick(now), next + 20);
  }

  /** Some countdown's words changed since `before`. One that is over is asked about: the server's clock decides, not this one. */
  #tick(before: number): void {
    const now = performance.now();
    let isOver = false;
    for (const { card, until } of this.waiting) {
      if (until - before > SOON_MS && until - now <= SOON_MS) this.#announce("card.said_soon", card);
      isOver ||= until > before && until <= now;
    }
    this.#table.changed();
    if (isOver) void this.look();
    else this.#schedule();
  }

  #announce(word: Word, { title }: Card): void {
    this.#table.announce(say(word, { title }));
  }
}

/** What is left of a card's time, in words. */
export function leftWords(until: number, now = performance.now()): string {
  const { unit, n } = left(until - now);
  return count(`card.${unit}`, n);
}
