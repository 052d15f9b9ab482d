import { describe, expect, it } from "vitest";
import { Deliberate, SETTLE_MS } from "../src/deliberate";

const POINTER = { isTrusted: true, detail: 1 };
const KEY = { isTrusted: true, detail: 0 };

/** Buttons that came at 0, and a clock that stands where a test puts it. */
function buttons() {
  const clock = { ms: 0 };
  const deliberate = new Deliberate(() => clock.ms);
  deliberate.stand({ left: 10, top: 10 });
  deliberate.came();
  return {
    deliberate,
    at(ms: number) {
      clock.ms = ms;
      return deliberate;
    },
  };
}

describe("a click on a card", () => {
  it("counts once the buttons have stood for 700 ms, and never before (sec_C32)", () => {
    for (const click of [POINTER, KEY]) {
      const { at } = buttons();
      expect(at(SETTLE_MS - 1).counts(click)).toBe(false);
      expect(at(SETTLE_MS).counts(click)).toBe(true);
    }
  });

  it("never counts if a script made it, however late (sec_C32)", () => {
    expect(buttons().at(60_000).counts({ isTrusted: false, detail: 1 })).toBe(false);
    expect(buttons().at(60_000).counts({ isTrusted: false, detail: 0 })).toBe(false);
  });

  it("never counts before the buttons came at all", () => {
    expect(new Deliberate(() => 60_000).counts(POINTER)).toBe(false);
  });

  it("never counts if the press began before 700 ms were over, though it ended after (UI4)", () => {
    for (const click of [POINTER, KEY]) {
      const { at } = buttons();
      at(SETTLE_MS - 10).press();
      expect(at(SETTLE_MS + 500).counts(click)).toBe(false);
      at(SETTLE_MS + 600).press();
      expect(at(SETTLE_MS + 650).counts(click)).toBe(true);
    }
  });

  it("never counts within 700 ms after the buttons moved under the pointer (UI4)", () => {
    const { at } = buttons();
    at(5_000).stand({ left: 10, top: 80 });
    expect(at(5_000 + SETTLE_MS - 1).counts(POINTER)).toBe(false);
    expect(at(5_000 + SETTLE_MS).counts(POINTER)).toBe(true);
  });

  it("by key counts though the card moved: the focus moves with it", () => {
    const { at } = buttons();
    at(5_000).stand({ left: 10, top: 80 });
    expect(at(5_010).counts(KEY)).toBe(true);
  });

  it("takes rounding for no move", () => {
    const { at } = buttons();
    at(5_000).stand({ left: 10.4, top: 11 });
    expect(at(5_010).counts(POINTER)).toBe(true);
  });

  it("never counts by a key that is held down: its repeats are no presses (UI4)", () => {
    const { deliberate, at } = buttons();
    at(5_000);
    expect(deliberate.press({ isRepeat: true })).toBe(false);
    expect(deliberate.press({ isRepeat: false })).toBe(true);
  });

  it("starts anew when the buttons come again", () => {
    const { at } = buttons();
    at(5_000).came();
    expect(at(5_000 + SETTLE_MS - 1).counts(KEY)).toBe(false);
    expect(at(5_000 + SETTLE_MS).counts(KEY)).toBe(true);
  });
});
