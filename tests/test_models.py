"""The constraints: each wrong state is tried by hand, and the database refuses it."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from deskhand import conversations
from deskhand.core.values import CALL_OUTCOMES, CARD_OUTCOMES, Outcome, Role
from deskhand.models import Confirmation, Conversation, Event, Message, Turn
from tests import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def chat() -> Conversation:
    return conversations.create(make.user())


def message(chat: Conversation, seq: int = 1, **fields: object) -> Message:
    return Message.objects.create(conversation=chat, seq=seq, **{"role": "user", "content": "x", **fields})


def card(chat: Conversation, **fields: object) -> Confirmation:
    given = {"tool_name": "cancel_order", "expires_at": timezone.now(), **fields}
    return Confirmation.objects.create(conversation=chat, **given)


def turn(chat: Conversation, **fields: object) -> Turn:
    given = {"client_key": uuid.uuid4().hex, "message_seq": 1, "fence": 1, "lease_until": timezone.now(), "user_id": chat.user_id}
    return Turn.objects.create(conversation=chat, **{**given, **fields})


WRONG: dict[str, Callable[[Conversation], object]] = {
    "a number twice": lambda chat: [message(chat), message(chat)],
    "number 0": lambda chat: message(chat, 0),
    "a role of no list": lambda chat: message(chat, role="system"),
    "an outcome of no list": lambda chat: message(chat, role="tool", tool_outcome="fine"),
    "an ending of no list": lambda chat: message(chat, role="assistant", ending="cut"),
    "a call without an outcome": lambda chat: message(chat, role="tool"),
    "a proposal without a card": lambda chat: message(chat, role="tool", tool_outcome="needs_confirmation"),
    "a card's end that is none": lambda chat: message(chat, role="notice", confirmation=card(chat), tool_outcome="ok"),
    "a card's end without an outcome": lambda chat: message(chat, role="notice", confirmation=card(chat)),
    "two proposals for one card": lambda chat: _two(chat, role="tool", tool_outcome="needs_confirmation"),
    "two ends of one card": lambda chat: _two(chat, role="notice", tool_outcome="confirmed"),
    "a card's outcome of no list": lambda chat: card(chat, outcome="ok", ended_at=timezone.now()),
    "a card that ended without a time": lambda chat: card(chat, outcome="confirmed"),
    "a card with a time and no end": lambda chat: card(chat, ended_at=timezone.now()),
    "two running turns in a conversation": lambda chat: [turn(chat), turn(chat, user_slot=1)],
    "two running turns in a user's place": lambda chat: [turn(chat), turn(conversations.create(chat.user))],
    "a key twice": lambda chat: [turn(chat, client_key="k", end="answered", ended_at=timezone.now()) for _ in range(2)],
    "an end of no list": lambda chat: turn(chat, end="fine", ended_at=timezone.now()),
    "an end without a time": lambda chat: turn(chat, end="answered"),
    "a time without an end": lambda chat: turn(chat, ended_at=timezone.now()),
    "an event's number twice": lambda chat: [Event.objects.create(turn=at, number=1) for at in [turn(chat)] * 2],
}


def _two(chat: Conversation, **fields: object) -> None:
    one = card(chat)
    for seq in (1, 2):
        message(chat, seq, confirmation=one, **fields)


@pytest.mark.parametrize("state", WRONG)
def test_the_database_never_takes_a_wrong_state(chat: Conversation, state: str) -> None:
    """ME2, ME4, ME5, TU1."""
    with pytest.raises(IntegrityError), transaction.atomic():
        WRONG[state](chat)


def test_the_database_takes_every_right_state(chat: Conversation) -> None:
    """ME2, ME4, ME5: roles and outcomes are those of the lists."""
    seq = 0
    for role in Role:
        if role is not Role.TOOL:
            message(chat, seq := seq + 1, role=role.value)
    for outcome in CALL_OUTCOMES:
        needs = outcome is Outcome.NEEDS_CONFIRMATION
        message(chat, seq := seq + 1, role="tool", tool_outcome=outcome.value, confirmation=card(chat) if needs else None)
    for outcome in CARD_OUTCOMES:
        message(chat, seq := seq + 1, role="notice", tool_outcome=outcome.value, confirmation=card(chat))
    for _ in range(2):
        turn(chat, end="answered", ended_at=timezone.now())
    turn(chat)
