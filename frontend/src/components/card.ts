/**
 * One confirmation card: what would happen, to what, before and after, and the two buttons. Afterwards: how it ended.
 *
 * It shows the server's texts as text nodes, whole, each in a direction of its own (`B50`, `B106`), and nothing that the model wrote.
 * A button acts on a deliberate click alone (see deliberate.ts). The focus is never put on a card; if a button that has it goes away,
 * the card keeps it, so that nobody loses the place.
 */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type Cards, end, type Held, isDue, isOpen, leftWords, standing } from "../cards";
import { Deliberate, SETTLE_MS } from "../deliberate";
import * as icons from "../icons";
import { target } from "../markdown/links";
import { shared } from "../styles/base";
import { card as sheet } from "../styles/card";
import type { Card, Change, Verdict } from "../wire";
import { count, say, type Word } from "../words";

/** Values longer than this stand below each other also where there is room beside. */
const BESIDE_CHARS = 24;

const REASONS: Record<string, Word> = {
  "card.rejected": "card.why_rejected",
  "card.expired": "card.why_expired",
  "card.changed": "card.why_changed",
  "card.other_session": "card.why_other_session",
  "card.unknown": "card.why_unknown",
};

export class ConfirmationCard extends LitElement {
  static override styles = [shared, sheet];
  static override properties = {
    cards: { attribute: false },
    held: { attribute: false },
    version: { attribute: false },
    _isSettled: { state: true },
    _isTooSoon: { state: true },
  };

  declare cards: Cards;
  declare held: Held;
  declare version: number;
  /** Whether a click would count by now. For the eye; what counts is asked at the click. */
  declare _isSettled: boolean;
  declare _isTooSoon: boolean;
  readonly #deliberate = new Deliberate();
  #hadButtons = false;
  #hadFocus = false;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #unwatch: () => void = () => undefined;

