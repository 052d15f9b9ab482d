/** The panel's pictures: drawn here, from our own code, in the colour of the text around them. Hidden from screen readers: the button says it. */
import { html, svg, type TemplateResult } from "lit";

function icon(strokes: TemplateResult): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${strokes}</svg>`;
}

export const bubble = () =>
  icon(
    svg`<path d="M4 3.8h12a1.2 1.2 0 0 1 1.2 1.2v7.6a1.2 1.2 0 0 1-1.2 1.2H9.4L5.6 17v-3.2H4a1.2 1.2 0 0 1-1.2-1.2V5A1.2 1.2 0 0 1 4 3.8Z"/><path d="M6.4 7.4h7.2M6.4 10.2h4.6"/>`,
  );
export const close = () => icon(svg`<path d="m5 5 10 10M15 5 5 15"/>`);
export const lines = () => icon(svg`<path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h8"/>`);
export const plus = () => icon(svg`<path d="M10 4v12M4 10h12"/>`);
export const back = () => icon(svg`<path class="turns" d="M12 4.5 6.5 10l5.5 5.5"/>`);
export const wider = () => icon(svg`<path d="M7 6 3 10l4 4M13 6l4 4-4 4M3.5 10h13"/>`);
export const narrower = () => icon(svg`<path d="M3 6l4 4-4 4M17 6l-4 4 4 4"/>`);
export const send = () => icon(svg`<path d="M10 16V4.5M5 9.2l5-5 5 5"/>`);
export const stop = () => icon(svg`<rect x="5.5" y="5.5" width="9" height="9" rx="1" fill="currentColor"/>`);
export const pencil = () =>
  icon(svg`<path d="m4 16 .8-3.2 8.4-8.4a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2l-8.4 8.4L4 16Z"/>`);
export const bin = () => icon(svg`<path d="M4 6h12M8 6V4.2h4V6M5.5 6l.7 10h7.6l.7-10M8.4 9v4.4M11.6 9v4.4"/>`);
export const glass = () => icon(svg`<circle cx="9" cy="9" r="4.8"/><path d="m12.6 12.6 3.6 3.6"/>`);
export const tick = () => icon(svg`<path d="m4.5 10.5 3.6 3.6 7.4-8"/>`);
export const notice = () => icon(svg`<circle cx="10" cy="10" r="6.8"/><path d="M10 9.4v4M10 6.6v.1"/>`);
export const down = () => icon(svg`<path d="M10 4v11.5M5.2 10.8 10 15.6l4.8-4.8"/>`);
export const copy = () =>
  icon(svg`<rect x="7" y="7" width="9" height="9.4" rx="1.4"/><path d="M13 4.6H5.4A1.4 1.4 0 0 0 4 6v8"/>`);
export const again = () => icon(svg`<path d="M15.8 8.4A6.2 6.2 0 1 0 16 11.4M16 4v4.4h-4.4"/>`);
export const clock = () => icon(svg`<circle cx="10" cy="10" r="6.8"/><path d="M10 6.2V10l2.6 2.2"/>`);
