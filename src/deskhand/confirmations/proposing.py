"""Writes a proposal down in place of the change that the model asked for (``CO1``, ``CO2``, ``CO8``).

Nothing is changed in the host's rows. In the one transaction that stores the proposal the conversation's row is held, so that counting
what waits, looking for an equal one and giving out the number are one step, and a turn whose fence is gone proposes nothing.

Never here: a path to the function that does the change. Limits: the preview has been asked before, under a reading tool's guards.
"""

from __future__ import annotations

import dataclasses
import datetime
import uuid

from django.db import models
from django.db.models.functions import Now

from deskhand import config, conversations, faults, transactions
from deskhand.confirmations import ends, signing
from deskhand.confirmations.drawing import Drawn
from deskhand.core import phrases
from deskhand.core.values import Outcome, Role, ToolCall
from deskhand.errors import FenceLost
from deskhand.models import Confirmation, Conversation, Message
from deskhand.scope import Scope
from deskhand.tools import Tool


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """Where and under which fence a proposal is written."""

    conversation_id: uuid.UUID
    turn_id: uuid.UUID
    fence: int
    #: The assistant row that made the call.
    assistant_message_id: int
    #: Number of the person's newest message: what was rejected after it stays rejected.
    message_seq: int


@dataclasses.dataclass(frozen=True, slots=True)
class Proposed:
    """What came of the proposal."""

    outcome: Outcome
    #: What the model reads: a fixed text.
    text: str
    #: The tool row, stored.
    row: Message


def propose(place: Place, call: ToolCall, tool: Tool, words: str, scope: Scope, drawn: Drawn) -> Proposed:
    """The proposal waits for its click, or the row says why there is none. ``words``: the canonical text of the arguments.

    Raises:
        FenceLost: the turn was ended by somebody else; nothing is written.
    """
    faults.point("proposal.drawn")

    def write(alias: str) -> Proposed:
        seq = conversations.advance(place.conversation_id, 1, fence=place.fence)
        if seq is None:
            raise FenceLost
        faults.point("proposal.begun")
        outcome, told, error = _judged(alias, place, tool, words, scope)
        row = conversations.full(
            role=Role.TOOL.value,
            tool_call_id=call.id,
            tool_name=tool.name,
            tool_outcome=outcome.value,
            error=error,
            actor=scope.actor_key,
            acting_role=scope.role,
        )
        row.turn_ref = place.turn_id
        row.assistant_message_id = place.assistant_message_id
        if outcome is Outcome.NEEDS_CONFIRMATION:
            row.confirmation = _stored(alias, place, tool, words, scope, drawn)
        conversations.place(place.conversation_id, [row], seq)
        faults.point("proposal.stored")
        return Proposed(outcome, told, row)

    made = transactions.written(write)
    faults.point("proposal.committed")
    return made


def _judged(alias: str, place: Place, tool: Tool, words: str, scope: Scope) -> tuple[Outcome, str, str]:
    """Whether a card is made, what the model hears, and the reason for the journal."""
    of_conversation = Confirmation.objects.using(alias).filter(conversation_id=place.conversation_id)
    equal = of_conversation.filter(tool_name=tool.name, arguments=words)
    open_ones = of_conversation.filter(outcome__isnull=True, expires_at__gt=Now())
    # One that is being carried out is not over when its time is, and whose session it was does not matter.
    waits = models.Q(claimed_at__isnull=False) | models.Q(expires_at__gt=Now(), session_ref=scope.session_ref)
    if equal.filter(waits, outcome__isnull=True).exists():
        return Outcome.DUPLICATE, phrases.STILL_WAITING, ""
    if _is_unknown(alias, tool, words, scope):
        return Outcome.DENIED, phrases.UNKNOWN_BEFORE, "unknown"
    if _was_rejected(alias, place, equal):
        return Outcome.DENIED, phrases.REJECTED_BEFORE, "rejected"
    if open_ones.count() >= config.get().cards:
        return Outcome.DENIED, phrases.CARDS_FULL, "cards"
    return Outcome.NEEDS_CONFIRMATION, phrases.PROPOSED, ""


def _is_unknown(alias: str, tool: Tool, words: str, scope: Scope) -> bool:
    """Whether the same outside effect of this user's, in any conversation that they can look at, has still to be looked after."""
    rows = Confirmation.objects.using(alias).filter(user_id=scope.user_id, tool_name=tool.name, arguments=words)
    return rows.filter(is_unknown=True, conversation__hidden_at__isnull=True).exists()


def _was_rejected(alias: str, place: Place, equal: models.QuerySet[Confirmation]) -> bool:
    """Whether the person said no to the same since they last wrote."""
    return (
        Message.objects.using(alias)
        .filter(
            conversation_id=place.conversation_id,
            role=Role.NOTICE.value,
            tool_outcome=Outcome.REJECTED.value,
            seq__gt=place.message_seq,
            confirmation__in=equal,
        )
        .exclude(error=ends.TAKEN_BACK)
        .exists()
    )


def _stored(alias: str, place: Place, tool: Tool, words: str, scope: Scope, drawn: Drawn) -> Confirmation:
    # The database's clock: the click asks it too, and processes' clocks differ.
    now = Conversation.objects.using(alias).filter(id=place.conversation_id).values_list(Now(), flat=True).get()
    row = Confirmation(
        conversation_id=place.conversation_id,
        turn_ref=place.turn_id,
        user_id=scope.user_id,
        user_key=scope.user_key,
        actor=scope.actor_key,
        acting_role=scope.role,
        session_ref=scope.session_ref,
        tool_name=tool.name,
        arguments=words,
        is_outside=tool.is_outside,
        card=drawn.card,
        rows=drawn.rows,
        print=drawn.print,
        language=drawn.language,
        expires_at=now + datetime.timedelta(seconds=config.get().card_seconds),
    )
    row.mac = signing.sign(row)
    row.save(using=alias, force_insert=True)
    return row
