"""A browser that follows a turn: what is new for it, and how long it may wait before it has to look again.

It reads a channel in memory: the turn's feed where the turn runs in this process, its mirror where it runs in another. The first look at
a turn of another process asks the database, so that nobody waits for the mirror's. Its own rights are asked anew every few seconds; one
answer serves all that follow in the same session. How the waiting is done, in a thread or in an event loop, is ``web.stream``'s.

Never here: an event that the turn did not tell; an event while it can't be told whether the follower may still have it. Limits: while
the database is away for longer than ``RIGHTS_SECONDS``, who follows waits.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence

from django.db import Error

from deskhand import config, hooks, transactions
from deskhand import scope as scopes
from deskhand.core.values import UserId
from deskhand.errors import NotAllowed, NotFound
from deskhand.scope import Scope
from deskhand.turns import closing, events, lock, mirror, runner, silence
from deskhand.turns.events import Channel, Told, Watched

logger = logging.getLogger("deskhand.turns")

#: How soon it looks again where nothing would ring, or the database did not answer, in seconds.
AGAIN_SECONDS = 0.4
#: How many sessions' rights are remembered at most.
REMEMBERED = 10_000


class Follower:
    """One browser that follows one turn."""

    def __init__(self, scope: Scope, turn_id: uuid.UUID, after: int) -> None:
        """The request that brought ``scope`` has just asked its rights.

        Raises:
            NotFound: it is not this user's turn.
        """
        #: What was seen of the turn's row and not used yet.
        self._seen: Watched | None = events.watched(turn_id, scope.user_id)
        self.turn_id = turn_id
        self.user_id = scope.user_id
        self.session_ref = scope.session_ref
        self.after = after
        #: Whether the turn's last event was given out.
        self.is_over = False
        #: Whether the rows have to say before any mirror can.
        self._must_ask = True
        self._ring: Callable[[], None] | None = None
        self._channel: Channel | None = None
        self._heard = contextlib.ExitStack()
        self._lock = threading.Lock()
        _rights.remember(self.session_ref, self.user_id)

    def at_hand(self) -> list[Told] | None:
        """What is new, if memory alone can say; ``None`` if the database has to be asked."""
        if _rights.last_seconds(self.session_ref, self.user_id) <= 0:
            return None
        return self._from_memory()

    def fresh(self) -> list[Told]:
        """What is new, without waiting.

        Raises:
            NotFound, NotAllowed: the follower may not follow (any more).
            Error: the database did not answer.
        """
        if not _rights.may(self.session_ref, self.user_id):
            raise NotAllowed
        silence.tell_if_silent(self.turn_id, runner.silent_seconds(self.turn_id))
        told = self._from_memory()
        if told is not None:
            return told
        told = self._taken(self._from_database())
        # From here on the mirror tells; what it knew already does not ring any more.
        return told if self.is_over else told + (self._from_memory() or [])

    def step(self) -> list[Told] | None:
        """As :meth:`fresh`; ``None`` ends the stream: the panel comes again, or learns why it may not.

        While the database is away, nothing is new. Where the host's ``SCOPE`` fails nobody can tell whether they may, so they may not.
        The connection that it used is the caller's to give back.
        """
        try:
            return self.fresh()
        except (NotFound, NotAllowed):
            return None
        except Error:
            # A connection that is broken must not fail the next look as well.
            transactions.release()
            return []
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - a host's function; its words may hold anything
            logger.error("rights of who follows turn %s: %s", self.turn_id, type(fault).__name__)
            transactions.release()
            return None

    def patience(self) -> float:
        """How long it may wait for the next event before it looks again, in seconds."""
        left = _rights.last_seconds(self.session_ref, self.user_id)
        if left <= 0 or self._channel is None or self._channel.after(self.after) is None:
            return AGAIN_SECONDS
        return max(0.01, left)

    @contextlib.contextmanager
    def listening(self, ring: Callable[[], None]) -> Iterator[None]:
        """While it lasts, ``ring`` is called after each event, in any thread."""
        self._ring = ring
        try:
            yield
        finally:
            # A look may still be under way in another thread.
            with self._lock:
                self._ring = self._channel = None
                self._heard.close()

    def _from_memory(self) -> list[Told] | None:
        with self._lock:
            channel = self._attached()
        told = None if channel is None else channel.after(self.after)
        return None if told is None else self._taken(told)

    def _attached(self) -> Channel | None:
        """Where the turn is told in this process; rung from there, if somebody listens.

        ``None``: the database has to be asked first, or each time by one that only asks now and then.
        """
        channel: Channel | None = events.feed(self.turn_id)
        if self._ring is None:
            return channel
        if channel is None and not self._must_ask:
            channel = mirror.here().of(self.turn_id, self.after)
            if self._channel is not None and channel is not self._channel:
                # The one that it had is gone, its turn perhaps with it: only the rows can say.
                self._heard.close()
                self._channel, self._must_ask = None, True
                return None
        if channel is not self._channel:
            self._heard.close()
            if channel is not None:
                self._heard.enter_context(channel.listening(self._ring))
            self._channel = channel
        return channel

    def _taken(self, told: Sequence[Told]) -> list[Told]:
        if told:
            self._seen, self._must_ask = None, False
            self.after = max(self.after, told[-1].number)
            self.is_over = told[-1].kind == events.DONE
        return list(told)

    def _from_database(self) -> list[Told]:
        # The row first: what is stored of a turn that has ended is all there.
        seen = self._seen or events.watched(self.turn_id, self.user_id)
        told = events.stored_after(self.turn_id, self.after)
        self._seen, self._must_ask = None, False
        if not seen.is_running:
            newest = told[-1].number if told else self.after
            return [*told, seen.done()] if seen.is_told(newest) or seen.is_settled else told
        silence.tell_if_waiting(seen)
        # A turn that nobody holds is ended by whoever sees it first.
        if lock.is_lapsed(seen) and closing.close_if_lapsed(self.turn_id):
            return self._from_database()
        if not seen.is_followed:
            events.say_followed([self.turn_id])
        return told


class _Rights:
    """Whether a session may still follow: asked about once in ``RIGHTS_SECONDS`` for all its streams."""

    def __init__(self) -> None:
        self._granted: dict[tuple[str, object], float] = {}

    def remember(self, session_ref: str, user_id: UserId) -> None:
        """They were asked, and granted, a moment ago."""
        if len(self._granted) >= REMEMBERED:
            self._granted.clear()
        self._granted[session_ref, user_id] = time.monotonic()

    def last_seconds(self, session_ref: str, user_id: UserId) -> float:
        """For how long the answer still holds, in seconds; 0 or less: it has to be asked for."""
        granted = self._granted.get((session_ref, user_id))
        return 0.0 if granted is None else granted + config.get().rights_seconds - time.monotonic()

    def may(self, session_ref: str, user_id: UserId) -> bool:
        if self.last_seconds(session_ref, user_id) > 0:
            return True
        # Asked in a thread of ours, or after the request's middleware has ended.
        with hooks.around(user_id, session_ref):
            found = scopes.again(session_ref, user_id)
            may = found is not None and found.may(scopes.USE)
        if may:
            self.remember(session_ref, user_id)
        else:
            self._granted.pop((session_ref, user_id), None)
        return may


_rights = _Rights()
