/** Where the panel stands on the page: a round button at the lower end corner, a column along the end edge, the whole page on a phone. */
import { css } from "lit";

export const panel = css`
  :host {
    all: initial;
    position: static;
    font: 400 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
    color: var(--ink);
  }
  @media print {
    :host {
      display: none;
    }
  }
  .launcher {
    position: fixed;
    z-index: 10000;
    bottom: 20px;
    right: 20px;
    display: grid;
    place-items: center;
    width: 52px;
    height: 52px;
    border-radius: 50%;
    background: var(--accent);
    color: var(--on-accent);
    box-shadow: var(--shade);
  }
  [dir="rtl"] .launcher {
    right: auto;
    left: 20px;
  }
  .launcher:hover {
    filter: brightness(1.08);
  }
  .launcher .icon {
    width: 24px;
    height: 24px;
  }
  aside {
    position: fixed;
    z-index: 10000;
    top: 0;
    bottom: 0;
    right: 0;
    display: flex;
    flex-direction: column;
    width: min(100vw, 420px);
    background: var(--ground);
    border-inline-start: 1px solid var(--line);
    box-shadow: var(--shade);
    overflow: hidden;
    overscroll-behavior: contain;
  }
  [dir="rtl"] aside {
    right: auto;
    left: 0;
  }
  aside.wide {
    width: min(100vw, 720px);
  }
  header {
    display: flex;
    align-items: center;
    gap: 2px;
    flex: none;
    min-height: 56px;
    padding: 6px 8px;
    border-bottom: 1px solid var(--line);
  }
  h2 {
    flex: 1;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    min-width: 0;
    margin: 0;
    padding: 0 6px;
    font-size: 15px;
    font-weight: 600;
    line-height: 1.35;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [dir="rtl"] .turns {
    transform: scaleX(-1);
    transform-origin: center;
  }
  .body {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  deskhand-transcript,
  deskhand-conversations {
    flex: 1;
    min-height: 0;
  }
  .alarm {
    display: flex;
    flex-direction: column;
    align-items: start;
    gap: 4px;
    margin: 24px;
    padding: 14px 16px 8px;
    border: 1px solid var(--line);
    border-inline-start: 3px solid var(--alarm);
    border-radius: 6px;
  }
  .alarm p {
    margin: 0;
  }
  .alarm .word {
    margin-inline-start: -14px;
  }
  @media (max-width: 640px) {
    aside,
    aside.wide {
      width: 100vw;
      border: 0;
    }
    header button.widths {
      display: none;
    }
  }
`;
