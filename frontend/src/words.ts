/**
 * Every word that the panel says, by key.
 *
 * Keys are stable and say where a sentence stands; other languages will be tables beside this one, chosen by `data-locale`. What the
 * server says for the person (notices, refusals, summaries of tools) comes translated and does not stand here.
 */

const ENGLISH = {
  "panel.name": "Assistant",
  "panel.open": "Open the assistant",
  "panel.close": "Close the assistant",
  "panel.wider": "Make the panel wider",
  "panel.narrower": "Make the panel narrower",

  "empty.heading": "Ask about what is in this back office",
  "empty.text": "It looks things up with your own rights, and changes nothing without your click.",

  "list.open": "Conversations",
  "list.back": "Back to the conversation",
  "list.new": "New conversation",
  "list.search": "Search conversations",
  "list.none": "No conversations yet.",
  "list.nothing_found": "Nothing found for “{query}”.",
  "list.untitled": "Untitled conversation",
  "list.rename": "Rename “{title}”",
  "list.rename_field": "New name",
  "list.delete": "Delete “{title}”",
  "list.running": "An answer is being written",
  "list.more": "Show older conversations",
  "list.deleted": "“{title}” was deleted.",
  "list.undo": "Undo",
  "list.today": "Today",
  "list.save": "Save",
  "list.cancel": "Cancel",

  "log.name": "Conversation",
  "log.older": "Show earlier messages",
  "log.newest": "Go to the newest message",
  "log.you": "You",
  "log.assistant": "Assistant",
  "log.loading": "Loading the conversation…",
  "log.stopped": "Stopped here.",
  "log.incomplete": "This answer is not complete.",
  "log.copy": "Copy answer",
  "log.copied": "Copied",
  "log.copy_failed": "Could not copy. Select the text and copy it yourself.",

  "turn.starting": "Starting…",
  "turn.thinking": "Thinking…",
  "turn.writing": "Writing…",
  "turn.waiting.one": "The model's server asked to wait {n} second. It goes on by itself.",
  "turn.waiting.other": "The model's server asked to wait {n} seconds. It goes on by itself.",
  "turn.ended": "The answer is complete.",
  "turn.ended_stopped": "The answer was stopped.",

  "tool.running": "Looking up: {title}",
  "tool.ok": "Looked up: {title}",
  "tool.needs_confirmation": "Proposed: {title}. Nothing is changed without your click.",
  "tool.unavailable": "Not available: {title}",
  "tool.invalid": "Asked in a way that {title} does not understand",
  "tool.timeout": "Took too long: {title}",
  "tool.stopped": "Stopped: {title}",
  "tool.truncated": "The request arrived cut and was not run: {title}",
  "tool.duplicate": "Already proposed: {title}",
  "tool.error": "Did not work: {title}",

  "card.waiting": "Waiting for you",
  "card.confirming": "Being carried out…",
  "card.rejecting": "Saying no…",
  "card.asking": "Asking the server…",
  "card.in_progress": "Being carried out…",
  "card.over": "Time is over. Asking the server…",
  "card.other_session": "Waiting in another browser",
  "card.confirmed": "Done",
  "card.rejected": "You said no",
  "card.expired": "Ran out",
  "card.changed": "Data changed meanwhile",
  "card.failed": "Did not work",
  "card.unknown": "Not known whether it happened",
  "card.why_rejected": "Nothing was changed.",
  "card.why_expired": "Nobody decided in time. Nothing was changed.",
  "card.why_changed": "Somebody changed this data after the card was made. Nothing was done.",
  "card.why_other_session": "This was asked for in another browser. It can be decided only there.",
  "card.why_unknown":
    "It was begun, and its end did not arrive. Look where it should show, then say so here. It is never tried again by itself.",
  "card.doubt": "The connection broke. Whether your click arrived is not known; the server is being asked.",
  "card.not_done": "The server has not carried it out so far. Decide again.",
  "card.settle": "The card has only just come or moved. Read it, then press again.",
  "card.dont": "Don’t",
  "card.checked": "I have checked",
  "card.minutes.one": "{n} minute left",
  "card.minutes.other": "{n} minutes left",
  "card.seconds.one": "{n} second left",
  "card.seconds.other": "{n} seconds left",
  "card.before": "Before",
  "card.after": "After",
  "card.empty": "empty",
  "card.touches": "Also touched",
  "card.arguments": "What is handed over",
  "card.past": "What was proposed",
  "card.rows.one": "{n} row",
  "card.rows.other": "{n} rows",
  "card.results": "{done} done, {not} not done",
  "card.row_done": "Done",
  "card.row_not": "Not done",
  "card.no_compare": "No data is compared: what others change before your click is not noticed.",
  "card.outside": "This also acts outside this back office and cannot be taken back here.",
  "card.due.one": "{n} card above waits for you.",
  "card.due.other": "{n} cards above wait for you.",
  "card.show": "Show",
  "card.says": "The assistant’s words",
  "card.said_waiting": "A card waits for you: {title}",
  "card.said_soon": "One minute left for the card: {title}",
  "card.said_confirmed": "Done: {title}",
  "card.said_rejected": "You said no: {title}",
  "card.said_expired": "The card ran out: {title}",
  "card.said_changed": "Nothing was done, the data changed meanwhile: {title}",
  "card.said_failed": "Did not work: {title}",
  "card.said_unknown": "It is not known whether this happened. Check it: {title}",

  "again.answer": "Answer again",
  "again.edit": "Edit",
  "again.field": "Edit your message",
  "again.cancel": "Cancel",
  "again.cards": "What still waits for you in this answer ends as a no.",

  "write.field": "Your message",
  "write.placeholder": "Ask a question",
  "write.send": "Send",
  "write.sending": "Sending…",
  "write.stop": "Stop",
  "write.stopping": "Stopping…",
  "write.left.one": "{n} character left",
  "write.left.other": "{n} characters left",
  "write.over.one": "{n} character too many. Shorten the text, or send it in parts.",
  "write.over.other": "{n} characters too many. Shorten the text, or send it in parts.",
  "write.provider": "What you write, and what is looked up for it, is sent to {name}.",
  "write.offline_model": "Answers come from a practice model on this server. Nothing is sent anywhere.",
  "write.wait":
    "An answer is still being written. Your text stays here; send it when the answer is done, or press Stop.",
  "write.kept": "Your text is still here.",
  "write.elsewhere": "Show that conversation",

  "link.show": "Show address",
  "link.long.one": "This address carries {n} character of its own. Look at it before you open it.",
  "link.long.other": "This address carries {n} characters of its own. Look at it before you open it.",
  "link.open": "Open this address",
  "link.picture": "Picture",
  "code.copy": "Copy",
  "code.copied": "Copied",

  "net.lost.one": "Connection lost. Trying again in {n} second.",
  "net.lost.other": "Connection lost. Trying again in {n} seconds.",
  "net.trying": "Connection lost. Trying again now…",
  "net.back": "Connected again.",
  "net.retry": "Try now",

  "error.close": "Close this message",
  "error.offline": "The server could not be reached. Check your connection and try again.",
  "error.unreadable": "The server's answer could not be read. Try again; if it stays so, tell your administrator.",
  "error.forbidden": "You are signed out, or may not use the assistant any more. Reload the page to sign in again.",
  "error.gone": "This conversation is not there any more. Start a new one.",
  "error.busy": "An answer is still being written. Wait until it is done, or stop it.",
  "error.too_large": "The message is too long. Shorten it and send it again.",
  "error.limit": "You have reached a limit. Try again later.",
  "error.server": "The server made a mistake. Try again; if it stays so, tell your administrator.",
} as const;

export type Word = keyof typeof ENGLISH;

/** The sentence for `key`, with each `{name}` in it replaced by its value. */
export function say(key: Word, values: Record<string, string | number> = {}): string {
  return ENGLISH[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

type Counted = Word extends infer W ? (W extends `${infer Stem}.other` ? Stem : never) : never;

/** The sentence for `n` things, in the form that the language has for that number. */
export function count(stem: Counted, n: number, values: Record<string, string | number> = {}): string {
  const form = new Intl.PluralRules("en").select(n) === "one" ? "one" : "other";
  return say(`${stem}.${form}` as Word, { ...values, n: n.toLocaleString("en") });
}
