/**
 * Tells the other tabs of this browser that something happened in a conversation, or who is signed in. Carries ids, never text: who hears
 * it asks the server.
 *
 * A missed ring costs a moment: tabs also look when they come to the front, and now and then.
 */
export class Bell {
  readonly #channel: BroadcastChannel | null;

  constructor(place: string, onRing: (conversation: string) => void) {
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`deskhand:${place}`);
    this.#channel?.addEventListener("message", ({ data }) => {
      if (typeof data === "string") onRing(data);
    });
  }

  ring(conversation: string): void {
    this.#channel?.postMessage(conversation);
  }

  close(): void {
    this.#channel?.close();
  }
}
