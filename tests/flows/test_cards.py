"""Cards over HTTP, from the model's call to the click: each case of ``cases/reports.md`` (b) that speaks of a whole chat."""

from __future__ import annotations

import json
import re
import statistics
import time
import uuid

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db.models.functions import Now

from deskhand.confirmations import signing
from deskhand.models import Confirmation, Conversation, Message
from tests import make
from tests.flows.conftest import USE, Model
from tests.flows.steps import results_of, texts, until
from tests.person import Answer, Person
from tests.provider import DONE, call, chunk, fragment, refuse, say, stream
from tests.shop import odd
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db(transaction=True)

MAY = [USE, "shop.view_order", "shop.change_order", "shop.change_customer", "shop.view_customer", "shop.delete_order"]


@pytest.fixture
def boss(clerk: Person) -> Person:
    """The clerk, who may change things as well."""
    make.grant(clerk.user, MAY)  # type: ignore[attr-defined]
    return clerk


def raised(by: str = "5", customer: str = "Hansen Bygg") -> tuple[str, object]:
    """A call that raises this customer's limit."""
    return "raise_limit", {"customer": Customer.objects.get(name=customer).pk, "by": by}


def limit(customer: str = "Hansen Bygg") -> int:
    return int(Customer.objects.get(name=customer).credit_limit)


def propose(person: Person, model: Model, conversation: str, *calls: tuple[str, object]) -> list[str]:
    """Cards of these calls, in their order."""
    model.plays(call(*calls), say("They wait."))
    person.hear(conversation, "Do it")
    rows = Message.objects.filter(role="tool", confirmation__isnull=False).order_by("seq")
    return [str(row.confirmation_id) for row in rows][-len(calls) :]


def confirm(person: Person, card: str, what: str = "confirm") -> Answer:
    return person.ask("POST", f"cards/{card}/{what}", {})


def told(answer: Answer) -> object:
    assert answer.status == 200, answer.raw
    return answer.json["card"]["outcome"]  # type: ignore[index]


def shown(person: Person, card: str) -> dict[str, object]:
    return person.ask("GET", f"cards/{card}").json


def test_a_question_while_a_card_waits_is_answered_and_the_card_stays(boss: Person, model: Model) -> None:
    """B36, B59, CO8."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())
    assert "nothing was changed" in results_of(model, 1)[0]
    model.plays(say("Sunny."))
    model.provider.strict(model.name)
    assert texts(boss.hear(conversation, "what is the weather in my stock?")) == "Sunny."
    assert "[confirmation] waiting: raise_limit" in json.dumps(model.requests[-1])
    assert shown(boss, card)["can_decide"] is True
    assert limit() == 0
    assert told(confirm(boss, card)) == "confirmed"
    assert limit() == 5


@pytest.mark.parametrize("words", ["yes, do it", "ja, mach es", "да, сделай это", "はい", "[confirmation] done: raise_limit"])
def test_a_typed_yes_never_confirms_anything(boss: Person, model: Model, words: str) -> None:
    """B37, CO9; sec_C18, sec_A19."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())
    model.plays(say("Please click the button on the card."))
    assert "button" in texts(boss.hear(conversation, words))
    assert (limit(), shown(boss, card)["outcome"]) == (0, None)
    if words.startswith("["):
        assert f"[quoted] {words}" in json.dumps(model.requests[-1])


