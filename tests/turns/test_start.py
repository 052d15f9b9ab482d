"""The start's and the hiding's order, seen from what may come in between."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.db import connection

from deskhand import conversations
from deskhand.models import Conversation, Turn
from deskhand.testing import scope_of
from deskhand.turns import events, start
from tests import make

pytestmark = pytest.mark.django_db


def test_a_turn_that_starts_while_its_conversation_is_being_hidden_is_stopped_too() -> None:
    """ME10: the start came in after the conversation was read and before it was hidden."""
    scope = scope_of(make.user(["deskhand.use_assistant"]))
    conversation = conversations.create(scope.user).id
    came: list[uuid.UUID] = []

    def comes_between(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if sql.startswith("UPDATE") and "hidden_at" in sql and not came:
            came.append(conversation)
            came.append(start.prepare(scope, conversation, start.Asked("Hello", "k")).turn_id)
        return execute(sql, *rest)

    with connection.execute_wrapper(comes_between):
        start.hide(scope, conversation)
    assert Turn.objects.get().end == "stopped"
    kept = Conversation.objects.get()
    assert (kept.running_turn, kept.hidden_at is None) == (None, False)


def test_a_feed_that_never_heard_of_its_turns_end_is_not_read_any_more() -> None:
    """TU4: whoever follows asks the database then, and is told."""
    for is_told in (True, False):
        feed = events.open_feed(uuid.uuid4(), 1, uuid.uuid4())
        if is_told:
            feed.tell(events.done("answered", 1))
        events.leave_feed(feed.turn_id)
        assert events.feed(feed.turn_id) is (feed if is_told else None)
