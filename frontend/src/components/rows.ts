/** Templates of a conversation's rows: what a person asked, what was answered, what was looked up, what is to be noticed. */
import { html, nothing, type TemplateResult } from "lit";
import * as icons from "../icons";
import type { Activity, Turn } from "../turn";
import type { Message } from "../wire";
import { count, say, type Word } from "../words";
import { answer } from "./answer";

/** The row, or nothing for one that says nothing to the person (an answer that only asked for tools). */
export function row(
  message: Message,
  copied: number,
  copy: (message: Message) => void,
): TemplateResult | typeof nothing {
  switch (message.role) {
    case "user":
      return html`<div class="row user" dir="auto"><span class="unseen">${say("log.you")}: </span>${message.content}</div>`;
    case "tool":
      return message.tool ? activity({ ...message.tool, call: 0 }) : nothing;
    case "notice":
      return html`<div class="row notice">${icons.notice()}<span dir="auto">${message.content}</span></div>`;
    case "assistant":
      return message.content.trim() || message.ending === "stopped" ? assistant(message, copied, copy) : nothing;
  }
}

function assistant(message: Message, copied: number, copy: (message: Message) => void): TemplateResult {
  const closes = message.calls.length === 0 && message.content.trim() !== "";
  return html`<div class="row assistant">
    <span class="unseen">${say("log.assistant")}: </span>
    <div class="answer" ${answer(message.content)}></div>
    ${message.ending === "stopped" ? html`<div class="ending">${say("log.stopped")}</div>` : nothing}
    ${message.ending === "incomplete" ? html`<div class="ending">${say("log.incomplete")}</div>` : nothing}
    ${
      closes
        ? html`<div class="under"><button type="button" class="copy" @click=${() => copy(message)}>
            ${copied === message.seq ? icons.tick() : icons.copy()}
            <span>${say(copied === message.seq ? "log.copied" : "log.copy")}</span>
          </button></div>`
        : nothing
    }
  </div>`;
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
    ${sign}<span dir="auto">${summary && !isRunning ? `${words} – ${summary}` : isRunning ? `${words}…` : words}</span>
  </div>`;
}

/** A turn under way: what it is doing, and the answer as far as it has come. */
export function running(turn: Turn): TemplateResult {
  return html`${turn.activities.map(activity)}
    ${turn.text ? html`<div class="row assistant"><div class="answer" ${answer(turn.text)}></div></div>` : nothing}
    ${turn.phase === "looking" ? nothing : html`<div class="row phase"><span class="dot"></span><span dir="auto">${phase(turn)}</span></div>`}`;
}

function phase(turn: Turn): string {
  if (turn.isStopping) return say("write.stopping");
  if (turn.phase === "waiting") return count("turn.waiting", Math.ceil(turn.waitSeconds));
  if (turn.phase === "writing") return say("turn.writing");
  return say(turn.phase === "starting" ? "turn.starting" : "turn.thinking");
}
