"""The ends of cards: written once, with the notice that tells it, and the bringing up to date of those that lapsed.

``outcome`` is changed by one conditional ``UPDATE`` that fits an open row alone, in the transaction that writes the notice; so a final
state never changes, and none is without its notice (``ME4``, ``CO6``). A card lapses when its time is over by the database's clock, or
when its session, account or role is gone (``HI5``).

Never here: an effect. Limits: a session that ends is noticed at the next look at its cards, or by the sweep.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Iterable, Sequence

from django.db import OperationalError, models
from django.db.models.functions import Now
from django.utils import timezone

from deskhand import conversations, hooks, processes, transactions
from deskhand import scope as scopes
from deskhand.core.values import Outcome, Role
from deskhand.models import Confirmation, Message

#: An outside effect that was claimed this long ago is taken for lost even if nobody can tell whether its process lives.
LOST_SECONDS = 300
#: Kind of a rejection that nobody clicked.
TAKEN_BACK = "taken back"
#: Cards that one sweep looks at.
SWEEP_ROWS = 200


def end(
    row: Confirmation,
    outcome: Outcome,
    *,
    error: str = "",
    reason: str = "",
    results: Sequence[dict[str, object]] = (),
    is_unknown: bool = False,
    is_claimed: bool = False,
    is_expired: bool | None = None,
) -> bool:
    """The card has ended this way, and its notice says so; whether this call ended it.

    Must be called in a write transaction. A claimed card is ended only by who says that it ``is_claimed``. With ``is_expired`` it
    is left unless its time is over (or is not), by the database's clock.
    """
    rows = Confirmation.objects.using(transactions.own_alias()).filter(
        id=row.id, outcome__isnull=True, claimed_at__isnull=not is_claimed
    )
    if is_expired is not None:
        rows = rows.filter(expires_at__lte=Now()) if is_expired else rows.filter(expires_at__gt=Now())
    changed = rows.update(
        outcome=outcome.value,
        ended_at=timezone.now(),
        error=error[:100],
        reason=reason,
        results=list(results),
        is_unknown=is_unknown,
        session_ref="",
    )
    if changed:
        conversations.append(row.conversation_id, [_notice(row, outcome, error)], fence=None)
    return bool(changed)


def _notice(row: Confirmation, outcome: Outcome, error: str) -> Message:
    notice = conversations.full(
        role=Role.NOTICE.value,
        tool_name=row.tool_name,
        tool_outcome=outcome.value,
        error=error,
        actor=row.actor,
        acting_role=row.acting_role,
    )
    notice.confirmation_id = row.id
    notice.turn_ref = row.turn_ref
    return notice


def open_rows() -> models.QuerySet[Confirmation]:
    """Cards without an end, oldest first."""
    return Confirmation.objects.using(transactions.own_alias()).filter(outcome__isnull=True).order_by("created_at", "id")


def settle(conversation_id: uuid.UUID) -> int:
    """No card of this conversation reads as waiting that is not (``HI5``); how many were ended."""
    return _settle(open_rows().filter(conversation_id=conversation_id))


def settle_one(confirmation_id: uuid.UUID) -> int:
    """As :func:`settle` for this card."""
    return _settle(open_rows().filter(id=confirmation_id))


def sweep() -> int:
    """As :func:`settle` for all conversations: cards whose time is over, and outside effects whose process died."""
    late = models.Q(expires_at__lte=Now()) | models.Q(claimed_at__isnull=False)
    return _settle(open_rows().filter(late)[:SWEEP_ROWS])


def _settle(rows: Iterable[Confirmation]) -> int:
    return sum(_settled(row) for row in rows)


def _settled(row: Confirmation) -> bool:
    if row.claimed_at is not None:
        return _alone(lambda: end_if_lost(row))
    if _alone(lambda: end(row, Outcome.EXPIRED, is_expired=True)):
        return True
    found = None
    if row.user_id is not None:
        # The sweep comes here in a thread of ours, where the host's surroundings are not.
        with hooks.around(row.user_id, row.session_ref):
            found = scopes.again(row.session_ref, row.user_id)
    if found is None or found.role != row.acting_role or found.actor_key != row.actor:
        return _alone(lambda: end(row, Outcome.FAILED, error="rights"))
    return False


def _alone(work: Callable[[], bool]) -> bool:
    """This end, in a transaction of its own. Whose row somebody holds is being decided at this moment: it is left to them."""
    try:
        return transactions.written(lambda _: work(), lock_attempts=1)
    except OperationalError as fault:
        if transactions.waited_in_vain(fault):
            return False
        raise


def end_if_lost(row: Confirmation) -> bool:
    """A claimed outside effect whose process is gone has ended as not known (``CO7``); whether this call ended it.

    Must be called in a write transaction.
    """
    return _is_lost(row) and end(row, Outcome.FAILED, error="unknown", is_unknown=True, is_claimed=True)


def _is_lost(row: Confirmation) -> bool:
    assert row.claimed_at is not None
    late = timezone.now() - row.claimed_at > datetime.timedelta(seconds=LOST_SECONDS)
    return late or processes.is_dead(row.claimed_by)


def reject_open(conversation_id: uuid.UUID, *, after_seq: int = 0) -> int:
    """Cards of this conversation that wait, and stand after this message, have ended as rejected (``ME10``, ``TU9``); how many."""
    rows = open_rows().filter(conversation_id=conversation_id, claimed_at__isnull=True)
    if after_seq:
        placed = Message.objects.using(transactions.own_alias()).filter(
            conversation_id=conversation_id, role=Role.TOOL.value, seq__gt=after_seq, confirmation__isnull=False
        )
        rows = rows.filter(id__in=placed.values("confirmation_id"))
    # Not the person's no to this change: they took back the question, or the whole conversation.
    return sum(_alone(lambda row=row: end(row, Outcome.REJECTED, error=TAKEN_BACK)) for row in rows)  # type: ignore[misc]
