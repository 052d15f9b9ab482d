"""The copy of what running turns tell: whatever becomes of a tick, each event is read once."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from django.db import Error, connection

from deskhand.scope import Scope
from deskhand.turns import events
from tests import make
from tests.faults.failing import KINDS, Failing
from tests.turns.threads import begin

pytestmark = pytest.mark.django_db(transaction=True)


def opened(scope: Scope) -> events.Feed:
    """The feed of a turn that nobody runs."""
    started = begin(scope)
    return events.open_feed(started.turn_id, started.held.fence, started.held.conversation_id)


def read(feed: events.Feed) -> list[tuple[int, object]]:
    """What another process reads of it, in the two ways in which it can."""
    one = [(told.number, told.payload["text"]) for told in events.stored_after(feed.turn_id, 0)]
    many = events.stored_since({feed.turn_id: 0})
    assert [(told.number, told.payload["text"]) for told in many.get(feed.turn_id, [])] == one
    return one


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("comes_more", [False, True])
def test_a_tick_that_fails_anywhere_even_at_the_answer_to_its_commit_never_tells_an_event_twice(
    kind: str, comes_more: bool
) -> None:
    """TU4, sec_J7: nor does it keep the events of other turns from being stored."""
    if kind == "40001" and connection.vendor != "postgresql":
        pytest.skip("SQLite takes no transaction back")
    for at in itertools.count(1):
        feed, other = (opened(make.scope(["deskhand.use_assistant"])) for _ in range(2))
        feed.tell(events.Told(events.TEXT, {"text": "a"}))
        failing = Failing(at, kind)
        with failing.everywhere(), contextlib.suppress(Error):
            events.store([feed])
        connection.close()
        if comes_more:
            feed.tell(events.Told(events.TEXT, {"text": "b"}))
        other.tell(events.Told(events.TEXT, {"text": "x"}))
        events.store([feed, other])
        assert read(feed) == [(1, "a"), *([(2, "b")] if comes_more else [])], f"at {at}"
        assert read(other) == [(1, "x")], f"at {at}"
        assert events.unfinished(feed.turn_id).text == ("ab" if comes_more else "a")
        if not failing.times:
            break
    assert at > 3
