"""What an administrator has switched off is off for everybody, soon, and nobody has to guess (``OP9``)."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from deskhand import errors, switches
from deskhand.models import Message, Switch, Turn
from deskhand.turns import runner, start
from tests import make
from tests.turns.threads import begin
from tests.web.conftest import Desk, desk

pytestmark = pytest.mark.django_db

USE = "deskhand.use_assistant"
Off = Callable[[str], None]


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    switches.forget()
    yield
    switches.forget()


def send(who: Desk, conversation: str, text: str = "Hello") -> object:
    return who.client.post(
        f"/assistant/api/conversations/{conversation}/turns",
        json.dumps({"text": text, "key": uuid.uuid4().hex}),
        content_type="application/json",
        headers={"X-CSRFToken": who.csrf},
    )


def test_what_is_off_is_known_at_once_where_it_was_switched() -> None:
    """OP9"""
    assert switches.off() == frozenset()
    switches.switch_off("read_order", "ada")
    switches.switch_off("read_order", "eve")
    assert switches.off() == {"read_order"}
    assert [(row.tool, row.switched_by) for row in switches.rows()] == [("read_order", "ada")]
    assert (switches.is_off("read_order"), switches.is_off("find_orders")) == (True, False)
    switches.switch_off(switches.ASSISTANT)
    assert switches.is_off("find_orders")
    assert (switches.switch_on(switches.ASSISTANT), switches.switch_on(switches.ASSISTANT)) == (True, False)
    assert switches.off() == {"read_order"}


def test_what_another_process_switched_is_known_within_two_seconds_for_one_statement() -> None:
    """OP9"""
    now = [100.0]
    known = switches._Known(clock=lambda: now[0])
    with CaptureQueriesContext(connection) as captured:
        assert known.off() == frozenset()
        Switch.objects.create(tool="read_order")
        now[0] += switches.OLD_SECONDS - 0.01
        assert [known.off() for _ in range(50)] == [frozenset()] * 50
        now[0] += 0.01
        assert [known.off() for _ in range(50)] == [{"read_order"}] * 50
    asked = [each["sql"] for each in captured if each["sql"].startswith("SELECT")]
    assert len(asked) == 2


def test_nothing_starts_while_the_assistant_is_off_and_what_is_there_can_be_read(switch: Off) -> None:
    """OP9: 503 with a code, so that the panel keeps what was written; conversations stay."""
    who = desk()
    conversation = str(start.conversations.create(who.user).id)
    assert who.client.get("/assistant/api/state").json()["is_off"] is False
    switch(switches.ASSISTANT)
    answer = send(who, conversation)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "switched_off")
    assert (Message.objects.count(), Turn.objects.count()) == (0, 0)
    assert who.client.get("/assistant/api/state").json()["is_off"] is True
    assert who.client.get(f"/assistant/api/conversations/{conversation}/messages").status_code == 200
    switches.switch_on(switches.ASSISTANT)
    assert who.client.get("/assistant/api/state").json()["is_off"] is False
    begin(make.scope([USE]))


def test_a_tool_that_is_off_is_named_nowhere_in_the_panel_and_the_rest_goes_on(switch: Off) -> None:
    """OP9"""
    who = desk((USE, "shop.view_order"))
    before = who.client.get("/assistant/api/state").json()["tools"]
    assert "Order" in before
    switch("read_order")
    state = who.client.get("/assistant/api/state").json()
    assert (state["tools"], state["is_off"]) == ([title for title in before if title != "Order"], False)


@pytest.mark.django_db(transaction=True)
def test_where_the_switches_can_not_be_read_nothing_ever_starts(caplog: pytest.LogCaptureFixture) -> None:
    """OP9: fails closed."""
    who = desk()
    conversation = str(start.conversations.create(who.user).id)
    scope = make.scope([USE])
    try:
        rename("deskhand_switch", "elsewhere")
        with caplog.at_level(logging.ERROR, "deskhand.switches"):
            answer = send(who, conversation)
            assert answer.status_code == 503
            with pytest.raises((errors.SwitchedOff, switches.OperationalError)):
                begin(scope)
    finally:
        rename("elsewhere", "deskhand_switch")
    if connection.vendor == "postgresql":
        # SQLite calls it a fault of the database at large, which is answered as one.
        assert answer.json()["error"]["code"] == "switched_off"
        assert "can't be read" in caplog.text
    assert (Message.objects.count(), Turn.objects.count()) == (0, 0)
    assert send(who, conversation).status_code == 202
    assert runner.here().settle(20)
    runner.stop()


def rename(before: str, after: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {before} RENAME TO {after}")
