/**
 * What the panel knows, in one place: who is signed in, the current conversation, the list, the drafts. Components draw it and call its
 * verbs; they hold nothing themselves but what is about looks.
 *
 * It asks the server nothing until it is first opened, and then: once for the state, once for the conversation, a stream while a turn
 * runs. An open panel without a turn holds no connection; it looks when the tab comes to the front, when another tab rings, and every
 * {@link LOOK_SECONDS}; more often while a card waits (see cards.ts).
 */
import { Api, ApiError } from "./api";
import { Bell } from "./bell";
import { ConversationList } from "./list";
import { type Draft, Memory, newDraft } from "./memory";
import { type Surroundings, Talk, type Trouble, trouble } from "./talk";
import type { State } from "./wire";
import { say } from "./words";

/** How often an open panel without a turn asks whether another device did something. */
export const LOOK_SECONDS = 30;
/** How often the server is asked whether it answers again, or whether an answer under way elsewhere has come to its end. */
const SOON_SECONDS = 4;
/** So begins what is rung by a tab that learned who is signed in; no conversation's id does. */
const ACCOUNT = "@";
/** How many announcements stay in the live region: enough for a slow reader, few enough for the page. */
const ANNOUNCED = 8;

export class Store {
  readonly api: Api;
  readonly memory: Memory;
  readonly list: ConversationList;
  state: State | null = null;
  talk: Talk;
  draft: Draft;
  /** Whether the panel is open in this tab: what is remembered for the next page may be another tab's. */
  isOpen: boolean;
  /** Why the panel could not start. */
  trouble: Trouble | null = null;
  announcements: { id: number; text: string }[] = [];
  readonly #around: Surroundings;
  readonly #talks = new Map<string, Talk>();
  readonly #bell: Bell;
  readonly #draw: () => void;
  readonly #looking: ReturnType<typeof setInterval>;
  #isDrawing = false;
  #isChecking = false;
  /** The draft that was to be sent before the server had said who is signed in. */
  #hasty = "";
  #soon: ReturnType<typeof setTimeout> | undefined;
  #said = 0;

  constructor(base: string, draw: () => void, place: () => { page: string; locale: string }) {
    this.api = new Api(base);
    this.api.onRefused = () => void this.#check();
    this.memory = new Memory(base);
    this.isOpen = this.memory.isOpen;
    this.#draw = draw;
    this.#around = {
      api: this.api,
      streams: true,
      circle: () => `${base}:${this.state?.user.key ?? this.state?.user.name}`,
      changed: () => this.changed(),
      announce: (talk, text) => this.#announce(talk, text),
      place,
      isSeen: (talk) => talk === this.talk && this.#isSeen,
      decided: (talk) => talk.id && this.#bell.ring(talk.id),
      began: (talk) => this.#began(talk),
      ended: (talk) => {
        this.#refreshList();
        if (talk.trouble?.kind === "gone") void this.#lost(talk);
      },
    };
    this.list = new ConversationList(
      this.api,
      () => this.changed(),
      (id) => this.#bell.ring(id),
    );
    this.talk = new Talk(null, this.#around);
    this.draft = this.memory.draft(null);
    this.#bell = new Bell(base, (conversation) => this.#rang(conversation));
    this.#looking = setInterval(() => this.look(), LOOK_SECONDS * 1_000);
    document.addEventListener("visibilitychange", this.look);
    addEventListener("online", this.look);
  }

