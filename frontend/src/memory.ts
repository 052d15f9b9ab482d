/**
 * What the panel remembers in the browser: whether it is open and how wide (for all tabs, `localStorage`); the current conversation and
 * the drafts (for this tab, `sessionStorage`, which ends with it).
 *
 * Nothing of an answer is kept. Drafts belong to the person who wrote them: if another one is signed in, they are forgotten. A browser
 * that refuses storage costs the memory, nothing else.
 */

export interface Draft {
  text: string;
  /** Goes with the text as long as it is the same, so that sending it twice makes one turn (`B66`). */
  key: string;
  /** Whether it was sent already, and no answer came: the server may have taken it. */
  isTried: boolean;
}

/** A draft that nobody has sent yet. */
export function newDraft(text = ""): Draft {
  return { text, key: newKey(), isTried: false };
}

const NEW = "new";

export class Memory {
  readonly #prefix: string;

  /** `place` tells several installations on one origin apart. */
  constructor(place: string) {
    this.#prefix = `deskhand:${place}:`;
  }

  get isOpen(): boolean {
    return this.#read("localStorage", "open") === "yes";
  }

  set isOpen(open: boolean) {
    this.#write("localStorage", "open", open ? "yes" : null);
  }

  get isWide(): boolean {
    return this.#read("localStorage", "wide") === "yes";
  }

  set isWide(wide: boolean) {
    this.#write("localStorage", "wide", wide ? "yes" : null);
  }

  get conversation(): string | null {
    return this.#read("sessionStorage", "conversation");
  }

  set conversation(id: string | null) {
    this.#write("sessionStorage", "conversation", id);
  }

  /** Afterwards all that this tab remembers is `person`'s. */
  belongTo(person: string): void {
    const owner = this.#read("sessionStorage", "person");
    if (owner !== null && owner !== person) this.#forgetTab();
    this.#write("sessionStorage", "person", person);
  }

  draft(conversation: string | null): Draft {
    const stored = this.#read("sessionStorage", `draft:${conversation ?? NEW}`);
    if (stored) {
      try {
        const { text, key, isTried } = JSON.parse(stored) as Draft;
        if (typeof text === "string" && typeof key === "string") return { text, key, isTried: isTried === true };
      } catch {
        // Not ours; as good as none.
      }
    }
    return newDraft();
  }

  /** Keeps `draft`; none, or a blank one, is forgotten. */
  keep(conversation: string | null, draft: Draft | null): void {
    const name = `draft:${conversation ?? NEW}`;
    this.#write("sessionStorage", name, draft?.text ? JSON.stringify(draft) : null);
  }

  #forgetTab(): void {
    try {
      for (const name of Object.keys(sessionStorage)) {
        if (name.startsWith(this.#prefix)) sessionStorage.removeItem(name);
      }
    } catch {
      // No storage, nothing to forget.
    }
  }

  #read(where: "localStorage" | "sessionStorage", name: string): string | null {
    try {
      return globalThis[where].getItem(this.#prefix + name);
    } catch {
      return null;
    }
  }

  #write(where: "localStorage" | "sessionStorage", name: string, value: string | null): void {
    try {
      if (value === null) globalThis[where].removeItem(this.#prefix + name);
      else globalThis[where].setItem(this.#prefix + name, value);
    } catch {
      // Full or refused: the panel works without.
    }
  }
}

/** A key that no other message has. (`randomUUID` is missing on plain http.) */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
