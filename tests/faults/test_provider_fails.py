"""The provider fails at the k-th thing that it sends, for k = 0, 1, 2 … over all rounds of a turn: the connection ends, breaks, or says nothing more.

The fault is real HTTP from the provider process. After each one nothing may be wrong that the checker knows of, half a call was neither run
nor proposed, the model is asked again only while nothing of its answer had come, and the question can be asked again. In each run of the
suite only every so many-th; all of them by ``make faults``.
"""

from __future__ import annotations

import dataclasses
import time
import uuid
from collections.abc import Iterator

import pytest
import pytest_django.fixtures

from deskhand import conversations
from deskhand.endpoint import retry
from deskhand.models import AIRequest, Confirmation, Message, Turn
from deskhand.testing import scope_of
from deskhand.turns import events, runner
from deskhand.turns.start import Asked, prepare
from tests import make
from tests.faults import checker, figures
from tests.faults.conftest import IS_FULL
from tests.faults.desk import MAY
from tests.faults.witness import Heard
from tests.provider import DONE, Provider, Reply, Step, call, chunk, event, refuse, say, stream, usage
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 3
STRIDE = 1 if IS_FULL else 5
WAITS = {"CONNECT_SECONDS": 5, "FIRST_BYTE_SECONDS": 0.5, "IDLE_SECONDS": 0.5}
#: What comes in place of the rest.
FAULTS: dict[str, list[Step]] = {
    "close": [("close", None)],
    "reset": [("reset", None)],
    "error": [("send", event({"error": {"code": 503, "message": "overloaded"}})), ("close", None)],
    "silence": [("hang", None)],
}


class Site:
    """A person, a model at the provider process, and what was told."""

    def __init__(self, provider: Provider, model: str) -> None:
        self.provider, self.model = provider, model
        self.user = make.user(MAY)
        self.session_ref = make.session(self.user)
        self.customer = Customer.objects.create(name="Hansen Bygg", credit_limit=0)
        Order.objects.create(number="A-1", customer=self.customer)
        self.conversation = conversations.create(self.user)
        self.heard = Heard()
        self.proposals = 0

    def replies(self) -> list[Reply]:
        """What the model says if nothing fails; each proposal is a new one."""
        self.proposals += 1
        return [
            call(("read_order", {"number": "A-1"}), text="Let me look. "),
            call(("raise_limit", {"customer": self.customer.pk, "by": str(self.proposals)}), text="So I propose: "),
            stream(*(chunk({"content": word}) for word in ("It ", "waits.")), chunk(finish="stop"), usage(100, 10), DONE),
        ]

    def plays(self, replies: list[Reply], **more: object) -> Turn:
        """The turn of a question while the model plays this."""
        self.provider.script(self.model, replies)
        scope = scope_of(self.user, self.session_ref)
        started = prepare(scope, self.conversation.id, Asked("Raise it", uuid.uuid4().hex, **more))  # type: ignore[arg-type]
        runner.here().start(started.held)
        assert runner.here().settle(20), "the turn did not end"
        feed = events.feed(started.turn_id)
        assert feed is not None
        self.heard.taken[str(started.turn_id)] = "Raise it"
        self.heard.reads(feed)
        # Its cards are nobody's matter here, and only so many may wait.
        return Turn.objects.get(id=started.turn_id)


@pytest.fixture
def site(provider: Provider, settings: pytest_django.fixtures.SettingsWrapper) -> Iterator[Site]:
    model = uuid.uuid4().hex
    endpoint = {"PROVIDER": "openai", "BASE_URL": provider.base_url, "MODEL": model, "API_KEY": "sk-test", **WAITS}
    settings.DESKHAND = {"ENDPOINTS": {"test": endpoint}, "FLUSH_SECONDS": 0.05, "GRACE_SECONDS": 0.5, "CARDS": 10_000}
    yield Site(provider, model)
    runner.stop()


def cut(reply: Reply, at: int, fault: str) -> Reply:
    """That reply, whose first ``at`` writes come, and the fault in place of the others."""
    return dataclasses.replace(reply, steps=[*reply.steps[:at], *FAULTS[fault]])


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("round_", range(ROUNDS))
def test_a_provider_that_fails_at_the_kth_write_of_any_round_leaves_an_honest_end(site: Site, fault: str, round_: int) -> None:
    """TU3, TU7, ME5; B8, B10, B12, B112; sec_J1."""
    writes = len(site.replies()[round_].steps)
    offset = 0 if IS_FULL else (round_ + list(FAULTS).index(fault)) % STRIDE
    for at in range(offset, writes, STRIDE):
        replies, began = site.replies(), time.monotonic()
        cards = Confirmation.objects.count()
        turn = site.plays([*replies[:round_], cut(replies[round_], at, fault), *([say("That is all.")] if at else [])])
        asked = len(site.provider.requests(site.model))
        # Behind the reason why it ended, an answer is whole: what is missing then is a count, and the frame's end.
        is_whole = turn.end == "answered"
        # A reset takes with it what the reader had not fetched yet, on a slow machine all of it: then it is asked again.
        may_repeat = at == 0 or fault == "reset"
        assert (turn.end, is_whole) in (("failed", False), ("answered", at >= writes - 2 or may_repeat)), f"at {at}"
        assert asked <= round_ + (retry.ATTEMPTS if may_repeat else 1 + is_whole)
        made = [row for row in Message.objects.filter(turn_ref=turn.id, role="assistant") if row.tool_calls]
        assert len(made) in {min(round_ + is_whole, 2), *([min(round_, 2)] if may_repeat else [])}, f"at {at}"
        assert Confirmation.objects.count() == cards + (len(made) == 2), f"at {at}"
        assert AIRequest.objects.filter(turn_ref=turn.id).count() == len(made) + 1
        assert checker.wrong(site.heard) == [], f"at {at}"
        figures.record(f"provider {fault}", f"round {round_ + 1}, write {at}", 0, time.monotonic() - began)
    again = site.plays(site.replies(), raw_replaces=turn.message_seq)
    assert again.end == "answered"
    assert checker.wrong(site.heard) == []


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_a_provider_that_fails_once_before_it_has_said_anything_costs_the_person_nothing(site: Site, round_: int) -> None:
    """TU7, sec_J1: asked again, and the turn is answered."""
    replies = site.replies()
    fails = refuse(503) if round_ else cut(replies[round_], 0, "error")
    turn = site.plays([*replies[:round_], fails, *replies[round_:]])
    assert turn.end == "answered"
    assert len(site.provider.requests(site.model)) == ROUNDS + 1
    assert checker.wrong(site.heard) == []


def test_a_provider_that_can_not_be_reached_is_told_plainly_and_the_message_is_kept(
    site: Site, settings: pytest_django.fixtures.SettingsWrapper
) -> None:
    """TU7, sec_J1: nobody listens at its address."""
    endpoint = {**settings.DESKHAND["ENDPOINTS"]["test"], "BASE_URL": "http://127.0.0.1:9/v1"}
    settings.DESKHAND = {**settings.DESKHAND, "ENDPOINTS": {"test": endpoint}}
    turn = site.plays(site.replies())
    assert turn.end == "failed"
    assert [(row.role, row.error) for row in conversations.of_turn(turn.id)] == [("user", ""), ("notice", "endpoint")]
    assert site.provider.requests(site.model) == []
    assert checker.wrong(site.heard) == []
