"""Framing: takes apart HTTP's chunks, as many as one socket read brought.

http.client hands out one chunk a read, and a model's server sends a chunk a token; reading them one by one costs several times what
the rest of the reader costs. Trailers are passed over.
"""

from __future__ import annotations

from deskhand.errors import EndpointBroken

#: Longest line that gives a chunk's size.
_SIZE_LINE_BYTES = 4096


class Chunks:
    """One chunked body under way."""

    __slots__ = ("_left", "_needs_line_end", "_tail", "is_clean", "is_over")

    def __init__(self) -> None:
        self._left = 0
        self._needs_line_end = False
        self._tail = b""
        #: The last chunk was seen.
        self.is_over = False
        #: Nothing follows on the connection but the next response.
        self.is_clean = False

    def feed(self, part: bytes) -> bytes:
        """The content in ``part``. Raises ``EndpointBroken`` if it is not framed right."""
        data = self._tail + part if self._tail else part
        if self.is_over:
            self._tail = data[:3]
            self.is_clean = data == b"\r\n"
            return b""
        end, at, out = len(data), 0, []
        while True:
            if self._left:
                piece = data[at : at + self._left]
                out.append(piece)
                at += len(piece)
                self._left -= len(piece)
                if self._left:
                    break
                self._needs_line_end = True
            if self._needs_line_end:
                if end - at < 2:
                    break
                if data[at : at + 2] != b"\r\n":
                    raise EndpointBroken("wrong framing")
                at += 2
                self._needs_line_end = False
            line_end = data.find(b"\r\n", at)
            if line_end < 0:
                if end - at > _SIZE_LINE_BYTES:
                    raise EndpointBroken("wrong framing")
                break
            size = data[at:line_end].partition(b";")[0].strip()
            if not size.isalnum() or len(size) > 12:
                raise EndpointBroken("wrong framing")
            try:
                self._left = int(size, 16)
            except ValueError:
                raise EndpointBroken("wrong framing") from None
            at = line_end + 2
            if not self._left:
                self.is_over = True
                self.is_clean = data[at:] == b"\r\n"
                break
        self._tail = data[at:]
        return b"".join(out)
