/**
 * The conversation's rows, scrolled so that the newest is in sight for as long as the reader is at the end.
 *
 * Scrolling up holds the place; a button leads back, and so does sending: one's own question always comes into sight. The log itself is
 * silent to screen readers (it changes many times a second); finished sentences go to the panel's live region. Never takes the focus.
 */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isBroken, isProposal, lastPair } from "../branch";
import * as icons from "../icons";
import { shared } from "../styles/base";
import { answer, transcript } from "../styles/transcript";
import type { Talk } from "../talk";
import type { Message } from "../wire";
import { say } from "../words";
import { sends } from "./composer";
import { type Around, askAgain, notice, row, running } from "./rows";

/** So close to the end counts as at the end. */
const NEAR_PX = 48;
/** What stays free above a question that was brought to the top. */
const TOP_PX = 12;
const COPIED_MS = 2_000;

export class Transcript extends LitElement {
  static override styles = [shared, transcript, answer];
  static override properties = {
    talk: { attribute: false },
    tools: { attribute: false },
    version: { attribute: false },
    _isAway: { state: true },
    _copied: { state: true },
  };

  declare talk: Talk;
  /** Titles of a few things that may be asked about. */
  declare tools: string[] | undefined;
  /** Rises when something in `talk` changed. */
  declare version: number;
  declare _isAway: boolean;
  declare _copied: number;
  #turnBefore: string | undefined;
  #firstBefore = 0;
  #sentBefore = 0;
  /** The pointer has not moved here since the person sent something: where it lies is no sign of a wish to decide. */
  #isResting = false;
  #wasEditing = false;
  #hadButton = false;

  constructor() {
    super();
    this._isAway = false;
    this._copied = 0;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    this.#wasEditing = this.renderRoot.querySelector(".editing") !== null;
    this.#hadButton = this.shadowRoot?.activeElement?.localName === "button";
    const { messages, sent } = this.talk;
    const isOther = changed.has("talk");
    if (isOther || sent !== this.#sentBefore) {
      this.#turnBefore = undefined;
      this._isAway = false;
      this.#isResting = true;
    }
    this.#sentBefore = sent;
    const log = this.#log;
    const first = messages[0]?.seq ?? 0;
    // Older rows were put before: what the reader looks at is to stay where it is.
    if (log && !isOther && first < this.#firstBefore) this.#holdPlace(log);
    this.#firstBefore = first;
  }

  override updated(): void {
    this.#followEditing();
    this.#follow();
    const hasEnded = this.#turnBefore !== undefined && !this.talk.turn;
    this.#turnBefore = this.talk.turn?.id;
    // Cards draw themselves a moment later, and only then have their height.
    const cards = [...this.renderRoot.querySelectorAll<LitElement>("deskhand-card")];
    void Promise.all(cards.map((card) => card.updateComplete)).then(() => {
      this.#follow();
      if (hasEnded) this.#toBeginning();
    });
  }

  /**
   * An answer that has ended and is taller than the log is shown from its beginning, below the question. Not for who has scrolled away,
   * and not if a card came with it: then its buttons stay in sight.
   */
  #toBeginning(): void {
    const { messages } = this.talk;
    const log = this.#log;
    const question = [...this.renderRoot.querySelectorAll<HTMLElement>(".user")].at(-1);
    const last = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
    if (!log || !question || this._isAway || last.some(isProposal)) return;
    const top = question.offsetTop - log.offsetTop - TOP_PX;
    if (log.scrollHeight - top > log.clientHeight) log.scrollTop = top;
    this.#scrolled();
  }

