"""The person's decision: one effect for any number of clicks, or none, and always the true outcome (``CO4``–``CO7``).

A click names the card and nothing else. All in one transaction: the claim by a conditional ``UPDATE``, the rights as they are now, the
rows locked and the card drawn anew, the effect in a savepoint, the host's log entry, the outcome with its notice. An outside effect is
claimed and committed first and then run, with the card's id as its key; what is not known afterwards is told as not known.

All of it happens inside the host's ``AROUND_TURN``, as the proposal did: what was drawn there is compared here. And all that it reads comes
from the databases that are written (``replicas.avoided``): a replica that lags would show the card's data unchanged.

Never here: an argument from a request; a decision by a typed text (``CO9``). Limits: what the host's code does after the commit
(``transaction.on_commit``) is its own. On PostgreSQL an effect that asks the database nothing for ``transactions.IDLE_SECONDS`` loses its
transaction: nothing is changed and the card still waits; such a tool has an outside effect. A look at rows by a preview that names
neither rows nor a target is compared without a lock.
"""

from __future__ import annotations

import dataclasses
import logging
import uuid
from collections.abc import Callable
from typing import TypeVar

from django.apps import apps
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, IntegrityError, router
from django.db.models.functions import Now
from django.utils import timezone

from deskhand import faults, hooks, processes, replicas, switches, tools, transactions
from deskhand import scope as scopes
from deskhand.confirmations import drawing, effect, ends, logentry, signing
from deskhand.core import cards
from deskhand.core.values import Outcome
from deskhand.errors import CardHeld, InvalidArguments, NotFound, ToolError
from deskhand.models import Confirmation
from deskhand.scope import Scope
from deskhand.tools import Tool

logger = logging.getLogger("deskhand.confirmations")

T = TypeVar("T")


@dataclasses.dataclass(frozen=True, slots=True)
class _Ready:
    """A claimed card that may be carried out."""

    tool: Tool
    arguments: dict[str, object]
    scope: Scope
    drawn: drawing.Drawn


@dataclasses.dataclass(frozen=True, slots=True)
class _Outside:
    """A card that is claimed and has to be carried out once that is committed."""

    row: Confirmation
    ready: _Ready


@dataclasses.dataclass(frozen=True, slots=True)
class _Verdict:
    """A claimed card that may not."""

    outcome: Outcome
    error: str
    reason: str = ""


def confirm(scope: Scope, confirmation_id: uuid.UUID) -> Outcome:
    """The change is done, or the card has ended in another way; a later click gets the first one's outcome.

    Raises:
        NotFound: the card is another's, or there is none.
        CardHeld: it belongs to another session of this user, or is being carried out at this moment. It stays as it is.
    """
    with hooks.around(scope.user_id, scope.session_ref), replicas.avoided():
        try:
            decided = _decided(lambda alias: _confirmed(scope, confirmation_id, alias))
        except IntegrityError:
            # A constraint that the database looks at no sooner than at the commit: nothing of it was kept.
            decided = _decided(lambda _: _refused(scope, confirmation_id))
        faults.point("click.committed")
        return _carried_outside(decided, scope) if isinstance(decided, _Outside) else decided


def reject(scope: Scope, confirmation_id: uuid.UUID) -> Outcome:
    """The person said no. As :func:`confirm` in all else."""
    return _decided(lambda _: _rejected(scope, confirmation_id))


def acknowledge(scope: Scope, confirmation_id: uuid.UUID) -> None:
    """The person has looked whether an outside effect happened; the same may be proposed again (``CO7``).

    Raises:
        NotFound: the card is another's, or there is none.
    """
    row = _owned(scope, confirmation_id)
    Confirmation.objects.using(transactions.own_alias()).filter(id=row.id, is_unknown=True).update(is_unknown=False)


def _decided(work: Callable[[str], T]) -> T:
    try:
        # One wait for a lock: who waits longer is told that somebody is at it.
        return transactions.written(work, lock_attempts=1)
    except DatabaseError as fault:
        if transactions.waited_in_vain(fault):
            raise CardHeld("in_progress") from None
        raise


