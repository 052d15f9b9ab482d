/**
 * The twin's cards: proposed, looked at, decided once, run out by its own clock.
 *
 * As on the real server one verdict counts, a later one is answered with the first one's outcome, another browser (told by a cookie) is
 * refused, and each end is a row. What a confirmation leads to, and what goes wrong on the way, is set by faults: see {@link CardFaults}.
 */
import { Refusal, send } from "./answers.mjs";
import { BLANK } from "./proposals.mjs";

/**
 * @typedef {object} CardFaults
 * @property {number} cardSeconds   how long a card waits
 * @property {string} cardEnd       what a confirmation leads to: `confirmed`, `changed`, `failed`, `unknown` (of an outside effect)
 * @property {string} cardReason    the reason that goes with it
 * @property {number} decideMs      how long a verdict takes; meanwhile others are answered "in progress"
 * @property {boolean} holdDecides  verdicts take until this is false again
 * @property {number} loseDecides   how many further verdicts work, but their answer is lost on the way
 * @property {number} dropDecides   how many further verdicts are lost before they arrive
 * @property {number} deafLooks     how many further looks at a card are answered 503
 */
export const CALM_CARDS = {
  cardSeconds: 900,
  cardEnd: "confirmed",
  cardReason: "",
  decideMs: 0,
  holdDecides: false,
  loseDecides: 0,
  dropDecides: 0,
  deafLooks: 0,
};

const NOTICES = {
  confirmed: "Done: ",
  rejected: "You said no: ",
  expired: "Ran out: ",
  changed: "Data changed meanwhile: ",
  failed: "Did not work: ",
};
const JUST_ENDED_MS = 60_000;

export class Cards {
  constructor(twin) {
    this.twin = twin;
    this.all = new Map();
  }

  /** Puts a card into a conversation and returns its row. */
  put(conversation, given, turn, session) {
    const id = `card${this.all.size + 1}-${this.twin.numbers}`;
    const { cardSeconds } = this.twin.faults;
    const row = this.twin.store(
      conversation,
      { role: "tool", tool: { title: given.tool ?? "", outcome: "needs_confirmation", summary: "" }, confirmation: id },
      turn,
    );
    const outcome = null;
    const card = { ...BLANK, outcome, reason: "", results: [], must_acknowledge: false, ...given, seq: row.seq, id };
    card.conversation = conversation.id;
    this.all.set(id, { card, session, endsAt: Date.now() + cardSeconds * 1_000, endedAt: 0, isBusy: false });
    return row;
  }

  /** A card as a browser with that session sees it. */
  shown(kept, session) {
    const { card, endsAt, isBusy } = kept;
    if (!card.outcome && !isBusy && Date.now() >= endsAt) this.end(kept, "expired");
    const other = kept.session !== null && kept.session !== session;
    const why_not = card.outcome ? "" : isBusy ? "in_progress" : other ? "other_session" : "";
    return {
      ...card,
      expires_at: new Date(endsAt).toISOString(),
      seconds_left: Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000)),
      can_decide: !card.outcome && !why_not,
      why_not,
      must_acknowledge: card.must_acknowledge && !other,
    };
  }

  /** Rows with their cards, as pages of messages have them. */
  withCards(page, session) {
    const messages = page.messages.map((message) => {
      const kept = this.all.get(message.confirmation);
      return { confirmation: null, replaces_seq: null, ...message, card: kept ? this.shown(kept, session) : null };
    });
    return { ...page, messages };
  }

  of(conversation, session) {
    const kept = [...this.all.values()].filter(({ card }) => card.conversation === conversation.id);
    const shown = kept.map((one) => [one, this.shown(one, session)]);
    return {
      cards: shown
        .filter(([one, card]) => !card.outcome || Date.now() - one.endedAt < JUST_ENDED_MS)
        .map(([, card]) => card),
    };
  }

  end(kept, outcome, reason = "") {
    const { card } = kept;
    const isUnknown = outcome === "unknown";
    card.outcome = isUnknown ? "failed" : outcome;
    card.reason = reason;
    card.must_acknowledge = isUnknown;
    if (outcome === "confirmed" && card.items.length) {
      card.results = card.items.map(({ title }, row) => ({
        title,
        is_done: row % 20 !== 19,
        words: row % 20 === 19 ? "This price is fixed by contract." : "",
      }));
    }
    kept.endedAt = Date.now();
    const conversation = this.twin.conversations.get(card.conversation);
    this.twin.store(conversation, {
      role: "notice",
      notice: "card",
      content: NOTICES[card.outcome] + card.title,
      confirmation: card.id,
      tool: { title: card.tool, outcome: card.outcome, summary: "" },
    });
  }

  /** Cards of a branch that is replaced end as a no. */
  endFrom(conversation, seq) {
    for (const kept of this.all.values()) {
      const { card } = kept;
      if (card.conversation === conversation.id && card.seq >= seq && !card.outcome) this.end(kept, "rejected");
    }
  }

  async answer(method, [, id, verdict], session, request, response) {
    const kept = this.all.get(id);
    const { faults } = this.twin;
    if (!kept) throw new Refusal(404, "not_found", "There is nothing here.");
    if (!verdict) {
      if (faults.deafLooks > 0) {
        faults.deafLooks -= 1;
        throw new Refusal(503, "unavailable", "");
      }
      return send(response, 200, this.shown(kept, session));
    }
    if (method !== "POST") throw new Refusal(405, "not_allowed", "Not allowed.");
    if (faults.dropDecides > 0) {
      faults.dropDecides -= 1;
      return lose(request, response);
    }
    await this.decide(kept, verdict, session);
    if (faults.loseDecides > 0) {
      faults.loseDecides -= 1;
      return lose(request, response);
    }
    return send(response, 200, { card: this.shown(kept, session) });
  }

  async decide(kept, verdict, session) {
    const { faults } = this.twin;
    const { why_not, outcome } = this.shown(kept, session);
    if (verdict === "acknowledge") kept.card.must_acknowledge = false;
    if (outcome) return;
    if (why_not === "in_progress") throw new Refusal(409, why_not, "It is being carried out.");
    if (why_not) throw new Refusal(409, why_not, "This can be decided only in the browser in which it was asked for.");
    kept.isBusy = true;
    await new Promise((resolve) => setTimeout(resolve, faults.decideMs));
    while (this.twin.faults.holdDecides) await new Promise((resolve) => setTimeout(resolve, 20));
    kept.isBusy = false;
    if (verdict === "reject") this.end(kept, "rejected");
    else this.end(kept, faults.cardEnd, faults.cardReason);
  }
}

/** Breaks the connection after the headers: a browser silently repeats a request that broke before them. */
function lose(_request, response) {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": 999 });
  response.flushHeaders();
  setTimeout(() => response.destroy(), 20);
}
