"""Finding a customer or a product by what a person typed: by number, by part of the name, or by a name that is only nearly right.

Compared without case, accents and plural endings, in Python: SQLite lowers ASCII letters only, and PostgreSQL has trigrams only with an
extension. It reads every name once a call, which is nothing for some thousand; with a hundred thousand a search column is in place.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from typing import TypeVar

from django.db.models import QuerySet

from demo.wholesale.models import Customer, Product
from deskhand.tools import ToolError

Named = TypeVar("Named", Customer, Product)
#: From this likeness on (0 … 1) a word passes for a mistyped other one.
ALIKE = 0.74
#: A number with its unit, never the × of "3×1.5".
_UNITS = ("mm", "mm2", "cm", "m", "km", "ml", "l", "kg", "g", "w", "kw", "v", "a", "in")
_GLUED = re.compile(rf"(?<![\w.])(\d+(?:\.\d+)?)(?=(?:{'|'.join(_UNITS)})\b)")
#: Plain Cyrillic and Greek letters as most firms write themselves in Latin ones.
_LATIN = str.maketrans(
    str.maketrans("абвгдезийклмнопрстуфхъыэіїєґ", "abvgdeziyklmnoprstufhayeiieg")
    | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sht", "ю": "yu", "я": "ya", "ь": ""}
    | str.maketrans("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo")
    | {"θ": "th", "χ": "ch", "ψ": "ps"}
)
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"})


def plain(text: str) -> str:
    """The text in small letters without accents: ``"Hansén"`` and ``"HANSEN"`` come out alike."""
    apart = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def words(text: str) -> list[str]:
    """The plain words of a text; a number and the unit that is glued to it are two: ``"22mm"`` is ``"22 mm"``."""
    apart = _GLUED.sub(r"\1 ", plain(text))
    return "".join(letter if letter.isalnum() or letter in ".×" else " " for letter in apart).split()


def _stored(name: str) -> list[str]:
    """The words by which a stored name is found: its own, and for a Cyrillic or Greek one those in Latin letters."""
    # Й before its accent is taken off, which would leave И.
    latin = words(plain(unicodedata.normalize("NFC", name).casefold().replace("й", "y")).translate(_LATIN))
    own = words(name)
    return own + [word for word in latin if word not in own]


def likeness(asked: str, name: str) -> float:
    """How near a typed name is to a stored one, 0 … 1: the worst of its words counts, each against its nearest."""
    typed, stored = words(asked), _stored(name)
    if not typed or not stored:
        return 0.0
    return min(max(difflib.SequenceMatcher(None, word, other).ratio() for other in stored) for word in typed)


def _holds(name: str, typed: list[str]) -> bool:
    stored = _stored(name)
    joined = "".join(words(name))
    stems = [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in typed]
    # Scripts without spaces: a part of the name is a part of its one word.
    return all(
        any(other == stem if stem.isdigit() else other.startswith(stem) for other in stored)
        or (not stem.isascii() and stem in joined)
        for stem in stems
    )


def alike(rows: QuerySet[Named], asked: str, limit: int = 10) -> list[tuple[int, str, float]]:
    """Primary key, name and likeness of the rows with the nearest names, nearest first."""
    scored = [(pk, name, likeness(asked, name)) for pk, name in rows.order_by("pk").values_list("pk", "name")]
    return sorted((row for row in scored if row[2] >= ALIKE), key=lambda row: -row[2])[:limit]


def matching(rows: QuerySet[Named], asked: str, kind: str) -> list[int]:
    """Primary keys of the rows whose number is ``asked`` or whose name holds all its words.

    Raises ``ToolError`` with the nearest names if there are none: the model can then ask which one was meant.
    """
    named = list(rows.order_by("pk").values_list("pk", "number", "name"))
    by_number = [pk for pk, number, _ in named if number.casefold() == asked.strip().casefold()]
    if by_number:
        return by_number
    typed = words(asked)
    found = [pk for pk, _, name in named if typed and _holds(name, typed)]
    exact = [pk for pk, _, name in named if pk in set(found) and words(name) == typed]
    if found:
        return exact or found
    without_size = " ".join(word for word in typed if not word.isdigit() and word not in _UNITS)
    near = ", ".join(name for _, name, _ in alike(rows, asked, 5) or alike(rows, without_size, 5))
    raise ToolError(f"No {kind} has that name or number." + (f" Similar names: {near}." if near else ""))
