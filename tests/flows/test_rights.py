"""Rights that are lost at each point of a turn, in each way: what the person may no longer know never leaves again."""

from __future__ import annotations

import importlib
import json
import threading
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.db import connections
from pytest_django.live_server_helper import LiveServer

from deskhand import transactions
from deskhand.models import Conversation, Message, Turn
from deskhand.turns import runner
from tests import make
from tests.canary import CANARY
from tests.flows.conftest import USE, Model
from tests.flows.steps import ends, has_ended, hear_first_text, notices, outcomes, texts, until
from tests.person import Person
from tests.provider import DONE, call, chunk, fragment, say, stream
from tests.shop.models import Customer, Order
from tests.turns.test_runner import in_threads

pytestmark = pytest.mark.django_db(transaction=True)

ORDER = ("read_order", {"number": "A-1"})


@pytest.fixture
def member(transactional_db: None, live_server: LiveServer, model: Model) -> Iterator[Person]:
    """Somebody who may see orders as a member of *Clerks*, acts in that role, and is in *Others*, too."""
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen Bygg"), note=CANARY)
    user = make.user(first_name="Ada")
    make.group("Clerks", [USE, "shop.view_order"], [user])
    make.group("Others", [USE, "shop.view_order"], [user])
    person = Person(live_server.url, user, make.session(user, deskhand_role="Clerks"))
    person.user = user  # type: ignore[attr-defined]
    person.arrive()
    yield person
    runner.stop()


def out_of_the_group(person: Person) -> None:
    Group.objects.get(name="Clerks").user_set.remove(person.user)  # type: ignore[attr-defined]


def no_permission(person: Person) -> None:
    make.grant(Group.objects.get(name="Clerks"), [USE])


def no_assistant(person: Person) -> None:
    make.grant(Group.objects.get(name="Clerks"), ["shop.view_order"])


def inactive(person: Person) -> None:
    User.objects.filter(pk=person.user.pk).update(is_active=False)  # type: ignore[attr-defined]


def gone(person: Person) -> None:
    User.objects.get(pk=person.user.pk).delete()  # type: ignore[attr-defined]


def signed_out(person: Person) -> None:
    Session.objects.all().delete()


def other_password(person: Person) -> None:
    user = User.objects.get(pk=person.user.pk)  # type: ignore[attr-defined]
    user.set_password("after")
    user.save()


def other_role(person: Person) -> None:
    store = importlib.import_module(django_settings.SESSION_ENGINE).SessionStore(person.session_ref)
    store["deskhand_role"] = "Others"
    store.save()


Loss = Callable[[Person], None]
LOSSES: list[Loss] = [out_of_the_group, no_permission, no_assistant, inactive, gone, signed_out, other_password, other_role]


def lose(loss: Loss, person: Person) -> None:
    """In one transaction that waits for its lock, as the turn's do."""
    with transactions.writing():
        loss(person)


def lose_apart(loss: Loss, person: Person) -> None:
    """In a thread, and so on a connection, of its own."""

    def work() -> None:
        lose(loss, person)
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)


@pytest.mark.parametrize("loss", [no_permission])
def test_a_right_lost_before_the_start_is_not_offered(member: Person, model: Model, loss: Loss) -> None:
    """sec_B1, TO3."""
    lose(loss, member)
    model.plays(call(ORDER), say("I can't."))
    assert texts(member.hear(member.converse(), "?")) == "I can't."
    assert "tools" not in model.requests[0]
    assert outcomes() == ["denied"]
    assert CANARY not in json.dumps(model.requests)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_right_lost_after_the_offer_never_gives_the_tools_data(member: Person, model: Model, loss: Loss) -> None:
    """sec_B2, sec_B7, sec_B8, sec_B9, sec_B10, SC2."""
    asked = chunk({"tool_calls": [fragment("read_order", '{"number": "A-1"}', id="a", index=0)]})
    model.plays(stream(chunk({"content": "Let me see. "}), 0.6, asked, chunk(finish="tool_calls"), DONE), say("Well."))
    turn = str(member.say(member.converse(), "?").json["turn"])
    hear_first_text(member, turn)
    lose(loss, member)
    until(lambda: has_ended(turn))
    assert CANARY not in json.dumps(model.requests)
    assert not Message.objects.filter(tool_result__contains=CANARY).exists()
    if loss is no_permission:
        assert (Turn.objects.get(id=turn).end, outcomes()) == ("answered", ["denied"])
    else:
        assert Turn.objects.get(id=turn).end == "refused"
        assert len(model.requests) == 1
        assert Message.objects.get(role="notice").error == "rights"


