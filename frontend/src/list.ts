/**
 * The list of the person's conversations: pages, search, new names, and deleting with a time in which it can be undone.
 *
 * A deleted one leaves the list at once; the server hides it and says for how many seconds it can be brought back. The list never
 * deletes for good.
 */
import { type Api, ApiError } from "./api";
import type { Conversation } from "./wire";
import { say } from "./words";

export interface Removed {
  conversation: Conversation;
  secondsLeft: number;
}

export class ConversationList {
  items: Conversation[] = [];
  query = "";
  hasMore = false;
  isLoading = false;
  isLoaded = false;
  trouble = "";
  removed: Removed | null = null;
  readonly #api: Api;
  readonly #changed: () => void;
  readonly #moved: (id: string) => void;
  #next: string | null = null;
  #asked = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;

  /** `moved` is called with the id of a conversation that was deleted or brought back here. */
  constructor(api: Api, changed: () => void, moved: (id: string) => void) {
    this.#api = api;
    this.#changed = changed;
    this.#moved = moved;
  }

  /** Afterwards the first page for the query stands there. An answer that a later question overtook is dropped. */
  async load(query = this.query): Promise<void> {
    this.query = query;
    await this.#ask(async (isLatest) => {
      const page = await this.#api.conversations(query);
      if (!isLatest()) return;
      this.items = page.conversations;
      this.#more(page.next);
      this.isLoaded = true;
    });
  }

  /** Afterwards nothing of it is known. */
  clear(): void {
    this.#asked += 1;
    this.#forget();
    this.items = [];
    this.#more(null);
    this.query = "";
    this.isLoaded = false;
    this.trouble = "";
  }

  async more(): Promise<void> {
    if (!this.#next) return;
    const before = this.#next;
    await this.#ask(async (isLatest) => {
      const page = await this.#api.conversations(this.query, before);
      if (!isLatest()) return;
      const known = new Set(this.items.map(({ id }) => id));
      this.items = [...this.items, ...page.conversations.filter(({ id }) => !known.has(id))];
      this.#more(page.next);
    });
  }

  /** Gives a new name. A blank one changes nothing. */
  async rename(conversation: Conversation, title: string): Promise<void> {
    const wanted = title.trim();
    if (!wanted || wanted === conversation.title) return;
    await this.#ask(async () => {
      const renamed = await this.#api.rename(conversation.id, wanted);
      this.items = this.items.map((item) => (item.id === renamed.id ? { ...item, title: renamed.title } : item));
    });
  }

  async remove(conversation: Conversation): Promise<void> {
    await this.#ask(async () => {
      const { undo_seconds } = await this.#api.remove(conversation.id);
      this.items = this.items.filter(({ id }) => id !== conversation.id);
      this.#countDown({ conversation, secondsLeft: undo_seconds });
      this.#moved(conversation.id);
    });
  }

  async undo(): Promise<void> {
    const removed = this.removed;
    if (!removed) return;
    this.#forget();
    await this.#ask(async () => {
      await this.#api.restore(removed.conversation.id);
      this.#moved(removed.conversation.id);
    });
    await this.load();
  }

  #countDown(removed: Removed): void {
    this.#forget();
    this.removed = removed;
    this.#ticking = setInterval(() => {
      if (!this.removed) return;
      const secondsLeft = this.removed.secondsLeft - 1;
      if (secondsLeft <= 0) this.#forget();
      else this.removed = { ...this.removed, secondsLeft };
      this.#changed();
    }, 1_000);
  }

  #forget(): void {
    clearInterval(this.#ticking);
    this.removed = null;
  }

  #more(next: string | null): void {
    this.#next = next;
    this.hasMore = next !== null;
  }

  async #ask(work: (isLatest: () => boolean) => Promise<void>): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    this.isLoading = true;
    this.trouble = "";
    this.#changed();
    try {
      await work(() => mine === this.#asked);
    } catch (error) {
      this.trouble = error instanceof ApiError ? error.message : say("error.unreadable");
    } finally {
      this.isLoading = mine !== this.#asked;
      this.#changed();
    }
  }
}