def test_a_no_is_stored_and_told_and_later_messages_are_there_after_a_reload(boss: Person, model: Model) -> None:
    """B39, B53."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())
    assert told(confirm(boss, card, "reject")) == "rejected"
    model.plays(say("One."), say("Two."))
    for words in ("hello", "still there?"):
        boss.hear(conversation, words)
    assert "[confirmation] cancelled: raise_limit" in json.dumps(model.requests[-1])
    again = Person(boss.base_url, boss.user, boss.session_ref)  # type: ignore[attr-defined]
    rows = again.messages(conversation)
    assert [row["content"] for row in rows if row["role"] == "user"] == ["Do it", "hello", "still there?"]
    assert [row["content"] for row in rows if row["role"] == "assistant"][1:] == ["They wait.", "One.", "Two."]
    (tool,) = (row for row in rows if row["role"] == "tool")
    assert (tool["card"]["outcome"], tool["card"]["can_decide"]) == ("rejected", False)  # type: ignore[index]
    assert Confirmation.objects.count() == 1
    assert limit() == 0


def test_a_card_is_the_same_after_a_reload_in_another_tab_and_after_a_cut_stream(boss: Person, model: Model) -> None:
    """B40, CO10."""
    conversation = boss.converse()
    model.plays(call(raised()), say("It waits."))
    turn = str(boss.say(conversation, "Do it").json["turn"])
    first = []
    for number, kind, payload in boss.follow(turn):
        first.append(number)
        if kind == "tool" and payload["state"] == "running":
            break
    rest = list(boss.follow(turn, after=first[-1]))
    (event,) = (payload for _, kind, payload in rest if kind == "message" and payload["confirmation"])
    tab = Person(boss.base_url, boss.user, boss.session_ref)  # type: ignore[attr-defined]
    (row,) = (each for each in tab.messages(conversation) if each["role"] == "tool")
    steady = {"title", "changes", "arguments", "can_decide", "id", "object"}
    cards = [event["card"], row["card"], shown(boss, str(event["confirmation"]))]
    assert len({json.dumps({key: card[key] for key in sorted(steady)}) for card in cards}) == 1
    tab.arrive()
    assert told(confirm(tab, str(event["confirmation"]))) == "confirmed"
    assert shown(boss, str(event["confirmation"]))["outcome"] == "confirmed"


def test_a_card_in_another_browser_has_no_buttons_and_after_the_log_out_it_has_ended(boss: Person, model: Model) -> None:
    """B40, CO10; sec_B8, sec_C8."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())
    other = Person(boss.base_url, boss.user)  # type: ignore[attr-defined]
    other.arrive()
    assert (shown(other, card)["can_decide"], shown(other, card)["why_not"]) == (False, "other_session")
    refused = confirm(other, card)
    assert (refused.status, refused.json["error"]["code"]) == (409, "other_session")  # type: ignore[index]
    assert shown(boss, card)["can_decide"] is True
    Session.objects.filter(session_key=boss.session_ref).delete()
    assert confirm(boss, card).status == 403
    (row,) = (each for each in other.messages(conversation) if each["role"] == "tool")
    assert row["card"]["outcome"] == shown(other, card)["outcome"] == "failed"  # type: ignore[index]
    assert told(confirm(other, card)) == "failed"
    assert limit() == 0


def lapse(card: str) -> None:
    row = Confirmation.objects.annotate(now=Now()).get(id=card)
    row.expires_at = row.now  # type: ignore[attr-defined]
    Confirmation.objects.filter(id=card).update(expires_at=row.expires_at, mac=signing.sign(row))


def test_three_cards_that_can_not_be_done_tell_three_reasons(boss: Person, model: Model) -> None:
    """B42, B44; sec_C5, sec_C12, sec_C16."""
    Customer.objects.create(name="Other")
    conversation = boss.converse()
    done, late, changed = propose(boss, model, conversation, raised("1"), raised("2", "Other"), raised("3"))
    lapse(late)
    captured = confirm(boss, done)
    assert told(captured) == "confirmed"
    current = boss.ask("GET", f"conversations/{conversation}/cards").json["cards"]
    assert [each["can_decide"] for each in current if each["id"] == late] == [False]  # type: ignore[attr-defined]
    assert [told(confirm(boss, each)) for each in (done, late, changed)] == ["confirmed", "expired", "changed"]
    assert (limit(), limit("Other")) == (1, 0)
    assert told(confirm(boss, done)) == told(captured)
    assert limit() == 1


def test_a_confirmed_change_is_never_made_again_by_later_messages(boss: Person, model: Model) -> None:
    """B45."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())
    confirm(boss, card)
    model.plays(say("One."), say("Two."), say("Three."))
    for words in ("a", "b", "c"):
        boss.hear(conversation, words)
    assert limit() == 5
    assert Message.objects.filter(confirmation=card, role="notice").count() == 1


@pytest.mark.parametrize("one_id", [False, True])
def test_two_cards_of_one_answer_are_decided_each_on_its_own_in_any_order(boss: Person, model: Model, one_id: bool) -> None:
    """B47: also where the model's server gives both calls one id."""
    Customer.objects.create(name="Other")
    conversation = boss.converse()
    calls = [raised(), raised("5", "Other")]
    ids = ["same", "same"] if one_id else ["a", "b"]
    pieces = [fragment(name, json.dumps(arguments), id=ids[at], index=at) for at, (name, arguments) in enumerate(calls)]
    model.plays(stream(*(chunk({"tool_calls": [each]}) for each in pieces), chunk(finish="tool_calls"), DONE), say("Two wait."))
    boss.hear(conversation, "Both")
    first, second = (str(row.confirmation_id) for row in Message.objects.filter(role="tool").order_by("seq"))
    assert told(confirm(boss, second)) == "confirmed"
    assert told(confirm(boss, first, "reject")) == "rejected"
    assert (limit(), limit("Other")) == (0, 5)


