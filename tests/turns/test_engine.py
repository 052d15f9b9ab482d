"""Where turns run: handing over and taking up, in every order in which they can meet an end. Real workers: ``tests/flows``."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from deskhand import conversations
from deskhand.core.values import Notice, TurnEnd
from deskhand.errors import FenceLost
from deskhand.models import Conversation, Turn
from deskhand.scope import Scope
from deskhand.turns import closing, engine, lock, start
from tests import make
from tests.turns.threads import assert_sound, begin, between

pytestmark = pytest.mark.django_db(transaction=True)

on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="procrastinate needs PostgreSQL")


@pytest.fixture
def scope() -> Scope:
    return make.scope(["deskhand.use_assistant", "shop.view_order"])


@pytest.fixture
def workers(settings: object) -> None:
    settings.DESKHAND = {"ENGINE": "procrastinate"}  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        # Django's flush leaves procrastinate's tables alone.
        cursor.execute("TRUNCATE procrastinate_jobs CASCADE")


def jobs() -> list[str]:
    """Turns of all jobs."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT args->>'turn_id' FROM procrastinate_jobs ORDER BY id")
        return [row[0] for row in cursor.fetchall()]


def stop(turn_id: uuid.UUID) -> Callable[[], bool]:
    return lambda: closing.close(turn_id, TurnEnd.STOPPED, Notice.STOPPED)


def offered(scope: Scope) -> lock.Held:
    """A turn that waits for a worker."""
    held = begin(scope).held
    lock.offer(held, lambda: None)
    return held


@on_postgres
def test_a_hand_over_is_one_transaction_of_three_statements(scope: Scope, workers: None) -> None:
    """TU2, OP7: the turn is nobody's and its job is there, or neither."""
    held = begin(scope).held
    with CaptureQueriesContext(connection) as captured:
        engine.hand_over(held)
    said = [each["sql"].split("(")[0] for each in captured]
    assert [sql.split()[0] for sql in said] == ["BEGIN", "SELECT", "UPDATE", "UPDATE", "SELECT", "COMMIT"]
    row = Turn.objects.get()
    assert (row.owner, row.taken_at, row.end) == ("", None, "")
    assert jobs() == [str(held.turn_id)]


@on_postgres
def test_an_end_at_any_statement_of_a_hand_over_never_leaves_a_turn_that_waits_or_a_job_without_its_offer(
    scope: Scope, workers: None
) -> None:
    """TU4, TU5."""
    met = set()
    for at in itertools.count():
        held = begin(scope).held
        met_now = between(lambda: engine.hand_over(held), stop(held.turn_id), at)  # noqa: B023
        stop(held.turn_id)()
        if met_now is None:
            break
        handing, _ = met_now
        assert handing.error is None or isinstance(handing.error, FenceLost)
        assert (str(held.turn_id) in jobs()) == (handing.error is None)
        assert Turn.objects.get(id=held.turn_id).end == "stopped"
        assert_sound(held.conversation_id)
        met.add(handing.error is None)
    assert met == {True, False}


@on_postgres
def test_a_start_whose_job_can_not_be_deferred_ends_its_turn_and_frees_its_locks(scope: Scope, workers: None) -> None:
    """TU1, TU3: the message is kept."""
    conversation = conversations.create(scope.user).id
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE procrastinate_jobs RENAME TO procrastinate_jobs_away")
    try:
        with pytest.raises(OperationalError):
            start.start(scope, conversation, start.Asked("Hello", "k"))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE procrastinate_jobs_away RENAME TO procrastinate_jobs")
    assert Turn.objects.get().end == "failed"
    assert [row.role for row in assert_sound(conversation)] == ["user", "notice"]
    assert not start.start(scope, conversation, start.Asked("Hello", "l")).is_over


@on_postgres
def test_a_turn_that_was_stopped_while_the_hooks_ran_is_never_handed_over(scope: Scope, workers: None, settings: object) -> None:
    """TU4, PR9."""

    def stops(path: str, scope: Scope) -> str:
        stop(Turn.objects.get().id)()
        return ""

    settings.DESKHAND = {**settings.DESKHAND, "PAGE_CONTEXT": stops}  # type: ignore[attr-defined]
    conversation = conversations.create(scope.user).id
    assert start.start(scope, conversation, start.Asked("Hello", "k", "/admin/")).is_over
    assert jobs() == []
    assert Turn.objects.get().end == "stopped"


def test_of_two_that_take_a_turn_up_at_any_moment_exactly_one_has_it(scope: Scope) -> None:
    """TU5: a job that is delivered twice."""
    for at in itertools.count():
        held = offered(scope)
        met = between(lambda: lock.take_up(held.turn_id), lambda: lock.take_up(held.turn_id), at)  # noqa: B023
        if met is not None:
            results = [each.result for each in met]
            assert sorted(result is None for result in results) == [False, True]
            (taken,) = filter(None, results)
            assert isinstance(taken, lock.Held)
            assert (taken.fence, taken.turn_id, taken.is_waiting) == (held.fence, held.turn_id, False)
            assert taken.user_key == scope.user_key
        stop(held.turn_id)()
        if met is None:
            break
    assert at >= 2


def test_who_takes_a_turn_up_at_any_moment_of_its_end_writes_nothing_into_it(scope: Scope) -> None:
    """TU4, TU5."""
    for at in itertools.count():
        held = offered(scope)
        met = between(stop(held.turn_id), lambda: lock.take_up(held.turn_id), at)  # noqa: B023
        if met is None:
            break
        ending, taking = met
        assert (ending.result, ending.error, taking.error) == (True, None, None)
        assert Turn.objects.get(id=held.turn_id).end == "stopped"
        if isinstance(taking.result, lock.Held):
            with pytest.raises(FenceLost):
                lock.finish(taking.result, TurnEnd.ANSWERED, [], [], 1)
        assert Conversation.objects.get(id=held.conversation_id).running_turn is None
        assert_sound(held.conversation_id)
    assert at >= 3


def test_a_turn_that_has_ended_or_never_was_is_taken_up_by_nobody(scope: Scope) -> None:
    """TU5."""
    held = offered(scope)
    stop(held.turn_id)()
    assert lock.take_up(held.turn_id) is None
    assert lock.take_up(uuid.uuid4()) is None
    # One that runs in threads waits for nobody.
    assert lock.take_up(begin(scope).turn_id) is None


def test_a_message_that_no_worker_took_up_is_never_refused_as_one_that_crashes(scope: Scope) -> None:
    """TU5: three times in a row nobody was there, and once more it may be tried."""
    conversation, replaced = conversations.create(scope.user).id, None
    for key in ("a", "b", "c", "d"):
        started = start.prepare(scope, conversation, start.Asked("Hello", key, raw_replaces=replaced))
        lock.offer(started.held, lambda: None)
        assert closing.close(started.turn_id, TurnEnd.DIED, Notice.DIED)
        replaced = started.message.seq
    assert Turn.objects.filter(end="died").count() == 4
