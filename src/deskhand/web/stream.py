"""A turn's events on their way to a browser: a stream of server-sent events, or a short poll, from the same code.

Under WSGI the stream is a plain generator with a short life that keeps a thread, under ASGI an asynchronous one that keeps none of ours:
Django swallows the wrong kind whole before it sends a byte. No database connection is held while a stream waits.

Never here: a stream that keeps the only thread of a server, or more of its threads than ``WSGI_STREAMS``. Limits: Django itself keeps
an idle thread for each open response under ASGI; under WSGI a browser that went away is noticed at the next write.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import functools
import os
import threading
import time
from collections.abc import AsyncIterator, Generator, Iterator, Sequence

import orjson
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from deskhand import config, transactions
from deskhand.errors import LimitReached, NoStreams
from deskhand.scope import Scope
from deskhand.turns import runner
from deskhand.turns.events import Told
from deskhand.web.answers import answer, can_stream, door, identifier, number
from deskhand.web.following import Follower

#: A comment at least this often, so that no proxy takes the stream for dead.
COMMENT_SECONDS = 15.0
#: How soon the panel should poll again.
WAIT_MS = 800
#: Threads that ask the database for all asynchronous streams of a process.
THREADS = 2
#: So long one of them may be at one question before those who wait get another thread.
LATE_SECONDS = 2.0


def _follower(request: HttpRequest, scope: Scope, turn: str) -> Follower:
    turn_id = identifier(turn)
    after = number(request, "after")
    if after is None:
        last = request.headers.get("Last-Event-ID", "")
        after = int(last) if last.isascii() and last.isdigit() and len(last) <= 18 else 0
    return Follower(scope, turn_id, after)


def _events(request: HttpRequest, scope: Scope, turn: str) -> HttpResponse:
    follower = _follower(request, scope, turn)
    told = follower.fresh()
    return answer(
        {
            "events": [{"number": each.number, "kind": each.kind, "payload": dict(each.payload)} for each in told],
            "is_running": not follower.is_over,
            "wait_ms": WAIT_MS,
        }
    )


def _stream(request: HttpRequest, scope: Scope, turn: str) -> HttpResponseBase:
    follower = _follower(request, scope, turn)
    if not can_stream(request):
        raise NoStreams
    if isinstance(request, ASGIRequest):
        response = StreamingHttpResponse(_asynchronous(follower), content_type="text/event-stream")
    else:
        response = StreamingHttpResponse(_Synchronous(follower), content_type="text/event-stream")
    response["Cache-Control"] = "private, no-store, no-cache"
    response["X-Accel-Buffering"] = "no"
    # So that Django's GZipMiddleware leaves it alone: it holds events back, or sends each as a file of its own.
    response["Content-Encoding"] = "identity"
    response["X-Content-Type-Options"] = "nosniff"
    response["X-Frame-Options"] = "DENY"
    return response


class _Writer:
    """The bytes of one stream: events, and a comment where there were none for a while."""

    def __init__(self) -> None:
        self._wrote = time.monotonic()

    def bytes_of(self, told: Sequence[Told]) -> bytes:
        if not told and time.monotonic() - self._wrote < COMMENT_SECONDS:
            return b""
        self._wrote = time.monotonic()
        return b"".join(
            b"id: %d\nevent: %s\ndata: %s\n\n" % (each.number, each.kind.encode(), orjson.dumps(dict(each.payload)))
            for each in told
        ) or b":\n\n"  # fmt: skip

    def patience(self) -> float:
        """Until the next comment, in seconds."""
        return max(0.01, self._wrote + COMMENT_SECONDS - time.monotonic())


class _Synchronous:
    """A stream that keeps a thread, and one of the process's places, until it is closed."""

    _taken = 0
    _lock = threading.Lock()

    def __init__(self, follower: Follower) -> None:
        with self._lock:
            if _Synchronous._taken >= config.get().wsgi_streams:
                raise LimitReached("streams", 1)
            _Synchronous._taken += 1
        self._is_open = True
        self._steps = self._run(follower)

    def __iter__(self) -> Iterator[bytes]:
        return self._steps

    def close(self) -> None:
        """Called by Django in any case, also for a stream that nobody began to read."""
        self._steps.close()
        with self._lock:
            _Synchronous._taken -= self._is_open
            self._is_open = False

    def _run(self, follower: Follower) -> Generator[bytes, None, None]:
        ends = time.monotonic() + config.get().stream_seconds
        writer = _Writer()
        bell = threading.Event()
        # What this request's middleware used after the view is given back, too.
        transactions.release()
        yield b": open\n\n"
        with follower.listening(bell.set):
            while (told := follower.step()) is not None:
                transactions.release()
                if sent := writer.bytes_of(told):
                    yield sent
                left = ends - time.monotonic()
                if follower.is_over or left <= 0:
                    return
                bell.wait(min(follower.patience(), writer.patience(), left))
                bell.clear()
        transactions.release()


