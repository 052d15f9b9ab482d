/**
 * Colours, sizes and what all parts share. Constructable sheets: no inline style, so the strictest style policy lets them through.
 *
 * Every pair of text and ground here has a contrast of at least 4.5 : 1, every control's outline 3 : 1. A host may set
 * `--deskhand-accent` and `--deskhand-on-accent` on `deskhand-panel`; the contrast is then the host's to keep.
 */
import { css } from "lit";

export const colours = css`
  :host {
    --ground: #ffffff;
    --raised: #f4f6f8;
    --line: #d5dce1;
    --edge: #78878f;
    --ink: #1b262c;
    --quiet: #4d5d66;
    --accent: var(--deskhand-accent, #2b6580);
    --on-accent: var(--deskhand-on-accent, #ffffff);
    --tint: #e7f0f5;
    --good: #24663a;
    --alarm: #9f2329;
    --alarm-tint: #fbeeee;
    --shade: 0 6px 28px rgb(16 32 40 / 18%);
    --beyond: #78878f80;
    color-scheme: light;
  }
  :host([theme="dark"]) {
    --ground: #15191c;
    --raised: #1e2428;
    --line: #343d43;
    --edge: #7d8b93;
    --ink: #e3e9ec;
    --quiet: #a5b2ba;
    --accent: var(--deskhand-accent, #86c1da);
    --on-accent: var(--deskhand-on-accent, #0c1b22);
    --tint: #213440;
    --good: #8fd3a4;
    --alarm: #ff9d98;
    --alarm-tint: #371f20;
    --shade: 0 6px 28px rgb(0 0 0 / 55%);
    --beyond: #000;
    color-scheme: dark;
  }
`;

export const shared = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  button,
  input,
  textarea {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
    text-transform: none;
  }
  button {
    cursor: pointer;
    background: none;
    border: 1px solid transparent;
    border-radius: 6px;
    padding: 0;
    touch-action: manipulation;
  }
  button:disabled {
    cursor: default;
    opacity: 0.55;
  }
  button.square {
    display: inline-grid;
    place-items: center;
    flex: none;
    width: 44px;
    height: 44px;
    color: var(--quiet);
  }
  button.square:hover:not(:disabled) {
    background: var(--raised);
    color: var(--ink);
  }
  button.word {
    min-height: 44px;
    padding: 0 14px;
    color: var(--accent);
    font-weight: 600;
  }
  button.word:hover:not(:disabled) {
    background: var(--raised);
  }
  button.main {
    min-height: 44px;
    padding: 0 16px;
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .icon {
    display: block;
    flex: none;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
  @media (forced-colors: active) {
    button {
      border-color: ButtonBorder;
    }
  }
`;
