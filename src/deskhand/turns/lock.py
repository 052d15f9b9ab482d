"""One turn at a time for a conversation and for a user: rows with a lease and a fence.

The conversation's row is the lock: claiming it sets ``running_turn`` and raises ``fence`` in one conditional ``UPDATE``, which gives out
the number of the person's message as well. The user's place is a unique constraint over the turns that run. Each later transaction of
the turn begins with ``UPDATE … WHERE fence = ?``, so a turn that was ended by somebody else, however long its process slept, writes
nothing more. Every transaction takes the conversation's row first and the turn's second, so that none waits for another in a circle.

Never here: a lock in memory; a question of rights. Limits: a process that dies keeps its locks until its lease runs out, or until
somebody on the same machine sees that it is dead.
"""

from __future__ import annotations

import dataclasses
import datetime
import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from django.db import IntegrityError, connections, models
from django.utils import timezone

from deskhand import config, conversations, faults, processes, transactions, usage
from deskhand.core.values import TurnEnd, UserId
from deskhand.errors import Busy, FenceLost, NotAllowed, NotFound
from deskhand.models import AIRequest, Confirmation, Conversation, Message, Turn, UserSettings
from deskhand.scope import Scope
from deskhand.turns import bell

if TYPE_CHECKING:
    from deskhand.turns.events import Watched


@dataclasses.dataclass(frozen=True, slots=True)
class Held:
    """A turn and the fence under which it may write."""

    turn_id: uuid.UUID
    conversation_id: uuid.UUID
    fence: int
    #: ``None``: the account is gone.
    user_id: UserId | None
    user_key: str
    session_ref: str
    actor: str
    acting_role: str
    locale: str
    #: Number of the person's message.
    message_seq: int
    #: Whether it waits for a worker that takes it up.
    is_waiting: bool = False


def held(turn: Turn, user_key: str) -> Held:
    """What a turn's row says of its lock."""
    return Held(
        turn_id=turn.id,
        conversation_id=turn.conversation_id,
        fence=turn.fence,
        user_id=turn.user_id,
        user_key=user_key,
        session_ref=turn.session_ref,
        actor=turn.actor,
        acting_role=turn.acting_role,
        locale=turn.locale,
        message_seq=turn.message_seq,
        is_waiting=not turn.owner,
    )


# --- taking --------------------------------------------------------------------------------------------------------------------


def claim(turn: Turn, message: Message, scope: Scope, *, title: str) -> bool:
    """Conversation and user are held by this turn, and the person's message is stored: one transaction, three statements.

    The conversation that has no title gets this one. Gives whether cards without an end are in it.

    Raises:
        NotFound: the conversation is not this user's, hidden, or none at all.
        NotAllowed: the admin turned the assistant off for this user.
        Busy: the conversation, or the user, has a running turn.
    """

    def take(alias: str) -> bool:
        row = _take_conversation(turn, scope, title)
        if row is None:
            raise _Taken
        faults.point("start.held")
        turn.message_seq, turn.fence, has_open_cards = row
        turn.user_slot = _free_slot(alias, scope)
        turn.save(using=alias, force_insert=True)
        message.turn_ref = turn.id
        conversations.place(turn.conversation_id, [message], turn.message_seq)
        return has_open_cards

    for left in range(config.get().turns_per_user, 0, -1):
        try:
            return transactions.written(take)
        except _Taken:
            break
        except IntegrityError:
            # The place that was free a moment ago was taken meanwhile. With several places, another one may be free.
            if left == 1:
                break
    raise _why(turn.conversation_id, scope)


class _Taken(Exception):
    """The conversation's row did not fit the claim."""


def _take_conversation(turn: Turn, scope: Scope, title: str) -> tuple[int, int, bool] | None:
    connection = connections[transactions.own_alias()]
    off, cards, own = (connection.ops.quote_name(each._meta.db_table) for each in (UserSettings, Confirmation, Conversation))
    row = conversations.update_returning(
        [
            "running_turn = %s",
            "fence = fence + 1",
            "last_seq = last_seq + 1",
            "active_at = %s",
            "title = CASE WHEN title = '' THEN %s ELSE title END",
        ],
        [turn.id, timezone.now(), title],
        [
            ("id = %s", turn.conversation_id),
            ("user_id = %s", scope.user_id),
            ("hidden_at IS NULL", None),
            ("running_turn IS NULL", None),
            (f"NOT EXISTS (SELECT 1 FROM {off} WHERE user_id = %s AND is_off)", scope.user_id),  # noqa: S608
        ],
        f"last_seq, fence, EXISTS (SELECT 1 FROM {cards} WHERE conversation_id = {own}.id AND outcome IS NULL)",  # noqa: S608
    )
    return None if row is None else (int(str(row[0])), int(str(row[1])), bool(row[2]))


