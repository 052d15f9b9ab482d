"""A process that is told to end: its turns get their grace, and each has its end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection, connections
from django.utils import timezone

from deskhand import conversations
from deskhand.core.values import ModelRequest, TurnEnd
from deskhand.models import AIRequest, Turn
from deskhand.scope import Scope
from deskhand.testing import script
from deskhand.turns import closing, events, runner
from tests import make
from tests.turns.test_runner import run
from tests.turns.threads import assert_sound, begin, in_threads, row_locked

pytestmark = pytest.mark.django_db(transaction=True)


def silent(let_go: threading.Event) -> Callable[[ModelRequest], str]:
    """A model that says nothing until it is let go."""

    def holds(request: ModelRequest) -> str:
        assert let_go.wait(10)
        return "Late."

    return holds


def test_turns_that_outlast_the_grace_end_as_restarted_as_soon_as_it_is_over_and_short_ones_are_answered(scope: Scope) -> None:
    """TU5, sec_CP20."""
    let_go, soon = threading.Event(), threading.Event()
    long, short = begin(scope), begin(make.scope(["deskhand.use_assistant"]))
    runner.here().start(long.held, script(silent(let_go)))
    runner.here().start(short.held, script(silent(soon)))
    feed = events.feed(long.turn_id)
    begun = time.monotonic()
    threading.Timer(0.2, soon.set).start()
    runner.here().drain(0.5)
    took = time.monotonic() - begun
    let_go.set()
    assert feed is not None
    assert feed.after(0)[-1].payload["end"] == "restarted"
    assert [Turn.objects.get(id=each.turn_id).end for each in (long, short)] == [TurnEnd.RESTARTED, TurnEnd.ANSWERED]
    assert [row.error for row in assert_sound(long.held.conversation_id)] == ["", "restarted"]
    assert 0.5 <= took < 0.5 + runner.END_SECONDS


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_conversation_that_somebody_has_locked_never_keeps_other_turns_from_their_end(scope: Scope) -> None:
    """TU5, sec_CP20: as long as the lock lasts, that turn alone has none."""
    let_go = threading.Event()
    stuck, other = begin(scope), begin(make.scope(["deskhand.use_assistant"]))
    with row_locked("deskhand_conversation", stuck.held.conversation_id):
        for each in (stuck, other):
            runner.here().start(each.held, script(silent(let_go)))
        runner.here().drain(0.3)
        assert [Turn.objects.get(id=each.turn_id).end for each in (stuck, other)] == ["", TurnEnd.RESTARTED]
    let_go.set()


def test_a_process_without_turns_drains_at_once(scope: Scope) -> None:
    """TU5: a deploy waits for nobody."""
    run(scope, conversations.create(scope.user).id, "Over.")
    begun = time.monotonic()
    runner.here().drain(60)
    assert time.monotonic() - begun < 5


def test_two_who_drain_at_once_both_wait_and_the_shorter_grace_counts(scope: Scope) -> None:
    """TU5, sec_CP20: the server's end and the interpreter's exit."""
    let_go, ends = threading.Event(), []
    started = begin(scope)
    runner.here().start(started.held, script(silent(let_go)))

    def drains(grace_seconds: float) -> None:
        runner.here().drain(grace_seconds)
        ends.append(Turn.objects.get(id=started.turn_id).end)
        connections.close_all()

    threads = [threading.Thread(target=drains, args=(seconds,)) for seconds in (60, 0.3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    runner.here().drain(60)
    let_go.set()
    assert ends == [TurnEnd.RESTARTED] * 2


def test_a_turn_that_comes_after_the_drain_ends_at_once_and_its_message_is_kept(scope: Scope) -> None:
    """TU5, sec_CP20: nobody would end it otherwise."""
    runner.here().drain(60)
    started = begin(scope)
    runner.here().start(started.held, script("Never said."))
    feed = events.feed(started.turn_id)
    assert feed is not None
    assert feed.after(0)[-1].payload["end"] == "restarted"
    assert [(row.role, row.error) for row in assert_sound(started.held.conversation_id)] == [
        ("user", ""),
        ("notice", "restarted"),
    ]
    assert AIRequest.objects.count() == 0


def test_a_turn_whose_hooks_are_being_asked_is_waited_for(scope: Scope) -> None:
    """TU5, sec_CP20."""
    drained = threading.Event()
    with runner.here().starting():
        threading.Thread(target=lambda: (runner.here().drain(10), drained.set())).start()
        assert not drained.wait(0.2)
        started = begin(scope)
        runner.here().start(started.held, script("In time."))
    assert drained.wait(10)
    assert Turn.objects.get(id=started.turn_id).end == TurnEnd.ANSWERED


def test_a_database_that_is_away_never_holds_up_the_end_of_the_process(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    """TU5, sec_J7, sec_CP20: neither one that refuses nor one that hangs; the next sweep of another process tells the end."""
    monkeypatch.setattr(runner, "END_SECONDS", 0.5)
    let_go, back = threading.Event(), threading.Event()

    def hangs(execute: Callable[..., object], *statement: object) -> object:
        back.wait(10)
        raise OperationalError

    def refuses(execute: Callable[..., object], *statement: object) -> object:
        raise OperationalError

    def asked(request: ModelRequest) -> str:
        is_asked.set()
        return silent(let_go)(request)

    for away in (refuses, hangs):
        started = begin(make.scope(["deskhand.use_assistant"]))
        is_asked = threading.Event()
        runner.here().start(started.held, script(asked))
        assert is_asked.wait(10)
        with in_threads("deskhand-turn", away), in_threads("deskhand-keeper", away):
            begun = time.monotonic()
            runner.here().drain(0.2)
            took = time.monotonic() - begun
            back.set()
            runner.abandon()
        assert 0.2 <= took < 5
        assert Turn.objects.get(id=started.turn_id).end == ""
        Turn.objects.filter(id=started.turn_id).update(lease_until=timezone.now())
        assert closing.sweep() == 1
        assert [row.error for row in assert_sound(started.held.conversation_id)] == ["", "died"]
    let_go.set()
