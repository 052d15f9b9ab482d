/**
 * Makes the page's nodes from Markdown tokens, by hand: a closed list of elements, each made by `createElement`, all text by text nodes.
 *
 * No HTML parser ever sees what a model or a person wrote, so there is nothing to sanitise and nothing for Trusted Types to stop: the
 * only elements that can exist are those named in this file, and the only attributes those set here. Never made: pictures, frames,
 * styles, forms, SVG, MathML, ids, names, classes from the text. Nothing that a text says makes the browser ask any server.
 *
 * Each block has its own direction (`dir="auto"`); lists and tables, whose children carry a direction of their own, get theirs from
 * their first letter.
 */
import { count, say, type Word } from "../words";
import { resolved, type Token, type Tokens } from "./grammar";
import { type Target, target } from "./links";

/** A cell up to this long (a number, a date, an order's name) is kept on one line. */
const SHORT_CELL_CHARS = 12;

/** Blocks within blocks deeper than this stand as they are written: nobody reads them, and a browser suffers. */
const DEEPEST = 16;

/** The nodes of one block. */
export function block(token: Token, depth = 0): Node[] {
  if (depth > DEEPEST) return [plain(token.raw)];
  switch (token.type) {
    case "paragraph":
      return [element("p", inline(token.tokens ?? []), "auto")];
    case "heading":
      return [heading(token as Tokens.Heading)];
    case "code":
      return [code(token as Tokens.Code)];
    case "blockquote":
      return [element("blockquote", within(token.tokens, depth), "auto")];
    case "list":
      return [list(token as Tokens.List, depth)];
    case "table":
      return [table(token as Tokens.Table)];
    case "hr":
      return [element("hr", [])];
    case "text":
      return [element("p", token.tokens ? inline(token.tokens) : [text(token.text)], "auto")];
    case "space":
    case "def":
      return [];
    default:
      return [plain(token.raw)];
  }
}

/** A paragraph that shows `raw` as it is written. */
export function plain(raw: string): HTMLElement {
  return element("p", [document.createTextNode(raw)], "auto");
}

function within(tokens: Token[] | undefined, depth: number): Node[] {
  return (tokens ?? []).flatMap((token) => block(token, depth + 1));
}

function inline(tokens: Token[]): Node[] {
  return tokens.flatMap(span);
}

function span(token: Token): Node[] {
  switch (token.type) {
    case "text":
      return token.tokens ? inline(token.tokens) : [text(token.text)];
    case "escape":
      return [document.createTextNode(token.text)];
    case "strong":
    case "em":
    case "del":
      return [element(token.type, inline(token.tokens ?? []))];
    case "codespan":
      return [element("code", [document.createTextNode(token.text)])];
    case "br":
      return [element("br", [])];
    case "link":
      return link(token as Tokens.Link);
    case "image":
      return picture(token as Tokens.Image);
    case "checkbox":
      return [document.createTextNode(token.checked ? "☑ " : "☐ ")];
    default:
      return [document.createTextNode(token.raw)];
  }
}

/** An answer stands below the page's own headings, so its highest is a third-level one. */
function heading(token: Tokens.Heading): HTMLElement {
  const names = ["h3", "h4", "h5"] as const;
  return element(names[Math.min(token.depth, 3) - 1] ?? "h5", inline(token.tokens), "auto");
}

function list(token: Tokens.List, depth: number): HTMLElement {
  const items = token.items.map((item) => {
    const parts = item.tokens.flatMap((part) =>
      part.type === "text" && !item.loose ? inline(part.tokens ?? [part]) : listPart(part, depth),
    );
    return element("li", parts, "auto");
  });
  const made = element(token.ordered ? "ol" : "ul", items, direction(token.raw));
  if (made instanceof HTMLOListElement && typeof token.start === "number" && token.start !== 1)
    made.start = token.start;
  return made;
}

function listPart(part: Token, depth: number): Node[] {
  return part.type === "checkbox" ? span(part) : block(part, depth + 1);
}

function table(token: Tokens.Table): HTMLElement {
  const row = (cells: Tokens.TableCell[], name: "th" | "td") =>
    element(
      "tr",
      cells.map((cell) => {
        const made = element(name, inline(cell.tokens), "auto");
        if (cell.align) made.dataset.align = cell.align;
        if ((made.textContent ?? "").length <= SHORT_CELL_CHARS) made.className = "short";
        return made;
      }),
    );
  const made = element(
    "table",
    [
      element("thead", [row(token.header, "th")]),
      element(
        "tbody",
        token.rows.map((cells) => row(cells, "td")),
      ),
    ],
    direction(token.raw),
  );
  const scroller = element("div", [made]);
  scroller.className = "table";
  return scrollable(scroller, "table.name");
}

