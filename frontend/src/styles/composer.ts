/** The place to write: a growing field with one button in it, and under it the words that belong to sending. */
import { css } from "lit";

export const composer = css`
  :host {
    display: block;
    flex: none;
    border-top: 1px solid var(--line);
    padding: 12px 14px calc(10px + env(safe-area-inset-bottom, 0px));
  }
  form {
    display: flex;
    align-items: flex-end;
    gap: 4px;
    padding: 2px;
    border: 1px solid var(--edge);
    border-radius: 10px;
    background: var(--ground);
  }
  form:focus-within {
    border-color: var(--accent);
    outline: 1px solid var(--accent);
  }
  textarea {
    flex: 1;
    min-width: 0;
    min-height: 44px;
    max-height: min(40vh, 260px);
    padding: 10px 6px 10px 12px;
    border: 0;
    background: none;
    resize: none;
    outline: none;
    field-sizing: content;
    overflow-y: auto;
  }
  textarea:focus-visible {
    outline: none;
  }
  textarea::placeholder {
    color: var(--quiet);
    opacity: 1;
  }
  .go {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-width: 44px;
    height: 44px;
    padding: 0 11px;
    border-radius: 8px;
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .go:focus-visible {
    outline-offset: 2px;
  }
  .go:disabled {
    background: var(--raised);
    color: var(--quiet);
    opacity: 1;
  }
  .go.stop {
    background: none;
    border-color: var(--edge);
    color: var(--ink);
  }
  .trouble {
    display: flex;
    align-items: start;
    gap: 6px;
    margin-bottom: 10px;
    padding-block: 8px;
    padding-inline: 12px 4px;
    background: var(--alarm-tint);
    border-inline-start: 3px solid var(--alarm);
    border-radius: 4px;
    font-size: 14px;
  }
  .trouble > div {
    flex: 1;
    min-width: 0;
    padding-block: 2px;
  }
  .trouble .square {
    margin-block: -8px;
  }
  .trouble .word {
    display: block;
    min-height: 44px;
    margin: 0 -10px -10px;
    padding: 0 10px;
  }
  .link {
    display: flex;
    align-items: center;
    gap: 8px;
    margin-bottom: 8px;
    font-size: 14px;
    color: var(--alarm);
  }
  .due {
    color: var(--ink);
  }
  .link span {
    flex: 1;
  }
  .link .word {
    margin-block: -8px;
  }
  .under {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    justify-content: space-between;
    margin-top: 8px;
    padding: 0 2px;
    font-size: 12.5px;
    line-height: 1.4;
    color: var(--quiet);
  }
  .count {
    font-variant-numeric: tabular-nums;
  }
  .count.over {
    color: var(--alarm);
    font-weight: 600;
  }
`;
