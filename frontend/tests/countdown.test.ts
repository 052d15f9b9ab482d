import { describe, expect, it } from "vitest";
import { left } from "../src/countdown";

describe("what is left of a card's time", () => {
  it("is told in minutes, and in seconds in the last minute", () => {
    const told = [900_000, 899_999, 60_001, 60_000, 59_001, 1_000, 1].map((ms) => {
      const { n, unit } = left(ms);
      return `${n} ${unit}`;
    });
    expect(told).toEqual([
      "15 minutes",
      "15 minutes",
      "2 minutes",
      "60 seconds",
      "60 seconds",
      "1 seconds",
      "1 seconds",
    ]);
  });

  it("is never told as nothing before it is over, and never as less than nothing after", () => {
    for (let ms = 1; ms < 130_000; ms += 97) expect(left(ms).n).toBeGreaterThan(0);
    expect(left(0).n).toBe(0);
    expect(left(-5_000)).toMatchObject({ n: 0, nextMs: 0 });
  });

  it("says when its words are others: just after that they are, just before they are not", () => {
    for (let ms = 1; ms < 200_000; ms += 331) {
      const { n, unit, nextMs } = left(ms);
      expect(nextMs).toBeLessThanOrEqual(ms);
      expect(left(ms - nextMs - 1)).not.toMatchObject({ n, unit });
      if (nextMs > 1) expect(left(ms - nextMs + 1)).toMatchObject({ n, unit });
    }
  });

  it("changes seldom: fewer than 80 times in a quarter of an hour", () => {
    let changes = 0;
    for (let ms = 900_000; ms > 0; ms -= left(ms).nextMs + 1) changes += 1;
    expect(changes).toBeLessThan(80);
  });
});
