import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Twin } from "../dev/server.mjs";
import { Api } from "../src/api";
import { follow, type Link } from "../src/stream";
import type { TurnEvent } from "../src/wire";

/** Against the twin, over real HTTP. Node has no page, so the address that relative ones start from is given here. */
const twin = new Twin();
let origin = "";
let api: Api;
const realFetch = globalThis.fetch;

beforeAll(async () => {
  origin = await twin.listen();
  Object.assign(globalThis, { location: new URL(origin) });
  globalThis.fetch = (path, init) => realFetch(new URL(String(path), origin), init);
});
beforeEach(async () => {
  twin.reset();
  twin.faults.pieceMs = 2;
  api = new Api("/assistant/api/");
  await api.state();
});
afterEach(() => twin.reset());
afterAll(() => twin.close());

interface Watched {
  events: TurnEvent[];
  links: Link[];
  isDone: boolean;
  wentOver: boolean;
}

async function ask(text: string): Promise<string> {
  const { id } = await api.create();
  return (await api.start(id, { text, key: `k${Math.random()}`.replace(".", ""), page: "/", locale: "en" })).turn;
}

async function watch(
  turn: string,
  given: { after?: number; streams?: boolean; signal?: AbortSignal; idleMs?: number } = {},
): Promise<Watched> {
  const watched: Watched = { events: [], links: [], isDone: false, wentOver: false };
  watched.isDone = await follow({
    api,
    turn,
    after: given.after ?? 0,
    streams: given.streams ?? true,
    signal: given.signal ?? new AbortController().signal,
    onEvent: (event) => watched.events.push(event),
    onLink: (link) => watched.links.push(link),
    onNoStream: () => {
      watched.wentOver = true;
    },
    waits: { silenceMs: 150, idleMs: given.idleMs ?? 5_000, answerMs: 150, firstMs: 5, longestMs: 20 },
  });
  return watched;
}

function textOf({ events }: Watched): string {
  return events.map((event) => (event.kind === "text" ? event.payload.text : "")).join("");
}

function numbers({ events }: Watched): number[] {
  return events.map(({ number }) => number);
}

function streamsAsked(): number {
  return twin.requests.filter(({ path }: { path: string }) => path.endsWith("/stream")).length;
}

const WORDS = "echo: each event once, and in order, whatever happens on the way";
const ANSWER = WORDS.slice(6);

