"""What a confirmation card shows, as plain values: built once at the proposal, stored, and the print of it.

Everything that will have effect is on the card, whole (``CO3``): an argument that no text of the preview shows is listed by its name, so
a preview that forgets one hides nothing. All texts are made visible: a character that shows no ink, turns the direction, or looks like
another letter inside a word is followed by its number, so that what is read is what will be stored.

Never here: a word of the model's but in arguments, which are shown as what they are. Limits: look-alikes are found within a word that
mixes Latin, Cyrillic and Greek; a whole word of one foreign alphabet is not marked.
"""

from __future__ import annotations

import decimal
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from deskhand.core import canonical

#: Shown for nothing, so that an emptied field is seen.
NOTHING = "—"
_WORD = re.compile(r"\w+")
_ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")
#: Characters of these kinds show no ink or change how others are shown.
_UNSEEN_KINDS = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"}
#: Blank to the eye though Unicode counts them as letters or marks.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u180b\u180c\u180d\u180f") | {
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}
#: Spaces that look like one and are another.
_ODD_SPACES = frozenset("\u00a0\u1680\u202f\u205f\u3000") | set(map(chr, range(0x2000, 0x200B)))


def visible(raw: str) -> str:
    """The text with each character that can't be seen, or passes for another, followed or replaced by its number ``⟨U+202E⟩``.

    Line breaks stay. Idempotent: what it writes is plain ink.
    """
    if raw.isascii() and raw.isprintable():
        return raw
    seen = "".join(_number(char) if _is_unseen(char) else char for char in raw)
    return _WORD.sub(_marked, seen)


def _is_unseen(char: str) -> bool:
    if char == "\n":
        return False
    return char in _UNSEEN or char in _ODD_SPACES or unicodedata.category(char) in _UNSEEN_KINDS


def _number(char: str) -> str:
    return f"⟨U+{ord(char):04X}⟩"


def _marked(match: re.Match[str]) -> str:
    word = match.group()
    alphabets = [_alphabet(char) for char in word]
    known = {name for name in alphabets if name}
    if len(known) < 2:
        return word
    usual = max(_ALPHABETS, key=alphabets.count)
    return "".join(char + _number(char) if name and name != usual else char for char, name in zip(word, alphabets, strict=True))


def _alphabet(char: str) -> str:
    if not char.isalpha():
        return ""
    name = unicodedata.name(char, "")
    return next((alphabet for alphabet in _ALPHABETS if name.startswith(alphabet)), "")


def shown(value: object) -> str:
    """A value as a card shows it: its text, made visible; nothing reads as a dash, truth values as their words in JSON."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return canonical.dumps(value)
    if isinstance(value, decimal.Decimal):
        # Never 5E+2: people read amounts.
        return format(value, "f")
    return visible(str(value))


def arguments(
    values: Mapping[str, object], elsewhere: Iterable[str] = (), defaults: Mapping[str, object] | None = None
) -> list[dict[str, str]]:
    """Each argument by its name and its whole value, but for those whose value one of the texts ``elsewhere`` shows as it is.

    One that is nothing, where nothing is its default, is left out too: nobody gave it. A default that says something (a number, a
    truth value) is listed like what was given, for it has effect.
    """
    texts = list(elsewhere)
    listed = []
    usual = defaults or {}
    given = {name: value for name, value in values.items() if not (_is_nothing(value) and _is_nothing(usual.get(name, 0)))}
    for path, value in _leaves("", given):
        words = shown(value)
        if words == NOTHING or not any(_stands_in(words, text) for text in texts):
            listed.append({"name": visible(path), "value": words})
    return listed


def _is_nothing(value: object) -> bool:
    return value is None or (isinstance(value, str | list | tuple | dict | set | frozenset) and not value)


def _stands_in(words: str, text: str) -> bool:
    """As a whole and not as a part of a longer word or number: ``1`` does not stand in ``100``."""
    at = text.find(words)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(words) : at + len(words) + 1]
        if not (_glues(before, words[0]) or _glues(after, words[-1])):
            return True
        at = text.find(words, at + 1)
    return False


def _glues(neighbour: str, edge: str) -> bool:
    return bool(neighbour) and (neighbour.isalnum() or neighbour in ".,-_⟨⟩+") and (edge.isalnum() or edge in "⟨⟩")


def _leaves(path: str, value: object) -> Iterable[tuple[str, object]]:
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), part)
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        for number, part in enumerate(value, start=1):
            yield from _leaves(f"{path} {number}", part)
    elif isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        yield path, json.dumps(value)
    else:
        yield path, value


def texts(card: Mapping[str, object]) -> list[str]:
    """Every text that a card shows, in its order."""
    found: list[str] = []
    _collect(card, found)
    return found


def _collect(value: object, found: list[str]) -> None:
    if isinstance(value, str):
        found.append(value)
    elif isinstance(value, Mapping):
        for part in value.values():
            _collect(part, found)
    elif isinstance(value, Sequence):
        for part in value:
            _collect(part, found)


def print_of(card: Mapping[str, object], rows: Sequence[Sequence[str]], version: str) -> str:
    """The print of what a card shows, of the rows that it was based on, and of what else must be unchanged."""
    return canonical.fingerprint({"card": dict(card), "rows": [list(row) for row in rows], "version": version})
