"""Retry: asking again while nothing of an answer has come, and then the fallback (``TU7``).

At most ``ATTEMPTS`` times an endpoint, with a pause that doubles and is drawn at random, so that many turns do not come back at the
same moment; what ``Retry-After`` asks for is waited for up to ``LONGEST_WAIT_SECONDS``, and what asks for longer is not waited for at
all. After the first delta nothing is repeated: a person has read it.

The fallback is asked for every error but two: a conversation that is too long, and an answer that was withheld. Called by the turn's
loop for each model call.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator

from deskhand.core.values import Delta, ModelRequest, Waiting
from deskhand.endpoint import Endpoint, ReplyStream
from deskhand.errors import ContextTooLong, EndpointError, EndpointFiltered, EndpointLimited, TurnStopped

#: How often one endpoint is asked.
ATTEMPTS = 3
#: First pause; the second is twice as long.
PAUSE_SECONDS = 0.5
#: Longest ``Retry-After`` that is waited for.
LONGEST_WAIT_SECONDS = 20.0

_SLICE_SECONDS = 0.1


def stream(
    endpoint: Endpoint,
    fallback: Endpoint | None,
    request: ModelRequest,
    cancel: threading.Event,
    *,
    pause_seconds: float = PAUSE_SECONDS,
) -> RetriedStream:
    """A call that has not begun. ``cancel`` set has the effect of ``stop()``, at the next delta or during a wait."""
    return RetriedStream(endpoint, fallback, request, cancel, pause_seconds)


class RetriedStream:
    """A model call with its repetitions. ``endpoint`` is the one that is asked, or that answered."""

    def __init__(
        self, endpoint: Endpoint, fallback: Endpoint | None, request: ModelRequest, cancel: threading.Event, pause_seconds: float
    ) -> None:
        self.endpoint = endpoint
        self._fallback = fallback
        self._request = request
        self._cancel = cancel
        self._pause_seconds = pause_seconds
        self._lock = threading.Lock()
        self._running: ReplyStream | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End the call, in a wait too."""
        with self._lock:
            self._is_stopped = True
            if self._running is not None:
                self._running.stop()

    def __iter__(self) -> Iterator[Delta]:
        """Deltas of the endpoint that answers; ``Waiting`` before each pause."""
        for attempt in range(1, ATTEMPTS + 1):
            has_begun = False
            try:
                for delta in self._begun():
                    has_begun = True
                    yield delta
                    self._check()
                return
            except EndpointError as error:
                if has_begun:
                    raise
                seconds = self._pause(error, attempt)
                if seconds is None:
                    fallback = self._fallback
                    if fallback is None or isinstance(error, (ContextTooLong, EndpointFiltered)):
                        raise
                    self.endpoint, self._fallback = fallback, None
                    break
            yield Waiting(seconds)
            self._wait(seconds)
        yield from self

    def _begun(self) -> ReplyStream:
        running = self.endpoint.stream(self._request)
        with self._lock:
            self._running = running
        self._check()
        return running

    def _pause(self, error: EndpointError, attempt: int) -> float | None:
        """Seconds until the next attempt; ``None`` if there is none."""
        if not error.may_retry or attempt == ATTEMPTS:
            return None
        asked = error.retry_after_seconds
        if asked is not None and asked > LONGEST_WAIT_SECONDS:
            return None
        pause = self._pause_seconds * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.5)
        if isinstance(error, EndpointLimited) or asked is not None:
            # a little after the moment it names, each turn at another one
            return (asked or 0) + pause / 2
        return pause

    def _wait(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            self._check()
            self._cancel.wait(min(left, _SLICE_SECONDS))
        self._check()

    def _check(self) -> None:
        if self._is_stopped or self._cancel.is_set():
            self.stop()
            raise TurnStopped
