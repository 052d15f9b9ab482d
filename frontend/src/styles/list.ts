/** The list of conversations: one line each, its verbs at the end of the line. */
import { css } from "lit";

export const list = css`
  :host {
    display: flex;
    flex-direction: column;
  }
  .top {
    display: flex;
    flex: none;
    gap: 8px;
    padding: 12px 14px 8px;
  }
  input {
    width: 100%;
    min-width: 0;
    min-height: 44px;
    padding: 0 12px;
    background: var(--ground);
    border: 1px solid var(--edge);
    border-radius: 6px;
  }
  input::placeholder {
    color: var(--quiet);
    opacity: 1;
  }
  input:focus-visible {
    outline-offset: 0;
  }
  ul {
    flex: 1;
    margin: 0;
    padding: 0 8px 12px;
    overflow-y: auto;
    overscroll-behavior: contain;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
    border-radius: 6px;
  }
  li:hover,
  li:focus-within {
    background: var(--raised);
  }
  li .square:hover:not(:disabled) {
    background: none;
  }
  li[aria-current="true"] {
    background: var(--tint);
  }
  .open {
    display: flex;
    flex: 1;
    align-items: baseline;
    gap: 10px;
    min-width: 0;
    min-height: 44px;
    padding: 10px;
    text-align: start;
  }
  .open bdi {
    flex: 1;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  time {
    flex: none;
    font-size: 12.5px;
    color: var(--quiet);
  }
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    align-self: center;
    border-radius: 50%;
    background: var(--accent);
  }
  form {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 6px;
    padding: 8px;
  }
  form input {
    flex: 1 1 180px;
    width: auto;
  }
  .none,
  .alarm {
    margin: 12px 22px;
    color: var(--quiet);
  }
  .alarm {
    color: var(--alarm);
  }
  .undo {
    display: flex;
    flex: none;
    align-items: center;
    gap: 8px;
    min-height: 56px;
    padding-block: 6px;
    padding-inline: 18px 8px;
    border-top: 1px solid var(--line);
    background: var(--raised);
  }
  .undo span {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .more {
    justify-content: center;
  }
`;