/** What is wider than the panel scrolls by itself, also by keyboard; so it needs a name for the ear. */
function scrollable(box: HTMLElement, name: Word): HTMLElement {
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", say(name));
  return box;
}

function code(token: Tokens.Code): HTMLElement {
  const language = /^[\w+#.-]{1,20}/.exec(token.lang ?? "")?.[0] ?? "";
  const copy = button(say("code.copy"), async () => {
    await navigator.clipboard.writeText(token.text);
    copy.textContent = say("code.copied");
  });
  const bar = element("div", [element("span", [document.createTextNode(language)]), copy]);
  bar.className = "bar";
  const pre = scrollable(element("pre", [element("code", [document.createTextNode(token.text)])], "ltr"), "code.name");
  const box = element("div", [bar, pre]);
  box.className = "code";
  return box;
}

function link(token: Tokens.Link): Node[] {
  const raw = token.autolink ? token.href : resolved(token.href);
  const where = target(raw);
  if (!where) return [...notALink(token, raw)];
  const words = inline(token.tokens);
  return where.isPlain ? plainLink(where, words, token.text) : [longLink(where, words)];
}

/** The words of something that is no link, and the address as it was written if the words do not already hold it. */
function notALink(token: Tokens.Link, raw: string): Node[] {
  const words = inline(token.tokens);
  return token.text === token.href ? words : [...words, document.createTextNode(` (${raw})`)];
}

function anchor(where: Target, words: Node[]): HTMLAnchorElement {
  const made = element("a", words) as HTMLAnchorElement;
  made.href = where.href;
  made.target = "_blank";
  made.rel = "noreferrer noopener";
  made.title = where.href;
  return made;
}

function plainLink(where: Target, words: Node[], shown: string): Node[] {
  const made = anchor(where, words);
  const saysWhere =
    where.host === "" || resolved(shown).replace(/^mailto:/i, "") === where.host || sameAddress(shown, where);
  return saysWhere ? [made] : [made, host(where.host)];
}

/** Whether the words of a link are its whole address, and so already tell the host. */
function sameAddress(shown: string, where: Target): boolean {
  return target(resolved(shown))?.href === where.href;
}

function host(name: string): HTMLElement {
  const made = element("bdi", [document.createTextNode(` (${name})`)]);
  made.className = "host";
  return made;
}

/** A link that carries much: its host at once, the whole address after a click, and only then a way to open it. */
function longLink(where: Target, words: Node[]): HTMLElement {
  const box = element("span", [...words, host(where.host), document.createTextNode(" ")]);
  box.className = "long";
  const show = button(say("link.show"), () => {
    const address = element("code", [document.createTextNode(where.href)]);
    const open = anchor(where, [document.createTextNode(say("link.open"))]);
    show.replaceWith(address, document.createTextNode(" "), open);
    open.focus();
  });
  show.title = count("link.long", where.carriedChars);
  box.append(show);
  return box;
}

/** A picture is never loaded. It stands as a link to where it would have been, or as its words. */
function picture(token: Tokens.Image): Node[] {
  const raw = resolved(token.href);
  const words = `${say("link.picture")}: ${resolved(token.text) || raw.slice(0, 80)}`;
  const where = target(raw);
  if (!where) return [document.createTextNode(words)];
  const nodes = [document.createTextNode(words)];
  return where.isPlain ? plainLink(where, nodes, "") : [longLink(where, nodes)];
}

function text(raw: string): Text {
  return document.createTextNode(resolved(raw));
}

function element(name: string, children: Node[], dir = ""): HTMLElement {
  const made = document.createElement(name);
  if (dir) made.dir = dir;
  made.append(...children);
  return made;
}

function button(label: string, act: () => unknown): HTMLButtonElement {
  const made = element("button", [document.createTextNode(label)]) as HTMLButtonElement;
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** `rtl` if the first letter of `raw` is of a script that runs so, else `ltr`. */
export function direction(raw: string): "rtl" | "ltr" {
  const first = /\p{L}/u.exec(raw)?.[0] ?? "";
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first)
    ? "rtl"
    : "ltr";
}