  constructor() {
    super();
    this._isSettled = false;
    this._isTooSoon = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const around = this.getRootNode();
    const sense = () => this.#sense();
    const resized = new ResizeObserver(sense);
    resized.observe(this);
    around.addEventListener("scroll", sense, { capture: true, passive: true });
    window.addEventListener("resize", sense);
    document.addEventListener("visibilitychange", this.#came);
    this.#unwatch = () => {
      resized.disconnect();
      around.removeEventListener("scroll", sense, { capture: true });
      window.removeEventListener("resize", sense);
      document.removeEventListener("visibilitychange", this.#came);
    };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatch();
    clearTimeout(this.#settling);
    this.#hadButtons = false;
  }

  override willUpdate(): void {
    this.#hadFocus = this.shadowRoot?.activeElement?.localName === "button";
  }

  override updated(changed: PropertyValues<this>): void {
    const buttons = this.#buttons;
    const hasButtons = buttons?.querySelector("button:enabled") != null;
    if (hasButtons && !this.#hadButtons) this.#came();
    this.#hadButtons = hasButtons;
    this.toggleAttribute("open", hasButtons);
    this.#sense();
    if (changed.has("held") && this.#hadFocus && !hasButtons) this.focus();
  }

  /** Puts the focus on the card as a whole: no key does anything there. */
  override focus(): void {
    this.renderRoot.querySelector("section")?.focus({ preventScroll: true });
  }

  override render(): TemplateResult {
    const { card } = this.held;
    const word = standing(this.held);
    const isWaiting = !end(card);
    return html`<section tabindex="-1" role="group" aria-labelledby="standing title" data-standing=${word.slice(5)}>
      <header><span id="standing">${sign(word)}<span dir="auto">${say(word)}</span></span>
        ${isWaiting && word === "card.waiting" ? html`<span class="left" dir="auto">${leftWords(this.held.until)}</span>` : nothing}</header>
      <div class="body">
        <h3 id="title" dir="auto">${card.title}</h3>
        ${object(card)} ${this.#ending(word)} ${results(card)} ${isWaiting ? effects(card) : past(card)}
        ${isWaiting && card.is_outside ? html`<p class="aside" dir="auto">${say("card.outside")}</p>` : nothing}
        ${isWaiting && !card.compares ? html`<p class="aside" dir="auto">${say("card.no_compare")}</p>` : nothing}
        ${this.#verbs()} ${this.#said()}
      </div>
    </section>`;
  }

  /** Why it ended so, or why it has no buttons. */
  #ending(word: Word): TemplateResult | typeof nothing {
    const { card, words } = this.held;
    const { reason } = card;
    // A refused click has been told the same already.
    const ours = word === "card.other_session" && words ? undefined : REASONS[word];
    if (!reason && !ours) return nothing;
    return html`<p class="why" dir="auto">${reason ? html`<span class="given">${reason}</span>` : say(ours as Word)}
      ${reason && word === "card.unknown" ? say("card.why_unknown") : nothing}</p>`;
  }

  /** What became of the last click. Below the buttons, so that they do not move by it. */
  #said(): TemplateResult | typeof nothing {
    const words = this.held.words || (this._isTooSoon ? say("card.settle") : "");
    return words ? html`<p class="said" role="status" dir="auto">${words}</p>` : nothing;
  }

  #verbs(): TemplateResult | typeof nothing {
    const { card, doing } = this.held;
    if (!isDue(card)) return nothing;
    const cannot = !isOpen(this.held);
    const button = (verdict: Verdict, label: string, name: string) =>
      html`<button type="button" class=${name} ?disabled=${cannot} aria-describedby="title" data-doing=${doing === verdict}
        @keydown=${this.#down} @pointerdown=${this.#down} @click=${(event: MouseEvent) => this.#click(event, verdict)}
        ><span dir="auto">${label}</span></button>`;
    return html`<div class="verbs ${this._isSettled ? "" : "fresh"}" @pointermove=${this.#sense}>
      ${
        card.must_acknowledge
          ? button("acknowledge", say("card.checked"), "plain")
          : html`${button("confirm", card.verb || card.tool, "main")}${button("reject", say("card.dont"), "plain")}`
      }
    </div>`;
  }

  get #buttons(): HTMLElement | null {
    return this.renderRoot.querySelector(".verbs");
  }

  /** Notes where the buttons stand now. */
  #sense(): void {
    const buttons = this.#buttons;
    if (buttons) this.#deliberate.stand(buttons.getBoundingClientRect());
  }

  readonly #came = (): void => {
    this.#deliberate.came();
    this._isSettled = false;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this._isSettled = true;
      this._isTooSoon = false;
    }, SETTLE_MS);
  };

  /** A press begins. A key that was down already (Enter held in the composer, say) does not even become a click. */
  readonly #down = (event: KeyboardEvent | PointerEvent): void => {
    this.#sense();
    const isKey = event instanceof KeyboardEvent;
    if (isKey && event.key !== "Enter" && event.key !== " ") return;
    if (!this.#deliberate.press({ isRepeat: isKey && event.repeat })) event.preventDefault();
  };

  #click(event: MouseEvent, verdict: Verdict): void {
    this.#sense();
    if (this.#deliberate.counts(event)) {
      this._isTooSoon = false;
      void this.cards.decide(this.held.card.id, verdict);
    } else if (event.isTrusted) {
      this._isTooSoon = true;
    }
  }
}

function sign(word: Word): TemplateResult {
  if (word === "card.confirmed") return icons.tick();
  if (word === "card.rejected") return icons.close();
  if (word === "card.waiting" || word === "card.expired") return icons.clock();
  return icons.notice();
}

/** The object, with its link if the address is one that the panel would open. */
function object({ object: about }: Card): TemplateResult | typeof nothing {
  if (!about?.name) return nothing;
  const where = about.url ? target(about.url) : null;
  return html`<p class="object" dir="auto">${
    where
      ? html`<a href=${where.href} target="_blank" rel="noreferrer noopener" data-text="name">${about.name}</a>`
      : html`<span data-text="name">${about.name}</span>`
  }</p>`;
}

