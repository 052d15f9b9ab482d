"""What a running turn tells whoever watches: in this process at once, in other processes through the database.

Each running turn of this process has a :class:`Feed`: numbered events in memory, and those who wait for the next one. A tick of the
runner stores what is new of all feeds in one INSERT, so that a browser whose requests land in another process follows too, and so that
little is lost with this process. The rows are a copy; the truth is in messages and turns: a turn's last event is made from its row.

Never here: an event number given twice in a turn. Limits: what a crash may lose is the time between two ticks.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence

from django.db import connections
from django.utils import timezone

from deskhand import faults, transactions
from deskhand.core.values import TurnEnd, UserId
from deskhand.errors import NotFound
from deskhand.models import Event, Turn

#: Kinds, in the order in which a turn usually tells them.
TEXT, THINKING, WAITING, TOOL, MESSAGE, DONE = "text", "thinking", "waiting", "tool", "message", "done"

#: How long another process's follower wants events sooner, after it last said so.
FOLLOWED_SECONDS = 10


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


class Feed:
    """The events of one turn that runs in this process."""

    def __init__(self, turn_id: uuid.UUID, fence: int, conversation_id: uuid.UUID) -> None:
        self.turn_id = turn_id
        self.fence = fence
        self.conversation_id = conversation_id
        # Reentrant: unsealing tells.
        self._condition = threading.Condition(threading.RLock())
        self._told: list[Told] = []
        self._stored = 0
        self._text: list[str] = []
        self._seq = 0
        #: What came while the feed was sealed; ``None``: it is not.
        self._sealed: list[Told] | None = None
        self._is_closed = False
        self._listeners: list[Callable[[], object]] = []

    def tell(self, told: Told) -> None:
        """Everybody who waits gets this event, numbered; after ``done`` nobody gets anything more."""
        with self._condition:
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
            self._condition.notify_all()
            listeners = list(self._listeners)
        for listener in listeners:
            # A follower whose event loop is closed takes nothing with it.
            with contextlib.suppress(RuntimeError):
                listener()

    def seal(self) -> Unfinished:
        """Nothing but ``done`` is told from now on; what was told so far. For one who has taken the turn over."""
        with self._condition:
            self._sealed = [] if self._sealed is None else self._sealed
            return Unfinished("".join(self._text), self._seq, len(self._told))

    def unseal(self) -> None:
        """The turn was not taken over after all: what came in the meantime is told now."""
        with self._condition:
            waiting, self._sealed = self._sealed or [], None
            for told in waiting:
                self.tell(told)

    def after(self, number: int) -> list[Told]:
        """Events with greater numbers; the turn's last one whatever the number."""
        with self._condition:
            return self._after(number)

    def _after(self, number: int) -> list[Told]:
        newest = len(self._told) - 1 if self._is_closed else number
        return self._told[max(min(number, newest), 0) :]

    def wait(self, number: int, seconds: float) -> list[Told]:
        """Events with greater numbers, as soon as there is one; none if none came in time."""
        with self._condition:
            self._condition.wait_for(lambda: len(self._told) > number or self._is_closed, timeout=seconds)
            return self._after(number)

    @contextlib.contextmanager
    def listening(self, listener: Callable[[], object]) -> Iterator[None]:
        """``listener`` is called after each event, in the thread that told it; it must return at once."""
        with self._condition:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._condition:
                self._listeners.remove(listener)

    def unstored(self) -> list[Told]:
        """What no tick has stored yet."""
        with self._condition:
            return self._told[self._stored :]

    def stored(self, number: int) -> None:
        """Events up to this number are in the database."""
        with self._condition:
            self._stored = max(self._stored, number)

    @property
    def is_closed(self) -> bool:
        """Whether its last event was told."""
        with self._condition:
            return self._is_closed


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
        else:
            _feeds.pop(turn_id, None)


def forget_feeds() -> None:
    """As if this process had never run a turn (tests)."""
    with _feeds_lock:
        _feeds.clear()
        _left.clear()


def done(end: str, last_seq: int) -> Told:
    """A turn's last event."""
    return Told(DONE, {"end": str(end), "last_seq": last_seq})


# --- the copy in the database --------------------------------------------------------------------------------------------------


