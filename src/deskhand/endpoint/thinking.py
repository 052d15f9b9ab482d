"""Inline thinking: ``<think>…</think>`` that a server left in the answer's text (``B19``).

Cut while it streams, so that at no moment a piece of it is shown; what could still become a tag is held back. The choices:

- A block is cut wherever it stands, except in code (inline or fenced backticks), which stays as it is.
- A block at the very beginning that never ends was thinking to the end: nothing of it is shown. One in the middle that never ends was
  somebody writing *about* the tag: it is given back as text at the end.
- A closing tag alone (a server whose template already opened the block): the tag is dropped and the text before it stays, because
  it was shown by then, and taking it for thinking could swallow an answer.

White space after a block that begins the answer goes with it. Called by ``answer`` for each piece of text.
"""

from __future__ import annotations

import re

_OPENING = ("<think>", "<thinking>")
_CLOSING = ("</think>", "</thinking>")
_TAGS = _OPENING + _CLOSING
#: White space, or backticks, that are held back; more of them is text.
_MOST_HELD_CHARS = 200
_INTERESTING = re.compile(r"[<`\n]")
_BACKTICKS = re.compile(r"`+")


class Thinking:
    """Cuts one answer. ``is_inside`` says whether the model is thinking right now."""

    __slots__ = ("_begins_with_block", "_ending", "_held", "_is_first", "_kept", "_last", "_run", "is_inside")

    def __init__(self) -> None:
        self._held = ""
        #: Nothing but white space was shown yet.
        self._is_first = True
        #: A block has begun the answer; the white space after it goes with it.
        self._begins_with_block = False
        #: Length of the run of backticks that opened the code we are in; 0 outside.
        self._run = 0
        #: The character shown last (two line ends close an inline code that never ended).
        self._last = "\n"
        self._ending = ""
        #: What a block in the middle holds so far, tag included, to be given back if it never ends.
        self._kept: list[str] | None = None
        self.is_inside = False

    def feed(self, text: str) -> str:
        """What of ``text``, and of what was held back, may be shown now."""
        if not self.is_inside and not self._held and not self._run and not self._is_first and "<" not in text and "`" not in text:
            self._last = text[-1:] or self._last
            return text
        return self._cut(self._held + text, is_last=False)

    def finish(self) -> str:
        """The answer has ended: what was held back and turned out to be text."""
        shown = self._cut(self._held, is_last=True)
        if self.is_inside and self._kept is not None:
            shown += "".join(self._kept)
        self.is_inside = False
        return shown

    def _cut(self, text: str, *, is_last: bool) -> str:
        self._held = ""
        shown: list[str] = []
        at = 0
        while at < len(text):
            at = self._inside(text, at, is_last) if self.is_inside else self._outside(text, at, is_last, shown)
        return "".join(shown)

    def _inside(self, text: str, at: int, is_last: bool) -> int:
        """Skip to the block's end; the place from where to go on."""
        end = text.find(self._ending, at)
        if end >= 0:
            self.is_inside = False
            self._kept = None
            return end + len(self._ending)
        keep = 0 if is_last else _could_begin(text, at, (self._ending,))
        stop = len(text) - keep
        if self._kept is not None:
            self._kept.append(text[at:stop])
        self._held = text[stop:]
        return len(text)

    def _outside(self, text: str, at: int, is_last: bool, shown: list[str]) -> int:
        """Show text up to the next thing that matters and deal with it; the place from where to go on."""
        if self._is_first:
            begin = at
            while at < len(text) and text[at].isspace():
                at += 1
            if self._begins_with_block:
                begin = at
            if at == len(text):
                if is_last or at - begin > _MOST_HELD_CHARS:
                    self._show(text[begin:], shown)
                else:
                    self._held = text[begin:]
                return at
            tag = self._tag(text, at, is_last)
            if tag is None:
                self._held = text[begin:]
                return len(text)
            if tag not in _OPENING:
                self._is_first = False
                at = begin
        found = _INTERESTING.search(text, at)
        if found is None:
            self._show(text[at:], shown)
            return len(text)
        if found.start() > at:
            self._show(text[at : found.start()], shown)
        at = found.start()
        if text[at] == "`":
            return self._backticks(text, at, is_last, shown)
        if text[at] == "\n":
            if self._last == "\n" and self._run < 3:
                self._run = 0
            self._show("\n", shown)
            return at + 1
        return self._angle(text, at, is_last, shown)

    def _backticks(self, text: str, at: int, is_last: bool, shown: list[str]) -> int:
        found = _BACKTICKS.match(text, at)
        assert found is not None
        if found.end() == len(text) and found.end() - at < _MOST_HELD_CHARS and not is_last:  # more of them may follow
            self._held = text[at:]
            return len(text)
        length = found.end() - at
        if not self._run:
            self._run = length
        elif length == self._run or (self._run >= 3 and length > self._run):
            self._run = 0
        self._show(text[at : found.end()], shown)
        return found.end()

    def _angle(self, text: str, at: int, is_last: bool, shown: list[str]) -> int:
        tag = "" if self._run else self._tag(text, at, is_last)
        if tag is None:
            self._held = text[at:]
            return len(text)
        if tag in _OPENING:
            self.is_inside = True
            self._ending = "</" + tag[1:]
            self._kept = None if self._is_first else [tag]
            self._begins_with_block = self._begins_with_block or self._is_first
        elif tag not in _CLOSING:
            self._show("<", shown)
            return at + 1
        return at + len(tag)

    def _tag(self, text: str, at: int, is_last: bool) -> str | None:
        """The tag that begins at ``at``; empty if none does; ``None`` if that can't be known yet."""
        for tag in _TAGS:
            if text.startswith(tag, at):
                return tag
        rest = text[at : at + 12]
        if not is_last and at + len(rest) == len(text) and any(tag.startswith(rest) for tag in _TAGS):
            return None
        return ""

    def _show(self, text: str, shown: list[str]) -> None:
        if text:
            shown.append(text)
            self._last = text[-1]
            self._is_first = False


def _could_begin(text: str, at: int, tags: tuple[str, ...]) -> int:
    """How many of the last characters of ``text`` could be the beginning of a tag."""
    for length in range(min(max(map(len, tags)) - 1, len(text) - at), 0, -1):
        if any(tag.startswith(text[len(text) - length :]) for tag in tags):
            return length
    return 0