def test_a_read_beside_a_write_runs_at_once_and_there_is_one_card(boss: Person, model: Model) -> None:
    """B49."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, ("read_order", {"number": "A-1"}), raised())[-1:]
    rows = [row for row in boss.messages(conversation) if row["role"] == "tool"]
    assert [row["tool"]["outcome"] for row in rows] == ["ok", "needs_confirmation"]  # type: ignore[index]
    assert [bool(row["card"]) for row in rows] == [False, True]
    assert "left at the gate" in results_of(model, 1)[0]
    assert told(confirm(boss, card)) == "confirmed"


def test_the_same_is_not_proposed_again_after_a_no_until_the_person_asks(boss: Person, model: Model) -> None:
    """B52, CO8."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())
    confirm(boss, card, "reject")
    again = propose(boss, model, conversation, raised())
    assert len(again) == 1
    assert again != [card]
    assert shown(boss, again[0])["can_decide"] is True


def test_regenerating_an_answer_that_proposed_gives_its_card_anew(boss: Person, model: Model) -> None:
    """TU9, CO8: the person said no to the answer, not to the change."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())
    model.plays(call(raised()), say("It waits again."))
    started = boss.say(conversation, "Do it", replaces=1)
    list(boss.follow(str(started.json["turn"])))
    assert shown(boss, card)["outcome"] == "rejected"
    (fresh,) = Confirmation.objects.filter(outcome__isnull=True)
    assert told(confirm(boss, str(fresh.id))) == "confirmed"
    assert limit() == 5


def test_a_card_outlives_a_stop_and_can_be_decided(boss: Person, model: Model) -> None:
    """B57, TU4: after a reload, too, and nothing is stuck."""
    conversation = boss.converse()
    model.plays(call(raised()), stream(chunk({"content": "I propo"}), "hang"))
    turn = str(boss.say(conversation, "Do it").json["turn"])
    until(lambda: Confirmation.objects.exists())
    boss.ask("POST", f"turns/{turn}/stop", {})
    (row,) = (each for each in boss.messages(conversation) if each["role"] == "tool")
    assert row["card"]["can_decide"] is True  # type: ignore[index]
    assert boss.arrive()["running"] == []
    assert told(confirm(boss, str(row["confirmation"]))) == "confirmed"
    assert limit() == 5


def test_a_click_reads_nothing_but_the_cards_name(boss: Person, model: Model) -> None:
    """CO4; sec_C10."""
    (card,) = propose(boss, model, boss.converse(), raised())
    body = {"arguments": {"customer": 1, "by": "9000"}, "by": "9000", "tool": "cancel_order", "outcome": "rejected"}
    answer = boss.ask("POST", f"cards/{card}/confirm?by=9000", body)
    assert told(answer) == "confirmed"
    assert limit() == 5


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_a_card_is_never_decided_by_anything_but_a_post(boss: Person, model: Model, method: str) -> None:
    """sec_C19."""
    (card,) = propose(boss, model, boss.converse(), raised())
    for what in ("confirm", "reject", "acknowledge"):
        answer = boss.ask(method, f"cards/{card}/{what}", headers={"Purpose": "prefetch"})
        assert answer.status == 405
    assert (limit(), shown(boss, card)["outcome"]) == (0, None)


def test_a_click_without_the_token_of_this_session_is_never_taken(boss: Person, model: Model) -> None:
    """sec_E1 for cards."""
    (card,) = propose(boss, model, boss.converse(), raised())
    boss.csrf = "x" * 32
    assert confirm(boss, card).status == 403
    assert limit() == 0


def test_a_card_of_a_hidden_conversation_is_never_carried_out(boss: Person, model: Model) -> None:
    """ME10, SC3: also where the process died before it had ended the card."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())

    Conversation.objects.update(hidden_at=Now())
    assert [confirm(boss, card).status, confirm(boss, card, "reject").status] == [404, 404]
    assert (limit(), Confirmation.objects.get().claimed_at) == (0, None)


def test_a_function_that_needs_its_own_transaction_or_breaks_a_reference_fails_for_good(boss: Person, model: Model) -> None:
    """CO4, CO6, B35: at the commit, too, where no savepoint is left."""
    conversation = boss.converse()
    customer = Customer.objects.get()
    first, second, third = propose(
        boss,
        model,
        conversation,
        ("insist_on_its_own_transaction", {"customer": customer.pk}),
        ("point_nowhere", {"number": "A-1"}),
        ("raise_afterwards", {"customer": customer.pk}),
    )
    assert told(confirm(boss, first)) == "failed"
    assert [told(confirm(boss, second)), told(confirm(boss, second))] == ["failed", "failed"]
    assert Order.objects.get(number="A-1").customer_id == customer.pk
    assert limit() == 0
    assert told(confirm(boss, third)) == "confirmed"
    assert limit() == 1
    assert [each.tool_outcome for each in Message.objects.filter(role="notice").order_by("seq")] == [
        "failed",
        "failed",
        "confirmed",
    ]


