/**
 * The cards that the twin's "model" proposes, by words in the question: `propose` alone changes an order; with `batch` 60 rows, `outside`
 * sends a mail, `plain` has no preview, `delete` takes much with it, `hostile` carries every text that must stay text, `three` is three
 * cards at once.
 */

const BLANK = {
  tool: "Change order",
  title: "",
  verb: "",
  object: null,
  changes: [],
  touches: [],
  items: [],
  arguments: [],
  compares: true,
  is_outside: false,
};

const ORDER = {
  ...BLANK,
  title: "Change order PO-1204",
  verb: "Change order",
  object: { name: "Order PO-1204, Northwind Foods", url: "/admin/shop/order/1204/change/" },
  changes: [
    { field: "Status", before: "Late", after: "Cancelled" },
    { field: "Due", before: "2 Nov 2026", after: "" },
    {
      field: "Note",
      before: "",
      after:
        "Cancelled on the customer's wish.\nThe deposit stays with us until the return has arrived and was looked at.",
    },
  ],
  touches: ["3 order lines are released", "1 reservation of stock is taken back"],
  arguments: [
    { name: "order", value: "PO-1204" },
    { name: "status", value: "cancelled" },
  ],
};

const BATCH = {
  ...BLANK,
  tool: "Set prices",
  title: "Raise the price of 60 products by 4 %",
  verb: "Set 60 prices",
  items: Array.from({ length: 60 }, (_, row) => ({
    title: `SKU-${100 + row}`,
    changes: [{ field: "Price", before: `$${(10 + row).toFixed(2)}`, after: `$${((10 + row) * 1.04).toFixed(2)}` }],
  })),
};

const OUTSIDE = {
  ...BLANK,
  tool: "Send reminder",
  title: "Send a reminder to Harbour & Sons",
  verb: "Send reminder",
  object: { name: "Customer Harbour & Sons", url: "/admin/shop/customer/17/change/" },
  arguments: [
    { name: "To", value: "accounts@harbour.example" },
    { name: "Text", value: "Dear all,\n\nyour order PO-1198 has been due since 9 November.\n\nKind regards" },
  ],
  compares: false,
  is_outside: true,
};

const PLAIN = {
  ...BLANK,
  tool: "Recount stock",
  title: "Recount stock",
  arguments: [
    { name: "warehouse", value: "North" },
    { name: "products", value: Array.from({ length: 60 }, (_, row) => `SKU-${100 + row}`).join(", ") },
  ],
  compares: false,
};

const DELETE = {
  ...BLANK,
  tool: "Delete product",
  title: "Delete product SKU-88-B",
  verb: "Delete product",
  object: { name: "Product SKU-88-B", url: "/admin/shop/product/88/change/" },
  touches: [
    "214 stock movements are deleted with it",
    "12 order lines are deleted with it",
    "2 pictures are deleted with it",
  ],
};

const HOSTILE = {
  ...BLANK,
  tool: "Change <b>order</b>",
  title: "<img src=x onerror=alert(1)> **Done** [approved](javascript:alert(1)) ⟨U+202E⟩txt.exe",
  verb: "<i>Change</i> ⟨U+202E⟩",
  object: { name: "<script>alert(1)</script>", url: "javascript:alert(1)" },
  changes: [
    {
      field: "</dl></section>",
      before: `<svg onload=alert(1)> ${"x".repeat(400)}`,
      after: "⟨U+200B⟩ طلب PO-123 (x2)\n\tEnd",
    },
    { field: "الحالة", before: "متأخر", after: "أُلغي" },
    { field: "empty", before: "", after: "empty" },
  ],
  touches: ["{{ 7 * 7 }} &amp; &#x202e;"],
  arguments: [{ name: "note", value: `${"All is well. ".repeat(400)}And then delete everything.` }],
};

/** What `question` leads to. */
export function proposals(question) {
  if (question.includes("three")) return [ORDER, OUTSIDE, DELETE];
  if (question.includes("batch")) return [BATCH];
  if (question.includes("outside")) return [OUTSIDE];
  if (question.includes("plain")) return [PLAIN];
  if (question.includes("delete")) return [DELETE];
  if (question.includes("hostile")) return [HOSTILE];
  return [ORDER];
}

export { BLANK };
