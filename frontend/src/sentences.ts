/**
 * Cuts a growing text into finished sentences, for the live region that a screen reader listens to.
 *
 * A sentence is finished by its mark and white space after it, or by a line's end; what is under way is never announced, so that
 * nothing is read out twice or in syllables. Markdown's signs are left out of what is spoken.
 */
export class Sentences {
  #spoken = 0;

  /** What was finished since the last call. */
  next(text: string): string {
    if (text.length < this.#spoken) this.#spoken = 0;
    const rest = text.slice(this.#spoken);
    const end = /^[\s\S]*(?:[.!?。！？؟][)"”’]*\s|\n)/u.exec(rest)?.[0].length ?? 0;
    this.#spoken += end;
    return plain(rest.slice(0, end));
  }

  /** What is left when the text has ended. */
  finish(text: string): string {
    const rest = text.slice(Math.min(this.#spoken, text.length));
    this.#spoken = 0;
    return plain(rest);
  }
}

function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^[\s>]*(?:#{1,6}|[-*+])\s+/gm, "")
    .replace(/^\s*\|?[\s:|-]+\|[\s:|-]*$/gm, "")
    .replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "")
    .replace(/\s*\|\s*/g, ", ")
    .trim();
}