/** All that would have effect. */
function effects(card: Card): TemplateResult {
  return html`${changes(card.changes)} ${touches(card)} ${items(card)} ${handedOver(card)}`;
}

/** The same of a card that has ended, folded: what counts then is the end. In sight if the person has to look after it. */
function past(card: Card): TemplateResult | typeof nothing {
  const { changes, touches, items, arguments: given, must_acknowledge } = card;
  if (![changes, touches, items, given].some((some) => some?.length)) return nothing;
  return html`<details class="past" ?open=${must_acknowledge}><summary>${say("card.past")}</summary>
    <div class="body">${effects(card)}</div></details>`;
}

function changes(given: readonly Change[]): TemplateResult | typeof nothing {
  if (!given?.length) return nothing;
  return html`<dl class="changes">${given.map(({ field, before, after }) => {
    const isLong = [before, after].some((value) => value.length > BESIDE_CHARS || value.includes("\n"));
    return html`<div class=${isLong ? "long" : ""}><dt dir="auto">${field}</dt>
      <dd class="before"><span class="side">${say("card.before")}</span>${value(before)}</dd>
      <dd class="after"><span class="side">${say("card.after")}</span>${value(after)}</dd></div>`;
  })}</dl>`;
}

/** A value as it is; of an empty one it is said that it is empty, in words that no value can look like. */
function value(text: string): TemplateResult {
  return text === ""
    ? html`<span class="value none" dir="auto">${say("card.empty")}</span>`
    : html`<span class="value" dir="auto">${text}</span>`;
}

function touches({ touches: given }: Card): TemplateResult | typeof nothing {
  if (!given?.length) return nothing;
  return html`<div class="touches"><h4>${say("card.touches")}</h4>
    <ul>${given.map((text) => html`<li><span dir="auto">${text}</span></li>`)}</ul></div>`;
}

/** Rows of a batch: their number in sight, all of them one press away. */
function items({ items: given }: Card): TemplateResult | typeof nothing {
  if (!given?.length) return nothing;
  return html`<details class="items"><summary>${count("card.rows", given.length)}</summary>
    <ol tabindex="0">${given.map((item) => html`<li><span class="name" dir="auto">${item.title}</span>${changes(item.changes)}</li>`)}</ol></details>`;
}

/** How each row of a batch went, those that are not done first. In sight at once if there are any. */
function results({ results: given }: Card): TemplateResult | typeof nothing {
  if (!given?.length) return nothing;
  const rows = given.map((row, index) => ({ ...row, number: index + 1 }));
  const done = rows.filter(({ is_done }) => is_done);
  const not = rows.filter(({ is_done }) => !is_done);
  return html`<details class="results" ?open=${not.length > 0}>
    <summary>${say("card.results", { done: done.length, not: not.length })}</summary>
    <ol tabindex="0">${[...not, ...done].map(
      ({ title, is_done, words, number }) => html`<li value=${number} class=${is_done ? "" : "not"}>
        <span class="name" dir="auto">${title}</span><span class="went">${say(is_done ? "card.row_done" : "card.row_not")}</span>
        ${words ? html`<span class="words" dir="auto">${words}</span>` : nothing}</li>`,
    )}</ol></details>`;
}

/** The arguments: all there is to see where a tool has no preview; else those that the preview does not show, and so never folded away. */
function handedOver(card: Card): TemplateResult | typeof nothing {
  const given = card.arguments;
  if (!given?.length) return nothing;
  const isAll = !card.changes?.length && !card.items?.length;
  const list = html`<dl class="arguments">${given.map(
    (one) => html`<div><dt dir="auto">${one.name}</dt><dd>${value(one.value)}</dd></div>`,
  )}</dl>`;
  if (isAll) return list;
  return html`<details class="handed" open><summary>${say("card.arguments")}</summary>${list}</details>`;
}
