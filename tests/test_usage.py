"""The books: each model call has a row, however it ended, at the endpoint that answered it."""

from __future__ import annotations

import dataclasses

import pytest

from deskhand import conversations, errors, usage
from deskhand.core.values import EndpointSettings, Finish, ModelRequest, Notice, ReasoningDelta, Reply, TextDelta, TurnEnd, Usage
from deskhand.endpoint.scripted import ScriptedEndpoint
from deskhand.models import AIRequest, Message
from deskhand.testing import ToolCall, run_turn
from deskhand.turns import brief, closing, events, loop
from deskhand.turns.asking import Cancel
from tests import make
from tests.shop.models import Customer, Order
from tests.turns.threads import begin

pytestmark = pytest.mark.django_db

PRICES = {"input": 10_000_000, "cached": 1_000_000, "output": 30_000_000}
RIGHTS = ["deskhand.use_assistant", "shop.view_order"]


def priced(*rounds: object, name: str = "main", model: str = "m") -> ScriptedEndpoint:
    settings = EndpointSettings(name=name, provider="openai", model=model, prices=PRICES if name != "unpriced" else {})
    return ScriptedEndpoint(list(rounds), settings)  # type: ignore[arg-type]


def rows() -> list[AIRequest]:
    return list(AIRequest.objects.order_by("created_at"))


def test_cached_tokens_are_charged_once() -> None:
    """B108, LI3: 5,800 micro-USD, and in the message's copy as well."""
    used = Usage(input_tokens=1000, cached_tokens=800, output_tokens=100)
    ran = run_turn(make.user(RIGHTS), "Hi", priced(Reply("Hello.", "", (), Finish.STOP, used)))
    row = AIRequest.objects.get()
    assert (row.cost_micro_usd, row.input_tokens, row.cached_tokens, row.output_tokens) == (5_800, 1000, 800, 100)
    assert [each.cost_micro_usd for each in ran.messages] == [None, 5_800]
    assert ran.messages[1].ai_request_id == row.id


def test_what_the_provider_says_it_costs_comes_first() -> None:
    """LI3."""
    used = Usage(input_tokens=1000, output_tokens=100, cost_micro_usd=7)
    run_turn(make.user(RIGHTS), "Hi", priced(Reply("Hello.", "", (), Finish.STOP, used)))
    assert (AIRequest.objects.get().cost_micro_usd, AIRequest.objects.get().price_version) == (7, "provider")


def test_the_cost_of_a_model_without_a_price_is_unknown_and_never_nothing() -> None:
    """ME9, B119, LI3."""
    used = Usage(input_tokens=1000, output_tokens=100)
    run_turn(make.user(RIGHTS), "Hi", priced(Reply("Hello.", "", (), Finish.STOP, used), name="unpriced"))
    assert (AIRequest.objects.get().cost_micro_usd, AIRequest.objects.get().price_version) == (None, "")


@pytest.mark.parametrize("used", [Usage(), Usage(input_tokens=3), Usage(output_tokens=3)])
def test_usage_that_nobody_counted_is_never_a_zero(used: Usage) -> None:
    """ME9, B119."""
    run_turn(make.user(RIGHTS), "Hi", priced(Reply("Hello.", "", (), Finish.STOP, used)))
    row = AIRequest.objects.get()
    assert (row.input_tokens, row.output_tokens) == (used.input_tokens, used.output_tokens)
    assert row.cost_micro_usd != 0


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (errors.EndpointDenied(), "denied"),
        (errors.EndpointTimeout("first_byte"), "timeout"),
        (errors.EndpointBroken(), "broken"),
        (errors.EndpointFiltered(), "filtered"),
        (errors.EndpointRejected(), "rejected"),
    ],
)
def test_a_call_that_failed_before_its_first_word_has_a_row_of_unknown_use(fault: Exception, status: str) -> None:
    """LI2, ME9."""
    run_turn(make.user(RIGHTS), "Hi", priced(fault))
    row = AIRequest.objects.get()
    assert (row.status, row.input_tokens, row.output_tokens, row.cost_micro_usd) == (status, None, None, None)


def test_a_call_that_broke_off_is_estimated_and_marked_so() -> None:
    """B112, LI2."""
    run_turn(make.user(RIGHTS), "Hi", priced([TextDelta("x" * 40), errors.EndpointBroken()]))
    row = AIRequest.objects.get()
    assert (row.status, row.output_tokens, row.is_estimated) == ("broken", 10, True)
    assert row.input_tokens
    assert row.cost_micro_usd


