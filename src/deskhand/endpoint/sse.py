"""Events: the JSON objects in a server-sent stream, from bytes cut anywhere.

Lines end in LF, CRLF or CR; comments, ``id:`` and ``retry:`` are passed over; ``[DONE]`` ends. Three things that servers do and the
standard does not know are read too: no empty line between events, a bare JSON object on a line, and ``error:`` as a field (llama.cpp).
An event whose JSON spans several ``data:`` lines is put together at the empty line.

Never here: what the objects mean. Limits: a line, or an event, of ``LINE_BYTES``.
"""

from __future__ import annotations

import json

import orjson

from deskhand.errors import EndpointBroken

#: Longest line, and longest event, that is read.
LINE_BYTES = 16 * 1024 * 1024


def parse(raw: bytes) -> object:
    """The JSON value of ``raw``. Raises ``ValueError``.

    orjson is strict, and right so, but a lone surrogate (``B25``) is no reason to lose an answer: the standard library reads it.
    """
    try:
        return orjson.loads(raw)
    except ValueError:
        try:
            value: object = json.loads(raw)
        except RecursionError:
            raise ValueError("nested too deep") from None
        return value


class Events:
    """Reads one stream. After :meth:`feed`, look at ``failure`` and ``is_done`` when the events returned are used."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._held: list[bytes] = []
        self._is_error = False
        #: ``[DONE]`` was read; what follows it is ignored.
        self.is_done = False
        #: Why nothing more can be read; to be raised after what came before it was used.
        self.failure: EndpointBroken | None = None

    def feed(self, part: bytes) -> list[dict[str, object]]:
        """The events that ``part`` completes."""
        if b"\n" not in part and b"\r" not in part:
            self._keep(part)
            return []
        if self._parts:
            self._parts.append(part)
            part = b"".join(self._parts)
            self._parts.clear()
        self._size = 0
        rest = b""
        if b"\r" in part:
            if part.endswith(b"\r"):  # an LF may follow
                part, rest = part[:-1], b"\r"
            part = part.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        lines = part.split(b"\n")
        rest = lines.pop() + rest
        if rest:
            self._keep(rest)
        return self._read(lines)

    def end(self) -> list[dict[str, object]]:
        """The connection has ended: the events in what is left, a last line without an end included."""
        rest = b"".join(self._parts).rstrip(b"\r")
        self._parts.clear()
        return self._read([rest, b""])

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > LINE_BYTES:
            self._fail("a line without end")
            self._parts.clear()
        else:
            self._parts.append(part)

    def _fail(self, detail: str) -> None:
        if self.failure is None:
            self.failure = EndpointBroken(detail)

    def _read(self, lines: list[bytes]) -> list[dict[str, object]]:
        events: list[dict[str, object]] = []
        for line in lines:
            if self.is_done or self.failure is not None:
                break
            if line[:5] == b"data:":
                raw = line[5:].strip()
                if raw == b"[DONE]":
                    self.is_done = True
                elif self._held:
                    self._hold(raw)
                elif raw:
                    self._take(raw, events, may_hold=True)
            elif not line:
                self._dispatch(events)
            else:
                self._read_odd(line, events)
        return events

    def _read_odd(self, line: bytes, events: list[dict[str, object]]) -> None:
        """A line that is neither data nor empty."""
        line = line.removeprefix(b"\xef\xbb\xbf").strip()
        if line[:1] == b"{":
            self._take(line, events, may_hold=False)
        elif line[:6] == b"error:":
            self._is_error = True
            self._take(line[6:].strip(), events, may_hold=False)
        elif line[:6] == b"event:":
            self._is_error = line[6:].strip() == b"error"

    def _dispatch(self, events: list[dict[str, object]]) -> None:
        """An event has ended."""
        if self._held:
            raw = b"\n".join(self._held)
            self._held.clear()
            self._size = 0
            self._take(raw, events, may_hold=False)
        self._is_error = False

    def _hold(self, raw: bytes) -> None:
        self._held.append(raw)
        self._size += len(raw)
        if self._size > LINE_BYTES:
            self._fail("an event without end")

    def _take(self, raw: bytes, events: list[dict[str, object]], *, may_hold: bool) -> None:
        try:
            value = parse(raw)
        except ValueError:
            if may_hold:
                self._hold(raw)
            elif self._is_error:
                events.append({"error": True})
            else:
                self._fail("an event that is not JSON")
            return
        if self._is_error and not (isinstance(value, dict) and value.get("error")):
            events.append({"error": value or True})
        elif isinstance(value, dict):
            events.append(value)
        else:
            self._fail("an event that is no object")
