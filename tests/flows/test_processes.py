"""Two processes of one site: one is killed, or stopped by the system, in the middle of a turn."""

from __future__ import annotations

import datetime
import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.db import connection
from django.utils import timezone

from deskhand import conversations
from deskhand.models import AIRequest, Conversation, Turn
from deskhand.scope import Scope
from deskhand.testing import script
from deskhand.turns import closing, lock, runner
from tests import make
from tests.flows.steps import until
from tests.shop.models import Customer, Order
from tests.turns.threads import assert_sound, begin

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def scope() -> Iterator[Scope]:
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))
    yield make.scope(["deskhand.use_assistant", "shop.view_order"])
    runner.stop()


class Child:
    """The other process, in the middle of its answer."""

    def __init__(self, scope: Scope, conversation: Conversation, lease_seconds: float) -> None:
        name = str(connection.settings_dict["NAME"])
        values = [name, scope.session_ref, str(scope.user_id), str(conversation.id), str(lease_seconds)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.flows.child", *values],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}", "DJANGO_SETTINGS_MODULE": "tests.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.turn_id = self.process.stdout.readline().strip()
        assert self.process.stdout.readline().strip() == "told"

    def go_on(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def end(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=10)


@pytest.fixture
def child(scope: Scope) -> Iterator[Child]:
    made = Child(scope, conversations.create(scope.user), 1)
    yield made
    made.end()


def test_a_killed_process_leaves_its_finished_steps_and_what_it_said(scope: Scope, child: Child) -> None:
    """TU5, B65, B62: known dead at once, without waiting for the lease."""
    Turn.objects.filter(id=child.turn_id).update(lease_until=timezone.now() + datetime.timedelta(hours=1))
    child.process.kill()
    child.process.wait(10)
    assert closing.sweep() == 1
    turn = Turn.objects.get(id=child.turn_id)
    rows = assert_sound(turn.conversation_id)
    assert [(row.role, row.tool_outcome or row.ending or row.error) for row in rows] == [
        ("user", ""),
        ("assistant", "complete"),
        ("tool", "ok"),
        ("assistant", "incomplete"),
        ("notice", "died"),
    ]
    assert rows[3].content == "At the "
    assert (turn.end, turn.session_ref) == ("died", "")
    assert sorted(AIRequest.objects.values_list("status", flat=True)) == ["died", "ok"]
    started = begin(scope, turn.conversation_id)
    runner.here().start(started.held, script("On we go."))
    assert runner.here().settle(10)
    assert Turn.objects.get(id=started.turn_id).end == "answered"


def test_a_stopped_process_that_wakes_up_writes_nothing_into_the_turn_that_came_after(scope: Scope, child: Child) -> None:
    """TU5, sec_J13."""
    os.kill(child.process.pid, signal.SIGSTOP)
    until(lambda: lock.lapsed(), seconds=5)
    # Stopped in the middle of a tick it holds the conversation for some seconds; a sweep passes it then and comes again.
    until(lambda: closing.sweep() == 1, seconds=30)
    conversation_id = Turn.objects.get(id=child.turn_id).conversation_id
    started = begin(scope, conversation_id)
    os.kill(child.process.pid, signal.SIGCONT)
    child.go_on()
    assert child.process.stdout is not None
    assert child.process.stdout.readline().strip() == "over"
    runner.here().start(started.held, script("The new answer."))
    assert runner.here().settle(10)
    said = [(row.role, row.content) for row in assert_sound(conversation_id) if row.role != "tool"]
    assert [text for role, text in said if role == "assistant"] == ["", "At the ", "The new answer."]
    assert Turn.objects.get(id=child.turn_id).end == "died"
    assert AIRequest.objects.filter(turn_ref=child.turn_id).count() == 2
