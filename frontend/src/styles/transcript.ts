/** How rows of a conversation look: the person's words on a tint at the end side, answers as plain text over the whole width. */
import { css } from "lit";

export const transcript = css`
  :host {
    position: relative;
    display: flex;
    flex-direction: column;
  }
  .log {
    flex: 1;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 16px 18px 20px;
  }
  .log:focus-visible {
    outline-offset: -3px;
  }
  .row {
    margin: 0 0 14px;
    overflow-wrap: anywhere;
  }
  .user {
    width: fit-content;
    max-width: 88%;
    margin-inline-start: auto;
    padding: 8px 13px;
    background: var(--tint);
    border-radius: 10px;
    border-end-end-radius: 3px;
    white-space: pre-wrap;
  }
  .activity {
    display: flex;
    gap: 8px;
    align-items: start;
    margin-bottom: 8px;
    font-size: 13.5px;
    color: var(--quiet);
  }
  .activity .icon {
    width: 16px;
    height: 16px;
    margin-top: 2.5px;
  }
  .activity .dot {
    margin: 6px 4px;
  }
  .activity + .assistant {
    margin-top: 14px;
  }
  .notice {
    display: flex;
    gap: 9px;
    padding: 9px 12px;
    background: var(--raised);
    border-radius: 6px;
    font-size: 14px;
  }
  .notice .icon {
    margin-top: 1px;
    color: var(--quiet);
  }
  .ending,
  .under {
    display: flex;
    align-items: center;
    gap: 6px;
    margin-top: 4px;
    font-size: 13.5px;
    color: var(--quiet);
  }
  .under button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 44px;
    margin-block: -8px;
    margin-inline-start: -8px;
    padding: 0 8px;
    color: var(--quiet);
  }
  .under button:hover {
    color: var(--ink);
  }
  .under .icon {
    width: 16px;
    height: 16px;
  }
  .under.edit {
    justify-content: end;
    margin-block: -12px 16px;
  }
  .under.edit button {
    margin-inline: 0 -8px;
  }
  .editing {
    display: grid;
    gap: 8px;
    padding: 10px;
    background: var(--tint);
    border-radius: 10px;
  }
  .editing textarea {
    width: 100%;
    max-height: 40vh;
    padding: 10px 12px;
    border: 1px solid var(--edge);
    border-radius: 6px;
    background: var(--ground);
    resize: none;
    field-sizing: content;
  }
  .editing p {
    margin: 0;
    font-size: 13.5px;
  }
  .again button {
    color: var(--accent);
    font-weight: 600;
  }
  .says {
    margin-bottom: 2px;
    font-size: 12.5px;
    color: var(--quiet);
  }
  deskhand-card.row {
    margin-block: 4px 18px;
  }
  .phase {
    display: flex;
    align-items: center;
    gap: 9px;
    min-height: 24px;
    font-size: 14px;
    color: var(--quiet);
  }
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--accent);
    animation: breathe 1.4s ease-in-out infinite;
  }
  @keyframes breathe {
    50% {
      opacity: 0.25;
    }
  }
  .empty {
    display: flex;
    flex-direction: column;
    justify-content: center;
    min-height: 100%;
    padding: 0 10px 12%;
    text-align: center;
  }
  .empty h3 {
    margin: 0 0 6px;
    font-size: 17px;
    font-weight: 600;
    text-wrap: balance;
  }
  .empty p {
    margin: 0 auto;
    max-width: 21em;
    color: var(--quiet);
    text-wrap: balance;
  }
  .empty p + p {
    margin-top: 10px;
  }
  .older {
    display: flex;
    justify-content: center;
    margin: -8px 0 8px;
  }
  .newest {
    position: absolute;
    bottom: 10px;
    left: calc(50% - 22px);
    background: var(--ground);
    border: 1px solid var(--edge);
    border-radius: 50%;
    box-shadow: var(--shade);
  }
`;

export const answer = css`
  .answer > :first-child {
    margin-top: 0;
  }
  .answer > :last-child {
    margin-bottom: 0;
  }
  .answer :is(p, ul, ol, blockquote, .code, .table, hr) {
    margin: 0 0 10px;
  }
  .answer :is(h3, h4, h5) {
    margin: 18px 0 6px;
    font-size: 15px;
    font-weight: 650;
    line-height: 1.35;
  }
  .answer h3 {
    font-size: 16.5px;
  }
  .answer :is(ul, ol) {
    padding-inline-start: 24px;
  }
  .answer li {
    margin: 2px 0;
  }
  .answer li > :is(ul, ol, p) {
    margin: 2px 0;
  }
  .answer li::marker {
    color: var(--quiet);
  }
  .answer blockquote {
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--line);
    color: var(--quiet);
  }
  .answer hr {
    border: 0;
    border-top: 1px solid var(--line);
  }
  .answer a {
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .answer .host {
    font-size: 0.87em;
    color: var(--quiet);
  }
  .answer .long button {
    min-height: 30px;
    padding: 0 8px;
    border-color: var(--edge);
    color: var(--accent);
    font-size: 13.5px;
  }
  .answer code {
    padding: 1px 4px;
    background: var(--raised);
    border-radius: 4px;
    font: 0.9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  }
  .answer .code {
    border: 1px solid var(--line);
    border-radius: 6px;
    overflow: hidden;
  }
  .answer .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    min-height: 36px;
    padding-inline-start: 12px;
    background: var(--raised);
    border-bottom: 1px solid var(--line);
    font-size: 12.5px;
    color: var(--quiet);
  }
  .answer .bar button {
    min-width: 44px;
    min-height: 44px;
    margin-block: -4px;
    padding: 0 12px;
  }
  .answer .bar button:hover {
    color: var(--ink);
  }
  .answer pre {
    margin: 0;
    padding: 10px 12px;
    overflow-x: auto;
    overflow-wrap: normal;
    tab-size: 4;
  }
  .answer :is(pre, .table):focus-visible,
  .answer .bar button:focus-visible {
    outline-offset: -2px;
  }
  .answer pre code {
    padding: 0;
    background: none;
    font-size: 13px;
  }
  .answer .table {
    /* A shade at each side beyond which the table goes on: the covers over it move along with what is scrolled. */
    overflow-x: auto;
    overflow-wrap: normal;
    background:
      linear-gradient(90deg, var(--ground) 20px, #0000 20px calc(100% - 20px), var(--ground) 0) local,
      linear-gradient(90deg, var(--beyond), #0000 14px calc(100% - 14px), var(--beyond));
    border: 1px solid var(--line);
    border-radius: 6px;
  }
  .answer table {
    min-width: 100%;
    border-collapse: collapse;
    font-size: 14px;
    font-variant-numeric: tabular-nums;
  }
  .answer :is(th, td) {
    padding: 7px 12px;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    vertical-align: top;
    white-space: nowrap;
  }
  .answer td {
    border-top: 1px solid var(--line);
    white-space: normal;
    min-width: 5em;
  }
  .answer td.short {
    min-width: 0;
    white-space: nowrap;
  }
  .answer th {
    background: rgb(120 140 155 / 12%);
    font-weight: 600;
  }
  .answer [data-align="right"] {
    text-align: right;
  }
  .answer [data-align="center"] {
    text-align: center;
  }
`;
