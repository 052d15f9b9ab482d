"""A process that is stopped by the system in the middle of a turn, and goes on after another one has taken the turn over: nothing lands.

Two server processes over one database. One stops at a point, the other ends its turn and answers a new question in the same
conversation, then the first goes on; not a row may change by that. On PostgreSQL also at points where a transaction stands open: there the
database itself ends it (``transactions.IDLE_SECONDS``, shortened here), so that the takeover need not wait for longer. On SQLite a process that
is stopped inside a write blocks every other writer until it goes on or is killed; that is documented, so nothing is asked of it here.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
import uuid

import pytest
from django.db import connection
from django.utils import timezone

from deskhand import faults
from deskhand.models import Turn
from tests.faults import figures
from tests.faults.conftest import FEW_SEEDS, IDLE_SECONDS, IS_FULL
from tests.faults.scene import QUESTION, Scene, time_of
from tests.faults.servers import Killable
from tests.faults.snapshot import quiet_rows
from tests.faults.witness import Witness
from tests.flows.steps import texts, until
from tests.provider import Provider, say

pytestmark = pytest.mark.django_db(transaction=True)

IS_SQLITE = connection.vendor == "sqlite"
#: Inside a write transaction of a turn.
WRITING = (*faults.HELD, "proposal.begun", "proposal.stored")
POINTS = [point for point in (*faults.TURN, *faults.PROPOSAL) if point != "take.held" and not (IS_SQLITE and point in WRITING)]
#: Those that differ most from each other.
FEW = ("start.said", "model.writing", "call.answered", "proposal.stored", "start.held", "end.held")


def stopped(scene: Scene, server: Killable, what: str) -> tuple[int, threading.Thread, str]:
    """Somebody asks, and the process stops where ``what`` says: its pid, who listens, the key of the start.

    On SQLite it is let go, and another question asked, as often as another thread of it was inside a write at that moment.
    """
    for _ in range(20):
        scene.plays()
        worker = server.arm(what)
        listening = scene.witness.says_and_hears(scene.conversation, QUESTION, key := uuid.uuid4().hex)
        server.stopped(worker)
        if can_write():
            return worker, listening, key
        goes_on(worker)
        listening.join(30)
    raise AssertionError("it was inside a write each time")


def can_write() -> bool:
    """Whether the stopped process leaves the place for writers free."""
    if not IS_SQLITE:
        return True
    other = sqlite3.connect(str(connection.settings_dict["NAME"]), timeout=0.3, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return False
    finally:
        other.close()
    return True


def taken_over(scene: Scene, other: Witness) -> float:
    """The other process ends the turn of the one that is stopped, and answers the next question; after how many seconds."""
    Turn.objects.filter(ended_at__isnull=True).update(lease_until=timezone.now())
    scene.says(say("The new answer."))
    began = time.monotonic()
    until(lambda: other.says(scene.conversation, "And who are you?"), 30)
    assert texts(other.hears(next(iter(other.taken)))) == "The new answer."
    return time.monotonic() - began


def goes_on(worker: int) -> None:
    os.kill(worker, signal.SIGCONT)


@pytest.mark.parametrize("seed", FEW_SEEDS)
@pytest.mark.parametrize("point", [point for point in POINTS if IS_FULL or point in FEW])
def test_nothing_of_a_turn_that_was_taken_over_from_a_stopped_process_lands_when_it_goes_on(
    killable: Killable, other: Killable, provider: Provider, point: str, seed: int
) -> None:
    """TU1, TU5, ME1; sec_J13."""
    scene = Scene([killable.url, other.url], provider, killable.model)
    worker, listening, key = stopped(scene, killable, f"{point}=stop@{time_of(point, seed)}")
    elsewhere = Witness(scene.desk.people[1])
    try:
        seconds = taken_over(scene, elsewhere)
        before = quiet_rows()
    finally:
        goes_on(worker)
    listening.join(30)
    assert not listening.is_alive()
    is_lost = point == "start.held"
    assert scene.witness.statuses[-1] == (503 if is_lost else 202)
    assert quiet_rows() == before
    ends = [turn.end for turn in Turn.objects.order_by("message_seq")][-2:]
    assert ends == [*([] if is_lost else ["answered" if point == "end.kept" else "died"]), "answered"]
    if is_lost:
        # The key of a start that was refused is free.
        scene.plays(pause_seconds=0)
        scene.witness.hears(scene.witness.says(scene.conversation, QUESTION, key))
    scene.goes_on()
    scene.witness.told.update(elsewhere.told)
    scene.witness.taken.update(elsewhere.taken)
    scene.is_right()
    # Not much longer than the database lets a sleeping transaction live.
    assert seconds < IDLE_SECONDS + 15
    figures.record("stop", point, seed, seconds)


@pytest.mark.skipif(IS_SQLITE, reason="stopped inside a write, it blocks every other writer (documented)")
def test_a_takeover_that_is_stopped_is_taken_over_as_well(killable: Killable, other: Killable, provider: Provider) -> None:
    """TU5, sec_J13: the process that ends a dead one's turn is stopped in the middle of that."""
    scene = Scene([killable.url, other.url], provider, killable.model)
    for _ in range(20):
        scene.plays()
        first = killable.arm("model.writing=kill@3", "take.held=stop@1")
        listening = scene.witness.says_and_hears(scene.conversation, QUESTION)
        until(lambda first=first: killable.worker() not in (0, first))  # type: ignore[misc]
        # Its own follower has the turn ended, unless the other process's sweep was there first: then once more.
        worker = killable.worker()
        until(lambda worker=worker: killable.is_stopped(worker) or Turn.objects.filter(ended_at=None).count() == 0)  # type: ignore[misc]
        if killable.is_stopped(worker):
            break
        listening.join(30)
    assert killable.is_stopped(worker)
    elsewhere = Witness(scene.desk.people[1])
    try:
        seconds = taken_over(scene, elsewhere)
        before = quiet_rows()
    finally:
        goes_on(worker)
    listening.join(30)
    assert quiet_rows() == before
    scene.goes_on()
    scene.is_right()
    figures.record("stop", "take.held", 0, seconds)
