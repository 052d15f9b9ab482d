"""The kill switch in a turn that runs: wherever it is at that moment, it ends soon and says why; a tool that is off is as if it were not
there (``OP9``).

``switches.switch_off`` in this process is known at once, a row alone is what another process wrote.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest

from deskhand import conversations, switches
from deskhand.confirmations import clicking, reading
from deskhand.core import phrases
from deskhand.core.values import ModelRequest, Notice, Outcome, TextDelta, TurnEnd
from deskhand.models import Message, Switch, Turn
from deskhand.scope import Scope
from deskhand.testing import ToolCall, run_turn, scope_of, script
from deskhand.turns import runner
from tests import make
from tests.confirmations.case import MAY, Case
from tests.shop.models import Customer, Order
from tests.turns.threads import QUICK, At, assert_sound, begin, in_threads

USE = "deskhand.use_assistant"
READ = ToolCall("c1", "read_order", '{"number": "A-1"}')


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    switches.forget()
    yield
    switches.forget()


def order() -> Order:
    return Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))


@pytest.mark.django_db
def test_a_tool_that_is_off_is_not_offered_and_a_call_to_it_is_answered_as_to_one_that_does_not_exist() -> None:
    """OP9, TO3: the journal knows the difference."""
    order()
    switches.switch_off("read_order")
    ran = run_turn(make.user([USE, "shop.view_order"]), "A-1?", script([READ, ToolCall("c2", "nothing", "{}")], "I can't."))
    assert [tool.name for tool in ran.requests[0].tools] == ["find_orders"]
    assert ran.outcomes == [Outcome.DENIED, Outcome.UNKNOWN]
    assert ran.requests[1].rounds[0].results == (phrases.UNKNOWN_TOOL, phrases.UNKNOWN_TOOL)
    assert [row.error for row in ran.messages if row.role == "tool"] == ["off", ""]


@pytest.mark.django_db
def test_a_tool_that_goes_off_between_two_rounds_is_withdrawn_with_what_it_found() -> None:
    """OP9: as where the right to it is gone (SC2)."""
    order()
    user = make.user([USE, "shop.view_order"])

    def calls_once_more(request: ModelRequest) -> ToolCall:
        switches.switch_off("read_order")
        return ToolCall("c2", "find_orders", "{}")

    ran = run_turn(user, "A-1?", script(READ, calls_once_more, "Done."))
    assert ran.outcomes == [Outcome.OK, Outcome.OK]
    assert "Hansen" not in repr(ran.requests[2])
    assert ran.requests[2].rounds[0].results == (phrases.UNKNOWN_TOOL,)
    assert [tool.name for tool in ran.requests[2].tools] == ["find_orders"]


@pytest.mark.django_db
def test_between_two_rounds_the_turn_ends_and_the_model_is_never_asked_again() -> None:
    """OP9, ME5"""
    order()

    def asks(request: ModelRequest) -> ToolCall:
        switches.switch_off(switches.ASSISTANT)
        return READ

    model = script(asks, "never said")
    ran = run_turn(make.user([USE, "shop.view_order"]), "A-1?", model)
    assert (len(model.requests), ran.outcomes, ran.notices) == (1, [Outcome.DENIED], [Notice.OFF])
    assert Turn.objects.get().end == TurnEnd.REFUSED


@pytest.mark.django_db
def test_a_writing_tool_that_is_off_proposes_nothing_and_its_waiting_card_never_acts() -> None:
    """OP9, CO4, CO6: asked in the click's own transaction, and final."""
    case = Case(make.user(MAY))
    card = case.propose()
    # Written by another process a moment ago: what this one knows says that it is on.
    assert switches.off() == frozenset()
    Switch.objects.create(tool="set_credit_limit")
    assert switches.off() == frozenset()
    assert case.click(card) is Outcome.FAILED
    assert (case.limit, case.endings(card)) == (100, ["failed"])
    shown = case.shown(card)
    assert "administrator" in str(shown["reason"])
    card.refresh_from_db()
    assert card.error == "off"
    switches.switch_on("set_credit_limit")
    assert case.click(card) is Outcome.FAILED
    switches.switch_off("set_credit_limit")
    call = ToolCall("c1", "set_credit_limit", json.dumps({"customer": case.customer.pk, "limit": "900"}))
    assert case.say("Do it", call, "I can't.").outcomes == [Outcome.DENIED]


