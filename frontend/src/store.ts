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
import { type Surroundings, Talk } from "./talk";
import type { State } from "./wire";
import { say } from "./words";

/** How often an open panel without a turn asks whether another device did something. */
export const LOOK_SECONDS = 30;
/** How many announcements stay in the live region: enough for a slow reader, few enough for the page. */
const ANNOUNCED = 8;

export class Store {
  readonly api: Api;
  readonly memory: Memory;
  readonly list: ConversationList;
  state: State | null = null;
  talk: Talk;
  draft: Draft;
  /** Why the panel could not start, in words. */
  trouble = "";
  announcements: { id: number; text: string }[] = [];
  readonly #around: Surroundings;
  readonly #talks = new Map<string, Talk>();
  readonly #bell: Bell;
  readonly #draw: () => void;
  readonly #looking: ReturnType<typeof setInterval>;
  #isDrawing = false;
  #said = 0;

  constructor(base: string, draw: () => void, place: () => { page: string; locale: string }) {
    this.api = new Api(base);
    this.memory = new Memory(base);
    this.#draw = draw;
    this.#around = {
      api: this.api,
      streams: true,
      changed: () => this.changed(),
      announce: (talk, text) => this.#announce(talk, text),
      place,
      isSeen: (talk) => talk === this.talk && this.#isSeen,
      decided: (talk) => talk.id && this.#bell.ring(talk.id),
      began: (talk) => this.#began(talk),
      ended: () => this.#refreshList(),
    };
    this.list = new ConversationList(this.api, () => this.changed());
    this.talk = new Talk(null, this.#around);
    this.draft = this.memory.draft(null);
    this.#bell = new Bell(base, (conversation) => this.#rang(conversation));
    this.#looking = setInterval(() => this.look(), LOOK_SECONDS * 1_000);
    document.addEventListener("visibilitychange", this.look);
  }

  /** Lets go of everything that lives outside: the store is not used afterwards. */
  close(): void {
    this.#bell.close();
    clearInterval(this.#looking);
    document.removeEventListener("visibilitychange", this.look);
    for (const talk of [this.talk, ...this.#talks.values()]) talk.close();
  }

  /** Asks who is signed in and opens the conversation that this tab was in. If that was done, looks what is new. */
  async begin(): Promise<void> {
    if (this.state) return this.look();
    this.trouble = "";
    try {
      const state = await this.api.state();
      this.memory.belongTo(state.user.key ?? state.user.name);
      this.#around.streams = state.streams;
      this.state = state;
      await this.show(this.memory.conversation);
    } catch (error) {
      this.trouble = error instanceof ApiError ? error.message : say("error.unreadable");
    }
    this.changed();
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
      if (error instanceof ApiError && error.status === 404) return this.#lost(id);
      talk.trouble = { message: error instanceof ApiError ? error.message : say("error.unreadable") };
      this.changed();
    }
  }

  /** Keeps what stands in the composer. A text that changed gets a key of its own. */
  write(text: string): void {
    if (text === this.draft.text) return;
    this.draft = newDraft(text);
    this.memory.keep(this.talk.id, this.draft);
    this.changed();
  }

  /** Sends the draft. It leaves the composer once the server has taken it, and stays otherwise. */
  async send(): Promise<void> {
    const { talk, draft } = this;
    if (!this.state) return;
    const before = talk.id;
    const isTaken = await talk.send(draft);
    if (talk.id && !before) this.#named(talk, talk.id);
    const isStillThere = this.talk === talk && this.draft.key === draft.key;
    const left = isTaken ? newDraft() : { ...draft, isTried: draft.isTried || !talk.turn };
    if (isStillThere) this.draft = left;
    if (isStillThere || (isTaken && this.talk !== talk)) this.memory.keep(talk.id, left);
    this.changed();
  }

  /** Afterwards the conversation is not shown any more. */
  forget(id: string): void {
    this.#talks.get(id)?.close();
    this.#talks.delete(id);
    this.memory.keep(id, null);
    if (this.talk.id === id) void this.show(null);
  }

  /** Looks whether something happened elsewhere; only if the panel has begun and the tab is in front. */
  readonly look = (): void => {
    if (!this.state || !this.#isSeen || !this.talk.id) return;
    if (this.talk.turn) void this.talk.cards.look();
    else this.talk.load().catch(() => undefined);
  };

  get #isSeen(): boolean {
    return document.visibilityState === "visible" && this.memory.isOpen;
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

  #lost(id: string | null): Promise<void> {
    if (id) this.#talks.get(id)?.close();
    if (id) this.#talks.delete(id);
    return this.show(null);
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
    this.#talks
      .get(conversation)
      ?.load()
      .catch(() => undefined);
    this.#refreshList();
  }

  #refreshList(): void {
    if (this.list.isLoaded) void this.list.load();
  }

  #announce(talk: Talk, text: string): void {
    if (talk !== this.talk) return;
    this.#said += 1;
    this.announcements = [...this.announcements, { id: this.#said, text }].slice(-ANNOUNCED);
  }
}
