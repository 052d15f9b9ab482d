"""The off-purpose marker: cutting ``⟦off_purpose: <reason>⟧`` off the end of an answer, also while it streams (``PR3``, ``TU6``).

Why so: the marker is for the guard, not for the person, and what has been shown can't be taken back. So text is held back from a
``⟦`` on, and only while it can still become a marker with which the answer closes.

What a marker is: ``⟦off_purpose:``, then anything without ``⟦`` and ``⟧``, then ``⟧``. It closes the answer if only white space and
further markers follow; all of that goes. One in the middle is text, and so is one that was never closed.

Never here: a judgement whether the guard is on; who calls decides whether the reasons are recorded. The cost is linear in the text,
whatever stands in it and however it is split.
"""

from __future__ import annotations

import re

from deskhand.core import limits, text

_OPENS = text.OFF_PURPOSE_OPENS
_BRACKET = re.compile("[⟦⟧]")
_INK = re.compile(r"\S")


class Cutter:
    """Cuts the closing markers off a text that comes in pieces. For one answer; in ``loop`` each round has its own.

    All that :meth:`feed` and :meth:`finish` gave, joined, is ``cut(whole)[0]`` for every way to split the whole.
    """

    def __init__(self) -> None:
        #: The reasons of the markers that were cut off, in their order, one line each; empty until :meth:`finish`.
        self.reasons: tuple[str, ...] = ()
        self._step = self._read_text
        self._out: list[str] = []
        # What can still become closing markers: whole ones with the white space behind them, and the one that is being read.
        self._held: list[str] = []
        self._opened_chars = 0
        self._reason: list[str] = []
        self._reasons: list[str] = []

    def feed(self, delta: str) -> str:
        """What of ``delta``, and of what was held back before, is text for certain; may be empty."""
        place = 0
        while place < len(delta):
            place = self._step(delta, place)
        return self._taken()

    def finish(self) -> str:
        """What was held back and turned out to be text. :attr:`reasons` is filled; nothing may be fed any more."""
        if self._step == self._read_between:
            self.reasons = tuple(self._reasons)
            self._held.clear()
        self._release()
        return self._taken()

    def _taken(self) -> str:
        out = "".join(self._out)
        self._out.clear()
        return out

    def _release(self) -> None:
        """What was held is text after all: no closing marker can begin in it."""
        self._out += self._held
        self._held.clear()
        self._reasons.clear()
        self._step = self._read_text

    def _hold(self, piece: str) -> None:
        self._held.append(piece)

    def _read_text(self, delta: str, place: int) -> int:
        found = delta.find(_OPENS[0], place)
        end = len(delta) if found < 0 else found
        self._out.append(delta[place:end])
        if found >= 0:
            self._open()
        return end

    def _open(self) -> None:
        self._step = self._read_opening
        self._opened_chars = 0

    def _read_opening(self, delta: str, place: int) -> int:
        if delta[place] != _OPENS[self._opened_chars]:
            self._release()
            return place
        self._hold(delta[place])
        self._opened_chars += 1
        if self._opened_chars == len(_OPENS):
            self._step = self._read_reason
            self._reason.clear()
        return place + 1

    def _read_reason(self, delta: str, place: int) -> int:
        found = _BRACKET.search(delta, place)
        end = found.start() if found else len(delta)
        self._hold(delta[place:end])
        self._reason.append(delta[place:end])
        if not found:
            return end
        if found.group() != text.OFF_PURPOSE_CLOSES:
            self._release()
            return end
        self._hold(text.OFF_PURPOSE_CLOSES)
        self._reasons.append(text.one_line(text.clean("".join(self._reason)))[: limits.OFF_PURPOSE_REASON_CHARS].rstrip())
        self._step = self._read_between
        return end + 1

    def _read_between(self, delta: str, place: int) -> int:
        found = _INK.search(delta, place)
        end = found.start() if found else len(delta)
        self._hold(delta[place:end])
        if found and found.group() == _OPENS[0]:
            self._open()
        elif found:
            self._release()
        return end


def cut(whole: str) -> tuple[str, tuple[str, ...]]:
    """``whole`` without the markers that close it, and their reasons in order; each reason one line, shortened (``TU6``)."""
    cutter = Cutter()
    shown = cutter.feed(whole) + cutter.finish()
    return shown, cutter.reasons
