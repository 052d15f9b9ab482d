"""What a process does for turns that nobody holds, and who keeps it from it."""

from __future__ import annotations

import datetime
import threading
import time
import uuid
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.utils import timezone

from deskhand.core.values import Notice, TurnEnd
from deskhand.models import Turn
from deskhand.scope import Scope
from deskhand.testing import script
from deskhand.turns import closing, events, lock, runner
from tests import make
from tests.turns.threads import QUICK, Worker, begin, row_locked

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_process_that_has_run_no_turn_sweeps_as_well(scope: Scope, settings: object) -> None:
    """TU5: and not in its first moment, so that who only looks in starts nothing."""
    settings.DESKHAND = {**QUICK, "LEASE_SECONDS": 3}  # type: ignore[attr-defined]
    lost = begin(scope)
    Turn.objects.filter(id=lost.turn_id).update(lease_until=timezone.now())
    begun = time.monotonic()
    runner.here().keep()
    runner.here().keep()
    assert [thread.name for thread in threading.enumerate()].count("deskhand-keeper") == 1
    limit = time.monotonic() + 10
    while not Turn.objects.get(id=lost.turn_id).end and time.monotonic() < limit:
        time.sleep(0.02)
    assert time.monotonic() - begun >= 3 / 12
    assert Turn.objects.get(id=lost.turn_id).end == TurnEnd.DIED


def test_a_turn_whose_process_died_right_after_it_said_that_it_lives_has_its_end_within_the_promised_time(
    scope: Scope, settings: object
) -> None:
    """TU5, TU1: ``LEASE_SECONDS``, on another machine, where nobody can see the process."""
    settings.DESKHAND = {**QUICK, "LEASE_SECONDS": 2}  # type: ignore[attr-defined]
    runner.here().keep()
    begun = time.monotonic()
    lost = begin(scope)
    Turn.objects.filter(id=lost.turn_id).update(owner="another-machine pid:[1] 1 1")
    while not Turn.objects.get(id=lost.turn_id).end and time.monotonic() < begun + 10:
        time.sleep(0.02)
    row = Turn.objects.get(id=lost.turn_id)
    assert row.end == TurnEnd.DIED
    assert row.ended_at is not None
    # By the rows' own clock, so that a slow test machine proves as much as a fast one.
    assert row.lease_until - row.created_at <= datetime.timedelta(seconds=2 * 5 / 6 + 0.5)
    assert row.ended_at >= row.lease_until


@pytest.mark.parametrize("lease_seconds", [60, 5, 0.2])
def test_the_promise_leaves_time_for_a_sweep_and_for_renewals_that_fail(settings: object, lease_seconds: float) -> None:
    """TU1, TU5: a lease and a sweep fit into ``LEASE_SECONDS``; a lease outlasts several renewals."""
    settings.DESKHAND = {"LEASE_SECONDS": lease_seconds}  # type: ignore[attr-defined]
    now = timezone.now()
    held = (lock.lease() - now).total_seconds()
    if lease_seconds >= 5:
        assert held + lock.sweep_seconds() < lease_seconds
    assert held >= 4 * lock.renew_seconds()
    assert lock.sweep_seconds() >= lock.SWEEP_LEAST_SECONDS


def test_a_lost_turn_whose_conversation_somebody_has_locked_keeps_no_other_from_its_end(scope: Scope) -> None:
    """TU5, sec_J7."""
    stuck, other = begin(scope), begin(make.scope(["deskhand.use_assistant"]))
    Turn.objects.update(lease_until=timezone.now())

    def locked(execute: Callable[..., object], sql: str, params: object, *rest: object) -> object:
        if sql.startswith("UPDATE") and "running_turn = NULL" in sql and _names(params, stuck.turn_id):
            raise OperationalError from _Locked()
        return execute(sql, params, *rest)

    with connection.execute_wrapper(locked):
        assert closing.sweep() == 1
    assert [Turn.objects.get(id=each.turn_id).end for each in (stuck, other)] == ["", TurnEnd.DIED]
    assert closing.sweep() == 1


def _names(params: object, turn_id: uuid.UUID) -> bool:
    return turn_id in params or turn_id.hex in params  # type: ignore[operator]


class _Locked(Exception):
    sqlstate = "55P03"


def test_a_turn_whose_rows_are_gone_is_never_kept(scope: Scope) -> None:
    """TU3: somebody deleted them by hand while its thread could not write its end."""
    started = begin(scope)
    let_go = threading.Event()

    def vanishes(_: object) -> str:
        Turn.objects.filter(id=started.turn_id).delete()
        connections.close_all()
        let_go.set()
        return "Late."

    runner.here().start(started.held, script(vanishes))
    assert let_go.wait(10)
    assert runner.here().settle(10)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_turn_whose_row_somebody_has_locked_costs_no_other_its_lease_and_no_follower_its_events(scope: Scope) -> None:
    """TU1, TU4: an account that is being deleted, with all that belongs to it, in a transaction that lasts."""
    stuck, other = begin(scope), begin(make.scope(["deskhand.use_assistant"]))
    long_ago = timezone.now() - datetime.timedelta(seconds=1)
    Turn.objects.update(lease_until=long_ago)
    both = [stuck.turn_id, other.turn_id]
    with row_locked("deskhand_turn", stuck.turn_id):
        # One after the other: each passes what the other one has locked at that moment, too.
        results = []
        for work in (lambda: lock.renew(both), lambda: events.say_followed(both)):
            each = Worker(work)
            each.join(4)
            assert not each.is_alive()
            results.append(each.result)
        assert results[0] == set(both)
    rows = [Turn.objects.get(id=each) for each in both]
    assert [row.lease_until > long_ago for row in rows] == [False, True]
    assert [row.followed_until is not None for row in rows] == [False, True]
    lock.renew(both)
    assert Turn.objects.get(id=stuck.turn_id).lease_until > long_ago


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_who_could_not_end_a_turn_never_opens_its_feed_to_what_comes_after_the_end(scope: Scope) -> None:
    """TU4: a Stop holds the turn's locks while the keeper wants to end it too."""
    started = begin(scope)
    feed = events.open_feed(started.turn_id, started.held.fence, started.held.conversation_id)
    feed.tell(events.Told(events.TEXT, {"text": "kept"}))
    # It has taken the turn over, and sealed the feed.
    stops = Worker(lambda: closing.close(started.turn_id, TurnEnd.STOPPED, Notice.STOPPED), 4)
    assert stops.rests.wait(20)
    assert stops.has_paused
    with pytest.raises(OperationalError):
        closing.close(started.turn_id, TurnEnd.CAPPED, Notice.TIME, is_brief=True)
    feed.tell(events.Told(events.TEXT, {"text": "late"}))
    assert stops.ended().result is True
    told = feed.after(0)
    assert [each.payload.get("text") for each in told] == ["kept", None]
    assert told[-1].number == Turn.objects.get(id=started.turn_id).last_event


def test_a_request_in_a_test_s_own_transaction_never_starts_a_thread(scope: Scope) -> None:
    """OP8: it could see none of that test's rows, and would keep its database busy."""
    with transaction.atomic():
        runner.keep()
        assert "deskhand-keeper" not in [thread.name for thread in threading.enumerate()]
    runner.keep()
    assert "deskhand-keeper" in [thread.name for thread in threading.enumerate()]
