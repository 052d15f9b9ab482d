"""Events of turns in memory, numbered, and those who wait for the next one.

A :class:`Channel` is what a follower reads, wherever the turn runs. A :class:`Feed` is the channel of a turn that runs in this process:
the turn's thread tells, everybody who listens is rung. The channel of another process's turn is a ``turns.mirror.Mirror``.

Never here: an event number given twice in a turn; the database. Limits: a feed keeps all that its turn told.
"""

from __future__ import annotations

import bisect
import contextlib
import dataclasses
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping

#: Kinds, in the order in which a turn usually tells them.
TEXT, THINKING, WAITING, TOOL, MESSAGE, DONE = "text", "thinking", "waiting", "tool", "message", "done"


@dataclasses.dataclass(frozen=True, slots=True)
class Told:
    """One event: what a turn tells."""

    kind: str
    payload: Mapping[str, object]
    #: Place in the turn, from 1; 0 until a feed has numbered it.
    number: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Unfinished:
    """How far a turn has told."""

    #: The answer's text since the last message that was told.
    text: str
    #: Number of that message in its conversation; 0 if none was told.
    seq: int
    #: Number of the newest event.
    last: int


class Channel:
    """The events of one turn, as many of them as are in memory, and those who wait for the next one."""

    def __init__(self, turn_id: uuid.UUID, base: int = 0) -> None:
        self.turn_id = turn_id
        # Reentrant: unsealing tells.
        self._lock = threading.RLock()
        self._told: list[Told] = []
        #: Events up to this number are not in memory.
        self._base = base
        self._is_closed = False
        self._listeners: list[Callable[[], object]] = []

    def after(self, number: int) -> list[Told] | None:
        """Events with greater numbers; the turn's last one whatever the number. ``None``: memory does not reach back so far."""
        with self._lock:
            return self._after(number) if number >= self._base else None

    def _after(self, number: int) -> list[Told]:
        told = self._told[bisect.bisect_right(self._told, number, key=_number) :]
        return told or (self._told[-1:] if self._is_closed else [])

    @contextlib.contextmanager
    def listening(self, listener: Callable[[], object]) -> Iterator[None]:
        """``listener`` is called after each event, in the thread that told it; it must return at once."""
        with self._lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)

    def ring(self) -> None:
        """Those who listen look again."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            # A follower whose event loop is closed takes nothing with it.
            with contextlib.suppress(RuntimeError):
                listener()

    @property
    def is_heard(self) -> bool:
        """Whether anybody listens."""
        with self._lock:
            return bool(self._listeners)

    @property
    def is_closed(self) -> bool:
        """Whether its last event was told."""
        with self._lock:
            return self._is_closed


def _number(told: Told) -> int:
    return told.number


class Feed(Channel):
    """The events of one turn that runs in this process."""

    def __init__(self, turn_id: uuid.UUID, fence: int, conversation_id: uuid.UUID) -> None:
        super().__init__(turn_id)
        self.fence = fence
        self.conversation_id = conversation_id
        self._stored = 0
        #: Held by the thread that stores its events at the moment.
        self.storing = threading.Lock()
        #: Until when somebody follows from another process, by the monotonic clock and as far as a tick has seen.
        self.followed_until = 0.0
        self._text: list[str] = []
        self._seq = 0
        #: What came while the feed was sealed; ``None``: it is not.
        self._sealed: list[Told] | None = None

    def tell(self, told: Told) -> None:
        """Everybody who waits gets this event, numbered; after ``done`` nobody gets anything more."""
        with self._lock:
            if self._is_closed:
                return
            if self._sealed is not None and told.kind != DONE:
                self._sealed.append(told)
                return
            if told.kind == TEXT:
                self._text.append(str(told.payload["text"]))
            elif told.kind == MESSAGE:
                self._text.clear()
                self._seq = int(str(told.payload["seq"]))
            self._told.append(dataclasses.replace(told, number=len(self._told) + 1))
            self._is_closed = told.kind == DONE
        self.ring()

    def seal(self) -> Unfinished:
        """Nothing but ``done`` is told from now on; what was told so far. For one who has taken the turn over."""
        with self._lock:
            self._sealed = [] if self._sealed is None else self._sealed
            return Unfinished("".join(self._text), self._seq, len(self._told))

    def unseal(self) -> None:
        """The turn was not taken over after all: what came in the meantime is told now."""
        with self._lock:
            waiting, self._sealed = self._sealed or [], None
            for told in waiting:
                self.tell(told)

    def after(self, number: int) -> list[Told]:
        """Events with greater numbers; the turn's last one whatever the number."""
        with self._lock:
            return self._after(number)

    def unstored(self) -> list[Told]:
        """What no tick has stored yet; the last event is never stored, its row tells it."""
        with self._lock:
            return [told for told in self._told[self._stored :] if told.kind != DONE]

    def stored(self, number: int) -> None:
        """Events up to this number are in the database."""
        with self._lock:
            self._stored = max(self._stored, number)


_feeds: dict[uuid.UUID, Feed] = {}
#: When a feed's turn ended here, by the monotonic clock.
_left: dict[uuid.UUID, float] = {}
_feeds_lock = threading.Lock()
#: How long a feed stays after its turn, for those who were between two polls.
FEED_KEPT_SECONDS = 30.0


def open_feed(turn_id: uuid.UUID, fence: int, conversation_id: uuid.UUID) -> Feed:
    """The turn runs in this process from now on."""
    feed = Feed(turn_id, fence, conversation_id)
    with _feeds_lock:
        for old in [each for each, left in _left.items() if time.monotonic() - left > FEED_KEPT_SECONDS]:
            _feeds.pop(old, None)
            _left.pop(old, None)
        _feeds[turn_id] = feed
    return feed


def feed(turn_id: uuid.UUID) -> Feed | None:
    """The turn's feed, if it runs in this process or ended here a moment ago."""
    return _feeds.get(turn_id)


def leave_feed(turn_id: uuid.UUID) -> None:
    """The turn no longer runs in this process; its feed can still be read for a short while.

    One that never heard of the turn's end is gone at once, so that who follows asks the database.
    """
    with _feeds_lock:
        left = _feeds.get(turn_id)
        if left is not None and left.is_closed:
            _left[turn_id] = time.monotonic()
            return
        _feeds.pop(turn_id, None)
    if left is not None:
        left.ring()


def forget_feeds() -> None:
    """As if this process had never run a turn (tests)."""
    with _feeds_lock:
        _feeds.clear()
        _left.clear()


def done(end: str, last_seq: int) -> Told:
    """A turn's last event."""
    return Told(DONE, {"end": str(end), "last_seq": last_seq})
