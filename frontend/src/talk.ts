/**
 * One conversation as the panel knows it: its rows by number, the turn that runs in it, and what went wrong last.
 *
 * Each follows its own turn and writes into itself alone, so an answer can never land in the conversation that was opened meanwhile
 * (`B68`). Rows are kept by number: one that comes twice, from a page and from the stream, stands once.
 */
import { type Api, ApiError } from "./api";
import { lastPair, shown } from "./branch";
import { Cards, type CardWaits } from "./cards";
import { type Draft, newDraft } from "./memory";
import { followTogether } from "./relay";
import { Sentences } from "./sentences";
import type { Link, Waits } from "./stream";
import { after, newTurn, type Turn } from "./turn";
import type { Message, TurnEvent } from "./wire";
import { say } from "./words";

/** What a conversation needs from the panel around it. */
export interface Surroundings {
  api: Api;
  /** Whether streams are worth a try here. */
  streams: boolean;
  waits?: Partial<Waits & CardWaits>;
  /** Names installation and account: tabs with the same name follow a turn together. */
  circle: () => string;
  /** Where the person is: the page, and its language. */
  place: () => { page: string; locale: string };
  /** Something to be drawn changed. */
  changed: () => void;
  /** To be read out by a screen reader. */
  announce: (talk: Talk, text: string) => void;
  /** Whether the person can see this conversation now. */
  isSeen: (talk: Talk) => boolean;
  /** A click of this tab decided a card here. */
  decided: (talk: Talk) => void;
  /** A turn began here, by this tab. */
  began: (talk: Talk) => void;
  /** A turn ended here. */
  ended: (talk: Talk) => void;
}

/** What went wrong, in words, and what of the person's is kept. */
export interface Trouble {
  message: string;
  /**
   * What ends it: signing in; the server's answering again; the end of the turn that is in the way; leaving what is not there any more.
   * Else the person closes it.
   */
  kind?: "signed_out" | "away" | "busy" | "crashed_too_often" | "gone";
  /** Another conversation that holds the person's one turn, if that is the reason. */
  elsewhere?: string;
}

/** An error in words for the person. */
export function trouble(error: unknown): Trouble {
  if (!(error instanceof ApiError)) return { message: say("error.unreadable") };
  const { message, code, isGone, isAway } = error;
  if (code === "signed_out" || code === "busy" || code === "crashed_too_often") return { message, kind: code };
  if (isGone) return { message, kind: "gone" };
  return isAway ? { message, kind: "away" } : { message };
}

const ATTEMPTS_AT_THE_END = 5;

export class Talk {
  id: string | null;
  title = "";
  turn: Turn | null = null;
  link: Link = { state: "live" };
  trouble: Trouble | null = null;
  hasOlder = false;
  isLoading = false;
  isSending = false;
  /** The number of the question that was sent last from here: other tabs' do not count. */
  sent = 0;
  readonly cards: Cards;
  /** The question that is being written anew, and in whose place. */
  edited: { seq: number; draft: Draft } | null = null;
  /** The question that is not to be asked again as it is, and why: the server was interrupted at it too often. */
  hopeless: { seq: number; message: string } | null = null;
  #repeated: { seq: number; draft: Draft } | null = null;
  readonly #around: Surroundings;
  readonly #rows = new Map<number, Message>();
  readonly #sentences = new Sentences();
  #following: AbortController | null = null;
  #isEnding = false;

  constructor(id: string | null, around: Surroundings) {
    this.id = id;
    this.#around = around;
    this.cards = new Cards({
      api: around.api,
      ...(around.waits ? { waits: around.waits } : {}),
      changed: around.changed,
      announce: (text) => this.#announce(text),
      isSeen: () => around.isSeen(this),
      ended: () => void this.load().catch(() => undefined),
      decided: () => around.decided(this),
    });
  }