def test_a_call_that_the_fallback_answered_is_in_the_books_as_the_fallbacks() -> None:
    """LI2, LI3, TU7."""
    user = make.user(RIGHTS)
    started = begin(make.scope(user=user))
    main = priced(errors.EndpointDenied(), name="main", model="big")
    fallback = priced("From the other one.", name="second", model="small")
    gathered = dataclasses.replace(brief.gather(started.turn_id, endpoint=main), fallback=fallback)
    list(loop.run(gathered, Cancel(), inline=True))
    row = AIRequest.objects.get()
    assert (row.endpoint, row.model, row.status) == ("second", "small", "ok")


def half_told(*rounds: object, until: str) -> tuple[object, events.Feed]:
    """A turn that told this kind of event, and stands there, as if its thread were busy."""
    started = begin(make.scope(RIGHTS))
    feed = events.open_feed(started.turn_id, started.held.fence, started.held.conversation_id)
    for told in loop.run(brief.gather(started.turn_id, endpoint=priced(*rounds)), Cancel(), inline=True):
        feed.tell(told)
        if told.kind == until:
            break
    return started, feed


@pytest.mark.parametrize(
    ("parts", "until", "is_known"),
    [([TextDelta("x" * 40)], "text", True), ([ReasoningDelta(), TextDelta("x")], "thinking", True)],
)
def test_a_call_that_was_stopped_has_its_row_at_its_own_endpoint(parts: list[object], until: str, is_known: bool) -> None:
    """B112, LI2: also one that only thought so far."""
    started, _ = half_told(parts, until=until)
    assert closing.close(started.turn_id, TurnEnd.STOPPED, Notice.STOPPED)  # type: ignore[attr-defined]
    row = AIRequest.objects.get()
    assert (row.endpoint, row.status, row.is_estimated) == ("main", "stopped", True)
    assert bool(row.input_tokens) is is_known
    assert row.cost_micro_usd


def test_a_turn_stopped_between_its_calls_keeps_what_the_server_counted() -> None:
    """LI2, B65."""
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))
    used = Usage(input_tokens=1000, cached_tokens=800, output_tokens=100)
    asked = Reply("", "", (ToolCall("c", "read_order", '{"number": "A-1"}'),), Finish.TOOLS, used)
    started, _ = half_told(asked, until="tool")
    assert closing.close(started.turn_id, TurnEnd.STOPPED, Notice.STOPPED)  # type: ignore[attr-defined]
    row = AIRequest.objects.get()
    assert (row.status, row.cost_micro_usd, row.is_estimated) == ("ok", 5_800, False)
    assert Message.objects.get(role="assistant").ai_request_id == row.id


def test_a_turn_whose_process_died_is_in_the_books_as_far_as_anybody_knows() -> None:
    """LI2, ME9, TU5."""
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))
    used = Usage(input_tokens=1000, output_tokens=100, cost_micro_usd=9)
    asked = Reply("", "", (ToolCall("c", "read_order", '{"number": "A-1"}'),), Finish.TOOLS, used)
    started, feed = half_told(asked, [TextDelta("x" * 40)], until="text")
    events.store([feed])
    events.forget_feeds()
    usage.close_ledger(started.turn_id)  # type: ignore[attr-defined]
    assert closing.close(started.turn_id, TurnEnd.DIED, Notice.DIED)  # type: ignore[attr-defined]
    found = {row.status: row for row in rows()}
    assert sorted(found) == ["died", "ok"]
    assert (found["ok"].cost_micro_usd, found["ok"].input_tokens) == (9, 1000)
    assert (found["died"].output_tokens, found["died"].input_tokens, found["died"].is_estimated) == (10, None, True)
    assert conversations.of_turn(started.turn_id)[-2].content == "x" * 40  # type: ignore[attr-defined]


def test_a_turn_that_died_before_its_first_word_is_unknown_and_not_free(settings: object) -> None:
    """LI2, ME9."""
    settings.DESKHAND = {"ENDPOINTS": {"main": {"MODEL": "no such model"}}}  # type: ignore[attr-defined]
    started = begin(make.scope(RIGHTS))
    assert closing.close(started.turn_id, TurnEnd.DIED, Notice.DIED)
    row = AIRequest.objects.get()
    assert (row.status, row.input_tokens, row.output_tokens, row.cost_micro_usd) == ("died", None, None, None)


def test_every_round_of_a_turn_has_its_row() -> None:
    """LI2."""
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))
    asks = ToolCall("c", "read_order", '{"number": "A-1"}')

    def third(request: ModelRequest) -> object:
        return [TextDelta("half "), errors.EndpointBroken()]

    run_turn(make.user(RIGHTS), "Hi", priced(asks, asks, third))
    assert sorted(row.status for row in rows()) == ["broken", "ok", "ok"]
