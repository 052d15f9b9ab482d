/**
 * The list of conversations: open, rename, delete with a time to undo, search, more.
 *
 * A title is text of a person or a model: it stands in a `bdi`, so that nothing in it can turn the words around it.
 */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import * as icons from "../icons";
import type { Store } from "../store";
import { shared } from "../styles/base";
import { list } from "../styles/list";
import type { Conversation } from "../wire";
import { say } from "../words";

/** Typing pauses this long before the list is searched. */
const SEARCH_PAUSE_MS = 250;
const TITLE_CHARS = 200;

export class Conversations extends LitElement {
  static override styles = [shared, list];
  static override properties = {
    store: { attribute: false },
    version: { attribute: false },
    locale: { attribute: false },
    _renaming: { state: true },
  };

  declare store: Store;
  declare version: number;
  declare locale: string;
  declare _renaming: string | null;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this._renaming = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.store.list.load("");
  }

  /** Puts the focus into the search field. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("input[type=search]")?.focus();
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("_renaming") && this._renaming)
      this.renderRoot.querySelector<HTMLInputElement>("form input")?.select();
  }

  override render(): TemplateResult {
    const { items, query, isLoading, isLoaded, hasMore, trouble } = this.store.list;
    const none = query ? say("list.nothing_found", { query }) : say("list.none");
    return html`<div class="top">
        <input type="search" dir="auto" aria-label=${say("list.search")} placeholder=${say("list.search")} @input=${this.#search} />
      </div>
      ${trouble ? html`<p class="alarm" role="alert">${trouble}</p>` : nothing}
      ${items.length === 0 && isLoaded && !isLoading ? html`<p class="none" role="status">${none}</p>` : nothing}
      <ul>
        ${repeat(
          items,
          ({ id }) => id,
          (item) => html`<li aria-current=${item.id === this.store.talk.id ? "true" : nothing}>
            ${this._renaming === item.id ? this.#renaming(item) : this.#item(item)}</li>`,
        )}
        ${
          hasMore
            ? html`<li class="more"><button type="button" class="word" @click=${() => this.store.list.more()}>
                ${say("list.more")}</button></li>`
            : nothing
        }
      </ul>
      ${this.#undo()}`;
  }

  #item(item: Conversation): TemplateResult {
    const title = item.title || say("list.untitled");
    return html`<button type="button" class="open" @click=${() => this.#open(item)}>
        ${item.running_turn ? html`<span class="dot" role="img" aria-label=${say("list.running")}></span>` : nothing}
        <bdi>${title}</bdi>
        <time datetime=${item.active_at}>${this.#when(item.active_at)}</time>
      </button>
      <button type="button" class="square" aria-label=${say("list.rename", { title })} title=${say("list.rename", { title })}
        @click=${() => this.#startRenaming(item.id)}>${icons.pencil()}</button>
      <button type="button" class="square" aria-label=${say("list.delete", { title })} title=${say("list.delete", { title })}
        @click=${() => this.#remove(item)}>${icons.bin()}</button>`;
  }

  #renaming(item: Conversation): TemplateResult {
    return html`<form @submit=${(event: Event) => this.#rename(event, item)} @keydown=${this.#leaveRenaming}>
      <input name="title" dir="auto" maxlength=${TITLE_CHARS} aria-label=${say("list.rename_field")} .value=${item.title} />
      <button class="main">${say("list.save")}</button>
      <button type="button" class="word" @click=${() => this.#startRenaming(null)}>${say("list.cancel")}</button>
    </form>`;
  }

  #undo(): TemplateResult | typeof nothing {
    const { removed } = this.store.list;
    if (!removed) return nothing;
    const title = removed.conversation.title || say("list.untitled");
    return html`<div class="undo" role="status"><span>${say("list.deleted", { title })}</span>
      <button type="button" class="word" @click=${() => this.store.list.undo()}>
        ${say("list.undo")} <span aria-hidden="true">(${removed.secondsLeft})</span></button></div>`;
  }

  /** The time today, else the day. */
  #when(iso: string): string {
    const moment = new Date(iso);
    const isToday = moment.toDateString() === new Date().toDateString();
    const how: Intl.DateTimeFormatOptions = isToday
      ? { hour: "numeric", minute: "2-digit" }
      : { day: "numeric", month: "short" };
    try {
      return moment.toLocaleString(this.locale.replace("_", "-") || undefined, how);
    } catch {
      return moment.toLocaleString(undefined, how);
    }
  }

  #open(item: Conversation): void {
    void this.store.show(item.id);
    this.dispatchEvent(new CustomEvent("deskhand-opened"));
  }

  async #remove(item: Conversation): Promise<void> {
    await this.store.list.remove(item);
    if (this.store.list.removed?.conversation.id === item.id) this.store.forget(item.id);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".undo button")?.focus();
  }

  async #rename(event: Event, item: Conversation): Promise<void> {
    event.preventDefault();
    const title = String(new FormData(event.target as HTMLFormElement).get("title") ?? "");
    this.#startRenaming(null);
    await this.store.list.rename(item, title);
    if (this.store.talk.id === item.id) await this.store.talk.load().catch(() => undefined);
  }

  #startRenaming(id: string | null): void {
    this._renaming = id;
    if (!id) this.focus();
  }

  readonly #leaveRenaming = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    this.#startRenaming(null);
  };

  readonly #search = (event: Event): void => {
    const query = (event.target as HTMLInputElement).value.trim();
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.store.list.load(query), SEARCH_PAUSE_MS);
  };
}
