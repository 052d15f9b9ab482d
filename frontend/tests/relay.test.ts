import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Twin } from "../dev/server.mjs";
import { Api } from "../src/api";
import { followTogether } from "../src/relay";
import type { Link } from "../src/stream";
import type { TurnEvent } from "../src/wire";

/** Against the twin, over real HTTP; with Node's own locks and channels, which are those of a browser. */
const twin = new Twin();
let api: Api;
let tabs: Tab[];
const realFetch = globalThis.fetch;
const SILENCE_MS = 60;

beforeAll(async () => {
  const origin = await twin.listen();
  Object.assign(globalThis, { location: new URL(origin) });
  globalThis.fetch = (path, init) => realFetch(new URL(String(path), origin), init);
});
beforeEach(async () => {
  twin.reset();
  twin.faults.pieceMs = 4;
  tabs = [];
  api = new Api("/assistant/api/");
  await api.state();
});
afterEach(() => {
  for (const tab of tabs) tab.closing.abort();
  twin.reset();
});
afterAll(() => twin.close());

interface Tab {
  events: TurnEvent[];
  links: Link[];
  closing: AbortController;
  end: Promise<boolean>;
}

function open(turn: string, circle = "place:ada"): Tab {
  const [events, links, closing]: [TurnEvent[], Link[], AbortController] = [[], [], new AbortController()];
  const how = {
    api,
    turn,
    after: 0,
    streams: true,
    signal: closing.signal,
    onEvent: (event: TurnEvent) => events.push(event),
    onLink: (link: Link) => links.push(link),
    waits: { firstMs: 20, longestMs: 40 },
  };
  const end = followTogether(how, circle, { silenceMs: SILENCE_MS });
  end.catch(() => undefined);
  const tab = { events, links, closing, end };
  tabs.push(tab);
  return tab;
}

async function ask(text: string): Promise<string> {
  const { id } = await api.create();
  return (await api.start(id, { text, key: `k${Math.random()}`.replace(".", ""), page: "/", locale: "en" })).turn;
}

const text = ({ events }: Tab) => events.map((event) => (event.kind === "text" ? event.payload.text : "")).join("");
const numbers = ({ events }: Tab) => events.map(({ number }) => number);
const streams = () => twin.requests.filter(({ path }: { path: string }) => path.endsWith("/stream")).length;
const told = (tab: Tab, events: number) =>
  vi.waitFor(() => expect(tab.events.length).toBeGreaterThanOrEqual(events), { interval: 2 });

const ANSWER = "each event once, and in order, in every tab of this browser, whichever of them closes or falls asleep";
const QUESTION = `echo: ${ANSWER}`;

/** All of the turn, each event once and in order. */
function expectWhole(tab: Tab): void {
  expect(text(tab)).toBe(ANSWER);
  expect(numbers(tab)).toEqual([...new Set(numbers(tab))].sort((a, b) => a - b));
  expect(tab.events.at(-1)?.kind).toBe("done");
}

describe("tabs that follow one turn together", () => {
  it("hold one stream, and each has every event once and in order (UI6, TU4)", async () => {
    const turn = await ask(QUESTION);
    const all = [open(turn), open(turn), open(turn)];
    expect(await Promise.all(all.map(({ end }) => end))).toEqual([true, true, true]);
    for (const tab of all) expectWhole(tab);
    expect(streams()).toBe(1);
  });

  it("go on without a gap when the one that leads is closed (UI6, TU4)", async () => {
    const turn = await ask(QUESTION);
    const [first, second, third] = [open(turn), open(turn), open(turn)];
    await told(second, 4);
    first.closing.abort();
    expect(await Promise.all([first.end, second.end, third.end])).toEqual([false, true, true]);
    for (const tab of [second, third]) expectWhole(tab);
    expect(streams()).toBe(2);
  });

  it("tell one that comes late what it lacks (B62, UI6)", async () => {
    const turn = await ask(QUESTION);
    const first = open(turn);
    await told(first, 6);
    const late = open(turn);
    await Promise.all([first.end, late.end]);
    expect(late.events).toEqual(first.events);
    expect(streams()).toBe(1);
  });

  it("take the lead from one that holds it and has fallen silent (UI6)", async () => {
    const turn = await ask(QUESTION);
    let taken = false;
    const asleep = navigator.locks
      .request(`deskhand:place:ada:${turn}`, () => new Promise(() => undefined))
      .catch(() => {
        taken = true;
      });
    const tab = open(turn);
    expect(await tab.end).toBe(true);
    await asleep;
    expect(taken).toBe(true);
    expectWhole(tab);
  });

  it("ask for what they missed instead of showing a text with a hole (UI6)", async () => {
    const turn = await ask(QUESTION);
    const first = open(turn);
    const second = open(turn);
    await told(second, 3);
    const stray = new BroadcastChannel(`deskhand:place:ada:${turn}`);
    stray.postMessage({ after: 900, events: [{ number: 901, kind: "text", payload: { text: "from nowhere" } }] });
    await Promise.all([first.end, second.end]);
    stray.close();
    for (const tab of [first, second]) expectWhole(tab);
  });

  it("all say that the connection is lost, and that it is back (UI6)", async () => {
    twin.faults.refuse = 3;
    const turn = await ask(QUESTION);
    const all = [open(turn), open(turn)];
    await Promise.all(all.map(({ end }) => end));
    for (const { links } of all) {
      expect(links.some((link) => link.state === "lost" && link.retryAt > 0)).toBe(true);
      expect(links.at(-1)).toEqual({ state: "live" });
    }
    for (const tab of all) expectWhole(tab);
  });

  it("each learn of a refusal from the server itself (SC2)", async () => {
    const all = [open("nobody"), open("nobody"), open("nobody")];
    for (const { end } of all) await expect(end).rejects.toMatchObject({ status: 404 });
    expect(streams()).toBe(3);
  });

  it("never hear what is told to another account (SC3)", async () => {
    const turn = await ask(QUESTION);
    const [ada, ben] = [open(turn, "place:ada"), open(turn, "place:ben")];
    await Promise.all([ada.end, ben.end]);
    expect(streams()).toBe(2);
  });

  it("poll through one of them where the server does not stream (UI6)", async () => {
    twin.faults.full = true;
    const turn = await ask(QUESTION);
    const all = [open(turn), open(turn)];
    await Promise.all(all.map(({ end }) => end));
    for (const tab of all) expectWhole(tab);
    expect(streams()).toBe(1);
  });
});