@pytest.mark.parametrize("loss", LOSSES)
def test_a_right_lost_while_a_tool_reads_never_lets_its_result_out(member: Person, model: Model, loss: Loss) -> None:
    """sec_B4, SC2."""
    model.plays(call(ORDER), say("Well."))
    lost = threading.Event()

    def reads(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if '"shop_order"' in sql and not lost.is_set():
            lost.set()
            lose_apart(loss, member)
        return execute(sql, *rest)

    with in_threads("deskhand-tool", reads):
        turn = str(member.say(member.converse(), "?").json["turn"])
        until(lambda: has_ended(turn))
    assert lost.is_set()
    assert CANARY not in json.dumps(model.requests)
    assert not Message.objects.filter(tool_result__contains=CANARY).exists()
    assert outcomes() == ["denied"] if loss is no_permission else outcomes() in (["denied"], ["stopped"])
    assert Turn.objects.get(id=turn).end == ("answered" if loss is no_permission else "refused")


@pytest.mark.parametrize("loss", LOSSES)
def test_what_was_read_before_the_loss_never_leaves_a_second_time(member: Person, model: Model, loss: Loss) -> None:
    """SC2, HI2: the second round streams, the third is asked."""
    asked = chunk({"tool_calls": [fragment("find_orders", "{}", id="b", index=0)]})
    model.plays(call(ORDER), stream(chunk({"content": "And now "}), 0.6, asked, chunk(finish="tool_calls"), DONE), say("Well."))
    turn = str(member.say(member.converse(), "?").json["turn"])
    hear_first_text(member, turn)
    lose(loss, member)
    until(lambda: has_ended(turn))
    assert CANARY in json.dumps(model.requests[1])
    assert CANARY not in json.dumps(model.requests[2:])
    assert Turn.objects.get(id=turn).end == ("answered" if loss is no_permission else "refused")
    if loss is no_permission:
        assert outcomes() == ["ok", "denied"]


def test_what_was_seen_before_the_loss_is_in_no_later_turn(member: Person, model: Model) -> None:
    """sec_B11, HI2."""
    model.plays(call(ORDER), say("Noted."), say("I don't know."))
    conversation = member.converse()
    member.hear(conversation, "?")
    lose(no_permission, member)
    member.hear(conversation, "What did you see before?")
    assert CANARY not in json.dumps(model.requests[2])


def test_a_follower_is_cut_off_with_the_turn(member: Person, model: Model) -> None:
    """sec_B7, sec_B8: within five seconds."""
    model.plays(stream(chunk({"content": "Slowly "}), "hang"))
    turn = str(member.say(member.converse(), "?").json["turn"])
    hear_first_text(member, turn)
    lose(inactive, member)
    until(lambda: has_ended(turn), seconds=5)
    model.provider.wait_for(model.name, 1, closed=True)
    assert member.ask("GET", f"turns/{turn}/events").status == 403


def test_whoever_impersonates_is_in_the_journal_beside_the_account_they_act_as(
    member: Person, model: Model, live_server: LiveServer
) -> None:
    """sec_B15, ME1."""
    admin = make.user([USE], is_superuser=True)
    acting = Person(live_server.url, member.user, make.session(member.user, hijack_history=[str(admin.pk)]))  # type: ignore[attr-defined]
    acting.arrive()
    model.plays(say("Hello."))
    assert ends(acting.hear(acting.converse(), "Hi")) == "answered"
    assert set(Message.objects.values_list("actor", flat=True)) == {str(admin.pk)}
    assert Conversation.objects.get().user_id == member.user.pk  # type: ignore[attr-defined]


@pytest.mark.parametrize(("loss", "is_told"), [(None, True), (no_permission, False)])
def test_what_the_page_is_about_is_asked_with_the_rights_of_the_turn(
    member: Person, model: Model, settings: object, loss: Loss | None, is_told: bool
) -> None:
    """sec_B17, PR8."""
    hook = lambda path, scope: CANARY if scope.may("shop.view_order") else None  # noqa: E731
    settings.DESKHAND = {**settings.DESKHAND, "PAGE_CONTEXT": hook}  # type: ignore[attr-defined]
    if loss:
        lose(loss, member)
    model.plays(say("Hello."))
    conversation = member.converse()
    turn = str(member.say(conversation, "Hi", page="/admin/shop/order/1/").json["turn"])
    list(member.follow(turn))
    system = json.dumps(model.requests[0])
    assert "/admin/shop/order/1/" in system
    assert (CANARY in system) is is_told
    assert Turn.objects.get(id=turn).page_text == ""


def test_without_the_right_to_use_it_every_door_is_shut(live_server: LiveServer, member: Person, model: Model) -> None:
    """sec_B18, SC3, SC4."""
    model.plays(say("Hello."))
    conversation = member.converse()
    turn = str(member.say(conversation, "Hi").json["turn"])
    list(member.follow(turn))
    doors = [
        ("GET", "state"),
        ("GET", "conversations"),
        ("GET", f"conversations/{conversation}"),
        ("GET", f"conversations/{conversation}/messages"),
        ("GET", f"turns/{turn}"),
        ("GET", f"turns/{turn}/events"),
        ("GET", f"turns/{turn}/stream"),
    ]
    staff = Person(live_server.url, make.user(["shop.view_order"]))
    assert {staff.ask(*door).status for door in doors} == {403}
    root = Person(live_server.url, make.user(is_superuser=True))
    root.arrive()
    assert [root.ask(*door).status for door in doors] == [200, 200, 404, 404, 404, 404, 404]
    assert root.ask("POST", f"turns/{turn}/stop", {}).status == 404
    assert root.say(conversation, "Hi").status == 404
    assert root.ask("GET", "conversations").json["conversations"] == []
    assert notices(member, conversation) == []
