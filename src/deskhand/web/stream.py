"""A turn's events on their way to a browser: a stream of server-sent events, or a short poll, from the same code.

Under WSGI the stream is a plain generator with a short life, under ASGI an asynchronous one: Django swallows the wrong kind whole before
it sends a byte. No database connection is held while a stream waits. The follower's own rights are asked anew every few seconds; one
answer serves all streams of the same session.

Never here: an event that the turn did not tell. Limits: from another process, events come by a poll of the database.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Sequence

import orjson
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from deskhand import config, transactions
from deskhand import scope as scopes
from deskhand.core.values import Notice, TurnEnd
from deskhand.errors import NotAllowed, NotFound
from deskhand.scope import Scope
from deskhand.turns import closing, events, lock
from deskhand.turns.events import Told
from deskhand.web.answers import answer, closing_connections, door, identifier, number

#: A comment at least this often, so that no proxy takes the stream for dead.
COMMENT_SECONDS = 15.0
#: How often another process's events are looked for.
POLL_SECONDS = 0.4
#: How soon the panel should poll again.
WAIT_MS = 800

#: Database work of asynchronous streams, away from the event loop; few threads serve many streams.
_threads = concurrent.futures.ThreadPoolExecutor(4, thread_name_prefix="deskhand-follow")


class Follower:
    """One browser that follows one turn."""

    def __init__(self, scope: Scope, turn_id: uuid.UUID, after: int) -> None:
        self.turn_id = turn_id
        self.user_id = scope.user_id
        self.session_ref = scope.session_ref
        self.after = after
        self.is_over = False
        self._said = 0.0

    def fresh(self) -> list[Told]:
        """What is new, without waiting; after the last event, :attr:`is_over`.

        Raises:
            NotFound, NotAllowed: the follower may not follow (any more).
        """
        if not _may_follow(self.session_ref, self.user_id):
            raise NotAllowed
        feed = events.feed(self.turn_id)
        told = feed.after(self.after) if feed is not None else self._from_database()
        return self._taken(told)

    def wait(self, seconds: float) -> list[Told]:
        """What is new, after waiting for it at most this long in this thread."""
        feed = events.feed(self.turn_id)
        if feed is None:
            time.sleep(min(seconds, POLL_SECONDS))
        else:
            feed.wait(self.after, seconds)
        return self.fresh()

    def _taken(self, told: Sequence[Told]) -> list[Told]:
        if told:
            self.after = max(self.after, told[-1].number)
            self.is_over = told[-1].kind == events.DONE
        return list(told)

    def _from_database(self) -> list[Told]:
        seen = events.watched(self.turn_id, self.user_id)
        told = events.stored_after(self.turn_id, self.after)
        if not seen.is_running:
            return [*told, seen.done()]
        if time.monotonic() - self._said > events.FOLLOWED_SECONDS / 2:
            self._said = time.monotonic()
            events.say_followed(self.turn_id)
            # A lease that ran out is ended by whoever sees it first.
            if lock.lapsed(user_id=self.user_id) and closing.close(self.turn_id, TurnEnd.DIED, Notice.DIED, only_lapsed=True):
                return self._from_database()
        return told


class _Rights:
    """Whether a session may still follow: asked at most once in ``RIGHTS_SECONDS`` for all its streams."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, object], tuple[float, bool]] = {}

    def __call__(self, session_ref: str, user_id: object) -> bool:
        now = time.monotonic()
        key = (session_ref, user_id)
        asked, answered = self._asked.get(key, (-1e9, False))
        if now - asked < config.get().rights_seconds:
            return answered
        found = scopes.again(session_ref, user_id)
        answered = found is not None and found.may(scopes.USE)
        if len(self._asked) > 10_000:
            self._asked.clear()
        self._asked[key] = (now, answered)
        return answered


_may_follow = _Rights()


def _follower(request: HttpRequest, scope: Scope, turn: str) -> Follower:
    turn_id = identifier(turn)
    events.watched(turn_id, scope.user_id)
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
    content = _asynchronous(follower) if isinstance(request, ASGIRequest) else _synchronous(follower)
    response = StreamingHttpResponse(content, content_type="text/event-stream")
    response["Cache-Control"] = "private, no-store, no-cache"
    response["X-Accel-Buffering"] = "no"
    response["X-Content-Type-Options"] = "nosniff"
    return closing_connections(response)


def _written(told: Sequence[Told]) -> bytes:
    return b"".join(
        b"id: %d\nevent: %s\ndata: %s\n\n" % (each.number, each.kind.encode(), orjson.dumps(dict(each.payload))) for each in told
    )


def _synchronous(follower: Follower) -> Iterator[bytes]:
    ends = time.monotonic() + config.get().stream_seconds
    yield b": open\n\n"
    told = _quietly(follower.fresh)
    while True:
        if told is None:
            return
        if told:
            yield _written(told)
        if follower.is_over or time.monotonic() >= ends:
            return
        told = _quietly(functools.partial(follower.wait, min(COMMENT_SECONDS, config.get().rights_seconds)))
        if not told and told is not None:
            yield b":\n\n"


async def _asynchronous(follower: Follower) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    bell = asyncio.Event()
    yield b": open\n\n"
    commented = time.monotonic()
    while True:
        feed = events.feed(follower.turn_id)
        bell.clear()
        if feed is None:
            told = await loop.run_in_executor(_threads, _quietly, follower.fresh)
            timeout = POLL_SECONDS
        else:
            with feed.listening(lambda: loop.call_soon_threadsafe(bell.set)):
                told = await loop.run_in_executor(_threads, _quietly, follower.fresh)
                timeout = min(COMMENT_SECONDS, config.get().rights_seconds)
                if told == [] and not follower.is_over:
                    await _rung(bell, timeout)
                    timeout = 0.0
        if told is None:
            return
        if told:
            yield _written(told)
            commented = time.monotonic()
        elif time.monotonic() - commented >= COMMENT_SECONDS:
            yield b":\n\n"
            commented = time.monotonic()
        if follower.is_over:
            return
        if not told and timeout:
            await asyncio.sleep(timeout)


async def _rung(bell: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(bell.wait(), seconds)
    except TimeoutError:
        return


def _quietly(step: Callable[[], list[Told]]) -> list[Told] | None:
    """What a step of a follower brought; ``None`` ends the stream: the panel comes again, or learns why it may not."""
    try:
        return step()
    except (NotFound, NotAllowed):
        return None
    except DatabaseError:
        return None
    finally:
        transactions.release()


stream = door(get=_stream)
poll = door(get=_events)