def _free_slot(alias: str, scope: Scope) -> int:
    places = config.get().turns_per_user
    if places == 1:
        return 0
    running = Turn.objects.using(alias).filter(user_id=scope.user_id, ended_at__isnull=True)
    taken = set(running.values_list("user_slot", flat=True))
    free = [slot for slot in range(places) if slot not in taken]
    if not free:
        raise _Taken
    return free[0]


def _why(conversation_id: uuid.UUID, scope: Scope) -> Exception:
    try:
        conversation = conversations.owned(scope.user, conversation_id)
    except NotFound as missing:
        return missing
    if UserSettings.objects.using(transactions.own_alias()).filter(user_id=scope.user_id, is_off=True).exists():
        return NotAllowed()
    return Busy("conversation" if conversation.running_turn else "user")


def same_start(conversation_id: uuid.UUID, client_key: str, scope: Scope) -> Turn | None:
    """The turn that this user started here with this key already, if there is one."""
    rows = Turn.objects.using(transactions.own_alias()).select_related("conversation")
    return rows.filter(
        conversation_id=conversation_id,
        client_key=client_key,
        conversation__user_id=scope.user_id,
        conversation__hidden_at__isnull=True,
    ).first()


def load(turn_id: uuid.UUID) -> Turn | None:
    """The turn's row with its conversation and the user's settings, if the turn still runs; one statement."""
    rows = Turn.objects.using(transactions.own_alias()).select_related("conversation", "user", "user__deskhand_settings")
    return rows.filter(id=turn_id, ended_at__isnull=True).first()


def said(held: Held, **columns: str) -> None:
    """What the host's hooks said stands on the turn's row.

    Raises:
        FenceLost: the turn was ended while they ran.
    """

    def store(alias: str) -> None:
        if conversations.advance(held.conversation_id, 0, fence=held.fence) is None:
            raise FenceLost
        Turn.objects.using(alias).filter(id=held.turn_id).update(**columns)

    transactions.written(store)


def have_died(turn_ids: Sequence[uuid.UUID | None]) -> bool:
    """Whether each of these turns ended because the process that ran it died. One statement.

    Not one that waited in vain for a process to run it, and not one of which nothing is known any more.
    """
    known = [turn_id for turn_id in turn_ids if turn_id is not None]
    rows = Turn.objects.using(transactions.own_alias()).filter(id__in=known, end=TurnEnd.DIED.value).exclude(owner="")
    return rows.count() == len(turn_ids)


# --- from one process to another -----------------------------------------------------------------------------------------------


def offer(held: Held, also: Callable[[], object]) -> None:
    """The turn is nobody's and waits, for one lease, to be taken up; ``also`` was done in the same transaction, maybe more than once.

    Raises:
        FenceLost: the turn was ended in the meantime; nothing is written.
    """

    def store(alias: str) -> None:
        if conversations.advance(held.conversation_id, 0, fence=held.fence) is None:
            raise FenceLost
        Turn.objects.using(alias).filter(id=held.turn_id).update(owner="", taken_at=None, lease_until=lease())
        also()

    transactions.written(store)


def take_up(turn_id: uuid.UUID) -> Held | None:
    """A turn that waits is this process's, for a lease; ``None``: another one has taken it up, or it has ended. Two statements.

    The first is a transaction of its own on the turn's row alone, so whoever ends the turn at the same moment waits for nothing.
    """
    alias = transactions.own_alias()
    waiting = Turn.objects.using(alias).filter(id=turn_id, owner="", ended_at__isnull=True)
    if not waiting.update(owner=processes.mine(), taken_at=timezone.now(), lease_until=lease()):
        return None
    turn = load(turn_id)
    return None if turn is None else held(turn, turn.conversation.user_key)


# --- writing under the lock ----------------------------------------------------------------------------------------------------


def journal(held: Held, messages: Sequence[Message]) -> None:
    """These messages of the turn are stored: two statements.

    Raises:
        FenceLost: the turn is not this one's any more; nothing is written.
    """
    _signed(held, messages)
    transactions.written(lambda _: conversations.append(held.conversation_id, messages, fence=held.fence))


def finish(held: Held, end: TurnEnd, messages: Sequence[Message], calls: Sequence[AIRequest], last_event: int) -> int:
    """The turn has ended this way, with these last messages and all its model calls; the locks are free. Gives the newest number.

    Raises:
        FenceLost: somebody else ended it; nothing is written.
    """
    return transactions.written(lambda _: ended(held, end, messages, calls, last_event))


