"""The copy of what turns tell, in the database: for followers in other processes, and for what a crash would lose.

A tick of the runner stores what is new of all its feeds in one INSERT. The rows are a copy; the truth is in messages and turns: a
turn's last event is made from its row. Called by the runner's keeper, the mirror of other processes' turns, and followers.

Never here: an event of a turn that was taken over from its runner. Limits: what a crash may lose is the time between two ticks.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import time
import uuid
from collections.abc import Mapping, Sequence

from django.db import Error, connections, models
from django.utils import timezone

from deskhand import faults, transactions
from deskhand.core.values import TurnEnd, UserId
from deskhand.errors import NotFound
from deskhand.models import Event, Turn
from deskhand.turns import bell
from deskhand.turns.events import told as told_
from deskhand.turns.events.told import Feed, Told, Unfinished, done, feed

#: How long another process's follower wants events sooner, after it last said so.
FOLLOWED_SECONDS = 10
#: It says so again when less of that is left.
FOLLOWED_AGAIN = datetime.timedelta(seconds=FOLLOWED_SECONDS / 2)
#: How long after its end a runner may still store what the turn told last.
REST = datetime.timedelta(seconds=0.5)
#: Ends that somebody else has written in the runner's place: what was not stored by then never is.
_TAKEN_OVER = frozenset({TurnEnd.STOPPED.value, TurnEnd.DIED.value, TurnEnd.RESTARTED.value})


def store(feeds: Sequence[Feed], *, wait_seconds: float = 0.0) -> set[uuid.UUID]:
    """What is new of these turns is in the database; gives the turns that somebody follows from another process.

    Two statements for any number of turns: the first locks the conversations whose fence is still the turn's, so that a turn that was
    taken over adds nothing. A conversation that somebody else has locked is left for the next tick, so that one that is stuck holds
    up no other; so is a feed that another thread is storing, after ``wait_seconds``. What could not be stored is kept and comes with the
    next tick. Those who follow from elsewhere are rung in the same transaction, where the site has a bell.
    """
    # A turn's thread stores its last events while the keeper may be at them: each event is to be in one row.
    taken = [each for each in feeds if each.storing.acquire(timeout=wait_seconds)]
    try:
        return _store(taken)
    finally:
        for each in taken:
            each.storing.release()


def _store(feeds: Sequence[Feed]) -> set[uuid.UUID]:
    fresh = {each.turn_id: (each, told) for each in feeds if (told := each.unstored())}
    if not fresh:
        return set()
    now = timezone.now()
    with transactions.writing() as alias:
        held = _lock(alias, [each for each, _ in fresh.values()])
        faults.point("store.held")
        rows = [
            Event(
                turn_id=turn_id, number=told[-1].number, told=[[t.number, t.kind, dict(t.payload)] for t in told], created_at=now
            )
            for turn_id, (_, told) in fresh.items()
            if turn_id in held
        ]
        # A row of that number is there already where the answer to the last commit was lost: the other turns' are to be stored.
        Event.objects.using(alias).bulk_create(rows, ignore_conflicts=True)
        followed = {turn_id: until for turn_id, until in held.items() if until and until > now}
        bell.ring(alias, list(followed))
    for turn_id, (feed_, told) in fresh.items():
        if turn_id in held:
            feed_.stored(told[-1].number)
        if turn_id in followed:
            feed_.followed_until = time.monotonic() + (followed[turn_id] - now).total_seconds()
    return set(followed)


def leave_feed(turn_id: uuid.UUID) -> None:
    """As ``told.leave_feed``; and if somebody follows from another process, what the turn told last is in the database."""
    left = feed(turn_id)
    if left is not None and left.followed_until > time.monotonic():
        # Else those who follow elsewhere hear of the end without it.
        with contextlib.suppress(Error), transactions.phase():
            store([left], wait_seconds=REST.total_seconds())
    told_.leave_feed(turn_id)


def _lock(alias: str, feeds: Sequence[Feed]) -> dict[uuid.UUID, datetime.datetime | None]:
    # Also of one that its own runner has just ended: the fence rises with a takeover and with the next turn.
    rows = Turn.objects.using(alias).filter(id__in=[each.turn_id for each in feeds])
    if connections[alias].features.has_select_for_update_of:
        rows = rows.select_for_update(of=("conversation",), skip_locked=True)
    elif connections[alias].features.has_select_for_update:
        rows = rows.select_for_update()
    fences = {each.turn_id: each.fence for each in feeds}
    found = rows.select_related("conversation").only("followed_until", "conversation__fence").order_by("conversation_id")
    return {row.id: row.followed_until for row in found if row.conversation.fence == fences[row.id]}


def stored_after(turn_id: uuid.UUID, number: int) -> list[Told]:
    """Events with greater numbers that are in the database."""
    rows = Event.objects.using(transactions.own_alias()).filter(turn_id=turn_id, number__gt=number).order_by("number")
    found: list[Told] = []
    for row in rows.only("told"):
        _add(found, row, number)
    return found


def _add(found: list[Told], row: Event, number: int) -> None:
    """What is new in this row. Two rows hold the same events where the answer to a tick's commit was lost."""
    newest = found[-1].number if found else number
    found.extend(Told(kind, payload, each) for each, kind, payload in row.told if each > newest)


