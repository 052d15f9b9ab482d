import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Twin } from "../dev/server.mjs";
import { Api } from "../src/api";
import { Cards, end, isOpen, standing } from "../src/cards";
import type { Card } from "../src/wire";

/** Against the twin, over real HTTP. */
const twin = new Twin();
let api: Api;
let cards: Cards;
let said: string[];
let decided: number;
let isSeen: boolean;
const realFetch = globalThis.fetch;

beforeAll(async () => {
  const origin = await twin.listen();
  Object.assign(globalThis, { location: new URL(origin) });
  globalThis.fetch = (path, init) => realFetch(new URL(String(path), origin), init);
});
beforeEach(async () => {
  twin.reset();
  api = new Api("/assistant/api/");
  await api.state();
  [said, decided, isSeen] = [[], 0, true];
  cards = new Cards({
    api,
    waits: { lookMs: 60, soonMs: 20, againMs: 5 },
    changed: () => undefined,
    announce: (text) => said.push(text),
    isSeen: () => isSeen,
    ended: () => undefined,
    decided: () => {
      decided += 1;
    },
  });
});
afterEach(() => cards.leave());
afterAll(() => twin.close());

/** A card that waits, as the panel holds it after a page of messages. */
async function put(given: Partial<Card> = {}): Promise<string> {
  twin.furnish({ title: "Orders", rows: [{ card: { title: "Change order", verb: "Change", ...given } }] });
  const id = [...twin.conversations.keys()].at(-1) as string;
  const { messages } = await api.messages(id);
  for (const { card } of messages) if (card) cards.take(card);
  return messages[0]?.confirmation as string;
}

function stand(id: string): string {
  const held = cards.get(id);
  return held ? standing(held) : "";
}

const posts = () => twin.requests.filter(({ method }: { method: string }) => method === "POST").length;
const gets = (ending: string) =>
  twin.requests.filter(
    ({ method, path }: { method: string; path: string }) => method === "GET" && path.endsWith(ending),
  ).length;
const comes = (id: string, word: string) => vi.waitFor(() => expect(stand(id)).toBe(word), { interval: 5 });

describe("a verdict", () => {
  it("is sent once, however often it is given, and ends as the server says (CO5, B46)", async () => {
    const id = await put();
    expect(stand(id)).toBe("card.waiting");
    const first = cards.decide(id, "confirm");
    expect(stand(id)).toBe("card.confirming");
    await Promise.all([first, cards.decide(id, "confirm"), cards.decide(id, "reject")]);
    expect([stand(id), posts(), decided]).toEqual(["card.confirmed", 1, 1]);
    expect(said).toEqual(["Done: Change order"]);
  });

  it("shows the first one's end if another was first (CO5)", async () => {
    const id = await put();
    await api.decide(id, "reject");
    await cards.decide(id, "confirm");
    expect(stand(id)).toBe("card.rejected");
  });

  it("whose answer was lost is asked about, and never guessed (CO5, B66)", async () => {
    const id = await put();
    Object.assign(twin.faults, { loseDecides: 1, deafLooks: 3 });
    const click = cards.decide(id, "confirm");
    await comes(id, "card.asking");
    expect(cards.get(id)?.words).toContain("not known");
    expect(end(cards.get(id)?.card as Card)).toBe("");
    await click;
    expect([stand(id), posts(), decided]).toEqual(["card.confirmed", 1, 1]);
    expect(cards.get(id)?.words).toBe("");
  });

  it("that never arrived leaves the card open, and says that nothing was carried out", async () => {
    const id = await put();
    twin.faults.dropDecides = 1;
    await cards.decide(id, "confirm");
    expect(stand(id)).toBe("card.waiting");
    expect(cards.get(id)?.words).toContain("not carried it out so far");
    await cards.decide(id, "confirm");
    expect([stand(id), cards.get(id)?.words]).toEqual(["card.confirmed", ""]);
  });

  it("while another is being carried out says so, and shows its end by itself", async () => {
    const id = await put();
    twin.faults.decideMs = 120;
    const other = api.decide(id, "confirm");
    await vi.waitFor(() => expect(posts()).toBe(1));
    await cards.decide(id, "reject");
    expect(stand(id)).toBe("card.in_progress");
    await comes(id, "card.confirmed");
    await other;
  });

  it("refused for another browser takes the buttons away and says why (CO10)", async () => {
    const id = await put();
    const kept = twin.cards.all.get(id);
    if (kept) kept.session = "another";
    await cards.decide(id, "confirm");
    expect(stand(id)).toBe("card.other_session");
    expect(cards.get(id)?.words).toContain("only in the browser");
    const held = cards.get(id);
    expect(held && isOpen(held)).toBe(false);
  });

  it("on a card that is gone says so and leaves nothing to press", async () => {
    const id = await put();
    twin.cards.all.clear();
    await cards.decide(id, "confirm");
    const held = cards.get(id);
    expect(held && isOpen(held)).toBe(false);
    expect(held?.words).not.toBe("");
  });

  for (const [way, word] of [
    ["changed", "card.changed"],
    ["failed", "card.failed"],
    ["unknown", "card.unknown"],
  ]) {
    it(`may end as ${way}, and the words say so (CO6, CO7)`, async () => {
      const id = await put();
      twin.faults.cardEnd = way as string;
      await cards.decide(id, "confirm");
      expect(stand(id)).toBe(word);
      expect(said).toHaveLength(1);
    });
  }

  it("of an unknown end is acknowledged by the person, and then reads failed (CO7)", async () => {
    const id = await put({ is_outside: true });
    twin.faults.cardEnd = "unknown";
    await cards.decide(id, "confirm");
    expect(isOpen(cards.get(id) as never)).toBe(true);
    await cards.decide(id, "acknowledge");
    expect(stand(id)).toBe("card.failed");
    expect(isOpen(cards.get(id) as never)).toBe(false);
  });
});