  /** Keeps the end in sight for who is there. Nothing is to move under the hand of who is about to decide, or writes within the log. */
  #follow(): void {
    if (this._isAway) return;
    const hover = this.#isResting ? "" : ",:hover";
    if (this.renderRoot.querySelector(`deskhand-card[open]:is(:focus-within${hover}),.editing:focus-within`))
      this.#scrolled();
    else this.#toEnd();
  }

  override render(): TemplateResult {
    const { messages, turn, link, hasOlder, isLoading } = this.talk;
    const none = { question: undefined, answer: undefined };
    const around: Around = {
      talk: this.talk,
      version: this.version,
      copied: this._copied,
      copy: this.#copy,
      last: turn || this.talk.isSending ? none : lastPair(messages),
      editKey: this.#editKey,
    };
    const isBrokenOff = isBroken(messages);
    if (isBrokenOff) around.last.answer = undefined;
    const isEmpty = messages.length === 0 && !turn && !isLoading;
    return html`<div class="log" role="log" aria-live="off" aria-label=${say("log.name")} tabindex="0" @scroll=${this.#scrolled} @pointermove=${() => {
      this.#isResting = false;
    }}>
        ${isLoading ? html`<div class="row phase"><span class="dot"></span>${say("log.loading")}</div>` : nothing}
        ${isEmpty ? this.#empty() : nothing}
        ${
          hasOlder
            ? html`<div class="older"><button type="button" class="word" @click=${() => this.talk.loadOlder()}>
                ${say("log.older")}</button></div>`
            : nothing
        }
        ${repeat(
          messages,
          ({ seq }) => seq,
          (message) => row(message, messages, around),
        )}
        ${around.last.question && !around.last.answer ? this.#again(around.last.question, isBrokenOff) : nothing}
        ${turn ? running(turn, messages, link.state === "lost") : nothing}
      </div>
      ${
        this._isAway
          ? html`<button type="button" class="square newest" aria-label=${say("log.newest")} title=${say("log.newest")}
              @click=${this.#toEnd}>${icons.down()}</button>`
          : nothing
      }`;
  }

  /** The way to ask once more what has no answer; or why there is none. */
  #again({ seq }: Message, isBrokenOff: boolean): TemplateResult {
    const { hopeless } = this.talk;
    return hopeless?.seq === seq
      ? notice(hopeless.message)
      : html`<div class="under again">${askAgain(this.talk, isBrokenOff ? "again.try" : "again.answer")}</div>`;
  }

  #empty(): TemplateResult {
    const titles = this.tools?.join(", ");
    return html`<div class="empty"><h3 dir="auto">${say("empty.heading")}</h3><p dir="auto">${say("empty.text")}</p>
      ${titles ? html`<p dir="auto">${say("empty.tools", { titles })}</p>` : nothing}</div>`;
  }

  get #log(): HTMLElement | null {
    return this.renderRoot.querySelector(".log");
  }

  readonly #scrolled = (): void => {
    const log = this.#log;
    if (log) this._isAway = log.scrollHeight - log.scrollTop - log.clientHeight > NEAR_PX;
  };

  readonly #toEnd = (): void => {
    const log = this.#log;
    if (log) log.scrollTop = log.scrollHeight;
  };

  /**
   * The focus goes with the person's own act: into the field when editing begins, back to its button when it is let go; and to the log
   * when the pressed button has gone.
   */
  #followEditing(): void {
    const form = this.renderRoot.querySelector(".editing");
    if (form && !this.#wasEditing) form.querySelector("textarea")?.focus();
    if (!form && this.#wasEditing) (this.renderRoot.querySelector<HTMLElement>(".edit button") ?? this.#log)?.focus();
    if (this.#hadButton && !this.shadowRoot?.activeElement) this.#log?.focus({ preventScroll: true });
  }

  /** Brings the first card that is the person's to decide into view, whole if it fits, and the focus to it. */
  showDue(): void {
    const card = this.renderRoot.querySelector<HTMLElement>("deskhand-card[open]");
    card?.scrollIntoView({ block: "start" });
    card?.focus();
  }

  #holdPlace(log: HTMLElement): void {
    const { scrollTop, scrollHeight } = log;
    this._isAway = true;
    void this.updateComplete.then(() => {
      log.scrollTop = scrollTop + log.scrollHeight - scrollHeight;
    });
  }

  /** In the field of a question that is being changed: Enter sends, Escape lets go of it, and of nothing else. */
  readonly #editKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !event.isComposing) {
      event.stopPropagation();
      this.talk.edit(null);
    } else if (event.target instanceof HTMLTextAreaElement && sends(event)) {
      event.preventDefault();
      event.target.form?.requestSubmit();
    }
  };

  readonly #copy = async (message: Message): Promise<void> => {
    try {
      await navigator.clipboard.writeText(message.content);
    } catch {
      this.talk.trouble = { message: say("log.copy_failed") };
      this.dispatchEvent(new CustomEvent("deskhand-changed", { bubbles: true, composed: true }));
      return;
    }
    this._copied = message.seq;
    setTimeout(() => {
      this._copied = 0;
    }, COPIED_MS);
  };
}
