/**
 * What the page around the panel looks like: light or dark, left-to-right or right-to-left. The panel follows it, and changes with it.
 *
 * Order for the colours: `data-theme` of Django's admin, the class `dark` that Unfold and others set, the computed `color-scheme`,
 * what the system prefers. For the direction: the page's own, else that of the panel's language.
 */

export type Theme = "light" | "dark";

const RIGHT_TO_LEFT = new Set(["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"]);

export function theme(): Theme {
  const root = document.documentElement;
  const said = root.dataset.theme;
  if (said === "dark" || said === "light") return said;
  if (said !== "auto") {
    if (root.classList.contains("dark")) return "dark";
    const scheme = getComputedStyle(root).colorScheme;
    if (scheme === "dark" || scheme === "light") return scheme;
    if (scheme === "normal") return "light";
  }
  return prefersDark().matches ? "dark" : "light";
}

export function direction(locale: string): "ltr" | "rtl" {
  const root = document.documentElement;
  if (root.dir === "rtl" || root.dir === "ltr") return root.dir;
  const language = (locale || root.lang).toLowerCase().split(/[-_]/)[0] ?? "";
  return RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
}

/** Below this width of what is left of the page, the panel lies over it. */
const PAGE_PX = 480;
/** Below this one Django's admin puts a list's filters out of the way. */
const DJANGO_PX = 1024;
const room = new CSSStyleSheet();
let made = "";

/**
 * Afterwards the page leaves so many pixels free beside itself (none: it is as it was), so that nothing of it lies under the panel: its
 * header with the person's name and the way out, say. On a screen that is too narrow for both, the panel lies over the page.
 *
 * A sheet of our own and no inline style: the strictest style policy lets it through. What a page fixes to the window itself stays.
 * Django's admin looks at the window and not at its own width, so it is told what it does on a small one: its `#container` may be
 * narrow, and a list's filters stand below the list.
 */
export function makeRoom(px: number, towards = "ltr"): void {
  const rule = px
    ? `@media screen and (min-width:${px + PAGE_PX}px){html:root{box-sizing:border-box;padding-${towards === "rtl" ? "left" : "right"}:${px}px}#container{min-width:0}@media(max-width:${px + DJANGO_PX}px){#changelist{flex-direction:column;align-items:stretch}#changelist-filter{flex:none;margin:30px 0 0}}}`
    : "";
  if (rule === made) return;
  made = rule;
  room.replaceSync(rule);
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== room);
  document.adoptedStyleSheets = rule ? [...others, room] : others;
}

/** Calls `changed` whenever the answer of the functions above may be another. Returns how to end it. */
export function watch(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "class", "dir", "lang", "style"] });
  const media = prefersDark();
  media.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", changed);
  };
}

function prefersDark(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}
