"""The fence: two threads, and every order in which their statements can meet."""

from __future__ import annotations

import itertools
import threading
import uuid
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from deskhand import conversations, transactions, usage
from deskhand.core.values import Notice, Role, TurnEnd, Usage
from deskhand.errors import Busy, FenceLost, NotFound
from deskhand.models import AIRequest, Conversation, Message, Turn
from deskhand.scope import Scope
from deskhand.testing import script
from deskhand.turns import closing, events, lock, runner, start
from tests import make
from tests.turns.threads import Worker, assert_sound, begin, between

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 200 if connection.vendor == "postgresql" else 20


@pytest.fixture
def scope() -> Scope:
    return make.scope(["deskhand.use_assistant", "shop.view_order"])


def note(text: str) -> Message:
    return conversations.full(role=Role.ASSISTANT.value, content=text, ending="complete")


def stop(turn_id: uuid.UUID) -> Callable[[], bool]:
    return lambda: closing.close(turn_id, TurnEnd.STOPPED, Notice.STOPPED)


def test_a_takeover_between_any_two_statements_of_a_step_never_lets_half_of_it_in(scope: Scope) -> None:
    """TU5, sec_J13."""
    met = set()
    for at in itertools.count():
        started = begin(scope)
        met_now = between(lambda: lock.journal(started.held, [note("late"), note("later")]), stop(started.turn_id), at)  # noqa: B023
        if met_now is None:
            closing.close(started.turn_id, TurnEnd.STOPPED, Notice.STOPPED)
            break
        step, taking = met_now
        assert taking.result is True
        assert step.error is None or isinstance(step.error, FenceLost)
        stored = [row.content for row in assert_sound(started.held.conversation_id) if row.role == "assistant"]
        assert stored == ([] if step.error else ["late", "later"])
        met.add(step.error is None)
    assert at >= 2
    # Both orders were seen: lost before the first statement, won once the row was locked.
    assert met == {True, False}


def test_an_end_and_a_takeover_at_any_statement_never_give_two_ends(scope: Scope) -> None:
    """TU4, TU5."""
    met = set()
    for at in itertools.count():
        started = begin(scope)
        call = usage.row(usage.Spender("1", turn_ref=started.turn_id), script().settings, Usage(1, None, 1), status="ok")
        met_now = between(
            lambda: lock.finish(started.held, TurnEnd.ANSWERED, [note("the answer")], [call], 3),  # noqa: B023
            stop(started.turn_id),
            at,
        )
        if met_now is None:
            break
        finishing, stopping = met_now
        assert isinstance(finishing.error, FenceLost) is stopping.result
        rows = [(row.role, row.content) for row in assert_sound(started.held.conversation_id)][1:]
        turn = Turn.objects.get(id=started.turn_id)
        if stopping.result:
            assert turn.end == TurnEnd.STOPPED
            assert [role for role, _ in rows] == ["notice"]
        else:
            assert turn.end == TurnEnd.ANSWERED
            assert rows == [("assistant", "the answer")]
            assert AIRequest.objects.filter(id=call.id).exists()
        met.add(bool(stopping.result))
    assert met == {True, False}


def test_two_who_end_the_same_turn_at_any_statement_leave_one_notice(scope: Scope) -> None:
    """TU5: two sweepers."""
    for at in itertools.count():
        started = begin(scope)
        Turn.objects.filter(id=started.turn_id).update(lease_until=timezone.now())
        met = between(closing.sweep, closing.sweep, at)
        if met is None:
            break
        assert sum(int(str(each.result)) for each in met) == 1
        assert [row.role for row in assert_sound(started.held.conversation_id)] == ["user", "notice"]
        assert Turn.objects.get(id=started.turn_id).end == TurnEnd.DIED
    assert at > 5


def test_a_lease_that_is_renewed_at_any_statement_of_a_sweep_is_kept_or_over_and_never_both(scope: Scope) -> None:
    """TU1, TU5."""
    kept = set()
    for at in itertools.count():
        started = begin(scope)
        Turn.objects.filter(id=started.turn_id).update(lease_until=timezone.now(), owner="")
        met = between(closing.sweep, lambda: lock.renew([started.turn_id]), at)  # noqa: B023
        if met is None:
            break
        sweeping, renewing = met
        assert_sound(started.held.conversation_id)
        kept.add(not sweeping.result)
        if sweeping.result:
            # Renewed too late, whatever the renewal itself could see: nothing more gets in.
            assert lock.still_running([started.turn_id]) == set()
            with pytest.raises(FenceLost):
                lock.journal(started.held, [note("late")])
        else:
            assert renewing.result == {started.turn_id}
            lock.journal(started.held, [note("still here")])
            closing.close(started.turn_id, TurnEnd.STOPPED, Notice.STOPPED)
    assert kept == {True, False}


