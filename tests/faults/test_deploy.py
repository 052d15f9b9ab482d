"""A deploy: the server is told to end (SIGTERM) at any point of a turn, and the next one takes its place."""

from __future__ import annotations

import os
import signal
import time
import uuid

import pytest

from deskhand import faults
from tests.faults import figures
from tests.faults.conftest import FEW_SEEDS, IS_FULL
from tests.faults.scene import QUESTION, Scene, time_of
from tests.faults.servers import Killable
from tests.flows.steps import until
from tests.provider import Provider, chunk, stream

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = [point for point in (*faults.TURN, *faults.PROPOSAL) if point != "take.held"]
FEW = ("model.writing",)


@pytest.mark.parametrize("seed", FEW_SEEDS)
@pytest.mark.parametrize("point", [point for point in POINTS if IS_FULL or point in FEW])
def test_a_deploy_at_any_point_of_a_turn_keeps_the_message_and_leaves_an_honest_end(
    killable: Killable, provider: Provider, point: str, seed: int
) -> None:
    """TU5; sec_I20: the turn is over within the grace, or ended with a notice, by this process or by the next one."""
    scene, key = Scene([killable.url], provider, killable.model), uuid.uuid4().hex
    never_ends = seed % 2 == 0 and not point.startswith("end.")
    scene.plays(last=stream(chunk({"content": "It waits "}), "hang") if never_ends else None)
    worker = killable.arm(f"{point}=stop@{time_of(point, seed)}")
    listening = scene.witness.says_and_hears(scene.conversation, QUESTION, key)
    killable.stopped(worker)
    os.killpg(killable.process.pid, signal.SIGTERM)
    os.kill(worker, signal.SIGCONT)
    killable.process.wait(30)
    began = time.monotonic()
    killable.start()
    until(scene.is_quiet, 30)
    seconds = time.monotonic() - began
    listening.join(30)
    assert not listening.is_alive()
    turn = scene.turn()
    ends = {"died", "restarted"} if never_ends else {"died", "restarted", "answered"}
    assert turn is None or turn.end in ends
    if turn is None:
        scene.plays(pause_seconds=0)
    scene.witness.hears(scene.witness.says(scene.conversation, QUESTION, key))
    scene.goes_on()
    scene.is_right()
    figures.record("deploy", point, seed, seconds)
