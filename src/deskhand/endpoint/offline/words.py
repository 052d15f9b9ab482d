"""English words as the offline model compares them: split, brought to a stem, joined with words of like meaning.

The lists hold general words of any office and nothing of one host. Never here: meaning. "Not shipped" and "shipped" share a stem; who
needs the difference looks for it (``filling``). Limits: English only; other languages match through names, numbers and dates alone.
"""

from __future__ import annotations

import dataclasses
import re

from deskhand.endpoint.offline import lists

_TOKEN = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|„[^“”\n]{1,80}[“”]|[^\W_]+(?:[.,\-/'’:][^\W_]+)*|&")


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
        return not self.is_quoted and self.text.lower() in lists.STOP


def stem(word: str) -> str:
    """The part of a word that its forms share: ``invoices`` and ``invoice``, ``selling`` and ``sold`` come out alike."""
    word = word.lower()
    word = lists.FORMS.get(word, word)
    if not word.isascii() or len(word) < 3 or any(letter.isdigit() for letter in word):
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 2 and any(letter in "aeiouy" for letter in word[: -len(ending)]):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word[:-1] if len(word) > 2 and word.endswith("e") else word


def stems(text: str) -> frozenset[str]:
    """The stems of a list of words."""
    return frozenset(stem(word) for word in text.split())


def split(text: str) -> list[Word]:
    """The words of a text in their order; ``isn't`` is two of them, ``is`` and ``not``."""
    text = re.sub(r"n['’]t\b", " not", text)
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
            raw = re.sub(r"['’](s|re|ll|ve|d|m)$", "", raw)
        if raw:
            found.append(Word(raw, stem(raw), is_quoted, is_first))
            is_first = False
    return found


def of_name(name: str) -> list[str]:
    """The words of an identifier: ``dueDate``, ``due_date`` and ``due-date`` give the same."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [part.lower() for part in re.split(r"[\W_]+", apart) if part]


def stems_of_name(name: str) -> list[str]:
    """The stems of the words of an identifier."""
    return [stem(part) for part in of_name(name)]


def _alike() -> dict[str, frozenset[str]]:
    alike: dict[str, set[str]] = {}
    for group in lists.GROUPS:
        stems = {stem(word) for word in group.split()}
        for each in stems:
            alike.setdefault(each, set()).update(stems - {each})
    return {each: frozenset(others) for each, others in alike.items()}


#: Stems of words that are no names.
COMMON = stems(" ".join(lists.COMMON))
#: Stems of words that narrow down what a list holds.
NARROWING = stems(" ".join(lists.NARROWING))
ARITHMETIC = stems(" ".join(lists.ARITHMETIC))
RANKING = stems(" ".join(lists.RANKING))
#: Stem → stems of words that are used for it.
ALIKE = _alike()


def label(key: str) -> str:
    """A key or a tool's name as words: ``unpaid_eur`` is ``Unpaid EUR``."""
    parts = [part for part in re.split(r"[\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)) if part]
    parts = [part.upper() if part.lower() in {"eur", "usd", "gbp", "chf", "sek", "nok", "id", "vat"} else part for part in parts]
    text = " ".join(parts)
    return text[:1].upper() + text[1:]


def lowered(key: str) -> str:
    """The same in the middle of a sentence: ``unpaid EUR``."""
    text = label(key)
    return text[:1].lower() + text[1:] if text[1:2].islower() or len(text) == 1 else text