def stored_since(after: Mapping[uuid.UUID, int]) -> dict[uuid.UUID, list[Told]]:
    """Of each of these turns, events with greater numbers than the one that is given; turns without any are left out. One statement."""
    if not after:
        return {}
    alias = transactions.own_alias()
    connection = connections[alias]
    turn = Event._meta.get_field("turn")
    table = connection.ops.quote_name(Event._meta.db_table)
    # Not one condition a turn: SQLite refuses a thousand, and PostgreSQL plans them one by one.
    seen = ", ".join("(%s, %s)" for _ in after)
    rows = Event.objects.using(alias).raw(
        f"WITH seen (turn_id, number) AS (VALUES {seen}) "  # noqa: S608 - names of ours alone
        f"SELECT e.id, e.turn_id, e.told FROM seen JOIN {table} e ON e.turn_id = seen.turn_id AND e.number > seen.number "
        "ORDER BY e.turn_id, e.number",
        [part for turn_id, number in after.items() for part in (turn.get_db_prep_value(turn_id, connection), number)],
    )
    found: dict[uuid.UUID, list[Told]] = {}
    for row in rows:
        _add(found.setdefault(row.turn_id, []), row, after[row.turn_id])
    return found


def unfinished(turn_id: uuid.UUID) -> Unfinished:
    """How far a turn of a process that is gone has told, as far as the database knows."""
    # A feed that nobody follows: the same rules, read once more.
    again = Feed(turn_id, 0, turn_id)
    told = stored_after(turn_id, 0)
    for each in told:
        again.tell(each)
    return dataclasses.replace(again.seal(), last=told[-1].number if told else 0)


def say_followed(turn_ids: Sequence[uuid.UUID]) -> None:
    """Somebody follows these turns from a process where they do not run. One that is locked is not waited for: it is said again."""
    until = timezone.now() + datetime.timedelta(seconds=FOLLOWED_SECONDS)
    with transactions.writing() as alias:
        rows = Turn.objects.using(alias).filter(id__in=turn_ids, ended_at__isnull=True)
        transactions.unlocked(rows).update(followed_until=until)


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
    #: ``None``: the account is gone.
    user_id: UserId | None
    #: Empty while it runs.
    end: str
    last_event: int
    last_seq: int
    session_ref: str
    lease_until: datetime.datetime
    #: The process that runs it, by ``processes.mine``; empty while it waits for a worker.
    owner: str
    created_at: datetime.datetime
    ended_at: datetime.datetime | None
    #: Until when its runner stores events sooner, for followers in other processes.
    followed_until: datetime.datetime | None

    @property
    def is_running(self) -> bool:
        return not self.end

    @property
    def is_followed(self) -> bool:
        """Whether its runner will know for a while that somebody follows from another process."""
        return self.followed_until is not None and self.followed_until > timezone.now() + FOLLOWED_AGAIN

    def is_told(self, number: int) -> bool:
        """Whether the turn has ended, and nothing is stored any more that comes after this number."""
        if self.ended_at is None:
            return False
        # Its runner stores what it told last only for those who followed by then.
        was_followed = self.followed_until is not None and self.followed_until > self.ended_at
        return number >= self.last_event - 1 or not was_followed or self.end in _TAKEN_OVER

    @property
    def is_settled(self) -> bool:
        """Whether the turn ended so long ago that nothing is stored any more. By the clocks of two machines, so it errs towards yes."""
        return self.ended_at is not None and abs(timezone.now() - self.ended_at) >= REST

    def done(self) -> Told:
        """Its last event."""
        return dataclasses.replace(done(self.end or TurnEnd.FAILED, self.last_seq), number=self.last_event)


def end_of(turn_id: uuid.UUID) -> Told | None:
    """The last event of a turn that has ended, whoever ended it and whoever may see it; ``None`` while it runs.

    One that has no row any more has ended: nobody would ever write its end.
    """
    row = Turn.objects.using(transactions.own_alias()).select_related("conversation").filter(id=turn_id).first()
    if row is None:
        return done(TurnEnd.FAILED, 0)
    return done(row.end, row.conversation.last_seq) if row.end else None


def watched(turn_id: uuid.UUID, user_id: UserId) -> Watched:
    """This user's turn as it is now; one statement.

    Raises:
        NotFound: another's, of a hidden conversation, or none at all.
    """
    found = _seen(Turn.objects.filter(id=turn_id, conversation__user_id=user_id, conversation__hidden_at__isnull=True))
    if not found:
        raise NotFound
    return found[turn_id]


def standing(turn_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, Watched]:
    """These turns as they are now, whoever may see them; one statement."""
    return _seen(Turn.objects.filter(id__in=turn_ids))


def _seen(rows: models.QuerySet[Turn]) -> dict[uuid.UUID, Watched]:
    # Not the texts of a turn, which may be long: this is read several times a second.
    rows = rows.using(transactions.own_alias()).select_related("conversation").only(*_SEEN)
    return {
        row.id: Watched(
            id=row.id,
            conversation_id=row.conversation_id,
            user_id=row.conversation.user_id,
            end=row.end,
            last_event=row.last_event,
            last_seq=row.conversation.last_seq,
            session_ref=row.session_ref,
            lease_until=row.lease_until,
            owner=row.owner,
            created_at=row.created_at,
            ended_at=row.ended_at,
            followed_until=row.followed_until,
        )
        for row in rows
    }


_SEEN = (
    "conversation__user_id",
    "conversation__last_seq",
    "end",
    "last_event",
    "session_ref",
    "lease_until",
    "owner",
    "created_at",
    "ended_at",
    "followed_until",
)
