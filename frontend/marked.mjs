/**
 * Of marked, the half that the panel needs: what reads Markdown, not what writes HTML.
 *
 * Its module ends with a ready-made instance of everything, which keeps all of it in the bundle; without that end, with three exports and
 * without {@link UNREAD}, the rest falls away. The unit tests run over this half too, so what they promise of Markdown holds for what a
 * browser gets. Fails if a new version of marked is built otherwise.
 */

/** The module's file. */
export const MARKED = /marked\.esm\.js$/;

/**
 * What the panel's grammar never asks for, each as a pattern that must be found, and what takes its place: the older dialect
 * (`pedantic`), HTML as blocks and as tags (grammar.ts overrides both readers), and signs that only the writer needs.
 */
const UNREAD = [
  [/(\w+=)\{\.\.\.\w+,html:\w+\(`.*?paragraph:(?:(?!paragraph:).)*?getRegex\(\)\}/s, "$1{}"],
  [/(\w+=)\{\.\.\.\w+,emStrongLDelim:\w+,emStrongRDelimAst:\w+,emStrongRDelimUnd:\w+,link:.*?getRegex\(\)\}/s, "$1{}"],
  [/(,html:)\w+(,lheading:)/, "$1{}$2"],
  [/\bhtml\(\w\)\{.*?\}(?=def\(\w\)\{)/s, ""],
  [/\btag\(\w\)\{.*?\}(?=link\(\w\)\{)/s, ""],
  [/this\.options\.pedantic/g, "!1"],
  [/this\.options\.(gfm|breaks)/g, "!0"],
  [/this\.options\.(extensions|hooks)/g, "(void 0)"],
  [/static get rules\(\).*?(?=lex\(\w\)\{)/s, ""],
  [/this\.options\.silent/g, "!1"],
  [/,lheading:\w+(,list:\w+,newline:\w+),paragraph:\w+/, "$1"],
  [/\bstartATag:.*?(?=startAngleBracket:)/s, ""],
  [/\bpedanticHrefTitle:.*?(?=unicodeAlphaNumeric:)/s, ""],
  [/\bescapeTest:.*?(?=caret:)/s, ""],
];

/** The half of `all`, which is the module's text. */
export function half(all) {
  const end = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(.*export\{(.*)\};/s.exec(all);
  const kept = end?.[2].split(",").filter((name) => / as (Lexer|Tokenizer|getDefaults)$/.test(name)) ?? [];
  if (kept.length !== 3) throw new Error("marked is built in another way now: see to marked.mjs");
  let reading = all.slice(0, end.index);
  for (const [what, instead] of UNREAD) {
    const less = reading.replace(what, instead);
    if (less === reading) throw new Error(`marked is built in another way now: see to ${what} in marked.mjs`);
    reading = less;
  }
  return `${reading}export{${kept.join(",")}};`;
}