  /** The known rows that are shown, in order. */
  get messages(): Message[] {
    return shown([...this.#rows.values()].sort((a, b) => a.seq - b.seq));
  }

  get #lastSeq(): number {
    return Math.floor(Math.max(0, ...this.#rows.keys()));
  }

  /** Brings rows up to date and takes up a turn that runs. Throws the ApiError if the conversation is not there. */
  async load(): Promise<void> {
    if (!this.id) return;
    this.isLoading = this.#rows.size === 0;
    this.#around.changed();
    try {
      const last = this.#lastSeq;
      const [page, conversation] = await Promise.all([
        this.#around.api.messages(this.id, last ? { after: last } : {}),
        this.#around.api.conversation(this.id),
      ]);
      this.title = conversation.title;
      if (!last) this.hasOlder = page.has_more;
      this.#add(page.messages);
      if (last && page.has_more) await this.#catchUp();
      void this.cards.look();
      if (page.running_turn) this.follow(page.running_turn);
    } finally {
      this.isLoading = false;
      this.#around.changed();
    }
  }

  /** Afterwards earlier rows are shown, if there are any: pages on which all was replaced are passed over. */
  async loadOlder(): Promise<void> {
    const shownBefore = this.messages.length;
    try {
      while (this.id && this.hasOlder && this.#rows.size > 0 && this.messages.length === shownBefore) {
        const page = await this.#around.api.messages(this.id, { before: Math.min(...this.#rows.keys()) });
        this.hasOlder = page.has_more && page.messages.length > 0;
        this.#add(page.messages);
      }
    } catch (error) {
      this.#say(error);
    }
    this.#around.changed();
  }

  /**
   * Sends a draft. True once the server has taken it; false if it was refused, and then `trouble` says why.
   *
   * While a turn runs only a draft is sent that was sent before: the turn may be its own, and then the server says so.
   */
  async send({ text, key, isTried }: Draft, replaces?: number): Promise<boolean> {
    if (this.isSending) return false;
    if (this.turn && !isTried) return this.#refuse({ message: say("write.wait"), kind: "busy" });
    this.isSending = true;
    this.trouble = null;
    this.#around.changed();
    try {
      if (!this.id) this.id = (await this.#around.api.create()).id;
      const place = this.#around.place();
      const { turn, message } = await this.#around.api.start(this.id, {
        text,
        key,
        ...place,
        ...(replaces === undefined ? {} : { replaces }),
      });
      this.#add([message]);
      this.sent = message.seq;
      this.edited = null;
      // Cards of a branch that was replaced have just ended.
      if (replaces !== undefined) void this.cards.look();
      this.follow(turn);
      this.#around.began(this);
      return true;
    } catch (error) {
      this.#say(error);
      if (error instanceof ApiError && error.code === "busy") await this.#findTheOther();
      return false;
    } finally {
      this.isSending = false;
      this.#around.changed();
    }
  }

  /** Asks the last question once more, in its own place. The same key goes with it until the server has taken it. */
  async again(): Promise<void> {
    const { question } = lastPair(this.messages);
    if (!question || this.turn) return;
    const { seq, content } = question;
    if (this.#repeated?.seq !== seq) this.#repeated = { seq, draft: newDraft(content) };
    if ((await this.send(this.#repeated.draft, seq)) || this.trouble?.kind !== "crashed_too_often") return;
    this.hopeless = { seq, message: this.trouble.message };
    this.#announce(this.trouble.message);
    this.trouble = null;
  }

  /** Begins to write the last question anew; with nothing, lets go of it. */
  edit(question: Message | null): void {
    this.edited = question && { seq: question.seq, draft: newDraft(question.content) };
    this.#around.changed();
  }

  /** Keeps what the question is changed to. */
  rewrite(text: string): void {
    if (!this.edited || text === this.edited.draft.text) return;
    this.edited = { ...this.edited, draft: newDraft(text) };
    this.#around.changed();
  }

  /** Sends the changed question. It stays as it is if it was refused. */
  async resend(): Promise<boolean> {
    return this.edited !== null && (await this.send(this.edited.draft, this.edited.seq));
  }

  /** Follows a turn from its first event, unless it is being followed. */
  follow(id: string): void {
    if (this.turn?.id === id) return;
    this.leave();
    this.turn = newTurn(id);
    this.#unkeep(id);
    this.#sentences.finish("");
    this.#isEnding = false;
    const following = new AbortController();
    this.#following = following;
    const { api, streams, waits } = this.#around;
    const how = {
      api,
      turn: id,
      after: 0,
      streams,
      signal: following.signal,
      onEvent: (event: TurnEvent) => this.#take(event),
      onLink: (link: Link) => this.#linked(link),
      onNoStream: () => {
        this.#around.streams = false;
      },
      ...(waits ? { waits } : {}),
    };
    followTogether(how, this.#around.circle())
      .then((isDone) => (isDone ? this.#end(id) : undefined))
      .catch((error: unknown) => {
        const shown = this.turn;
        this.leave();
        if (shown) this.#keep(shown);
        this.#say(error);
        this.#around.changed();
      });
  }

  /** Lets go of everything: the turn, the clocks of the cards. */
  close(): void {
    this.leave();
    this.cards.leave();
  }

  /** Stops watching. The turn itself goes on. */
  leave(): void {
    this.#following?.abort();
    this.#following = null;
    this.turn = null;
    this.link = { state: "live" };
  }

  /** Stops the turn on the server. */
  async stop(): Promise<void> {
    const turn = this.turn;
    if (!turn || turn.isStopping) return;
    this.turn = { ...turn, isStopping: true };
    this.#around.changed();
    try {
      const { is_running } = await this.#around.api.stop(turn.id);
      if (!is_running) await this.#end(turn.id);
    } catch (error) {
      this.#say(error);
      if (this.turn?.id === turn.id) this.turn = { ...this.turn, isStopping: false };
      this.#around.changed();
    }
  }

  #take(event: TurnEvent): void {
    if (!this.turn) return;
    const stopping = this.turn.isStopping;
    this.turn = { ...after(this.turn, event), isStopping: stopping };
    if (event.kind === "text") this.#announce(this.#sentences.next(this.turn.text));
    if (event.kind === "tool" && event.payload.state === "running") {
      this.#announce(say("tool.running", { title: event.payload.title }));
    }
    if (event.kind === "message") {
      this.#add([event.payload]);
      if (event.payload.role === "assistant") this.#announce(this.#sentences.finish(event.payload.content));
      if (event.payload.role === "notice") this.#announce(event.payload.content);
    }
    this.#around.changed();
  }

  #linked(link: Link): void {
    if (link.state === this.link.state && link.state === "live") return;
    if (link.state === "live") this.#announce(say("net.back"));
    else if (this.link.state === "live") this.#announce(say("net.trying"));
    this.link = link;
    this.#around.changed();
  }

  /** Fetches what the turn stored and lets go of it. What was streamed stays in view until its row is there. */
  async #end(id: string): Promise<void> {
    if (this.turn?.id !== id || this.#isEnding) return;
    this.#isEnding = true;
    this.#following?.abort();
    try {
      await this.#catchUp();
    } catch (error) {
      this.#say(error);
    }
    this.#isEnding = false;
    // A new turn may have begun meanwhile; it is not ours to end.
    if (this.turn?.id !== id) return;
    const shown = this.turn;
    this.leave();
    this.#keep(shown);
    if (this.trouble?.kind === "busy") this.trouble = null;
    const last = this.messages.findLast(({ turn, role }) => turn === id && role === "assistant");
    // Of any other end a notice has spoken.
    if (last?.ending === "complete") this.#announce(say("turn.ended"));
    this.#around.ended(this);
    this.#around.changed();
  }

  /** What was shown of a turn's answer and is not stored stays in view, marked as not complete, until the conversation is opened anew. */
  #keep({ id, text }: Turn): void {
    const row = [...this.#rows.values()].find(
      ({ turn, role, content }) =>
        turn === id && role === "assistant" && content && (text.startsWith(content) || content.startsWith(text)),
    );
    if (!text || (row && row.content.length >= text.length)) return;
    const last = this.#rows.get(this.#lastSeq);
    // Before the notice that says why. Such a row has no number of its own: it stands between two.
    const seq = row?.seq ?? this.#lastSeq + (last?.turn === id && last.role === "notice" ? -0.5 : 0.5);
    const made = { created_at: "", notice: "", tool: null, calls: [] };
    this.#rows.set(seq, {
      ...(row ?? { ...made, seq, role: "assistant", turn: id, ending: "incomplete" }),
      content: text,
    });
  }

  #unkeep(id: string | null): void {
    for (const [at, { turn }] of this.#rows) if (at % 1 && turn === id) this.#rows.delete(at);
  }

  async #catchUp(): Promise<void> {
    for (let attempt = 1; this.id; attempt += 1) {
      try {
        const page = await this.#around.api.messages(this.id, { after: this.#lastSeq });
        this.#add(page.messages);
        if (!page.has_more || page.messages.length === 0) return;
      } catch (error) {
        const mayPass = error instanceof ApiError && error.isPassing;
        if (!mayPass || attempt >= ATTEMPTS_AT_THE_END) throw error;
        await new Promise((resolve) => setTimeout(resolve, 400 * attempt));
      }
    }
  }

  /** After "busy": the turn that holds the place may run here (another tab began it) or in another conversation. */
  async #findTheOther(): Promise<void> {
    try {
      await this.load();
      if (this.turn) return;
      const { running } = await this.#around.api.state();
      const other = running.find(({ conversation }) => conversation !== this.id);
      if (other && this.trouble) this.trouble = { ...this.trouble, elsewhere: other.conversation };
    } catch {
      // The refusal itself has been said already.
    }
  }

  #refuse(trouble: Trouble): false {
    this.trouble = trouble;
    this.#around.changed();
    return false;
  }

  #add(messages: Message[]): void {
    for (const message of messages) {
      const { seq, card, confirmation, role } = message;
      // What was kept of the turn without being stored is stored by now.
      this.#unkeep(message.turn);
      this.#rows.set(seq, message);
      if (card) this.cards.take(card);
      else if (confirmation) this.cards.want(confirmation, role === "notice");
    }
  }

  #announce(text: string): void {
    if (text) this.#around.announce(this, text);
  }

  #say(error: unknown): void {
    this.trouble = trouble(error);
  }
}