@pytest.mark.parametrize("same_conversation", [True, False])
def test_two_starts_that_meet_at_any_statement_give_one_turn(scope: Scope, same_conversation: bool) -> None:
    """TU1, B61."""
    for at in itertools.count():
        one = conversations.create(scope.user).id
        two = one if same_conversation else conversations.create(scope.user).id
        met = between(lambda: begin(scope, one, text="one"), lambda: begin(scope, two, text="two"), at)  # noqa: B023
        if met is None:
            break
        failed = [each.error for each in met if each.error is not None]
        assert [type(error) for error in failed] == [Busy]
        assert Turn.objects.filter(ended_at__isnull=True).count() == 1
        assert sum(len(assert_sound(each)) for each in {one, two}) == 1
        closing.close(Turn.objects.get(ended_at__isnull=True).id, TurnEnd.STOPPED, Notice.STOPPED)
    assert at >= 3


@pytest.mark.parametrize("same_conversation", [True, False])
def test_two_starts_at_the_same_moment_give_one_turn(scope: Scope, same_conversation: bool) -> None:
    """TU1, B61: fifty times."""
    for _ in range(50 if connection.vendor == "postgresql" else 10):
        one = conversations.create(scope.user).id
        two = one if same_conversation else conversations.create(scope.user).id
        together = threading.Barrier(2)
        workers = [Worker(_at_once(together, scope, each, uuid.uuid4().hex)) for each in (one, two)]
        errors = [each.ended().error for each in workers]
        assert sorted(type(error).__name__ for error in errors) == ["Busy", "NoneType"]
        running = Turn.objects.get(ended_at__isnull=True)
        closing.close(running.id, TurnEnd.STOPPED, Notice.STOPPED)


def test_the_same_key_twice_at_once_is_one_turn(scope: Scope) -> None:
    """TU1, B66, B73."""
    for _ in range(50 if connection.vendor == "postgresql" else 10):
        conversation_id = conversations.create(scope.user).id
        together, key = threading.Barrier(2), uuid.uuid4().hex
        workers = [Worker(_at_once(together, scope, conversation_id, key)) for _ in range(2)]
        started = [each.ended().result for each in workers]
        assert [each.error for each in workers] == [None, None]
        assert started[0].turn_id == started[1].turn_id  # type: ignore[attr-defined]
        assert sorted(each.is_over for each in started) == [False, True]  # type: ignore[attr-defined]
        assert len(assert_sound(conversation_id)) == 1
        closing.close(started[0].turn_id, TurnEnd.STOPPED, Notice.STOPPED)  # type: ignore[attr-defined]


def _at_once(together: threading.Barrier, scope: Scope, conversation_id: uuid.UUID, key: str) -> Callable[[], object]:
    def work() -> object:
        together.wait(10)
        return begin(scope, conversation_id, key=key)

    return work


def test_two_places_of_one_user_are_both_given_to_two_starts_at_once(scope: Scope, settings: object) -> None:
    """TU1: the number of turns a user is configurable."""
    settings.DESKHAND = {"TURNS_PER_USER": 2}  # type: ignore[attr-defined]
    for at in itertools.count():
        one, two, three = (conversations.create(scope.user).id for _ in range(3))
        met = between(lambda: begin(scope, one), lambda: begin(scope, two), at)  # noqa: B023
        if met is None:
            break
        assert [each.error for each in met] == [None, None]
        with pytest.raises(Busy):
            begin(scope, three)
        for turn in Turn.objects.filter(ended_at__isnull=True):
            closing.close(turn.id, TurnEnd.STOPPED, Notice.STOPPED)


def test_a_start_that_meets_a_delete_at_any_statement_never_runs_on_unseen(scope: Scope) -> None:
    """ME10, B70."""
    for at in itertools.count():
        conversation_id = conversations.create(scope.user).id
        met = between(lambda: start.hide(scope, conversation_id), lambda: begin(scope, conversation_id), at)  # noqa: B023
        if met is None:
            break
        hiding, starting = met
        assert hiding.error is None
        assert starting.error is None or isinstance(starting.error, NotFound)
        assert Conversation.objects.get(id=conversation_id).hidden_at is not None
        assert not Turn.objects.filter(ended_at__isnull=True).exists()
        assert_sound(conversation_id)
    assert at >= 3