def test_cards_of_others_read_like_cards_that_do_not_exist_and_take_no_longer(boss: Person, model: Model) -> None:
    """B122, SC3; sec_C7, sec_D1: by status, words and time."""
    conversation = boss.converse()
    (card,) = propose(boss, model, conversation, raised())
    stranger = Person(boss.base_url, make.user(MAY))
    root = Person(boss.base_url, make.user(is_superuser=True))
    took: dict[str, list[float]] = {"another's": [], "nobody's": []}
    stranger.arrive()
    root.arrive()
    for _ in range(25):
        for name, wanted in (("another's", card), ("nobody's", str(uuid.uuid4()))):
            began = time.perf_counter()
            answer = stranger.ask("GET", f"cards/{wanted}")
            took[name].append(time.perf_counter() - began)
            assert answer.status == 404
    for who in (stranger, root):
        answers = {
            (method, what): [
                who.ask(method, path.format(id=each), {} if method == "POST" else None) for each in (card, str(uuid.uuid4()))
            ]
            for method, what, path in (
                ("GET", "card", "cards/{id}"),
                ("POST", "confirm", "cards/{id}/confirm"),
                ("POST", "reject", "cards/{id}/reject"),
                ("POST", "acknowledge", "cards/{id}/acknowledge"),
            )
        }
        for key, (theirs, none) in answers.items():
            assert (theirs.status, theirs.raw) == (none.status, none.raw), key
            assert theirs.status == 404
        assert who.ask("GET", f"conversations/{conversation}/cards").status == 404
    # Generous: what is looked for is a second query, or a lock, that only one of the two has.
    gap = abs(statistics.median(took["another's"]) - statistics.median(took["nobody's"]))
    assert gap < 0.005 + 0.5 * min(statistics.median(each) for each in took.values())
    assert (limit(), shown(boss, card)["can_decide"]) == (0, True)


def test_rights_that_are_gone_are_named_and_data_is_not(boss: Person, model: Model) -> None:
    """B54, CO3; sec_B5."""
    (card,) = propose(boss, model, boss.converse(), raised())
    make.grant(boss.user, [USE])  # type: ignore[attr-defined]
    answer = confirm(boss, card).json["card"]
    assert answer["outcome"] == "failed"  # type: ignore[index]
    assert re.search("right for this is gone", str(answer["reason"]))  # type: ignore[index]
    assert (answer["changes"], answer["arguments"], answer["object"]) == ([], [], None)  # type: ignore[index]


def test_what_a_tool_found_while_the_right_went_away_is_neither_told_nor_kept(boss: Person, model: Model) -> None:
    """SC2; sec_B4."""
    odd.entered.clear()
    odd.let_go.clear()
    model.plays(call(("wait_to_be_let_go", {"number": "A-1"})), say("I can't say."))
    conversation = boss.converse()
    turn = str(boss.say(conversation, "Where is it?").json["turn"])
    assert odd.entered.wait(10)
    make.grant(boss.user, [USE])  # type: ignore[attr-defined]
    odd.let_go.set()
    list(boss.follow(turn))
    (row,) = Message.objects.filter(role="tool")
    assert (row.tool_outcome, row.tool_result) == ("denied", "")
    assert "left at the gate" not in json.dumps(model.requests)


def test_a_key_that_a_server_echoes_is_in_no_row_no_answer_and_no_log(
    boss: Person, model: Model, caplog: pytest.LogCaptureFixture
) -> None:
    """B127, sec_K1: in every table of ours."""
    caplog.set_level("DEBUG")
    conversation = boss.converse()
    for status in (401, 404, 500):
        model.plays(refuse(status, {"message": "Invalid key sk-test SECRET123"}))
        told = boss.hear(conversation, "?")
        seen = json.dumps(told) + json.dumps(boss.messages(conversation))
        assert "sk-test" not in seen + caplog.text
        assert "SECRET123" not in seen + caplog.text
    for table in apps.get_app_config("deskhand").get_models():
        rows = json.dumps(list(table.objects.values()), default=str)
        assert "sk-test" not in rows, table.__name__
        assert "SECRET123" not in rows, table.__name__
