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
