/**
 * Of marked, the half that the panel needs: what reads Markdown, not what writes HTML.
 *
 * Its module ends with a ready-made instance of everything, which keeps all of it in the bundle; without that end, with three exports and
 * without {@link UNREAD}, the rest falls away. Its rules it puts together from parts when it is loaded, for four dialects; here the one
 * that the panel reads is written out. The unit tests run over this half too, so what they promise of Markdown holds for what a browser
 * gets. Fails if a new version of marked is built otherwise.
 */
import { Lexer } from "marked";

/** The module's file. */
export const MARKED = /marked\.esm\.js$/;

/**
 * What the panel's grammar never asks for, each as a pattern that must be found, and what takes its place: the older dialect
 * (`pedantic`), HTML as blocks and as tags (grammar.ts overrides both readers), and signs that only the writer needs.
 */
const UNREAD = [
  [/\bhtml\(\w\)\{.*?\}(?=def\(\w\)\{)/s, ""],
  [/\btag\(\w\)\{.*?\}(?=link\(\w\)\{)/s, ""],
  [/this\.options\.pedantic/g, "!1"],
  [/this\.options\.(gfm|breaks)/g, "!0"],
  [/this\.options\.(extensions|hooks)/g, "(void 0)"],
  [/static get rules\(\).*?(?=lex\(\w\)\{)/s, ""],
  [/this\.options\.silent/g, "!1"],
  [/\bstartATag:.*?(?=startAngleBracket:)/s, ""],
  [/\bpedanticHrefTitle:.*?(?=unicodeAlphaNumeric:)/s, ""],
  [/\bescapeTest:.*?(?=caret:)/s, ""],
];

/** All rules of all dialects: what stands between the signs that every dialect shares and the first function after them. */
const RULES = /(?<=nestedContainerMarkers:\/.*?\/\}),.*?,(\w+)=\{normal:\w+,gfm:.*?\},(\w+)=\{normal:\w+,gfm:.*?\};/s;
/** Names of HTML's blocks, which rules and shared signs mention. */
const TAGS = /(\w+)=("address\|[^"]*")/;
/** Rules for what grammar.ts reads otherwise, or not at all. */
const UNRULED = ["html", "del"];

/** The rules of the panel's dialect as source text. */
function written(rules) {
  const kept = Object.entries(rules).filter(([name]) => !UNRULED.includes(name));
  return `{${kept.map(([name, rule]) => `${name}:${rule}`).join(",")}}`;
}

/** Names of properties that marked alone mentions, as patterns: nothing outside needs to know them. */
export const OWN_NAMES = [
  ...Object.keys(new Lexer().tokenizer.rules.other),
  ...["anyPunctuation\\w*", "blockSkip", "del[LR]Delim", "emStrong\\w*", "nolink", "reflinkSearch"],
  ...["blockTokens", "infiniteLoopError", "inlineQueue", "inlineText", "inlineTokens", "inRawBlock"],
  ...["lastPossible\\w+", "linkEmitted", "linkParenPossible", "maskedSrc"],
];

/** The half of `all`, which is the module's text. */
export function half(all) {
  const end = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(.*export\{(.*)\};/s.exec(all);
  const kept = end?.[2].split(",").filter((name) => / as (Lexer|Tokenizer|getDefaults)$/.test(name)) ?? [];
  if (kept.length !== 3 || !RULES.test(all)) throw new Error("marked is built in another way now: see to marked.mjs");
  const [, tags, names] = TAGS.exec(all) ?? [];
  const { block, inline } = Lexer.rules;
  const rules = (_, blocks, inlines) =>
    `,${tags}=${names},${blocks}={gfm:${written(block.gfm)}},${inlines}={breaks:${written(inline.breaks)}};`;
  let reading = all.slice(0, end.index).replace(RULES, rules);
  for (const [what, instead] of UNREAD) {
    const less = reading.replace(what, instead);
    if (less === reading) throw new Error(`marked is built in another way now: see to ${what} in marked.mjs`);
    reading = less;
  }
  return `${reading}export{${kept.join(",")}};`;
}