describe("a card that waits", () => {
  it("is looked after while it can be seen, and its end shows (CO10)", async () => {
    const id = await put();
    await api.decide(id, "reject");
    await comes(id, "card.rejected");
    const looks = gets("/cards");
    expect(looks).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(gets("/cards")).toBe(looks);
  });

  it("is never asked about while nobody can see it, and at once when somebody can", async () => {
    isSeen = false;
    const id = await put();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(gets("/cards")).toBe(0);
    await api.decide(id, "confirm");
    await cards.look();
    expect(stand(id)).toBe("card.confirmed");
  });

  it("that ended long ago, so that the list names it no more, is asked about by itself", async () => {
    isSeen = false;
    const id = await put();
    await api.decide(id, "confirm");
    const kept = twin.cards.all.get(id);
    if (kept) kept.endedAt -= 3_600_000;
    await cards.look();
    expect(stand(id)).toBe("card.confirmed");
  });

  it("runs out by the server's word, at the moment and without a click (B42, B44)", async () => {
    twin.faults.cardSeconds = 0.3;
    const id = await put();
    await vi.waitFor(() => expect(stand(id)).toBe("card.expired"), { timeout: 2_000, interval: 5 });
    expect(posts()).toBe(0);
    expect(said).toEqual(["The card ran out: Change order"]);
  });

  it("has no buttons from the moment its time is over, also before the server has answered (B42)", async () => {
    const id = await put();
    const held = cards.get(id);
    if (!held) throw new Error("no card");
    expect([isOpen(held, held.until - 1), isOpen(held, held.until)]).toEqual([true, false]);
    expect(standing(held, held.until)).toBe("card.over");
  });

  it("never reads as waiting again after its end, whatever answer comes late (CO6)", async () => {
    const id = await put();
    const late = cards.get(id)?.card as Card;
    await cards.decide(id, "confirm");
    cards.take(late);
    expect(stand(id)).toBe("card.confirmed");
  });

  it("is said aloud when it comes while one watches, and one minute before it runs out", async () => {
    const id = await put();
    const { card } = cards.get(id) ?? {};
    const others = new Cards({ ...watching(), waits: { lookMs: 60_000 } });
    others.take({ ...(card as Card), seconds_left: 60.05 }, true);
    await vi.waitFor(() => expect(said).toHaveLength(2));
    expect(said).toEqual(["A card waits for you: Change order", "One minute left for the card: Change order"]);
    others.leave();
  });

  it("stands beside others, each with a verdict of its own (CO8, B47)", async () => {
    const [first, second] = [await put({ title: "First" }), await put({ title: "Second" })];
    await cards.decide(second, "confirm");
    await cards.decide(first, "reject");
    expect([stand(first), stand(second)]).toEqual(["card.rejected", "card.confirmed"]);
    expect(cards.waiting).toEqual([]);
  });
});

function watching() {
  return {
    api,
    changed: () => undefined,
    announce: (text: string) => said.push(text),
    isSeen: () => true,
    ended: () => undefined,
    decided: () => undefined,
  };
}
