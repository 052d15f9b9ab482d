"""The checker finds what it is there for: each promise broken by hand in rows that were right, and named."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry

from deskhand.confirmations import clicking
from deskhand.models import AIRequest, Confirmation, Conversation, Event, Message, Turn
from deskhand.testing import ToolCall, run_turn, scope_of, script
from tests import make
from tests.faults import checker
from tests.faults.desk import MAY
from tests.faults.witness import Heard
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db(transaction=True)


def right() -> Heard:
    """A turn with a reading call, a card that was confirmed, and a second turn; what was told of the first."""
    user = make.user(MAY)
    session = make.session(user)
    customer = Customer.objects.create(name="Hansen Bygg")
    Order.objects.create(number="A-1", customer=customer)
    read = ToolCall("c1", "read_order", '{"number": "A-1"}')
    proposed = ToolCall("c2", "raise_limit", f'{{"customer": {customer.pk}, "by": "5"}}')
    ran = run_turn(user, "Raise it", script(read, proposed, "It waits."), session_ref=session)
    clicking.confirm(scope_of(user, session), Confirmation.objects.get().id)
    run_turn(user, "And now?", script("Done."), session_ref=session, conversation_id=ran.conversation_id)
    heard = Heard()
    heard.taken[str(ran.turn_id)] = "Raise it"
    heard.told[str(ran.turn_id)] = [(number, told.kind, dict(told.payload)) for number, told in enumerate(ran.events, 1)]
    return heard


def told_twice(heard: Heard) -> None:
    events = next(iter(heard.told.values()))
    events.insert(1, events[0])


def told_otherwise(heard: Heard) -> None:
    told = next(iter(heard.told.values()))
    told[:] = [(number, kind, {**each, "text": "Other"} if kind == "text" else each) for number, kind, each in told]


def stored_twice(_: Heard) -> None:
    turn = Turn.objects.earliest("message_seq")
    Event.objects.create(turn=turn, number=2, told=[[1, "text", {"text": "a"}], [2, "text", {"text": "b"}]])
    Event.objects.create(turn=turn, number=3, told=[[2, "text", {"text": "c"}], [3, "text", {"text": "d"}]])


def stored_with_a_gap(_: Heard) -> None:
    Event.objects.create(turn=Turn.objects.earliest("message_seq"), number=2, told=[[2, "text", {"text": "b"}]])


DAMAGES: dict[str, Callable[[Heard], object]] = {
    "are numbered": lambda _: Message.objects.filter(content="Done.").delete(),
    "still locked": lambda _: Conversation.objects.update(running_turn=uuid.uuid4()),
    "has no end": lambda _: Turn.objects.filter(message_seq=1).update(end="", ended_at=None),
    "still holds": lambda _: Turn.objects.update(session_ref="x"),
    "has no turn": lambda _: Message.objects.filter(seq=1).update(turn_ref=uuid.uuid4()),
    "ended as died says": lambda _: Turn.objects.filter(message_seq__gt=1).update(end="died"),
    "an answered turn ends with": lambda _: Message.objects.filter(content="Done.").update(ending="incomplete"),
    "has no row of its outcome": lambda _: Message.objects.filter(tool_call_id="c1").update(tool_call_id="c9"),
    "has two answers": lambda _: Message.objects.filter(tool_call_id="c1").update(role="assistant", tool_outcome=""),
    "the journal []": lambda _: Message.objects.filter(role="notice").update(confirmation=None),
    "has 0 proposals": lambda _: Message.objects.filter(tool_call_id="c2").update(confirmation=None, tool_outcome="ok"),
    "the host's table says": lambda _: Customer.objects.update(credit_limit=10),
    "the host's log has": lambda _: LogEntry.objects.all().delete(),
    "not in the books": lambda _: AIRequest.objects.all().delete(),
    "the model was asked": lambda _: AIRequest.objects.filter(id=AIRequest.objects.latest("created_at").id).delete(),
    "two events of a turn": stored_twice,
    "are read as": stored_with_a_gap,
    "is there 0 times": lambda _: Message.objects.filter(seq=1).update(role="notice"),
    "events were told as": told_twice,
    "is not the text of its message": told_otherwise,
    "stands behind a later question": lambda _: Message.objects.filter(content="Done.").update(
        turn_ref=Turn.objects.earliest("message_seq").id
    ),
}


@pytest.mark.parametrize("sentence", DAMAGES)
def test_a_promise_that_is_broken_is_named(sentence: str) -> None:
    """ME1, ME4, ME5, TU3."""
    heard = right()
    assert checker.wrong(heard, asked=4) == []
    DAMAGES[sentence](heard)
    assert [each for each in checker.wrong(heard, asked=4) if sentence in each]
