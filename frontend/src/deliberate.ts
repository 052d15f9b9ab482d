/**
 * Whether a click on a card's button is a deliberate act (`UI4`, `sec_C32`).
 *
 * It is not, and then nothing happens, if it was made by a script; if the buttons came into view less than {@link SETTLE_MS} ago; if they
 * moved under the pointer less than that ago; if it began (the key or the pointer went down) before; or if its key was held down since
 * before. A click that no press was seen for (a screen reader's) counts if time is right.
 *
 * A rule for the page alone: the server decides by its own, whoever clicks.
 */

export const SETTLE_MS = 700;
/** A move by less is rounding. */
const STIR_PX = 1.5;

/** Where the buttons stand in the window. */
export interface Place {
  left: number;
  top: number;
}

export interface Click {
  isTrusted: boolean;
  /** 0 for a key, or a program that speaks for one; else a pointer's. */
  detail: number;
}

export class Deliberate {
  readonly #now: () => number;
  #cameAt = Number.POSITIVE_INFINITY;
  #movedAt = Number.NEGATIVE_INFINITY;
  #place: Place | null = null;
  #pressedAt: number | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The buttons came into view. */
  came(): void {
    this.#cameAt = this.#now();
    this.#pressedAt = null;
  }

  /** The buttons stand here now. Any other place than at the last look means that they moved, and at the latest now. */
  stand({ left, top }: Place): void {
    const before = this.#place;
    if (before && Math.hypot(before.left - left, before.top - top) > STIR_PX) this.#movedAt = this.#now();
    this.#place = { left, top };
  }

  /** A key or a pointer went down on a button. False if it is a key that was down already: then it is to do nothing at all. */
  press({ isRepeat = false } = {}): boolean {
    if (isRepeat) return false;
    this.#pressedAt = this.#now();
    return true;
  }

  /** Whether `click` counts. */
  counts(click: Click): boolean {
    const began = this.#pressedAt ?? this.#now();
    this.#pressedAt = null;
    const settledAt = (click.detail === 0 ? this.#cameAt : Math.max(this.#cameAt, this.#movedAt)) + SETTLE_MS;
    return click.isTrusted && began >= settledAt;
  }
}
