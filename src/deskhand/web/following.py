"""A browser that follows a turn: what is new for it, and how long it may wait before it has to look again.

It looks into memory where the turn runs in this process, and into the database where it runs in another. Its own rights are asked anew
every few seconds; one answer serves all that follow in the same session. How the waiting is done, in a thread or in an event loop, is
``web.stream``'s.

Never here: an event that the turn did not tell. Limits: from another process, events come by a poll.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable, Iterator, Sequence

from django.db import DatabaseError
from django.utils import timezone

from deskhand import config, hooks, transactions
from deskhand import scope as scopes
from deskhand.core.values import Notice, TurnEnd, UserId
from deskhand.errors import NotAllowed, NotFound
from deskhand.scope import Scope
from deskhand.turns import closing, events, lock
from deskhand.turns.events import Told

#: How often another process's events are looked for.
POLL_SECONDS = 0.4
#: How many sessions' rights are remembered at most.
REMEMBERED = 10_000


class Follower:
    """One browser that follows one turn."""

    def __init__(self, scope: Scope, turn_id: uuid.UUID, after: int) -> None:
        """The request that brought ``scope`` has just asked its rights.

        Raises:
            NotFound: it is not this user's turn.
        """
        events.watched(turn_id, scope.user_id)
        self.turn_id = turn_id
        self.user_id = scope.user_id
        self.session_ref = scope.session_ref
        self.after = after
        #: Whether the turn's last event was given out.
        self.is_over = False
        self._is_rung = False
        _rights.remember(self.session_ref, self.user_id)

    def at_hand(self) -> list[Told] | None:
        """What is new, if memory alone can say; ``None`` if the database has to be asked."""
        feed = events.feed(self.turn_id)
        if feed is None or _rights.last_seconds(self.session_ref, self.user_id) <= 0:
            return None
        return self._taken(feed.after(self.after))

    def fresh(self) -> list[Told]:
        """What is new, without waiting.

        Raises:
            NotFound, NotAllowed: the follower may not follow (any more).
        """
        if not _rights.may(self.session_ref, self.user_id):
            raise NotAllowed
        feed = events.feed(self.turn_id)
        return self._taken(feed.after(self.after) if feed is not None else self._from_database())

    def step(self) -> list[Told] | None:
        """As :meth:`fresh`; ``None`` ends the stream: the panel comes again, or learns why it may not. Holds no connection after."""
        try:
            return self.fresh()
        except (NotFound, NotAllowed, DatabaseError):
            return None
        finally:
            transactions.release()

    def patience(self) -> float:
        """How long it may wait for the next event before it looks again, in seconds."""
        if not self._is_rung or events.feed(self.turn_id) is None:
            return POLL_SECONDS
        return max(0.01, _rights.last_seconds(self.session_ref, self.user_id))

    @contextlib.contextmanager
    def listening(self, ring: Callable[[], None]) -> Iterator[None]:
        """While it lasts, ``ring`` is called after each event of a turn of this process, in any thread."""
        feed = events.feed(self.turn_id)
        self._is_rung = feed is not None
        with feed.listening(ring) if feed is not None else contextlib.nullcontext():
            yield

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
        if seen.followed_until is None or (seen.followed_until - timezone.now()).total_seconds() < events.FOLLOWED_SECONDS / 2:
            events.say_followed(self.turn_id)
        # A turn that nobody holds is ended by whoever sees it first.
        if lock.is_lapsed(seen) and closing.close(self.turn_id, TurnEnd.DIED, Notice.DIED, only_lapsed=True):
            return self._from_database()
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
