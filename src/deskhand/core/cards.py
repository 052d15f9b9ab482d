"""What a confirmation card shows, as plain values: built once at the proposal, stored, and the print of it.

Everything that will have effect is on the card, whole (``CO3``): each argument is listed by its name, so a preview that forgets one hides
nothing. Only a long text that stands word for word in what will be is not shown twice. All texts are made visible: a character that shows no ink, turns the direction, or looks like
another letter inside a word is followed by its number, so that what is read is what will be stored.

Never here: a word of the model's but in arguments, which are shown as what they are. Limits: look-alikes are found within a word that
mixes Latin, Cyrillic and Greek; a whole word of one foreign alphabet is not marked.
"""

from __future__ import annotations

import decimal
import enum
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AnySet

from deskhand.core import canonical

#: Shown for nothing, so that an emptied field is seen.
NOTHING = "—"
#: A text of so many characters is not listed among the arguments if it stands whole elsewhere; a shorter one could stand there by chance.
TWICE_CHARS = 20
#: Texts that would read like another value.
_LIKE_VALUES = frozenset({"", NOTHING, "true", "false", "null", "[]", "{}"})
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
    # A letter that its own number follows already is told; what stands before it is looked at alone.
    told = word[-1] if match.string.startswith(_number(word[-1]), match.end()) else ""
    word = word.removesuffix(told)
    alphabets = [_alphabet(char) for char in word]
    known = {name for name in alphabets if name}
    if len(known) < 2:
        return word + told
    usual = max(_ALPHABETS, key=alphabets.count)
    return (
        "".join(char + _number(char) if name and name != usual else char for char, name in zip(word, alphabets, strict=True))
        + told
    )


def _alphabet(char: str) -> str:
    if not char.isalpha():
        return ""
    name = unicodedata.name(char, "")
    return next((alphabet for alphabet in _ALPHABETS if name.startswith(alphabet)), "")


def shown(value: object) -> str:
    """A value as a card shows it: its text, made visible; nothing reads as a dash, truth values as their words in JSON."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, enum.Enum):
        return shown(value.value)
    if isinstance(value, str):
        return visible(str(value))
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
    """Each argument by its name and its whole value, but for a long text that one of the texts ``elsewhere`` shows as it is.

    A text that reads like another value stands in quotation marks: an empty one is not nothing. One that is nothing, where nothing is
    its default, is left out: nobody gave it. A default that says something (a number, a truth value) is listed like what was given,
    for it has effect.
    """
    texts = list(elsewhere)
    usual = defaults or {}
    given = {name: value for name, value in values.items() if not (_is_nothing(value) and _is_nothing(usual.get(name, 0)))}
    leaves = [(visible(path), _told(value)) for path, value in _leaves("", given)]
    times = Counter(words for _, words in leaves)
    return [
        {"name": name, "value": words}
        for name, words in leaves
        # What two arguments say could be shown for the one and be hidden for the other.
        if len(words) < TWICE_CHARS or times[words] > 1 or not any(words == text for text in texts)
    ]


def _is_nothing(value: object) -> bool:
    return value is None or (isinstance(value, str | list | tuple | dict | set | frozenset) and not value)


def _told(value: object) -> str:
    if isinstance(value, str) and not isinstance(value, enum.Enum) and value in _LIKE_VALUES:
        return f'"{value}"'
    if isinstance(value, Mapping | Sequence | AnySet) and not isinstance(value, str):
        return "{}" if isinstance(value, Mapping) else "[]"
    return shown(value)


def _leaves(path: str, value: object) -> Iterable[tuple[str, object]]:
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), part)
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        for number, part in enumerate(value, start=1):
            yield from _leaves(f"{path} {number}", part)
    elif isinstance(value, AnySet) and value:
        # The order of a set is another one in each process.
        yield from _leaves(path, sorted(value, key=canonical.dumps))
    else:
        yield path, value


def print_of(card: Mapping[str, object], rows: Sequence[Sequence[str]], version: str) -> str:
    """The print of what a card shows, of the rows that it was based on, and of what else must be unchanged.

    The link to its object is no data: a site may stand under another address by then.
    """
    named = card.get("object")
    shown = {**card, "object": named.get("name") if isinstance(named, Mapping) else None}
    return canonical.fingerprint({"card": shown, "rows": [list(row) for row in rows], "version": version})
