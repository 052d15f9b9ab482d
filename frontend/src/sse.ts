/**
 * A reader of server-sent events: pieces of text in, whole events out, however the network cut them.
 *
 * It knows what our server sends and the standard asks for: the fields `id`, `event`, `data` (several lines of it are joined), comments,
 * and the three ways to end a line. It keeps no last id and knows no `retry`: stream.ts takes streams up by itself. An event that the
 * stream's end cut off is never handed over.
 */

export interface Heard {
  id: string;
  event: string;
  data: string;
}

export class Reader {
  readonly #onEvent: (event: Heard) => void;
  readonly #onComment: () => void;
  #rest = "";
  #isAfterReturn = false;
  #id = "";
  #event = "";
  #data: string[] = [];

  constructor(onEvent: (event: Heard) => void, onComment: () => void) {
    this.#onEvent = onEvent;
    this.#onComment = onComment;
  }

  /** Takes the next piece of the stream, already decoded. */
  feed(piece: string): void {
    if (!piece) return;
    // A line that ends with both signs may be cut between them.
    const text = this.#isAfterReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
    this.#isAfterReturn = piece.endsWith("\r");
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    const colon = line.indexOf(":");
    if (line === "") this.#end();
    else if (colon === 0) this.#onComment();
    else if (colon < 0) this.#field(line, "");
    else this.#field(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
  }

  #field(name: string, value: string): void {
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id") this.#id = value;
  }

  #end(): void {
    if (this.#data.length) this.#onEvent({ id: this.#id, event: this.#event, data: this.#data.join("\n") });
    this.#data = [];
    this.#event = "";
  }
}
