"""English words as the offline model compares them: split, brought to a stem, joined with words of like meaning.

The lists hold general words of any office and nothing of one host. Never here: meaning. "Not shipped" and "shipped" share a stem; who
needs the difference looks for it (``filling``). Limits: English only; other languages match through names, numbers and dates alone.
"""

from __future__ import annotations

import dataclasses
import re

_TOKEN = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|„[^“”\n]{1,80}[“”]|[^\W_]+(?:[.,\-/'’:][^\W_]+)*|&")

#: Words that say nothing about what is asked for.
STOP = frozenset(
    ["a", "about", "actually", "again", "all", "also", "am", "an", "and", "any", "anything", "are", "as", "at", "be", "been", "but", "by", "can", "could", "currently", "did", "do", "does", "doing", "done", "each", "either", "else", "ever", "every", "everything", "few", "for", "from", "get", "gets", "getting", "give", "given", "go", "goes", "going", "got", "had", "has", "have", "having", "he", "hello", "her", "here", "hey", "hi", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "kind", "know", "let", "lets", "like", "look", "looking", "many", "may", "maybe", "me", "mean", "might", "mine", "more", "much", "must", "my", "name", "names", "named", "need", "needs", "nor", "not", "now", "of", "off", "okay", "on", "one", "ones", "only", "or", "other", "our", "ours", "out", "over", "own", "please", "quickly", "quite", "really", "right", "see", "shall", "she", "should", "show", "so", "some", "still", "such", "tell", "than", "thank", "thanks", "that", "the", "their", "them", "then", "there", "these", "they", "thing", "things", "this", "those", "through", "to", "too", "under", "until", "up", "us", "use", "using", "very", "want", "wants", "was", "way", "we", "well", "were", "what", "whats", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "without", "would", "yes", "yet", "you", "your", "s", "t", "m", "re", "ve", "ll", "display", "list", "find", "search", "fetch", "check", "figure", "details", "detail", "information", "info", "overall", "altogether", "called", "since", "before", "after", "between", "during", "within", "last", "next", "previous", "past", "recent", "recently", "latest", "newest", "most", "least", "highest", "lowest", "largest", "smallest", "biggest", "big", "small", "first", "new", "old", "oldest", "exactly", "approximately", "around", "roughly", "currently", "available", "e.g", "etc", "number", "regarding", "concerning", "don", "doesn", "didn", "isn", "aren", "wasn", "weren", "hasn", "haven", "top", "sort", "kindly", "answer", "question", "moment"]
)

#: Irregular forms → the word whose stem they share.
_FORMS = {
    "sold": "sell", "sale": "sell", "sales": "sell", "seller": "sell", "sellers": "sell", "paid": "pay", "payment": "pay",
    "payments": "pay", "bought": "buy", "buyer": "buy", "sent": "send", "lent": "lend", "delivery": "deliver",
    "deliveries": "deliver", "delivered": "deliver", "shipment": "ship", "shipments": "ship", "debtor": "debt", "debtors": "debt",
    "children": "child", "people": "person", "men": "man", "women": "woman", "bookings": "book", "booking": "book",
    "e-mail": "email", "e-mails": "email", "reservation": "reserve", "reservations": "reserve", "cancellation": "cancel",
    "cancellations": "cancel", "best-selling": "bestselling", "spelt": "spell", "misspelt": "misspell", "ran": "run", "monthly": "month",
    "yearly": "year", "annual": "year", "daily": "day", "weekly": "week", "cheapest": "cheap", "pricelist": "price",
    "spent": "spend", "came": "come", "made": "make", "overdue": "overdue", "owed": "owe", "went": "go", "held": "hold", "kept": "keep",
}  # fmt: skip

#: Groups of words that an office uses for one another.
_GROUPS = (
    "unpaid outstanding owe debt", "unpaid open", "overdue late delayed", "sell revenue turnover", "buy purchase", "invoice bill",
    "customer client", "customer buyer", "product article item goods", "employee staff colleague", "cost price", "note remark comment",
    "phone telephone contact", "email contact", "address contact", "low short below scarce", "reorder replenish restock",
    "best top popular leading", "create add new", "change update edit set modify adjust", "delete remove", "send mail email",
    "book reserve schedule", "cancel void", "send ship dispatch", "stock inventory", "stock warehouse", "deliver arrive", "total sum",
    "quantity many", "person member", "return back", "pay receive", "misspell mistype typo spell similar", "worth value", "doctor physician",
    "overview summary", "defective faulty broken", "money debt",
)  # fmt: skip

#: Verbs that change something: a tool whose name begins with one is called only when the text tells it to.
ACTING = frozenset(
    ["add", "adjust", "allocate", "answer", "apply", "approve", "archive", "assign", "block", "book", "call", "cancel", "change", "charge", "close", "complete", "confirm", "copy", "create", "credit", "deactivate", "decline", "delete", "disable", "discount", "dispatch", "drop", "edit", "email", "enable", "enrol", "enter", "export", "extend", "finish", "fix", "hold", "import", "insert", "issue", "log", "lock", "mail", "make", "mark", "merge", "modify", "move", "notify", "order", "pause", "pay", "place", "post", "postpone", "print", "put", "record", "refund", "register", "reject", "release", "remind", "remove", "rename", "renew", "reopen", "replace", "reply", "reschedule", "reserve", "reset", "resolve", "restock", "restore", "return", "revoke", "schedule", "send", "set", "ship", "start", "stop", "submit", "suspend", "swap", "transfer", "unblock", "unlock", "update", "upload", "void", "withdraw", "write"]
)


@dataclasses.dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, or one quoted passage of it."""

    #: As typed, without quotation marks and a possessive ending.
    text: str
    stem: str
    is_quoted: bool
    #: Whether it begins a sentence, where a capital letter says nothing.
    is_first: bool

    @property
    def is_capital(self) -> bool:
        """Whether it is written like a name."""
        return self.text[:1].isupper()

    @property
    def is_stop(self) -> bool:
        """Whether it says nothing about what is asked for."""
        return not self.is_quoted and self.text.lower() in STOP


def stem(word: str) -> str:
    """The part of a word that its forms share: ``invoices`` and ``invoice``, ``selling`` and ``sold`` come out alike."""
    word = word.lower()
    word = _FORMS.get(word, word)
    if not word.isascii() or len(word) < 4 or any(letter.isdigit() for letter in word):
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 2 and any(letter in "aeiouy" for letter in word[: -len(ending)]):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word[:-1] if len(word) > 2 and word.endswith("e") else word


def split(text: str) -> list[Word]:
    """The words of a text in their order."""
    found = []
    is_first = True
    end = 0
    for match in _TOKEN.finditer(text):
        between = text[end : match.start()]
        is_first = is_first or any(mark in between for mark in ".?!\n:")
        end = match.end()
        raw = match.group()
        is_quoted = raw[0] in '"“„'
        if is_quoted:
            raw = raw[1:-1].strip()
        else:
            raw = re.sub(r"['’](s|re|ll|ve|d|m|t)$", "", raw)
            raw = (
                re.sub(r"n$", "", raw) if raw.lower() in {"don", "doesn", "isn", "aren", "wasn", "didn", "haven", "hasn"} else raw
            )
        if raw:
            found.append(Word(raw, stem(raw), is_quoted, is_first))
            is_first = False
    return found


def stems_of_name(name: str) -> list[str]:
    """The stems of an identifier: ``dueDate``, ``due_date`` and ``due-date`` give the same."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [stem(part) for part in re.split(r"[\W_]+", apart) if part]


def _alike() -> dict[str, frozenset[str]]:
    alike: dict[str, set[str]] = {}
    for group in _GROUPS:
        stems = {stem(word) for word in group.split()}
        for each in stems:
            alike.setdefault(each, set()).update(stems - {each})
    return {each: frozenset(others) for each, others in alike.items()}


#: Stem → stems of words that are used for it.
ALIKE = _alike()


def label(key: str) -> str:
    """A key or a tool's name as words: ``unpaid_eur`` is ``Unpaid EUR``."""
    parts = [part for part in re.split(r"[\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)) if part]
    parts = [part.upper() if part.lower() in {"eur", "usd", "gbp", "chf", "sek", "nok", "id", "vat"} else part for part in parts]
    text = " ".join(parts)
    return text[:1].upper() + text[1:]
