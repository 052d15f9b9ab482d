/**
 * Which Markdown the panel reads: GitHub's, less what would change the plain words of a back office, and no HTML at all.
 *
 * Differences, each with its reason:
 * - HTML is text. A tag is never a token, so no later step can take one for markup. `<br>` alone, which models write in tables, is a
 *   line break.
 * - `2*3*4`, `~5~` and `C:\\folder` keep their signs: a star after a letter or digit opens nothing, one tilde is a tilde, a backslash
 *   before a backslash stays.
 * - There are no formulas: `$5 and $10` are amounts.
 */
import { getDefaults, Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens, type TokensList } from "marked";

class PlainWords extends Tokenizer {
  override html(): undefined {
    return undefined;
  }

  override tag(src: string): Tokens.Tag | undefined {
    const br = /^<br ?\/?>/i.exec(src);
    // The lexer takes any inline token here; `br` is one that carries nothing but itself.
    return br ? ({ type: "br", raw: br[0] } as unknown as Tokens.Tag) : undefined;
  }

  override escape(src: string): Tokens.Escape | undefined {
    return src.startsWith("\\\\") ? undefined : super.escape(src);
  }

  override del(src: string, maskedSrc: string, prevChar = ""): Tokens.Del | undefined {
    return src.startsWith("~~") ? super.del(src, maskedSrc, prevChar) : undefined;
  }

  override emStrong(src: string, maskedSrc: string, prevChar = ""): Tokens.Em | Tokens.Strong | undefined {
    const stars = /^\*+/.exec(src)?.[0] ?? "";
    const isSign = stars.length === 1 ? /[\p{L}\p{N}]/u.test(prevChar) : stars !== "" && /\p{N}/u.test(prevChar);
    // The whole run at once: of two stars the second would else open what the first did not.
    if (isSign) return { type: "text", raw: stars, text: stars } as unknown as Tokens.Em;
    return super.emStrong(src, maskedSrc, prevChar);
  }
}

/** The blocks of a text, in order. */
export function read(text: string): TokensList {
  const options: MarkedOptions = {
    ...getDefaults(),
    gfm: true,
    breaks: true,
    tokenizer: new PlainWords() as Tokenizer,
  };
  return new Lexer(options).lex(text);
}

export type { Token, Tokens };

/** Character references that people and models write; any other stays as it is written. */
const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  shy: "\u00ad",
  copy: "©",
  reg: "®",
  trade: "™",
  euro: "€",
  pound: "£",
  yen: "¥",
  cent: "¢",
  sect: "§",
  deg: "°",
  plusmn: "±",
  times: "×",
  divide: "÷",
  middot: "·",
  bull: "•",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  laquo: "«",
  raquo: "»",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  larr: "←",
  rarr: "→",
  le: "≤",
  ge: "≥",
  ne: "≠",
};

/** `text` with its character references resolved, once. */
export function resolved(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name) return NAMED[name] ?? whole;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    const isText = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isText ? String.fromCodePoint(point) : "\ufffd";
  });
}
