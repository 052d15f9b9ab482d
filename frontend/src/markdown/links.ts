/**
 * What a link in an answer may be. Whoever wrote the answer is not trusted: a record that the model read may have told it what to write.
 *
 * Allowed: `http`, `https` and `mailto` addresses, and paths of the page's own site. Everything else is no link and stays text:
 * `javascript:`, `data:`, `//host`, addresses with white space or control characters, with a name and password before the host, or
 * relative to wherever the panel happens to stand.
 */

/** Longer ones could carry data out, so a person has to look at them first (`G7`). Counted: path, query and fragment. */
export const CARRIED_CHARS = 200;

export interface Target {
  href: string;
  /** What is shown beside the link, so that nobody is led to a place by another's name; empty for a path of this site. */
  host: string;
  /** How many characters the address carries beyond its host. */
  carriedChars: number;
  /** Whether it may be opened by a click at once. */
  isPlain: boolean;
}

/** Where `raw` leads, or nothing if it is not to be a link. `raw` has its character references resolved. */
export function target(raw: string, here: Location | URL = location): Target | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (raw === "" || /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(raw)) return null;
  if (raw.startsWith("/")) return raw.startsWith("//") ? null : ownPath(raw, here);
  if (!/^(https?:\/\/|mailto:)/i.test(raw)) return null;
  let url: URL;
  try {
    url = new URL(raw);
  } catch {
    return null;
  }
  if (url.protocol === "mailto:") return mail(url);
  if (url.username || url.password || !url.host) return null;
  const carried = url.pathname.length + url.search.length + url.hash.length;
  const isOwn = url.origin === here.origin;
  return {
    href: url.href,
    host: isOwn ? "" : url.host,
    carriedChars: carried,
    isPlain: isOwn || carried <= CARRIED_CHARS,
  };
}

function ownPath(raw: string, here: Location | URL): Target | null {
  const url = new URL(raw, here.origin);
  if (url.origin !== here.origin) return null;
  return { href: url.pathname + url.search + url.hash, host: "", carriedChars: 0, isPlain: true };
}

/** The address alone: subject and body could be filled with what the model has read, so they count as carried. */
function mail(url: URL): Target | null {
  const address = url.pathname;
  if (!/^[^@,;%]+@[^@,;%]+$/.test(address)) return null;
  return { href: url.href, host: address, carriedChars: url.search.length, isPlain: url.search.length === 0 };
}
