"""A process that is killed at any point of a turn: the message is kept, the turn has its end, and the person can go on."""

from __future__ import annotations

import os
import random
import signal
import time
import uuid

import pytest

from deskhand import faults
from deskhand.models import Confirmation, Message
from tests.faults import figures
from tests.faults.conftest import SEEDS
from tests.faults.scene import QUESTION, Scene, time_of
from tests.faults.servers import Killable
from tests.flows.steps import until
from tests.provider import Provider, Reply
from tests.serving import SHORT

pytestmark = pytest.mark.django_db(transaction=True)

LEASE_SECONDS = float(str(SHORT["LEASE_SECONDS"]))
#: At which a start has not been answered.
UNANSWERED = ("start.held", "start.kept", "start.said")
#: At which the turn's end is in the database.
OVER = ("end.kept",)


def dies(scene: Scene, server: Killable, worker: int, key: str) -> float:
    """The person asks, the process dies, and after so many seconds the next one tells that the turn is over."""
    listening = scene.witness.says_and_hears(scene.conversation, QUESTION, key)
    seen = server.died(worker)
    until(scene.is_quiet, 30)
    seconds = time.monotonic() - seen
    listening.join(30)
    assert not listening.is_alive()
    return seconds


def same_message_again(scene: Scene, key: str) -> None:
    """The browser sends again what was not answered, under the same key: it is one message."""
    if scene.turn() is None:
        scene.plays(pause_seconds=0)
    scene.witness.hears(scene.witness.says(scene.conversation, QUESTION, key))
    assert Message.objects.filter(role="user").count() == 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("point", [point for point in (*faults.TURN, *faults.PROPOSAL) if point != "take.held"])
def test_a_turn_whose_process_dies_has_an_end_and_its_question_can_be_asked_again(
    killable: Killable, provider: Provider, point: str, seed: int
) -> None:
    """TU3, TU5, CO2, ME1, ME4, ME5, B62, B65, B66; sec_I1, sec_I2, sec_I4, sec_I5, sec_I6, sec_I7, sec_I8, sec_I9, sec_I10."""
    scene, key = Scene([killable.url], provider, killable.model), uuid.uuid4().hex
    scene.plays()
    seconds = dies(scene, killable, killable.arm(f"{point}=kill@{time_of(point, seed)}"), key)
    assert seconds < LEASE_SECONDS
    turn = scene.turn()
    assert (None if turn is None else turn.end) == (None if point == "start.held" else "answered" if point in OVER else "died")
    assert not (point in UNANSWERED and scene.witness.taken)
    if point in faults.PROPOSAL:
        # A whole card or none.
        assert Confirmation.objects.count() == (point == "proposal.committed")
    same_message_again(scene, key)
    scene.goes_on()
    scene.is_right()
    figures.record("kill", point, seed, seconds)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_ends_the_turn_of_a_dead_process_may_die_as_well(killable: Killable, provider: Provider, seed: int) -> None:
    """TU5: the next one that looks ends it."""
    scene, key = Scene([killable.url], provider, killable.model), uuid.uuid4().hex
    scene.plays()
    first = killable.arm(f"model.writing=kill@{time_of('model.writing', seed)}", "take.held=kill")
    seconds = dies(scene, killable, first, key)
    assert "take.held" not in killable.plan.read_text()
    scene.goes_on()
    scene.is_right()
    figures.record("kill", "take.held", seed, seconds)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_process_that_dies_while_the_model_says_nothing_leaves_an_end(
    killable: Killable, provider: Provider, seed: int
) -> None:
    """TU5; sec_I3: the request is sent, nothing has come."""
    scene, key = Scene([killable.url], provider, killable.model), uuid.uuid4().hex
    scene.says(Reply(wait_seconds=-1))
    worker = killable.arm("")
    listening = scene.witness.says_and_hears(scene.conversation, QUESTION, key)
    provider.wait_for(killable.model, 1, seconds=10)
    os.kill(worker, signal.SIGKILL)
    seen = killable.died(worker)
    until(scene.is_quiet, 30)
    seconds = time.monotonic() - seen
    listening.join(30)
    scene.goes_on()
    scene.is_right()
    figures.record("kill", "model silent", seed, seconds)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_process_that_dies_at_any_moment_leaves_everything_right(killable: Killable, provider: Provider, seed: int) -> None:
    """TU5, B62: a kill from outside, after a time that the seed draws."""
    scene, key = Scene([killable.url], provider, killable.model), uuid.uuid4().hex
    scene.plays()
    worker = killable.arm("")
    listening = scene.witness.says_and_hears(scene.conversation, QUESTION, key)
    time.sleep(random.Random(seed).uniform(0, 0.7))
    os.kill(worker, signal.SIGKILL)
    seen = killable.died(worker)
    until(scene.is_quiet, 30)
    seconds = time.monotonic() - seen
    listening.join(30)
    same_message_again(scene, key)
    scene.goes_on()
    scene.is_right()
    figures.record("kill", "any moment", seed, seconds)