def _owned(scope: Scope, confirmation_id: uuid.UUID) -> Confirmation:
    rows = Confirmation.objects.using(transactions.own_alias())
    row = rows.filter(id=confirmation_id, user_id=scope.user_id, conversation__hidden_at__isnull=True).first()
    if row is None:
        raise NotFound
    return row


def _claim(scope: Scope, confirmation_id: uuid.UUID) -> Confirmation | None:
    """The card, which now nobody else can decide; ``None`` if it was not open to this person in this session.

    No join in its condition: Django would look the row up first and update it by its id, and PostgreSQL, having waited for another
    click's lock, would then not look at the condition again.
    """
    rows = Confirmation.objects.using(transactions.own_alias())
    claimed = rows.filter(
        id=confirmation_id,
        user_id=scope.user_id,
        session_ref=scope.session_ref,
        outcome__isnull=True,
        claimed_at__isnull=True,
        expires_at__gt=Now(),
    ).update(claimed_at=timezone.now(), claimed_by=processes.mine())
    # In a conversation that was hidden it does not exist, and the claim is undone.
    return _owned(scope, confirmation_id) if claimed else None


def _confirmed(scope: Scope, confirmation_id: uuid.UUID, alias: str) -> Outcome | _Outside:
    faults.point("click.begun")
    row = _claim(scope, confirmation_id)
    if row is None:
        return _as_it_is(scope, confirmation_id)
    faults.point("click.claimed")
    judged = _judged(row, alias)
    if isinstance(judged, _Verdict):
        ends.end(row, judged.outcome, error=judged.error, reason=judged.reason, is_claimed=True)
        return judged.outcome
    return _Outside(row, judged) if row.is_outside else _carried_out(row, judged, alias)


def _carried_out(row: Confirmation, ready: _Ready, alias: str) -> Outcome:
    done = effect.run(
        ready.tool,
        ready.arguments,
        ready.scope,
        key=str(row.id),
        language=row.language,
        using=alias,
        rows=row.rows,
        # In its savepoint: a change that the host's log can't tell of is not made.
        then=lambda: logentry.write(ready.scope, ready.drawn, alias),
    )
    faults.point("effect.kept")
    outcome = Outcome.CONFIRMED if done.is_done else Outcome.FAILED
    ends.end(row, outcome, error=done.error, reason=done.reason, results=done.results, is_claimed=True)
    faults.point("click.ended")
    return outcome


def _refused(scope: Scope, confirmation_id: uuid.UUID) -> Outcome:
    """The end of a card whose effect was undone at the commit."""
    row = _owned(scope, confirmation_id)
    if row.session_ref == scope.session_ref and ends.end(row, Outcome.FAILED, error=IntegrityError.__name__):
        return Outcome.FAILED
    return _as_it_is(scope, confirmation_id)


def _carried_outside(claimed: _Outside, scope: Scope) -> Outcome:
    """Run what was claimed and committed; never again, whatever comes (``CO7``)."""
    row, ready = claimed.row, claimed.ready
    faults.point("outside.claimed")
    # Another click is answered while this one runs, so no connection is held for it.
    transactions.release()
    faults.point("outside.begun")
    done = effect.run(ready.tool, ready.arguments, ready.scope, key=str(row.id), language=row.language, using=None)
    faults.point("outside.returned")
    outcome = Outcome.CONFIRMED if done.is_done else Outcome.FAILED
    # What the function itself reports as not done is known; anything else it raised may have come after the effect.
    is_unknown = not done.is_done and done.error not in ("ToolError", "ValidationError")

    def told(_: str) -> Outcome:
        is_told = ends.end(
            row,
            outcome,
            error=done.error,
            reason=done.reason,
            results=done.results,
            is_unknown=is_unknown,
            is_claimed=True,
        )
        # It took so long that it was taken for lost: that stands.
        return outcome if is_told else _as_it_is(scope, row.id)

    return transactions.written(told)


