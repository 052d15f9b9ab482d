"""A process that is stopped by the system in the middle of a click: another click decides, and nothing of the first one lands afterwards."""

from __future__ import annotations

import datetime
import os
import pathlib
import signal
import threading
import time

import pytest
from django.db import connection
from django.db.models import F

from deskhand import faults
from deskhand.confirmations import ends
from deskhand.models import Confirmation
from tests.faults import checker, figures
from tests.faults import desk as desks
from tests.faults.conftest import FEW_SEEDS, IDLE_SECONDS, IS_FULL
from tests.faults.desk import Desk
from tests.faults.servers import Killable
from tests.faults.snapshot import quiet_rows
from tests.person import Answer

pytestmark = pytest.mark.django_db(transaction=True)

IS_SQLITE = connection.vendor == "sqlite"
#: On SQLite a click holds the one place for writers from its begin to its commit.
POINTS = ("click.committed",) if IS_SQLITE else faults.CLICK
FEW = ("click.locked", "effect.returned", "click.committed")


class Click(threading.Thread):
    """A click in a thread of its own, and its answer."""

    def __init__(self, desk: Desk, card: str) -> None:
        super().__init__()
        self._desk, self._card = desk, card
        self.answer: Answer | None = None
        self.start()

    def run(self) -> None:
        self.answer = confirm(self._desk, 0, self._card)


def confirm(desk: Desk, tab: int, card: str) -> Answer:
    return desk.people[tab].ask("POST", f"cards/{card}/confirm", {})


@pytest.mark.parametrize("seed", FEW_SEEDS)
@pytest.mark.parametrize("point", [point for point in POINTS if IS_FULL or point in FEW])
def test_a_click_that_is_stopped_holds_up_the_next_one_for_a_moment_and_never_lands_after_it(
    killable: Killable, other: Killable, point: str, seed: int
) -> None:
    """CO4, CO5, CO6; sec_J13."""
    desk = Desk([killable.url, other.url])
    (card,) = desk.cards(1)
    worker = killable.arm(f"{point}=stop@1")
    first = Click(desk, card)
    killable.stopped(worker)
    try:
        began = time.monotonic()
        second = confirm(desk, 1, card)
        seconds = time.monotonic() - began
        before = quiet_rows()
    finally:
        os.kill(worker, signal.SIGCONT)
    first.join(30)
    assert (second.status, second.json["card"]["outcome"]) == (200, "confirmed"), second.raw  # type: ignore[index]
    assert seconds < IDLE_SECONDS + 15
    assert quiet_rows() == before
    assert (desks.raised(card), desks.logged(card), desks.ends(card)) == (1, 1, ["confirmed"])
    assert first.answer is not None
    assert first.answer.status in (200, 503)
    assert confirm(desk, 0, card).json["card"]["outcome"] == "confirmed"  # type: ignore[index]
    assert checker.wrong() == []
    figures.record("stop", point, seed, seconds)


@pytest.mark.parametrize("point", faults.OUTSIDE)
def test_an_outside_effect_that_is_stopped_past_its_time_is_told_as_not_known_for_ever(
    killable: Killable, other: Killable, outbox: pathlib.Path, point: str
) -> None:
    """CO7; sec_J13: it may happen after all, so its end stays what the person was told: look yourself."""
    desk = Desk([killable.url, other.url])
    card = desk.reminder(point)
    worker = killable.arm(f"{point}=stop@1")
    first = Click(desk, card)
    killable.stopped(worker)
    try:
        assert confirm(desk, 1, card).status == 409, "its process lives: it is being carried out"
        Confirmation.objects.update(claimed_at=F("claimed_at") - datetime.timedelta(seconds=ends.LOST_SECONDS + 1))
        second = confirm(desk, 1, card).json["card"]
        before = quiet_rows()
    finally:
        os.kill(worker, signal.SIGCONT)
    first.join(30)
    assert (second["outcome"], second["must_acknowledge"]) == ("failed", True)  # type: ignore[index]
    assert quiet_rows() == before
    assert first.answer is not None
    assert (first.answer.status, first.answer.json["card"]["outcome"]) == (200, "failed")  # type: ignore[index]
    assert desks.sent(outbox, card) == 1
    assert checker.wrong(outbox=outbox) == []
    figures.record("stop", point, 0, 0.0)
