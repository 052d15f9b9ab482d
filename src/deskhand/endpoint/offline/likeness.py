"""How near names are to what was typed, without case, accents and order of words."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence

#: From this likeness on (0 … 1) a word passes for a mistyped other one.
ALIKE = 0.74


def plain(text: str) -> list[str]:
    """The words in small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("ø", "o").replace("ł", "l"))
    return re.findall(r"\w+", "".join(letter for letter in apart if not unicodedata.combining(letter)))


def of(asked: str, name: str) -> float:
    """0 … 1: the worst of the asked words counts, each against the nearest of the name's."""
    typed, stored = plain(asked), plain(name)
    if not typed or not stored:
        return 0.0
    return min(max(difflib.SequenceMatcher(None, word, other).ratio() for other in stored) for word in typed)


def fitting(asked: Sequence[str], names: Sequence[str]) -> list[str]:
    """Those of the names that all asked words fit; if some of these hold them letter for letter, those alone."""
    near = [name for name in names if of(" ".join(asked), name) >= ALIKE]
    exact = [name for name in near if set(plain(" ".join(asked))) <= set(plain(name))]
    return exact or near
