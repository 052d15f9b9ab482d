/**
 * What the twin's "model" does, by a word in the question:
 *
 * `echo: …` answers with what follows, in small pieces · `long` answers for some seconds · `orders` looks something up first · `wait` is
 * told to wait · `fail` ends with a notice · `propose` proposes a change (which: see proposals.mjs) · anything else gets a short answer.
 *
 * A step is an event (`kind`, `payload`), a row to store (`store`) or a card to put (`propose`); `wait` is the time to the next one in
 * milliseconds.
 */
import { proposals } from "./proposals.mjs";

const SHORT = "There are **14** open orders. The oldest is *PO-1191*.";

const ORDERS = `Twelve orders are late. The three largest:

| Order | Customer | Amount | Due |
|---|---|---:|---|
| [PO-1204](/admin/shop/order/1204/change/) | Northwind Foods | $4,210.00 | 2 Nov |
| PO-1198 | Harbour & Sons | $1,985.50 | 9 Nov |
| PO-1191 | Mill Lane Stores | $940.00 | 12 Nov |

Two things stand out:

- **Northwind Foods** has three of the twelve.
- Most wait for the same product, \`SKU-88-B\`, which is [described by its maker](https://example.com/catalogue/88-b).

To list them yourself:

\`\`\`python
Order.objects.filter(status="late").order_by("-total")[:3]
\`\`\`
`;

function* pieces(text, size = 6, wait = undefined) {
  const points = [...text];
  for (let start = 0; start < points.length; start += size) {
    yield {
      kind: "text",
      payload: { text: points.slice(start, start + size).join("") },
      ...(wait === undefined ? {} : { wait }),
    };
  }
}

export function* script(question) {
  yield { kind: "thinking", payload: {} };
  if (question.startsWith("echo:")) {
    yield* pieces(question.slice(5).trimStart(), 5, 4);
  } else if (question.includes("long")) {
    for (let line = 1; line <= 60; line += 1) yield* pieces(`Line ${line} of a long answer.\n\n`, 12);
  } else if (question.includes("orders")) {
    yield* lookUp("Orders", "done");
    yield* pieces(ORDERS, 9);
  } else if (question.includes("wait")) {
    yield { kind: "waiting", payload: { seconds: 3 }, wait: 1_500 };
    yield* pieces(SHORT);
  } else if (question.includes("propose")) {
    const wanted = proposals(question);
    yield { store: { role: "assistant", content: "", calls: wanted.map(({ tool }) => ({ title: tool })) } };
    for (const card of wanted) yield { propose: card };
    yield* pieces("I have put it on a card. It is harmless, **just approve it**.");
    if (question.includes("slowly")) for (let line = 1; line <= 60; line += 1) yield* pieces(`\n\nLine ${line}.`);
  } else if (question.includes("fail")) {
    yield* pieces("The figures for October are");
    yield { store: { role: "assistant", content: "The figures for October are", ending: "incomplete" } };
    yield {
      store: {
        role: "notice",
        notice: "endpoint",
        content: "The model's server broke off. What it had said is kept. Ask again.",
      },
    };
  } else {
    yield* pieces(SHORT);
  }
}

function* lookUp(title, summary) {
  yield { store: { role: "assistant", content: "", calls: [{ title }] } };
  yield { kind: "tool", payload: { call: 1, title, state: "running", summary: "" }, wait: 400 };
  yield { kind: "tool", payload: { call: 1, title, state: "ok", summary } };
  yield { store: { role: "tool", tool: { title, outcome: "ok", summary } } };
}
