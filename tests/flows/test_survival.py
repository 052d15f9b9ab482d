"""Processes that stop, die, or only look on: what the others of the same site make of their turns. Real servers, real signals."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
import urllib3
from django.db import connection

from deskhand.models import Conversation, Event, Message, Turn
from tests import make
from tests.flows.conftest import USE, Model
from tests.flows.poison import WORD
from tests.flows.steps import texts, until
from tests.person import Person
from tests.provider import DONE, Provider, call, chunk, say, stream, usage
from tests.serving import Server, settings_for
from tests.shop.models import Customer, Order
from tests.turns.threads import assert_sound

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")


@pytest.fixture
def served(provider: Provider) -> Iterator[Callable[..., tuple[Server, Model]]]:
    """Makes servers, each with a model of its own; capitals are settings of ours."""
    made: list[Server] = []

    def build(make_server: Callable[..., Server], **ours: object) -> tuple[Server, Model]:
        model = Model(provider)
        made.append(make_server(settings_for(provider.base_url, model.name, **ours)))
        return made[-1], model

    yield build
    for each in made:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(each.process.pid, signal.SIGCONT)
        each.close()


def somebody(server: Server) -> Person:
    """A new person at this server."""
    person = Person(server.url, make.user([USE, "shop.view_order"]))
    person.arrive()
    return person


def stop(server: Server) -> None:
    """All its processes are paused, as by the system; not within a write, where SQLite's file would be locked (a documented limit)."""
    while True:
        os.killpg(server.process.pid, signal.SIGSTOP)
        if connection.vendor != "sqlite" or _can_write():
            return
        os.killpg(server.process.pid, signal.SIGCONT)
        time.sleep(0.05)


def _can_write() -> bool:
    with contextlib.closing(sqlite3.connect(str(connection.settings_dict["NAME"]), timeout=0.5)) as probe:
        try:
            probe.execute("BEGIN IMMEDIATE")
            probe.rollback()
        except sqlite3.OperationalError:
            return False
    return True


def test_a_paused_process_that_wakes_up_writes_nothing_into_what_went_on_without_it(
    served: Callable[..., tuple[Server, Model]],
) -> None:
    """TU5, TU1, sec_J13: its turn is ended elsewhere by a sweep that nobody asked for, a new one runs there to its end."""
    one, its_model = served(Server.uvicorn, LEASE_SECONDS=1.5)
    two, other_model = served(Server.uvicorn, LEASE_SECONDS=1.5)
    late = chunk({"content": "LATE WORDS"})
    its_model.plays(stream(chunk({"content": "Half "}), 4, late, chunk(finish="stop"), usage(10, 2), DONE))
    person = somebody(one)
    conversation = person.converse()
    turn = str(person.say(conversation, "Tell me").json["turn"])
    for _, kind, _ in person.follow(turn):
        if kind == "text":
            break
    # Somebody else's look is what makes the other process one that serves.
    somebody(two)
    until(lambda: Event.objects.filter(turn_id=turn).exists())
    stop(one)
    until(lambda: Turn.objects.filter(id=turn, end="died").exists(), seconds=30)
    elsewhere = Person(two.url, None, person.session_ref)
    elsewhere.arrive()
    other_model.plays(say("Here I am."))
    assert texts(elsewhere.hear(conversation, "Still there?")) == "Here I am."
    before = [(row.seq, row.role, row.content, row.error) for row in assert_sound(uuid.UUID(conversation))]
    os.killpg(one.process.pid, signal.SIGCONT)
    # The old thread has its chance: the model has long sent the rest, and a whole new turn runs beside it.
    assert [kind for _, kind, _ in person.poll(turn)][-1] == "done"
    its_model.plays(say("Awake again."))
    another = somebody(one)
    assert texts(another.hear(another.converse(), "You?")) == "Awake again."
    after = [(row.seq, row.role, row.content, row.error) for row in assert_sound(uuid.UUID(conversation))]
    assert after == before
    assert [row[1:] for row in after if row[1] != "tool"] == [
        ("user", "Tell me", ""),
        ("assistant", "Half ", ""),
        ("notice", after[2][2], "died"),
        ("user", "Still there?", ""),
        ("assistant", "Here I am.", ""),
    ]
    assert Turn.objects.get(id=turn).end == "died"


def test_a_dead_processs_turn_ends_by_itself_although_nobody_looks(served: Callable[..., tuple[Server, Model]]) -> None:
    """TU5: another process that has served some request, and has never run a turn, sweeps; the locks are free."""
    one, model = served(Server.gunicorn, LEASE_SECONDS=6)
    two, _ = served(Server.uvicorn, LEASE_SECONDS=6)
    somebody(two)
    model.plays(stream(chunk({"content": "Half "}), "hang"))
    person = somebody(one)
    conversation = person.converse()
    turn = str(person.say(conversation, "Tell me").json["turn"])
    one.kill()
    until(lambda: Turn.objects.filter(id=turn, end="died").exists())
    assert Conversation.objects.get(id=conversation).running_turn is None
    assert [row.error for row in assert_sound(uuid.UUID(conversation))][-1] == "died"


def test_a_message_that_kills_its_process_each_time_is_refused_after_the_third_and_others_run(
    served: Callable[..., tuple[Server, Model]],
) -> None:
    """TU5, sec_J14: each time the turn has its end, and nothing runs again by itself."""
    customer = Customer.objects.create(name="Hansen")
    Order.objects.create(number="A-1", customer=customer, note=WORD)
    Order.objects.create(number="A-2", customer=customer, note="at the gate")
    server, model = served(Server.gunicorn, REDACT="tests.flows.poison.redact")
    person, other = somebody(server), somebody(server)
    conversation = person.converse()
    last = None
    for tries in range(1, 4):
        model.plays(call(("read_order", {"number": "A-1"})))
        more = {} if last is None else {"replaces": last}
        last = int(str(_patiently(lambda: person.say(conversation, "Read A-1", **more)).json["message"]["seq"]))  # type: ignore[index]  # noqa: B023
        # gunicorn starts a new worker; whoever looks there first tells the end.
        until(lambda: _patiently(person.arrive)["running"] == [] and Turn.objects.filter(end="died").count() == tries)  # noqa: B023
        assert len(model.requests) == 1
    refused = _patiently(lambda: person.say(conversation, "Read A-1", replaces=last))
    assert (refused.status, refused.json["error"]["code"]) == (409, "crashed_too_often")  # type: ignore[index]
    assert Message.objects.filter(role="user").count() == Turn.objects.count() == 3
    model.plays(call(("read_order", {"number": "A-2"})), say("At the gate."))
    assert texts(other.hear(other.converse(), "Read A-2")) == "At the gate."
    model.plays(say("Never mind."))
    assert texts(list(person.follow(str(person.say(conversation, "Forget it", replaces=last).json["turn"])))) == "Never mind."
    assert_sound(uuid.UUID(conversation))


def _patiently(ask: Callable[[], T], seconds: float = 15) -> T:
    """The answer, once a new worker gives one."""
    limit = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except urllib3.exceptions.HTTPError:
            assert time.monotonic() < limit
            time.sleep(0.05)
