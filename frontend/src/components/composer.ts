/**
 * Where the person writes. Enter sends, Shift+Enter makes a new line; an Enter that an input method takes for itself sends nothing (`B72`).
 *
 * The text is the store's draft: it leaves the field only when the server has taken it, so a refusal, a lost connection or a reload costs
 * no word. While a turn runs the button stops it. Under the field stands who receives what is written (`TO11`).
 */
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { lastPair } from "../branch";
import * as icons from "../icons";
import type { Store } from "../store";
import { shared } from "../styles/base";
import { composer } from "../styles/composer";
import { count, say, type Word } from "../words";

/** From this share of the limit on, the field says how much is left. */
const NEAR_LIMIT = 0.9;
/** What a keydown carries that belongs to an input method, also where `isComposing` is already false (Safari). */
const INPUT_METHOD = 229;

/** Whether a key pressed in a field sends what stands there. */
export function sends({ key, shiftKey, isComposing, keyCode }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !isComposing && keyCode !== INPUT_METHOD;
}

/** A button that is a word or two. */
export function word(label: Word, act: () => unknown): TemplateResult {
  return html`<button type="button" class="word" @click=${act}>${say(label)}</button>`;
}

/** Leads to the sign-in page, and from there back: loading a page that needs a login does both. */
export function signIn(): TemplateResult {
  return word("write.sign_in", () => location.reload());
}

export class Composer extends LitElement {
  static override styles = [shared, composer];
  static override properties = {
    store: { attribute: false },
    version: { attribute: false },
    _now: { state: true },
  };

  declare store: Store;
  declare version: number;
  declare _now: number;
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this._now = Date.now();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#tick(false);
  }

  /** Puts the focus into the field. */
  override focus(): void {
    this.#field?.focus();
  }

  override render(): TemplateResult {
    const { talk, draft, state } = this.store;
    const chars = [...draft.text].length;
    const limit = state?.limits.message_chars ?? Number.POSITIVE_INFINITY;
    const cannot = !state || talk.isSending || chars > limit || draft.text.trim() === "";
    return html`${this.#due()} ${this.#link()} ${this.#trouble() ?? this.#elsewhere()}
      <form @submit=${this.#submit}>
        <textarea rows="1" dir="auto" aria-label=${say("write.field")} aria-describedby="under" placeholder=${say("write.placeholder")}
          enterkeyhint="send" @input=${this.#typed} @keydown=${this.#key}></textarea>
        ${
          talk.turn
            ? html`<button type="button" class="go stop" ?disabled=${talk.turn.isStopping} @click=${() => talk.stop()}>
                ${icons.stop()}<span>${say(talk.turn.isStopping ? "write.stopping" : "write.stop")}</span></button>`
            : html`<button type="submit" class="go send" ?disabled=${cannot} aria-label=${say(talk.isSending ? "write.sending" : "write.send")}
                title=${say("write.send")}>${icons.send()}</button>`
        }
      </form>
      <div class="under" id="under">${this.#provider()}${this.#count(chars, limit)}</div>`;
  }

  override updated(): void {
    this.#tick(this.store.talk.link.state === "lost");
    // Compared with what stands there, not with what was drawn last: a draft may come and go between two drawings.
    const field = this.#field;
    const { text } = this.store.draft;
    if (field && field.value !== text) field.value = text;
    this.#grow();
  }

  /** Browsers without `field-sizing` get the height by measuring; set through the object model, so no policy minds. */
  #grow(): void {
    const field = this.#field;
    if (!field || CSS.supports("field-sizing", "content")) return;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  #provider(): TemplateResult | typeof nothing {
    const provider = this.store.state?.provider;
    if (!provider) return nothing;
    const words = provider.is_offline ? say("write.offline_model") : say("write.provider", { name: provider.name });
    return html`<span class="provider" dir="auto">${words}</span>`;
  }

  #count(chars: number, limit: number): TemplateResult | typeof nothing {
    if (chars > limit)
      return html`<span class="count over" role="status" dir="auto">${count("write.over", chars - limit)}</span>`;
    if (chars < limit * NEAR_LIMIT) return nothing;
    return html`<span class="count">${count("write.left", limit - chars)}</span>`;
  }

  #trouble(): TemplateResult | undefined {
    const { trouble } = this.store.talk;
    if (!trouble) return undefined;
    const { elsewhere, kind } = trouble;
    const kept = this.store.draft.text.trim() ? ` ${say("write.kept")}` : "";
    return html`<div class="trouble" role="alert">
      <div dir="auto">${trouble.message}${kept}
        ${elsewhere ? word("write.elsewhere", () => this.store.show(elsewhere)) : nothing}
        ${kind === "signed_out" ? signIn() : nothing}</div>
      <button type="button" class="square" aria-label=${say("error.close")} title=${say("error.close")} @click=${this.#dismiss}>
        ${icons.close()}</button>
    </div>`;
  }

  /** The person has one turn at a time: who sees a blank page is to know where it is. */
  #elsewhere(): TemplateResult | typeof nothing {
    const { elsewhere } = this.store;
    if (!elsewhere) return nothing;
    return html`<div class="link due"><span dir="auto">${say("write.runs_elsewhere")}</span>
      ${word("write.elsewhere", () => this.store.show(elsewhere))}</div>`;
  }

  /** Cards that the conversation has left behind are not to be forgotten. */
  #due(): TemplateResult | typeof nothing {
    const { cards, messages } = this.store.talk;
    const due = cards.dueBefore(lastPair(messages).question?.seq ?? 0);
    if (due === 0) return nothing;
    return html`<div class="link due"><span dir="auto">${count("card.due", due)}</span>
      ${word("card.show", () => this.dispatchEvent(new Event("deskhand-due")))}</div>`;
  }

  #link(): TemplateResult | typeof nothing {
    const { link } = this.store.talk;
    if (link.state === "live") return nothing;
    const seconds = Math.ceil((link.retryAt - this._now) / 1_000);
    return html`<div class="link"><span dir="auto">${seconds > 0 ? count("net.lost", seconds) : say("net.trying")}</span>
      ${word("net.retry", () => dispatchEvent(new Event("deskhand-retry")))}</div>`;
  }

  #tick(isNeeded: boolean): void {
    if (isNeeded && this.#clock === undefined) {
      this._now = Date.now();
      this.#clock = setInterval(() => {
        this._now = Date.now();
      }, 500);
    } else if (!isNeeded && this.#clock !== undefined) {
      clearInterval(this.#clock);
      this.#clock = undefined;
    }
  }

  readonly #typed = (event: Event): void => {
    this.store.write((event.target as HTMLTextAreaElement).value);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (!sends(event)) return;
    event.preventDefault();
    this.#send();
  };

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    this.#send();
  };

  readonly #dismiss = (): void => {
    this.store.talk.trouble = null;
    this.store.changed();
    this.focus();
  };

  #send(): void {
    const { draft, state } = this.store;
    const isTooLong = [...draft.text].length > (state?.limits.message_chars ?? Number.POSITIVE_INFINITY);
    if (draft.text.trim() === "" || isTooLong) return;
    void this.store.send();
    this.focus();
  }
}