describe("following a turn", () => {
  it("hands over every event once and in order, and ends with the last (TU4)", async () => {
    const watched = await watch(await ask(WORDS));
    expect(textOf(watched)).toBe(ANSWER);
    expect(watched.isDone).toBe(true);
    expect(watched.events.at(-1)?.kind).toBe("done");
    expect(numbers(watched)).toEqual([...new Set(numbers(watched))].sort((a, b) => a - b));
    expect(streamsAsked()).toBe(1);
  });

  it("goes on after the last event when the connection is cut, without a gap and without a repetition (B66, sec_J5)", async () => {
    Object.assign(twin.faults, { cut: 4, cutAfter: 2 });
    const watched = await watch(await ask(WORDS));
    expect(textOf(watched)).toBe(ANSWER);
    expect(numbers(watched)).toEqual([...new Set(numbers(watched))].sort((a, b) => a - b));
    expect(streamsAsked()).toBe(5);
  });

  it("never hands an event over twice, also if the server sends it again (sec_J5)", async () => {
    Object.assign(twin.faults, { cut: 4, cutAfter: 3, repeats: true });
    const watched = await watch(await ask("echo: a short one"));
    expect(textOf(watched)).toBe("a short one");
    expect(numbers(watched)).toEqual([...new Set(numbers(watched))].sort((a, b) => a - b));
  });

  it("says that the connection is lost and when it tries again, and that it is back (UI6)", async () => {
    Object.assign(twin.faults, { refuse: 3 });
    const watched = await watch(await ask(WORDS));
    expect(textOf(watched)).toBe(ANSWER);
    const states = watched.links.map(({ state }) => state);
    expect(states.slice(0, 6)).toEqual(Array(6).fill("lost"));
    expect(states.at(-1)).toBe("live");
    expect(watched.wentOver).toBe(false);
  });

  it("says that a connection is lost which has fallen silent, and goes on when there is an answer again (UI6)", async () => {
    const turn = await ask(WORDS);
    const watching = watch(turn, { idleMs: 60 });
    await vi.waitFor(() => expect(streamsAsked()).toBe(1), { interval: 2 });
    twin.faults.mute = true;
    await vi.waitFor(() => expect(streamsAsked()).toBe(3), { interval: 2 });
    twin.faults.mute = false;
    const watched = await watching;
    expect(textOf(watched)).toBe(ANSWER);
    expect(watched.links.map(({ state }) => state)).toContain("lost");
    expect([watched.links.at(-1)?.state, watched.wentOver]).toEqual(["live", false]);
  });

  it("goes on when a page of somebody in between had stood in the place of answers (UI6)", async () => {
    const turn = await ask(WORDS);
    const throughTwin = globalThis.fetch;
    let pages = 3;
    globalThis.fetch = async (path, init) => {
      pages -= 1;
      return pages < 0 ? throughTwin(path, init) : new Response("<h1>Back soon</h1>");
    };
    const watched = await watch(turn, { streams: false });
    globalThis.fetch = throughTwin;
    expect(textOf(watched)).toBe(ANSWER);
    expect([watched.links[0]?.state, watched.links.at(-1)?.state]).toEqual(["lost", "live"]);
  });

  it("says that a poll which nobody answers is lost (UI6)", async () => {
    const turn = await ask(WORDS);
    twin.faults.mute = true;
    setTimeout(() => Object.assign(twin.faults, { mute: false }), 250);
    const watched = await watch(turn, { streams: false });
    expect(textOf(watched)).toBe(ANSWER);
    expect(watched.links[0]?.state).toBe("lost");
  });

  it("goes over to polls by itself if a proxy holds the stream back (UI6)", async () => {
    twin.faults.held = true;
    const watched = await watch(await ask(WORDS));
    expect(textOf(watched)).toBe(ANSWER);
    expect(watched.wentOver).toBe(true);
    expect(streamsAsked()).toBe(1);
  });

  it("polls a turn for which the server lends no stream, and may stream the next (UI6)", async () => {
    twin.faults.full = true;
    const watched = await watch(await ask(WORDS));
    expect(textOf(watched)).toBe(ANSWER);
    expect([watched.wentOver, streamsAsked()]).toEqual([false, 1]);
    expect(watched.links.every(({ state }) => state === "live")).toBe(true);
  });

  it("never opens a stream where the server says that it has none (UI6)", async () => {
    const watched = await watch(await ask(WORDS), { streams: false });
    expect(textOf(watched)).toBe(ANSWER);
    expect(streamsAsked()).toBe(0);
  });

  it("of a turn that has ended gives all of it, and the end alone if all is known (B62)", async () => {
    const turn = await ask(WORDS);
    const first = await watch(turn);
    const again = await watch(turn);
    expect(again.events).toEqual(first.events);
    const late = await watch(turn, { after: 10_000 });
    expect(late.events.map(({ kind }) => kind)).toEqual(["done"]);
  });

  it("stops watching at an abort and leaves the turn running (TU4)", async () => {
    const turn = await ask("a long answer");
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 60);
    const watched = await watch(turn, { signal: controller.signal });
    expect(watched.isDone).toBe(false);
    const { is_running } = await api.events(turn, 0, new AbortController().signal);
    expect(is_running).toBe(true);
  });

  it("throws the refusal of a turn that is not there, and never asks for it again (SC3)", async () => {
    await expect(watch("nobody")).rejects.toMatchObject({ status: 404 });
    expect(streamsAsked()).toBe(1);
  });
});

describe("the same key", () => {
  it("sent twice starts one turn, also if the first answer was lost on the way (B66, B73)", async () => {
    const { id } = await api.create();
    const turn = { text: "hello", key: "one-key", page: "/", locale: "en" };
    twin.faults.loseStarts = 1;
    await expect(api.start(id, turn)).rejects.toMatchObject({ status: 0, code: "offline" });
    const { turn: started } = await api.start(id, turn);
    expect(twin.turns.size).toBe(1);
    await watch(started);
    const { messages } = await api.messages(id);
    expect(messages.filter(({ role }) => role === "user").length).toBe(1);
  });
});

describe("a stale token", () => {
  it("is read anew and the request sent once more (sec_E2)", async () => {
    twin.token = "another";
    expect((await api.create()).id).toBeTruthy();
  });
});