@pytest.mark.django_db
def test_while_all_is_off_no_card_ever_acts_and_no_can_still_be_said() -> None:
    """OP9"""
    case = Case(make.user(MAY))
    card = case.propose()
    raised = case.call("raise_limit", customer=case.customer.pk, by="1")
    Switch.objects.create(tool=switches.ASSISTANT)
    assert case.click(card) is Outcome.FAILED
    assert clicking.reject(case.scope, raised.id) is Outcome.REJECTED
    assert case.limit == 100
    assert reading.card(case.scope, raised.id)["outcome"] == Outcome.REJECTED


# --- in threads ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def scope(transactional_db: None, settings: object) -> Iterator[Scope]:
    settings.DESKHAND = QUICK  # type: ignore[attr-defined]
    order()
    yield scope_of(make.user([USE, "shop.view_order"]))
    runner.stop()


def running(scope: Scope, *rounds: object) -> Turn:
    started = begin(scope, conversations.create(scope.user).id)
    runner.here().start(started.held, script(*rounds))  # type: ignore[arg-type]
    return Turn.objects.get(id=started.turn_id)


def test_a_turn_ends_within_seconds_while_the_model_speaks_whoever_threw_the_switch(scope: Scope) -> None:
    """OP9: by a row that another process wrote. What was said is kept."""
    has_spoken = threading.Event()

    def speaks() -> Iterator[object]:
        yield TextDelta("Half of ")
        has_spoken.set()
        yield 30.0
        yield TextDelta("an answer")

    turn = running(scope, lambda request: speaks())
    assert has_spoken.wait(10)
    switches.off()
    Switch.objects.create(tool=switches.ASSISTANT)
    # The rule says five seconds; a slow machine has more here, the model would go on for thirty.
    assert runner.here().settle(20)
    turn.refresh_from_db()
    assert turn.end == TurnEnd.REFUSED
    rows = assert_sound(turn.conversation_id)
    assert [(row.role, row.content, row.ending or row.error) for row in rows[1:]] == [
        ("assistant", "Half of ", "incomplete"),
        ("notice", phrases.notice(Notice.OFF), "off"),
    ]


def test_a_turn_that_waits_for_its_place_ends_as_well_and_the_model_never_hears_of_it(scope: Scope, settings: object) -> None:
    """OP9"""
    settings.DESKHAND = {**QUICK, "RUNNER_THREADS": 1}  # type: ignore[attr-defined]
    first = running(scope, lambda request: iter((TextDelta("a"), 30.0)))
    second = running(scope_of(make.user([USE])), "never said")
    switches.switch_off(switches.ASSISTANT)
    assert runner.here().settle(20)
    ends = Turn.objects.filter(id__in=[first.id, second.id]).values_list("end", flat=True)
    assert list(ends) == [TurnEnd.REFUSED] * 2
    assert not Message.objects.filter(content="never said").exists()


def test_a_tool_that_runs_is_left_when_it_goes_off_and_its_late_result_never_reaches_the_model(scope: Scope) -> None:
    """OP9, TO6: and the turn goes on without it."""
    entered, let_go = threading.Event(), threading.Event()

    def waits(_: object) -> None:
        entered.set()
        let_go.wait(20)

    heard: list[ModelRequest] = []

    def answers(request: ModelRequest) -> str:
        heard.append(request)
        return "I can't see it."

    with in_threads("deskhand-tool", At(0, waits)):
        turn = running(scope, READ, answers)
        assert entered.wait(10)
        switches.off()
        Switch.objects.create(tool="read_order")
        assert runner.here().settle(20)
        let_go.set()
    turn.refresh_from_db()
    assert turn.end == TurnEnd.ANSWERED
    rows = assert_sound(turn.conversation_id)
    assert [(row.role, row.tool_outcome, row.error) for row in rows if row.role == "tool"] == [("tool", "denied", "off")]
    assert heard[0].rounds[0].results == (phrases.UNKNOWN_TOOL,)
    for thread in threading.enumerate():
        if thread.name == "deskhand-tool":
            thread.join(10)