def test_stop_and_the_answer_at_the_same_moment_give_one_end_that_is_told_once(scope: Scope) -> None:
    """TU4, B65: two hundred times."""
    seen = set()
    conversation_id = conversations.create(scope.user).id
    try:
        for _ in range(ROUNDS):
            together = threading.Barrier(2)

            def answers(request: object, together: threading.Barrier = together) -> str:
                together.wait(10)
                return "All of it."

            started = begin(scope, conversation_id)
            runner.here().start(started.held, script(answers))
            feed = events.feed(started.turn_id)
            together.wait(10)
            closing.close(started.turn_id, TurnEnd.STOPPED, Notice.STOPPED)
            runner.cancel(started.turn_id)
            assert runner.here().settle(10)
            assert feed is not None
            seen.add(_one_end(started.turn_id, feed))
        assert_sound(conversation_id)
    finally:
        runner.stop()
    assert seen <= {TurnEnd.STOPPED, TurnEnd.ANSWERED}


def _one_end(turn_id: uuid.UUID, feed: events.Feed) -> str:
    turn = Turn.objects.get(id=turn_id)
    told = feed.after(0)
    assert [each.payload["end"] for each in told if each.kind == "done"] == [turn.end]
    assert told[-1].number == turn.last_event
    rows = conversations.of_turn(turn_id)
    said = [row.content for row in rows if row.role == "assistant"]
    streamed = "".join(str(each.payload["text"]) for each in told if each.kind == "text")
    assert said == ([streamed] if streamed else [])
    assert [row.error for row in rows if row.role == "notice"] == (["stopped"] if turn.end == TurnEnd.STOPPED else [])
    assert AIRequest.objects.filter(turn_ref=turn_id).count() <= 1
    assert Conversation.objects.get(id=turn.conversation_id).running_turn is None
    return turn.end


def test_many_who_write_to_one_conversation_leave_no_gap_in_its_numbers(scope: Scope) -> None:
    """ME2."""
    started = begin(scope)
    workers = [Worker(lambda: [lock.journal(started.held, [note("a"), note("b")]) for _ in range(5)]) for _ in range(4)]
    assert [each.ended().error for each in workers] == [None] * 4
    assert len(assert_sound(started.held.conversation_id)) == 1 + 4 * 5 * 2


@pytest.mark.parametrize("at", range(6))
def test_a_transaction_that_the_database_took_back_is_done_anew_and_once(scope: Scope, at: int) -> None:
    """sec_J9: on the k-th statement."""
    started = begin(scope)
    faults = iter([at, at + 1])

    def refused_twice() -> None:
        count, refuse_at = itertools.count(), next(faults)

        def wrapped(execute: Callable[..., object], sql: str, *rest: object) -> object:
            nonlocal count, refuse_at
            if next(count) == refuse_at:
                count, refuse_at = itertools.count(), next(faults, -1)
                raise OperationalError from _TakenBack()
            return execute(sql, *rest)

        with connection.execute_wrapper(wrapped):
            lock.finish(started.held, TurnEnd.ANSWERED, [note("once")], [], 3)

    refused_twice()
    assert [row.content for row in assert_sound(started.held.conversation_id)] == ["Hello", "once"]


class _TakenBack(Exception):
    sqlstate = "40P01"


def test_a_transaction_that_is_always_taken_back_ends_with_the_databases_word(scope: Scope) -> None:
    """sec_J9: at most five times."""
    started = begin(scope)
    tried = []

    def always(alias: str) -> None:
        tried.append(alias)
        raise OperationalError from _TakenBack()

    with pytest.raises(OperationalError):
        transactions.written(always)
    assert len(tried) == 5
    assert Turn.objects.get(id=started.turn_id).end == ""


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time: no deadlock")
def test_a_real_deadlock_costs_a_turn_nothing(scope: Scope) -> None:
    """sec_J9."""
    started = begin(scope)
    other = conversations.create(scope.user)
    here, there = threading.Event(), threading.Event()

    def against(alias: str) -> None:
        # A host's own code that locks in the other order, once.
        Conversation.objects.using(alias).filter(id=other.id).update(title="x")
        there.set()
        here.wait(10)
        Conversation.objects.using(alias).filter(id=started.held.conversation_id).update(title="y")

    def with_it(alias: str) -> None:
        conversations.append(started.held.conversation_id, [note("kept")], fence=started.held.fence)
        here.set()
        there.wait(10)
        Conversation.objects.using(alias).filter(id=other.id).update(title="z")

    workers = [Worker(lambda: transactions.written(against)), Worker(lambda: transactions.written(with_it))]
    assert [each.ended().error for each in workers] == [None, None]
    assert [row.content for row in assert_sound(started.held.conversation_id)] == ["Hello", "kept"]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_host_with_repeatable_read_never_loses_a_step_to_it(scope: Scope) -> None:
    """sec_J9: 40001 from the database itself."""
    started = begin(scope)

    def step() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        lock.journal(started.held, [note("kept")])

    rename = lambda: Conversation.objects.filter(id=started.held.conversation_id).update(title="x")  # noqa: E731
    for at in range(5):
        met = between(step, rename, at)
        if met:
            assert met[0].error is None
    assert_sound(started.held.conversation_id)
