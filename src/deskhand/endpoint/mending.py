"""Mending: text as servers send it, made fit to be kept (``B25``, ``B26``).

JSON allows half a surrogate pair and NUL; no database and no encoder does. Called by the readers for each piece of text.
"""

from __future__ import annotations

import re

_UNCLEAN = re.compile("[\x00\ud800-\udfff]")


def mended(text: str) -> str:
    """``text`` with halves of surrogate pairs joined, lone ones and NUL cut."""
    if _UNCLEAN.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore").replace("\x00", "")


class Joiner:
    """Mends text that comes in pieces: the first half of a pair waits for its second."""

    __slots__ = ("_half",)

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        """What of ``text`` can be used now."""
        if self._half:
            text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return mended(text)