def store(feeds: Sequence[Feed]) -> set[uuid.UUID]:
    """What is new of these turns is in the database; gives the turns that somebody follows from another process.

    Two statements for any number of turns: the first locks the conversations whose fence is still the turn's, so that a turn that was
    taken over adds nothing. A conversation that somebody else has locked is left for the next tick, so that one that is stuck holds
    up no other. What could not be stored is kept and comes with the next tick.
    """
    fresh = {each.turn_id: (each, told) for each in feeds if (told := each.unstored())}
    if not fresh:
        return set()
    now = timezone.now()
    with transactions.writing() as alias:
        held = _lock(alias, [each for each, _ in fresh.values()])
        faults.point("store.held")
        Event.objects.using(alias).bulk_create(
            Event(
                turn_id=turn_id, number=told[-1].number, told=[[t.number, t.kind, dict(t.payload)] for t in told], created_at=now
            )
            for turn_id, (_, told) in fresh.items()
            if turn_id in held
        )
    for turn_id, (feed_, told) in fresh.items():
        if turn_id in held:
            feed_.stored(told[-1].number)
    return {turn_id for turn_id, followed_until in held.items() if followed_until and followed_until > now}


def _lock(alias: str, feeds: Sequence[Feed]) -> dict[uuid.UUID, datetime.datetime | None]:
    rows = Turn.objects.using(alias).filter(id__in=[each.turn_id for each in feeds], ended_at__isnull=True)
    if connections[alias].features.has_select_for_update_of:
        rows = rows.select_for_update(of=("conversation",), skip_locked=True)
    elif connections[alias].features.has_select_for_update:
        rows = rows.select_for_update()
    fences = {each.turn_id: each.fence for each in feeds}
    found = rows.select_related("conversation").order_by("conversation_id")
    return {row.id: row.followed_until for row in found if row.conversation.fence == fences[row.id]}


def stored_after(turn_id: uuid.UUID, number: int) -> list[Told]:
    """Events with greater numbers that are in the database."""
    rows = Event.objects.using(transactions.own_alias()).filter(turn_id=turn_id, number__gt=number).order_by("number")
    return [
        Told(kind, payload, each) for told in rows.values_list("told", flat=True) for each, kind, payload in told if each > number
    ]


def unfinished(turn_id: uuid.UUID) -> Unfinished:
    """How far a turn of a process that is gone has told, as far as the database knows."""
    # A feed that nobody follows: the same rules, read once more.
    again = Feed(turn_id, 0, turn_id)
    told = stored_after(turn_id, 0)
    for each in told:
        again.tell(each)
    return dataclasses.replace(again.seal(), last=told[-1].number if told else 0)


def say_followed(turn_id: uuid.UUID) -> None:
    """Somebody follows this turn from a process where it does not run."""
    until = timezone.now() + datetime.timedelta(seconds=FOLLOWED_SECONDS)
    Turn.objects.using(transactions.own_alias()).filter(id=turn_id, ended_at__isnull=True).update(followed_until=until)


def clean(older_than: datetime.datetime) -> int:
    """Events of turns that ended before this moment are gone; how many rows."""
    rows = Event.objects.using(transactions.own_alias()).filter(turn__ended_at__lt=older_than)
    return rows.delete()[0]


# --- following -----------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, slots=True)
class Watched:
    """A turn as a follower sees it."""

    id: uuid.UUID
    conversation_id: uuid.UUID
    user_id: UserId
    #: Empty while it runs.
    end: str
    last_event: int
    last_seq: int
    session_ref: str
    lease_until: datetime.datetime
    #: The process that runs it, by ``processes.mine``.
    owner: str
    created_at: datetime.datetime
    #: When a process took it; ``None`` while it waits for a worker.
    taken_at: datetime.datetime | None
    #: Until when its runner stores events sooner, for followers in other processes.
    followed_until: datetime.datetime | None

    @property
    def is_running(self) -> bool:
        return not self.end

    def done(self) -> Told:
        """Its last event."""
        return dataclasses.replace(done(self.end or TurnEnd.FAILED, self.last_seq), number=self.last_event)


def end_of(turn_id: uuid.UUID) -> Told | None:
    """The last event of a turn that has ended, whoever ended it and whoever may see it; ``None`` while it runs."""
    row = Turn.objects.using(transactions.own_alias()).select_related("conversation").filter(id=turn_id).first()
    return done(row.end, row.conversation.last_seq) if row and row.end else None


def watched(turn_id: uuid.UUID, user_id: UserId) -> Watched:
    """This user's turn as it is now; one statement.

    Raises:
        NotFound: another's, of a hidden conversation, or none at all.
    """
    row = (
        Turn.objects.using(transactions.own_alias())
        .select_related("conversation")
        .filter(id=turn_id, conversation__user_id=user_id, conversation__hidden_at__isnull=True)
        .first()
    )
    if row is None:
        raise NotFound
    return Watched(
        id=row.id,
        conversation_id=row.conversation_id,
        user_id=user_id,
        end=row.end,
        last_event=row.last_event,
        last_seq=row.conversation.last_seq,
        session_ref=row.session_ref,
        lease_until=row.lease_until,
        owner=row.owner,
        created_at=row.created_at,
        taken_at=row.taken_at,
        followed_until=row.followed_until,
    )