  /** Lets go of everything that lives outside: the store is not used afterwards. */
  close(): void {
    this.#bell.close();
    clearInterval(this.#looking);
    clearTimeout(this.#soon);
    document.removeEventListener("visibilitychange", this.look);
    removeEventListener("online", this.look);
    this.#closeTalks();
  }

  #closeTalks(): void {
    for (const talk of [this.talk, ...this.#talks.values()]) talk.close();
    this.#talks.clear();
  }

  /** Asks who is signed in and opens the conversation that this tab was in. If that was done, looks what is new. */
  async begin(): Promise<void> {
    if (this.state) return this.look();
    try {
      const state = await this.api.state();
      this.trouble = null;
      const early = this.draft;
      this.#belongTo(state);
      this.#around.streams = state.streams;
      const shown = this.show(this.memory.conversation);
      this.#takeAlong(early);
      await shown;
      if (this.#hasty && this.#hasty === this.draft.key) void this.send();
    } catch (error) {
      this.trouble = trouble(error);
    }
    this.#hasty = "";
    this.#checkSoon();
    this.changed();
  }

  /**
   * Brings what was written before it was known which conversation is shown into that one, behind what waits there already. Another
   * person's is forgotten by then, and is left alone.
   */
  #takeAlong(early: Draft): void {
    const { id } = this.talk;
    if (!id || !early.text || this.memory.draft(null).key !== early.key) return;
    this.memory.keep(null, null);
    // A text that differs from what was to be sent has another key, and waits for an Enter of its own.
    this.draft = this.draft.text ? newDraft(`${this.draft.text}\n${early.text}`) : early;
    this.memory.keep(id, this.draft);
    this.changed();
  }

  /** A conversation other than the shown one in which an answer is being written, as far as is known. */
  get elsewhere(): string | undefined {
    const known = [...this.#talks.values()].find((talk) => talk.turn && talk !== this.talk)?.id;
    return known ?? this.state?.running.find(({ conversation }) => !this.#talks.has(conversation))?.conversation;
  }

  /**
   * Asks who is signed in now, and what runs. If that is somebody else, all that is shown is let go of. What was said of a server that
   * did not answer, or of an answer elsewhere, ends with its reason.
   */
  async #check(): Promise<void> {
    if (this.#isChecking || !this.state) return;
    this.#isChecking = true;
    try {
      const state = await this.api.state();
      if (state.user.key !== this.state.user.key) {
        this.#closeTalks();
        this.list.clear();
        this.#belongTo(state);
        await this.show(null);
      }
      this.state = state;
      const { talk } = this;
      const { kind, elsewhere } = talk.trouble ?? {};
      const isOver = elsewhere && !state.running.some(({ conversation }) => conversation === elsewhere);
      if (kind === "away" || kind === "signed_out" || isOver) talk.trouble = null;
      if (kind === "away") this.#announce(talk, say("net.back"));
    } catch (error) {
      if (error instanceof ApiError && error.isSignedOut) this.talk.trouble = trouble(error);
    }
    this.#isChecking = false;
    this.#checkSoon();
    this.changed();
  }

  /** Afterwards the panel is theirs who are signed in, and the other tabs know who that is. */
  #belongTo(state: State): void {
    const { key = "", name } = state.user;
    this.api.account = key;
    this.memory.belongTo(key || name);
    this.state = state;
    if (key) this.#bell.ring(ACCOUNT + key);
  }

  /** Looks again in a while, as long as there is a reason to. */
  #checkSoon(): void {
    clearTimeout(this.#soon);
    const { trouble } = this.state ? this.talk : this;
    const isDue = trouble?.kind === "away" || trouble?.elsewhere || this.elsewhere;
    if (isDue) this.#soon = setTimeout(() => this.look(), SOON_SECONDS * 1_000);
  }

  /** Opens a conversation, or the blank page of a new one. */
  async show(id: string | null): Promise<void> {
    const talk = (id && this.#talks.get(id)) || new Talk(id, this.#around);
    if (id) this.#talks.set(id, talk);
    this.talk = talk;
    this.draft = this.memory.draft(id);
    this.memory.conversation = id;
    this.announcements = [];
    this.changed();
    try {
      await talk.load();
    } catch (error) {
      if (this.talk !== talk) return;
      if (error instanceof ApiError && error.isGone) return this.#lost(talk);
      talk.trouble = trouble(error);
      this.changed();
    }
    this.#checkSoon();
  }

  /** Keeps what stands in the composer. A text that changed gets a key of its own. */
  write(text: string): void {
    if (text === this.draft.text) return;
    this.draft = newDraft(text);
    this.memory.keep(this.talk.id, this.draft);
    this.changed();
  }

  /** Sends the draft, or will, once the panel has begun. It leaves the composer once the server has taken it, and stays otherwise. */
  async send(): Promise<void> {
    const { talk, draft } = this;
    if (!this.state) {
      this.#hasty = draft.key;
      return;
    }
    const before = talk.id;
    const isTaken = await talk.send(draft);
    if (talk.id && !before) this.#named(talk, talk.id);
    const isStillThere = this.talk === talk && this.draft.key === draft.key;
    const left = isTaken ? newDraft() : { ...draft, isTried: draft.isTried || !talk.turn };
    if (isStillThere) this.draft = left;
    if (isStillThere || (isTaken && this.talk !== talk)) this.memory.keep(talk.id, left);
    if (talk.trouble?.kind === "gone") void this.#lost(talk);
    this.#checkSoon();
    this.changed();
  }

  /** Afterwards the conversation is not shown any more. */
  forget(id: string): void {
    this.#talks.get(id)?.close();
    this.#talks.delete(id);
    this.memory.keep(id, null);
    // That it is gone is no news to who deleted it.
    if (this.talk.id === id || (!this.talk.id && this.talk.trouble)) void this.show(null);
  }

  /** Looks whether something happened elsewhere; only if the panel has begun and the tab is in front. */
  readonly look = (): void => {
    if (!this.#isSeen) return;
    if (!this.state && this.trouble) void this.begin();
    if (!this.state) return;
    void this.#check();
    if (this.list.trouble) void this.list.load();
    if (!this.talk.id) return;
    if (this.talk.turn) void this.talk.cards.look();
    else this.#refresh(this.talk);
  };

  get #isSeen(): boolean {
    return document.visibilityState === "visible" && this.isOpen;
  }

  /** Draws once for all that changes in a moment; a hidden tab draws less often. */
  changed(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    const draw = () => {
      this.#isDrawing = false;
      this.#draw();
    };
    if (document.visibilityState === "visible") requestAnimationFrame(draw);
    else setTimeout(draw, 250);
  }

  /** A new conversation was given its id by the server. */
  #named(talk: Talk, id: string): void {
    this.#talks.set(id, talk);
    this.memory.keep(null, null);
    if (this.talk === talk) this.memory.conversation = id;
  }

  #refresh(talk: Talk): void {
    talk.load().catch((error: unknown) => {
      if (error instanceof ApiError && error.isGone) void this.#lost(talk);
    });
  }

  /** A conversation is not there any more: deleted in another tab, say. What was being written to it stays in the field. */
  async #lost(talk: Talk): Promise<void> {
    const { draft } = this;
    talk.close();
    if (talk.id) this.#talks.delete(talk.id);
    if (this.talk !== talk) return;
    await this.show(null);
    if (talk.messages.length > 0) this.talk.trouble = { message: say("error.gone") };
    if (!this.draft.text) this.write(draft.text);
    this.changed();
  }

  /** Other tabs take the turn up by themselves and need no second ring at its end. */
  #began(talk: Talk): void {
    if (talk.id) this.#bell.ring(talk.id);
    this.#refreshList();
    // The first question gives a conversation its title.
    if (!talk.title) talk.load().catch(() => undefined);
  }

  #rang(conversation: string): void {
    if (!this.state) return;
    if (conversation.startsWith(ACCOUNT)) {
      if (conversation !== ACCOUNT + this.api.account) void this.#check();
      return;
    }
    const talk = this.#talks.get(conversation);
    if (talk) this.#refresh(talk);
    this.#refreshList();
  }

  #refreshList(): void {
    // Also while it is being fetched: that answer may be older than what was just heard.
    if (this.list.isLoaded || this.list.isLoading) void this.list.load();
  }

  #announce(talk: Talk, text: string): void {
    if (talk !== this.talk) return;
    this.#said += 1;
    this.announcements = [...this.announcements, { id: this.#said, text }].slice(-ANNOUNCED);
  }
}