def take_over(turn_id: uuid.UUID, *, only_lapsed: bool) -> Held | None:
    """The turn's locks are the caller's until its transaction ends: nothing of the old runner can be stored after this.

    Must be called in a write transaction, which must also :func:`ended` it. ``None``: it has ended already, or (``only_lapsed``) it
    still lives.
    """
    alias = transactions.own_alias()
    turn = Turn.objects.using(alias).select_related("conversation").filter(id=turn_id, ended_at__isnull=True).first()
    if turn is None:
        return None
    row = conversations.update_returning(
        ["fence = fence + 1", "running_turn = NULL"],
        [],
        [("id = %s", turn.conversation_id), ("fence = %s", turn.fence), ("running_turn = %s", turn.id)],
        "fence",
    )
    if row is None:
        return None
    faults.point("take.held")
    if only_lapsed:
        turn.refresh_from_db(using=alias, fields=["lease_until", "owner"])
        if not is_lapsed(turn):
            raise StillAlive
    return dataclasses.replace(held(turn, turn.conversation.user_key), fence=int(str(row[0])))


class StillAlive(Exception):
    """The turn renewed its lease in the meantime; the takeover's transaction must be undone."""


def ended(held: Held, end: TurnEnd, messages: Sequence[Message], calls: Sequence[AIRequest], last_event: int) -> int:
    """As :func:`finish`, in the caller's transaction: for one that has taken the turn over.

    Raises:
        FenceLost: as there.
    """
    alias = transactions.own_alias()
    _signed(held, messages)
    last_seq = conversations.advance(held.conversation_id, len(messages), fence=held.fence, free=True)
    if last_seq is None:
        raise FenceLost
    faults.point("end.held")
    _end(alias, held.turn_id, end, last_event)
    usage.save(calls)
    if messages:
        conversations.place(held.conversation_id, messages, last_seq - len(messages) + 1)
    return last_seq


def _end(alias: str, turn_id: uuid.UUID, end: TurnEnd, last_event: int) -> None:
    # What only the starting process knew goes with the turn.
    Turn.objects.using(alias).filter(id=turn_id).update(
        ended_at=timezone.now(),
        end=end.value,
        last_event=last_event,
        session_ref="",
        page="",
        page_text="",
        addendum="",
    )
    if bell.is_wanted(alias):
        followed = Turn.objects.using(alias).filter(id=turn_id, followed_until__gt=timezone.now())
        bell.ring(alias, list(followed.values_list("id", flat=True)))


def _signed(held: Held, messages: Sequence[Message]) -> None:
    for message in messages:
        message.turn_ref = held.turn_id
        message.actor = held.actor
        message.acting_role = held.acting_role


# --- the lease -----------------------------------------------------------------------------------------------------------------


# ``LEASE_SECONDS`` is a promise: within that time a turn whose process died has its end, if any process runs. So a lease is written for less
# than it, and the sweep that finds it over comes often enough. A renewal may fail a few times before a living process loses its turns.
_HELD, _RENEWED, _SWEPT = 5 / 6, 1 / 6, 1 / 12
#: A sweep comes no more often than this, however short the lease.
SWEEP_LEAST_SECONDS = 0.1


def lease() -> datetime.datetime:
    """Until when a turn is held that is renewed now. By this machine's clock: those of all machines have to agree within a second or two."""
    return timezone.now() + datetime.timedelta(seconds=config.get().lease_seconds * _HELD)


def renew_seconds() -> float:
    """How often a lease is renewed."""
    return config.get().lease_seconds * _RENEWED


def sweep_seconds() -> float:
    """How often a process looks for turns that nobody holds."""
    return max(config.get().lease_seconds * _SWEPT, SWEEP_LEAST_SECONDS)


def renew(turn_ids: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    """These turns are held for another lease; gives those that still run and whose fence is still theirs. Three statements.

    One whose row somebody has locked is left as it is until the next renewal, and costs no other its lease.
    """
    with transactions.writing() as alias:
        rows = Turn.objects.using(alias).filter(id__in=turn_ids, ended_at__isnull=True)
        transactions.unlocked(rows).update(lease_until=lease())
    return still_running(turn_ids)


def still_running(turn_ids: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these turns that nobody has ended. One statement."""
    rows = Turn.objects.using(transactions.own_alias()).filter(id__in=turn_ids, ended_at__isnull=True)
    return set(rows.filter(conversation__running_turn=models.F("id")).values_list("id", flat=True))


def is_lapsed(turn: Turn | Watched) -> bool:
    """Whether nobody holds it: its lease is over, or its process is dead."""
    return turn.lease_until <= timezone.now() or processes.is_dead(turn.owner)


def lapsed(*, user_id: UserId | None = None, conversation_id: uuid.UUID | None = None) -> list[uuid.UUID]:
    """Turns that nobody holds: all, or those that keep this user or conversation busy."""
    rows = Turn.objects.using(transactions.own_alias()).filter(ended_at__isnull=True)
    if user_id is not None:
        rows = rows.filter(models.Q(user_id=user_id) | models.Q(conversation_id=conversation_id))
    return [turn.id for turn in rows.only("id", "lease_until", "owner") if is_lapsed(turn)]


def running(user_id: UserId) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """This user's turns that run: turn and conversation."""
    rows = Turn.objects.using(transactions.own_alias()).filter(user_id=user_id, ended_at__isnull=True)
    return list(rows.values_list("id", "conversation_id"))
