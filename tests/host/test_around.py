"""The host's surroundings stand around all of a turn's work and around a click, in whatever thread (``OP10``).

In this project nobody's rights can be asked, and no tool of its own works, where the tenant is not set.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings as django_settings

from deskhand import conversations
from deskhand.confirmations import clicking
from deskhand.core.values import Outcome, TextDelta, TurnEnd
from deskhand.models import Confirmation, Message, Turn
from deskhand.scope import Scope
from deskhand.testing import ToolCall, scope_of, script, sign_in
from deskhand.turns import runner
from deskhand.turns.start import Asked, prepare
from deskhand.web.following import Follower
from tests.host import tenants
from tests.host.desk import Desk, Host, Made, colleague
from tests.provider import DONE, call, chunk, stream, usage
from tests.shop.models import Customer


@pytest.fixture
def scope(settings: object) -> Iterator[Scope]:
    settings.DESKHAND = {  # type: ignore[attr-defined]
        **django_settings.DESKHAND,
        "FLUSH_SECONDS": 0.05,
        "RIGHTS_SECONDS": 0.1,
        "GRACE_SECONDS": 0.5,
    }
    user = colleague("admin", tenant="south.example")
    with tenants.work_for(tenants.of(user)):
        made = scope_of(user, sign_in(user))
        made.may("deskhand.use_assistant")
    yield made
    runner.stop()


def begun(scope: Scope, *rounds: object) -> Turn:
    """A turn that runs in the runner's threads, begun in a request of the tenant's."""
    with tenants.work_for(tenants.of(scope.user)):
        started = prepare(scope, conversations.create(scope.user).id, Asked("Whose is this?", uuid.uuid4().hex))
    runner.here().start(started.held, script(*rounds))  # type: ignore[arg-type]
    return Turn.objects.using("default").get(id=started.turn_id)


def told(turn: Turn) -> list[tuple[str, str, str]]:
    rows = Message.objects.using("default").filter(turn_ref=turn.id).order_by("seq")
    return [(row.role, row.tool_outcome or row.error, row.tool_result or row.content) for row in rows]


def test_turn_tool_preview_and_watch_work_for_the_tenant_and_nobody_else_does(scope: Scope, made: Made) -> None:
    """OP10, SC2: the watch over rights asks several times while the model thinks."""
    with pytest.raises(tenants.Outside):
        tenants.current()

    def thinks() -> Iterator[object]:
        yield TextDelta("Well ")
        yield 0.5
        yield ToolCall("c2", "move_customer", f'{{"customer": {made.customer.pk}}}')

    turn = begun(scope, ToolCall("c1", "whose_depot", "{}"), lambda request: thinks(), "It waits.")
    assert runner.here().settle(20)
    turn.refresh_from_db(using="default")
    assert turn.end == TurnEnd.ANSWERED
    assert [row for row in told(turn) if row[0] == "tool"] == [
        ("tool", "ok", "This is south.example."),
        ("tool", "needs_confirmation", ""),
    ]
    card = Confirmation.objects.using("default").get(turn_ref=turn.id)
    assert card.card["title"] == "Move Hansen Bygg to south.example"
    with pytest.raises(tenants.Outside):
        tenants.current()


def test_a_click_works_for_the_tenant_of_who_clicks_wherever_it_comes_from(scope: Scope, made: Made) -> None:
    """OP10, CO4: the same card is drawn in the click as at the proposal, and the function has what it needs."""
    turn = begun(scope, ToolCall("c1", "move_customer", f'{{"customer": {made.customer.pk}}}'), "It waits.")
    assert runner.here().settle(20)
    card = Confirmation.objects.using("default").get(turn_ref=turn.id)
    assert clicking.confirm(scope, card.id) is Outcome.CONFIRMED
    assert Customer.objects.using("default").get(pk=made.customer.pk).phone == "south.example"
    with pytest.raises(tenants.Outside):
        tenants.current()


def test_a_follower_in_a_thread_of_its_own_is_asked_for_its_rights_inside(scope: Scope) -> None:
    """OP10, SC2: else its stream would end at the first look."""
    let_go = threading.Event()

    def holds() -> Iterator[object]:
        yield TextDelta("Half ")
        let_go.wait(20)
        yield TextDelta("and all")

    turn = begun(scope, lambda request: holds())
    follower = Follower(scope, turn.id, 0)
    time.sleep(0.15)
    assert follower.fresh() is not None
    let_go.set()
    assert runner.here().settle(20)


@pytest.mark.parametrize("what", [RuntimeError, SystemExit])
def test_where_the_surroundings_fail_a_click_never_does_anything(
    scope: Scope, made: Made, settings: object, what: type[BaseException]
) -> None:
    """OP10: and the card still waits."""
    turn = begun(scope, ToolCall("c1", "set_credit_limit", f'{{"customer": {made.customer.pk}, "limit": "500"}}'), "It waits.")
    assert runner.here().settle(20)
    card = Confirmation.objects.using("default").get(turn_ref=turn.id)

    @contextlib.contextmanager
    def fails() -> Iterator[None]:
        raise what
        yield

    settings.DESKHAND = {**django_settings.DESKHAND, "AROUND_TURN": fails}  # type: ignore[attr-defined]
    with pytest.raises(what):
        clicking.confirm(scope, card.id)
    card.refresh_from_db(using="default")
    assert (card.outcome, card.claimed_at) == (None, None)
    assert Customer.objects.using("default").get(pk=made.customer.pk).credit_limit == 100


@pytest.mark.parametrize("server", ["uvicorn", "gunicorn"])
def test_a_stream_lives_on_while_its_rights_are_asked_again(host: Callable[[str], Host], server: str) -> None:
    """OP10, SC2: by one connection, over several looks at the rights, under ASGI and WSGI."""
    desk = Desk.of(host(server))
    # Three pieces, each later than the rights last.
    pieces = [part for word in ("One. ", "Two. ", "Three.") for part in (chunk({"content": word}), 0.6)]
    desk.host.model.plays(call(("whose_depot", {})), stream(*pieces, chunk(finish="stop"), usage(100, 10), DONE))
    conversation = desk.visitor.converse()
    turn = desk.visitor.say(conversation, "Whose?").json["turn"]
    whole = desk.visitor.ask("GET", f"turns/{turn}/stream").raw.decode()
    assert "".join(re.findall(r'event: text\ndata: {"text":"([^"]*)"}', whole)) == "One. Two. Three."
    assert "event: done" in whole
