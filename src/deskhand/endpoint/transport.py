"""Transport: one HTTP exchange whose every wait has an end, and that any thread can stop.

urllib3 gives the pool, TLS, proxies and HTTP/1.1. What it does not give is made here: a limit on the whole exchange (its time-outs
begin anew with each byte), Stop in every phase, and reading what the socket holds at once: http.client hands out one HTTP chunk a
read, and a model's server sends one chunk a token. So the connections of ``pools`` ask here before each single ``recv`` how long
it may take, and the chunks are taken apart by ``framing``.

Stop works through a second descriptor of the same socket: shutting that one down ends the connection for the reader too, also in the
middle of a TLS handshake, where the first descriptor changes its owner.

Never here: a redirect followed (the key would go with it), a retry; nor, in an error, the words of a library or a server: they can hold
an address with a key in it.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping

import urllib3

from deskhand.endpoint import Waits, pools
from deskhand.endpoint.framing import Chunks
from deskhand.errors import EndpointBroken, EndpointRejected, EndpointTimeout, EndpointUnreachable, TurnStopped

#: How long the end of a frame is waited for after the answer.
SETTLE_SECONDS = 0.01

_ADDRESS = re.compile(r"https?://[^/?#]", re.IGNORECASE)


class Exchange:
    """One request and its response. Used by one thread, except for :meth:`stop`."""

    def __init__(self, waits: Waits) -> None:
        self._waits = waits
        self._idle = waits.idle
        self._lock = threading.Lock()
        self._handle: socket.socket | None = None
        self._phase = "connect"
        self._phase_ends = 0.0
        self._ends = 0.0
        self._response: urllib3.BaseHTTPResponse | None = None
        self.body: http.client.HTTPResponse | None = None
        self._chunks: Chunks | None = None
        self._is_over = False
        self._is_clean = False
        self.is_stopped = False

    # -- time and Stop -------------------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """From any thread, more than once: whatever is waited for ends at once, and raises ``TurnStopped`` there."""
        with self._lock:
            self.is_stopped = True
            if self._handle is not None:
                with contextlib.suppress(OSError):
                    self._handle.shutdown(socket.SHUT_RDWR)

    def hold(self, sock: socket.socket) -> None:
        """Remember ``sock`` as the one to shut down. Ask :meth:`remaining` after it: Stop may have come before."""
        with self._lock:
            if self._handle is not None:
                self._handle.close()
            self._handle = socket.socket(fileno=os.dup(sock.fileno()))

    def enter(self, phase: str) -> None:
        """Begin a phase: ``connect``, ``first_byte`` or ``idle``; its time starts now."""
        self._phase = phase
        self._phase_ends = time.monotonic() + {"connect": self._waits.connect, "first_byte": self._waits.first_byte}.get(phase, 0)

    def hurry(self, seconds: float) -> None:
        """From now on the server may be silent for ``seconds`` at most."""
        self._idle = min(self._idle, seconds)

    def remaining(self) -> float:
        """Seconds that may be waited for the next byte. Raises ``EndpointTimeout`` if none, ``TurnStopped`` after :meth:`stop`."""
        if self.is_stopped:
            raise TurnStopped
        now = time.monotonic()
        left = self._ends - now
        if left <= 0:
            raise EndpointTimeout("total")
        phase_left = self._idle if self._phase == "idle" else self._phase_ends - now
        if phase_left <= 0:
            raise EndpointTimeout(self._phase)
        return min(left, phase_left)

    def timed_out(self) -> EndpointTimeout:
        """The error of a wait that just ended in vain."""
        return EndpointTimeout("total" if time.monotonic() >= self._ends - 0.001 else self._phase)

    # -- the exchange --------------------------------------------------------------------------------------------------------------

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> tuple[int, Mapping[str, str]]:
        """Status and headers; the body is read by :meth:`read`.

        Raises ``EndpointUnreachable``, ``EndpointTimeout``, ``TurnStopped``; ``EndpointRejected`` for a URL that is none.
        """
        if not _ADDRESS.match(url):
            raise EndpointRejected("the address is not usable")
        self._ends = time.monotonic() + self._waits.total
        self.enter("connect")
        self.remaining()
        pools.working.exchange = self
        failure: Exception
        try:
            self._response = pools.pool_for(url).urlopen(
                "POST",
                url,
                body=body,
                headers=headers,
                retries=False,
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
        except (urllib3.exceptions.LocationValueError, http.client.InvalidURL, ValueError):
            failure = EndpointRejected("the address or the key is not usable")
        except (urllib3.exceptions.HTTPError, http.client.HTTPException, OSError) as error:
            failure = self._translated(error)
        else:
            return self._begun(self._response)
        finally:
            del pools.working.exchange
        raise failure  # here, so that it does not carry the library's error with it

    def _begun(self, response: urllib3.BaseHTTPResponse) -> tuple[int, Mapping[str, str]]:
        assert self.body is not None
        if self.body.chunked:
            self._chunks = Chunks()
        if (response.headers.get("Content-Encoding") or "identity").lower() != "identity":
            raise EndpointBroken("compressed though not asked for")
        return response.status, response.headers

    def _translated(self, error: Exception) -> Exception:
        if self.is_stopped:
            return TurnStopped()
        inner: BaseException | None = error
        while inner is not None:
            if isinstance(inner, (TimeoutError, urllib3.exceptions.TimeoutError)):
                return self.timed_out()
            if isinstance(inner, (ssl.SSLError, urllib3.exceptions.SSLError)):
                refused = EndpointUnreachable("TLS failed")
                refused.may_retry = False
                return refused
            inner = inner.__cause__ or inner.__context__ or getattr(inner, "original_error", None)
        if isinstance(error, urllib3.exceptions.ProxyError):
            return EndpointUnreachable("the proxy did not connect")
        return EndpointUnreachable("closed before it answered" if self._phase != "connect" else "no connection")

    def read(self) -> bytes:
        """What the socket holds of the body, waited for if it is nothing; empty once the body has ended as HTTP says.

        Raises ``EndpointBroken`` if the connection ended before the body did, ``EndpointTimeout``, ``TurnStopped``.
        """
        while not self._is_over:
            assert self.body is not None
            try:
                part = self.body.fp.read1(pools.READ_BYTES)
            except OSError:
                raise (TurnStopped() if self.is_stopped else EndpointBroken("connection lost")) from None
            if self.is_stopped:
                raise TurnStopped
            if self._phase != "idle":
                self._phase = "idle"
            plain = self._unframed(part)
            if plain:
                return plain
        return b""

    def _unframed(self, part: bytes) -> bytes:
        assert self.body is not None
        if self._chunks is not None:
            if not part:
                raise EndpointBroken("connection lost")
            plain = self._chunks.feed(part)
            self._is_over = self._chunks.is_over
            self._is_clean = self._chunks.is_clean
            return plain
        length = self.body.length
        if length is None:
            self._is_over = not part
            return part
        plain = part[:length]
        self.body.length = length - len(plain)
        self._is_over = self._is_clean = self.body.length == 0
        if not part and not self._is_over:
            raise EndpointBroken("connection lost")
        return plain

    def settle(self) -> None:
        """Read the frame's end if it is there or about to come, so that the connection can serve the next call."""
        self._idle = SETTLE_SECONDS
        try:
            while self.read():
                pass
            if self._chunks is not None and not self._is_clean:
                assert self.body is not None
                self._chunks.feed(self.body.fp.read1(pools.READ_BYTES))
                self._is_clean = self._chunks.is_clean
        except (EndpointBroken, EndpointTimeout, OSError):
            return

    def close(self) -> None:
        """Let go of the connection: back to the pool if the response was read to its end, else closed. May be called twice."""
        with self._lock:
            if self._handle is not None:
                self._handle.close()
                self._handle = None
        response, self._response = self._response, None
        if response is None:
            return
        if self._is_clean and not self.is_stopped and self.body is not None and not self.body.will_close:
            self.body.close()
        else:
            response.close()
        response.release_conn()
