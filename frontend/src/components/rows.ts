/** Templates of a conversation's rows: what a person asked, what was answered, what was looked up, what is to be noticed. */
import { html, nothing, type TemplateResult } from "lit";
import { closes, isProposal } from "../branch";
import * as icons from "../icons";
import type { Talk } from "../talk";
import type { Activity, Turn } from "../turn";
import type { Message } from "../wire";
import { count, say, type Word } from "../words";
import { answer } from "./answer";

/** What rows need from the transcript that shows them. */
export interface Around {
  talk: Talk;
  version: number;
  /** Number of the answer that was copied a moment ago. */
  copied: number;
  copy: (message: Message) => void;
  /** The pair that may be asked anew now. */
  last: { question: Message | undefined; answer: Message | undefined };
  editKey: (event: KeyboardEvent) => void;
}

/** The row, or nothing for one that says nothing to the person (an answer that only asked for tools). */
export function row(message: Message, rows: readonly Message[], around: Around): TemplateResult | typeof nothing {
  switch (message.role) {
    case "user":
      return around.talk.edited?.seq === message.seq ? editing(around) : question(message, around);
    case "tool":
      return isProposal(message)
        ? proposal(message, around)
        : message.tool
          ? activity({ ...message.tool, call: 0 })
          : nothing;
    case "notice":
      return isSaidByCard(message, rows) || isSaidByAnswer(message, rows) ? nothing : notice(message.content);
    case "assistant":
      return message.content.trim() || message.ending === "stopped" ? assistant(message, rows, around) : nothing;
  }
}

/** The card in its place. Until it is there, the line that says that something was proposed. */
function proposal({ confirmation, tool }: Message, { talk, version }: Around): TemplateResult | typeof nothing {
  const held = talk.cards.get(confirmation ?? "");
  if (!held) return tool ? activity({ ...tool, call: 0 }) : nothing;
  return html`<deskhand-card class="row" .cards=${talk.cards} .held=${held} .version=${version}></deskhand-card>`;
}

/** The end of a card needs no line of its own as long as nobody asked anything in between: the card itself says it. */
function isSaidByCard({ seq, confirmation }: Message, rows: readonly Message[]): boolean {
  const place = rows.findIndex((one) => isProposal(one) && one.confirmation === confirmation);
  return Boolean(confirmation) && place >= 0 && !rows.slice(place).some((one) => one.role === "user" && one.seq < seq);
}

/** That the person stopped the turn, where the answer says so itself. */
function isSaidByAnswer({ notice: name, turn }: Message, rows: readonly Message[]): boolean {
  return name === "stopped" && rows.some((one) => one.turn === turn && one.ending === "stopped");
}

/** A line that says what happened. */
export function notice(words: string): TemplateResult {
  return html`<div class="row notice">${icons.notice()}<span dir="auto">${words}</span></div>`;
}

function question(message: Message, { talk, last }: Around): TemplateResult {
  return html`<div class="row user" dir="auto"><span class="unseen">${say("log.you")}: </span>${message.content}</div>
    ${
      last.question === message
        ? html`<div class="under edit">${small(icons.pencil(), "again.edit", () => talk.edit(message))}</div>`
        : nothing
    }`;
}

function editing({ talk, editKey }: Around): TemplateResult {
  const text = talk.edited?.draft.text ?? "";
  const cannot = text.trim() === "" || talk.isSending || talk.turn !== null;
  return html`<form class="row editing" @keydown=${editKey} @submit=${(event: Event) => {
    event.preventDefault();
    if (!cannot) void talk.resend();
  }}>
    <textarea rows="2" dir="auto" aria-label=${say("again.field")} .value=${text}
      @input=${(event: Event) => talk.rewrite((event.target as HTMLTextAreaElement).value)}></textarea>
    ${talk.cards.waiting.length > 0 ? html`<p dir="auto">${say("again.cards")}</p>` : nothing}
    <div><button class="main" ?disabled=${cannot}>${say(talk.isSending ? "write.sending" : "write.send")}</button>
      <button type="button" class="word" @click=${() => talk.edit(null)}>${say("again.cancel")}</button></div>
  </form>`;
}

/** Words of the assistant's. Beside a card they are marked as such also for the eye: nobody is to take them for what the card says. */
function said(turn: string | null, rows: readonly Message[]): TemplateResult {
  const isBesideCard = turn !== null && rows.some((one) => isProposal(one) && one.turn === turn);
  return isBesideCard
    ? html`<div class="says">${say("card.says")}</div>`
    : html`<span class="unseen">${say("log.assistant")}: </span>`;
}

function assistant(message: Message, rows: readonly Message[], { copied, copy, last, talk }: Around): TemplateResult {
  const isCopied = copied === message.seq;
  return html`<div class="row assistant">
    ${said(message.turn, rows)}
    <div class="answer" ${answer(message.content)}></div>
    ${message.ending === "stopped" ? html`<div class="ending">${say("log.stopped")}</div>` : nothing}
    ${message.ending === "incomplete" ? html`<div class="ending">${say("log.incomplete")}</div>` : nothing}
    ${
      closes(message)
        ? html`<div class="under">
            ${small(isCopied ? icons.tick() : icons.copy(), isCopied ? "log.copied" : "log.copy", () => copy(message), "copy")}
            ${last.answer === message ? askAgain(talk, "again.answer") : nothing}</div>`
        : nothing
    }
  </div>`;
}

/** The way to ask the last question once more. */
export function askAgain(talk: Talk, word: Word): TemplateResult {
  return small(icons.again(), word, () => talk.again());
}

function small(sign: TemplateResult, word: Word, act: () => unknown, name = ""): TemplateResult {
  return html`<button type="button" class=${name} @click=${act}>${sign}<span>${say(word)}</span></button>`;
}

const OUTCOMES: Record<string, Word> = {
  running: "tool.running",
  ok: "tool.ok",
  needs_confirmation: "tool.needs_confirmation",
  denied: "tool.unavailable",
  unknown: "tool.unavailable",
  invalid: "tool.invalid",
  timeout: "tool.timeout",
  stopped: "tool.stopped",
  truncated: "tool.truncated",
  duplicate: "tool.duplicate",
};

export function activity({ title, outcome, summary }: Activity): TemplateResult {
  const words = say(OUTCOMES[outcome] ?? "tool.error", { title });
  const isRunning = outcome === "running";
  const sign = isRunning ? html`<span class="dot"></span>` : outcome === "ok" ? icons.glass() : icons.notice();
  return html`<div class="row activity" data-outcome=${outcome}>
    ${sign}<span dir="auto">${isRunning ? `${words}…` : summary && outcome !== "ok" ? `${words} – ${summary}` : words}</span>
  </div>`;
}

/** A turn under way: what it is doing, and the answer as far as it has come. */
export function running(turn: Turn, rows: readonly Message[], isLost: boolean): TemplateResult {
  return html`${turn.activities.map(activity)}
    ${turn.text ? html`<div class="row assistant">${said(turn.id, rows)}<div class="answer" ${answer(turn.text)}></div></div>` : nothing}
    ${turn.phase === "looking" || isLost ? nothing : html`<div class="row phase"><span class="dot"></span><span dir="auto">${phase(turn)}</span></div>`}`;
}

function phase(turn: Turn): string {
  if (turn.isStopping) return say("write.stopping");
  if (turn.phase === "waiting") return count("turn.waiting", Math.ceil(turn.waitSeconds));
  if (turn.phase === "writing") return say("turn.writing");
  return say(turn.phase === "starting" ? "turn.starting" : "turn.thinking");
}