async def _asynchronous(follower: Follower) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    writer = _Writer()
    bell = asyncio.Event()

    def ring() -> None:
        # A turn outlives the server's event loop; its thread must not stumble over that.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(bell.set)

    # In the thread that Django keeps for this response: what the view and the middleware used is given back.
    await sync_to_async(transactions.release)()
    yield b": open\n\n"
    with follower.listening(ring):
        while True:
            bell.clear()
            told = follower.at_hand()
            if told is None:
                told = await _asking(os.getpid()).step(follower)
            if told is None:
                return
            if sent := writer.bytes_of(told):
                yield sent
            # A process that ends keeps nobody who follows another one's turn: the panel comes again, elsewhere.
            if follower.is_over or runner.is_past_hearing():
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(follower.patience(), writer.patience())):
                    await bell.wait()


class _Asking:
    """The threads in which asynchronous streams ask the database, and the followers that wait for one.

    A thread keeps its connection while anybody waits, and gives it back then: with two hundred sessions whose rights are due at the
    same moment, a connection for each would cost more than the questions. One that does not come back from a host's function has that
    follower for itself: another one takes its place.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: collections.deque[tuple[Follower, concurrent.futures.Future[list[Told] | None]]] = collections.deque()
        #: Threads at work, and when each began what it is at.
        self._at: dict[threading.Thread, float] = {}

    async def step(self, follower: Follower) -> list[Told] | None:
        """As ``Follower.step``, in one of the threads."""
        future: concurrent.futures.Future[list[Told] | None] = concurrent.futures.Future()
        with self._lock:
            self._waiting.append((follower, future))
        asked = asyncio.wrap_future(future)
        try:
            while not asked.done():
                self._call()
                await asyncio.wait([asked], timeout=LATE_SECONDS)
            return asked.result()
        finally:
            asked.cancel()

    def _call(self) -> None:
        """There are ``THREADS`` that go on, as long as anybody waits."""
        with self._lock:
            now = time.monotonic()
            if self._waiting and sum(now - began < LATE_SECONDS for began in self._at.values()) < THREADS:
                thread = threading.Thread(target=self._work, name="deskhand-follow", daemon=True)
                thread.start()
                self._at[thread] = now

    def _work(self) -> None:
        try:
            while (next_ := self._next()) is not None:
                _settle(*next_)
        finally:
            with self._lock:
                self._at.pop(threading.current_thread(), None)
            transactions.release()

    def _next(self) -> tuple[Follower, concurrent.futures.Future[list[Told] | None]] | None:
        with self._lock:
            if self._waiting:
                self._at[threading.current_thread()] = time.monotonic()
                return self._waiting.popleft()
        # Before another thread is called in its place.
        transactions.release()
        with self._lock:
            if self._waiting:
                self._at[threading.current_thread()] = time.monotonic()
                return self._waiting.popleft()
            self._at.pop(threading.current_thread(), None)
            return None


def _settle(follower: Follower, future: concurrent.futures.Future[list[Told] | None]) -> None:
    if not future.set_running_or_notify_cancel():
        # Its browser has gone.
        return
    try:
        future.set_result(follower.step())
    except BaseException as error:
        future.set_exception(error)
        raise


@functools.cache
def _asking(pid: int) -> _Asking:
    """Known by the process: threads from before a fork are dead in the child."""
    return _Asking()


stream = door(get=_stream)
poll = door(get=_events)
