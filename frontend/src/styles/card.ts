/** A card looks like a document to be signed, not like something said: a frame, a head that tells how it stands, a body in a grid. */
import { css } from "lit";

export const card = css`
  :host {
    display: block;
    --frame: var(--edge);
    --head: var(--raised);
    --mark: var(--ink);
  }
  section {
    border: 1px solid var(--frame);
    border-radius: 8px;
    overflow: clip;
    overflow-wrap: anywhere;
    container-type: inline-size;
  }
  section:is([data-standing="waiting"], [data-standing="confirming"], [data-standing="rejecting"], [data-standing="asking"]) {
    --frame: var(--accent);
    --head: var(--accent);
    --mark: var(--on-accent);
    border-width: 2px;
    box-shadow: 0 2px 10px rgb(16 32 40 / 12%);
  }
  section[data-standing="confirmed"] {
    --mark: var(--good);
  }
  section:is([data-standing="failed"], [data-standing="unknown"], [data-standing="changed"]) {
    --frame: var(--alarm);
    --head: var(--alarm-tint);
    --mark: var(--alarm);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    justify-content: space-between;
    padding: 7px 14px;
    background: var(--head);
    color: var(--mark);
    font-size: 13.5px;
    font-weight: 600;
  }
  #standing {
    display: inline-flex;
    gap: 7px;
    align-items: center;
  }
  header .icon {
    width: 17px;
    height: 17px;
  }
  .left {
    font-weight: 400;
    font-variant-numeric: tabular-nums;
  }
  .body {
    display: flex;
    flex-direction: column;
    gap: 12px;
    padding: 12px 14px 14px;
  }
  h3,
  h4,
  p,
  dl,
  dd,
  ul,
  ol {
    margin: 0;
    padding: 0;
  }
  h3,
  .value,
  .name,
  .words,
  .given,
  .object,
  dt,
  .touches span {
    unicode-bidi: isolate;
    white-space: pre-wrap;
  }
  h3,
  .object,
  dt {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  h3 {
    font-size: 16px;
    font-weight: 650;
    line-height: 1.35;
  }
  h4,
  dt,
  summary {
    font-size: 13.5px;
    font-weight: 600;
  }
  .object {
    margin-top: -8px;
  }
  a {
    color: var(--accent);
    text-underline-offset: 2px;
  }
  .why,
  .aside,
  .said {
    font-size: 14px;
  }
  .aside {
    color: var(--quiet);
  }
  .said {
    padding: 8px 12px;
    border-inline-start: 3px solid var(--edge);
    background: var(--raised);
    border-radius: 4px;
  }
  .changes,
  .arguments {
    display: grid;
    gap: 12px;
  }
  .changes > div {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 18px minmax(0, 1fr);
    gap: 4px 6px;
  }
  dt {
    grid-column: 1 / -1;
    color: var(--quiet);
  }
  .changes dd {
    padding: 6px 10px 7px;
    border: 1px solid var(--line);
    border-radius: 6px;
  }
  .before {
    grid-column: 1;
    background: var(--raised);
  }
  .changes .after {
    position: relative;
    grid-column: 3;
    border-color: var(--edge);
    font-weight: 600;
  }
  .after::before {
    content: "";
    position: absolute;
    inset-inline-start: -17px;
    top: calc(50% - 4px);
    width: 6px;
    height: 6px;
    border: solid var(--quiet);
    border-width: 1.6px 1.6px 0 0;
    transform: rotate(45deg);
  }
  :host(:dir(rtl)) .after::before {
    transform: rotate(-135deg);
  }
  .side {
    display: block;
    font-size: 12px;
    font-weight: 400;
    line-height: 1.35;
    color: var(--quiet);
  }
  .value {
    display: block;
    font-variant-numeric: tabular-nums;
  }
  .none {
    font-style: italic;
    font-weight: 400;
    color: var(--quiet);
  }
  .changes > .long {
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
  }
  .long :is(.before, .after) {
    grid-column: 1;
  }
  .changes .long .after {
    margin-top: 12px;
  }
  .changes .long .after::before,
  :host(:dir(rtl)) .long .after::before {
    inset-inline-start: 14px;
    top: -13px;
    transform: rotate(135deg);
  }
  @container (max-width: 300px) {
    :not(li) > .changes > div {
      grid-template-columns: minmax(0, 1fr);
    }
    :not(li) > .changes .after {
      grid-column: 1;
      margin-top: 12px;
    }
    :not(li) > .changes .after::before,
    :host(:dir(rtl)) :not(li) > .changes .after::before {
      inset-inline-start: 14px;
      top: -13px;
      transform: rotate(135deg);
    }
  }
  .arguments > div {
    display: grid;
    gap: 2px;
  }
  ul,
  ol {
    padding-inline-start: 22px;
  }
  .touches ul {
    margin-top: 2px;
  }
  details {
    border: 1px solid var(--line);
    border-radius: 6px;
  }
  summary {
    display: flex;
    align-items: center;
    gap: 9px;
    min-height: 44px;
    padding: 4px 12px;
    border-radius: 6px;
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary::before {
    content: "";
    width: 6px;
    height: 6px;
    margin-inline: 1px 3px;
    border: solid currentColor;
    border-width: 1.6px 1.6px 0 0;
    transform: rotate(45deg);
  }
  :host(:dir(rtl)) summary::before {
    transform: rotate(-135deg);
  }
  details[open] > summary::before,
  :host(:dir(rtl)) details[open] > summary::before {
    transform: rotate(135deg);
  }
  summary:focus-visible {
    outline-offset: -2px;
  }
  details > ol {
    max-height: 320px;
    padding-inline: 38px 12px;
    overflow-y: auto;
  }
  details > ol > li {
    padding: 8px 0;
    border-top: 1px solid var(--line);
  }
  details li::marker {
    font-size: 12.5px;
    color: var(--quiet);
    font-variant-numeric: tabular-nums;
  }
  li .changes {
    gap: 2px;
    font-size: 14px;
  }
  li .changes > div:not(.long) {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) 18px minmax(0, 1fr);
    align-items: baseline;
  }
  li .changes :not(.long) > :is(dt, .before, .after) {
    grid-column: auto;
    margin: 0;
    padding: 0;
    border: 0;
    background: none;
  }
  li .changes :not(.long) > .after {
    grid-column: 4;
  }
  li :not(.long) > dd > .side {
    position: absolute;
    clip-path: inset(50%);
  }
  .handed .arguments,
  details > .body {
    padding: 2px 12px 12px;
  }
  .name {
    font-weight: 600;
  }
  .went,
  .words {
    display: block;
    font-size: 13.5px;
  }
  .went {
    color: var(--good);
  }
  .not .went {
    color: var(--alarm);
    font-weight: 600;
  }
  .verbs {
    display: flex;
    flex-wrap: wrap;
    gap: 10px;
    margin-top: 2px;
  }
  .verbs button {
    flex: 1 1 auto;
    min-width: 0;
    min-height: 44px;
    padding: 8px 18px;
    border: 1px solid var(--edge);
    border-radius: 6px;
    font-weight: 600;
    overflow-wrap: anywhere;
    transition: opacity 160ms;
  }
  .verbs .main {
    border-color: transparent;
    flex-grow: 2;
  }
  .verbs .plain:hover:not(:disabled) {
    background: var(--raised);
  }
  .verbs .main:hover:not(:disabled) {
    filter: brightness(1.08);
  }
  .fresh button:enabled {
    opacity: 0.55;
  }
  @media (forced-colors: active) {
    section {
      border-width: 2px;
    }
  }
`;