def _rejected(scope: Scope, confirmation_id: uuid.UUID) -> Outcome:
    row = _owned(scope, confirmation_id)
    if row.session_ref == scope.session_ref and ends.end(row, Outcome.REJECTED, is_expired=False):
        return Outcome.REJECTED
    return _as_it_is(scope, confirmation_id)


def _as_it_is(scope: Scope, confirmation_id: uuid.UUID) -> Outcome:
    """Why a click could not claim the card: the first of ``CO6`` that applies."""
    row = _owned(scope, confirmation_id)
    if row.outcome is not None:
        return Outcome(row.outcome)
    if row.claimed_at is not None:
        if ends.end_if_lost(row):
            return Outcome.FAILED
        raise CardHeld("in_progress")
    if row.session_ref != scope.session_ref:
        raise CardHeld("other_session")
    if ends.end(row, Outcome.EXPIRED, is_expired=True):
        return Outcome.EXPIRED
    # Somebody decided it between the two looks.
    row.refresh_from_db(using=transactions.own_alias())
    if row.outcome is None:
        raise CardHeld("in_progress")
    return Outcome(row.outcome)


def _judged(row: Confirmation, alias: str) -> _Ready | _Verdict:
    """Whether a claimed card may be carried out, in ``CO6``'s order."""
    if not signing.is_genuine(row):
        return _Verdict(Outcome.FAILED, "signature")
    scope = scopes.again(row.session_ref, row.user_id)
    if scope is None or scope.role != row.acting_role or scope.actor_key != row.actor or not scope.may(scopes.USE):
        return _Verdict(Outcome.FAILED, "rights")
    tool = tools.registry().by_name(row.tool_name)
    if tool is None or not tool.writes or tool.is_outside != row.is_outside or not scope.may(tool.permission):
        return _Verdict(Outcome.FAILED, "rights")
    if switches.is_off_now(tool.name):
        return _Verdict(Outcome.FAILED, "off")
    try:
        arguments = tools.arguments(tool, row.arguments)
    except InvalidArguments:
        return _Verdict(Outcome.FAILED, "arguments")
    faults.point("click.asked")
    if not _locked(row, alias):
        return _Verdict(Outcome.CHANGED, "")
    faults.point("click.locked")
    return _compared(row, tool, arguments, scope)


def _compared(row: Confirmation, tool: Tool, arguments: dict[str, object], scope: Scope) -> _Ready | _Verdict:
    try:
        with transactions.reading(tools.seconds_of(tool)):
            drawn = drawing.draw(tool, arguments, scope, row.language)
    except Exception as fault:
        if transactions.was_taken_back(fault):
            raise
        logger.warning("preview of %s failed at the click: %s", tool.name, type(fault).__name__)
        reason = cards.visible(fault.message) if isinstance(fault, ToolError) else ""
        # It could be drawn before: if a row is missing, what it was drawn from is not there any more.
        is_gone = isinstance(fault, ToolError | ObjectDoesNotExist)
        return _Verdict(Outcome.CHANGED if is_gone else Outcome.FAILED, type(fault).__name__, reason)
    if tool.per_object and (drawn.target is None or not scope.may(tool.permission, drawn.target)):
        return _Verdict(Outcome.FAILED, "rights")
    if drawn.print != row.print or (not row.print and drawn.card != row.card):
        return _Verdict(Outcome.CHANGED, "")
    faults.point("click.compared")
    return _Ready(tool, arguments, scope, drawn)


def _locked(row: Confirmation, alias: str) -> bool:
    """Whether all rows of the print are still there; they are locked until the end of the transaction, in the stored order."""
    for label, key in row.rows:
        try:
            model = apps.get_model(label)
        except LookupError:
            return False
        if router.db_for_write(model) != alias:
            # A lock on another database proves nothing here; such a tool has an outside effect and is compared alone.
            if not row.is_outside:
                return False
            continue
        # The row itself and not whether there is one: of a model that inherits, each table's row is locked.
        if not model._base_manager.using(alias).select_for_update().filter(pk=drawing.key_of(key)).first():
            return False
    return True
