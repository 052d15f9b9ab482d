/**
 * `<deskhand-panel>`: the round button and the panel that it opens.
 *
 * Attributes: `data-api` (where the API lies, on this origin), `data-locale`, `data-page` (else the address of the page). Closed, it asks
 * the server nothing. It is beside the page, not over it: nothing is locked, Escape closes it, the focus goes back to the button.
 */
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import * as icons from "../icons";
import { Store } from "../store";
import { colours, shared } from "../styles/base";
import { panel } from "../styles/panel";
import { direction, makeRoom, theme, watch } from "../surroundings";
import { say, type Word } from "../words";
import { ConfirmationCard } from "./card";
import { Composer, signIn, word } from "./composer";
import { Conversations } from "./conversations";
import { Transcript } from "./transcript";

for (const [name, element] of [
  ["deskhand-card", ConfirmationCard],
  ["deskhand-composer", Composer],
  ["deskhand-conversations", Conversations],
  ["deskhand-transcript", Transcript],
] as const) {
  if (!customElements.get(name)) customElements.define(name, element);
}

export class DeskhandPanel extends LitElement {
  // `panel` first: its `all: initial` is to come before the colours.
  static override styles = [panel, colours, shared];
  static override properties = {
    _version: { state: true },
    _isOpen: { state: true },
    _isWide: { state: true },
    _isListing: { state: true },
  };

  declare _version: number;
  declare _isOpen: boolean;
  declare _isWide: boolean;
  declare _isListing: boolean;
  #store: Store | null = null;
  #unwatch: () => void = () => undefined;

  constructor() {
    super();
    this._version = 0;
    this._isOpen = false;
    this._isWide = false;
    this._isListing = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const store = new Store(this.dataset.api ?? "/assistant/api/", this.#changed, () => ({
      page: this.dataset.page ?? location.pathname,
      locale: this.#locale,
    }));
    this.#store = store;
    this._isOpen = store.isOpen;
    this._isWide = store.memory.isWide;
    this.#unwatch = watch(this.#dress);
    this.addEventListener("deskhand-changed", this.#changed);
    this.#dress();
    if (this._isOpen) void store.begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatch();
    makeRoom(0);
    this.removeEventListener("deskhand-changed", this.#changed);
    this.#store?.close();
    this.#store = null;
  }

  override updated(): void {
    makeRoom(this._isOpen ? (this._isWide ? 720 : 420) : 0, direction(this.#locale));
  }

  override render(): TemplateResult | typeof nothing {
    const store = this.#store;
    if (!store) return nothing;
    return html`<div dir=${direction(this.#locale)}>
      ${this._isOpen ? this.#panel(store) : this.#launcher()}
    </div>`;
  }

  get #locale(): string {
    return this.dataset.locale ?? "";
  }

  #launcher(): TemplateResult {
    return html`<button type="button" class="launcher" aria-label=${say("panel.open")} title=${say("panel.open")} aria-expanded="false"
      @click=${this.#open}>${icons.bubble()}</button>`;
  }

  #panel(store: Store): TemplateResult {
    return html`<aside aria-label=${say("panel.name")} class=${this._isWide ? "wide" : ""} @keydown=${this.#key}>
      ${this.#header(store)}
      <div class="body">
        ${this._isListing ? this.#conversations(store) : this.#conversation(store)}
      </div>
      <div class="unseen" aria-live="polite" aria-relevant="additions">
        ${repeat(
          store.announcements,
          ({ id }) => id,
          ({ text }) => html`<p dir="auto">${text}</p>`,
        )}
      </div>
    </aside>`;
  }

  #header(store: Store): TemplateResult {
    const title = this._isListing ? say("list.open") : store.talk.title || say("panel.name");
    return html`<header>
      ${this.#square(this._isListing ? "list.back" : "list.open", this._isListing ? icons.back() : icons.lines(), this.#turnList)}
      <h2 dir="auto" title=${title}>${title}</h2>
      ${this.#square("list.new", icons.plus(), this.#startNew)}
      ${this.#square(
        this._isWide ? "panel.narrower" : "panel.wider",
        this._isWide ? icons.narrower() : icons.wider(),
        this.#turnWidth,
        "widths",
      )}
      ${this.#square("panel.close", icons.close(), this.#close)}
    </header>`;
  }

  #square(word: Word, sign: TemplateResult, act: () => void, name = ""): TemplateResult {
    return html`<button type="button" class="square ${name}" aria-label=${say(word)} title=${say(word)} @click=${act}>${sign}</button>`;
  }

  #conversations(store: Store): TemplateResult {
    // Anew for another account: what was typed into it was somebody's.
    return html`${repeat(
      [store.api.account],
      (account) => account,
      () => html`<deskhand-conversations .store=${store} .version=${this._version} .locale=${this.#locale}
        @deskhand-opened=${this.#turnList}></deskhand-conversations>`,
    )}`;
  }

  #conversation(store: Store): TemplateResult {
    if (store.trouble) {
      const { message, kind } = store.trouble;
      return html`<div class="alarm" role="alert"><p>${message}</p>
        ${kind === "signed_out" ? signIn() : word("net.retry", () => store.begin())}</div>`;
    }
    return html`<deskhand-transcript .talk=${store.talk} .tools=${store.state?.tools} .version=${this._version}></deskhand-transcript>
      <deskhand-composer .store=${store} .version=${this._version} @deskhand-due=${this.#showDue}></deskhand-composer>`;
  }

  readonly #changed = (): void => {
    this._version += 1;
  };

  readonly #dress = (): void => {
    this.setAttribute("theme", theme());
    this.requestUpdate();
  };

  readonly #open = async (): Promise<void> => {
    this.#remember(true);
    void this.#store?.begin();
    await this.updateComplete;
    this.#focusComposer();
  };

  readonly #close = async (): Promise<void> => {
    this.#remember(false);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".launcher")?.focus();
  };

  #remember(isOpen: boolean): void {
    this._isOpen = isOpen;
    if (!this.#store) return;
    this.#store.isOpen = isOpen;
    this.#store.memory.isOpen = isOpen;
  }

  readonly #turnWidth = (): void => {
    this._isWide = !this._isWide;
    if (this.#store) this.#store.memory.isWide = this._isWide;
  };

  readonly #turnList = async (): Promise<void> => {
    this._isListing = !this._isListing;
    await this.updateComplete;
    if (this._isListing) this.renderRoot.querySelector<Conversations>("deskhand-conversations")?.focus();
    else this.#focusComposer();
  };

  readonly #showDue = (): void => {
    this.renderRoot.querySelector<Transcript>("deskhand-transcript")?.showDue();
  };

  readonly #startNew = async (): Promise<void> => {
    this._isListing = false;
    await this.#store?.show(null);
    await this.updateComplete;
    this.#focusComposer();
  };

  #focusComposer(): void {
    const composer = this.renderRoot.querySelector<Composer>("deskhand-composer");
    void composer?.updateComplete.then(() => composer.focus());
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
    event.stopPropagation();
    void this.#close();
  };
}
