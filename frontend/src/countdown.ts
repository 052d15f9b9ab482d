/**
 * How the time that a card has left is told: calmly. In minutes as long as there are some, in seconds in the last one; said aloud only
 * where a person may have to hurry.
 */

/** Said aloud once, when so much is left. */
export const SOON_MS = 60_000;

export interface Left {
  unit: "minutes" | "seconds";
  n: number;
  /** After so long the words are others. */
  nextMs: number;
}

/** What is left of `ms`. Never says more time than there is by a whole unit, and never zero before it is over. */
export function left(ms: number): Left {
  const unitMs = ms > SOON_MS ? 60_000 : 1_000;
  const n = Math.max(0, Math.ceil(ms / unitMs));
  // In the first minute after the last whole one the next change is that to seconds.
  const nextMs = Math.max(0, ms - Math.max((n - 1) * unitMs, unitMs === 60_000 ? SOON_MS : 0));
  return { unit: unitMs === 60_000 ? "minutes" : "seconds", n, nextMs };
}
