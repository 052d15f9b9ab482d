"""The whole path of a question, over HTTP, with a provider that speaks real HTTP."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session

from deskhand.core.values import TurnEnd
from deskhand.models import AIRequest, Conversation, Event, Message, Turn
from deskhand.turns import events, runner
from tests.flows.conftest import Model
from tests.person import Person
from tests.provider import DONE, call, chunk, say, stream
from tests.turns.test_runner import in_threads

pytestmark = pytest.mark.django_db(transaction=True)

ORDER = ("read_order", {"number": "A-1"})


def kinds(told: list[tuple[int, str, dict[str, object]]]) -> list[str]:
    return [kind for _, kind, _ in told]


def text(told: list[tuple[int, str, dict[str, object]]]) -> str:
    return "".join(str(payload["text"]) for _, kind, payload in told if kind == "text")


def test_a_question_is_answered_from_the_hosts_rows(clerk: Person, model: Model) -> None:
    """TU3, UI6."""
    model.plays(call(ORDER), say("It was left at the gate."))
    conversation = clerk.converse()
    told = clerk.hear(conversation, "Where is A-1?")
    assert text(told) == "It was left at the gate."
    assert kinds(told)[-2:] == ["message", "done"]
    assert [number for number, _, _ in told] == sorted({number for number, _, _ in told})
    shown = clerk.messages(conversation)
    assert [(row["role"], row["seq"]) for row in shown] == [("user", 1), ("assistant", 2), ("tool", 3), ("assistant", 4)]
    assert "gate" not in str(shown[2])
    assert "left at the gate" in str(model.requests[1])
    assert AIRequest.objects.filter(status="ok", input_tokens=100).count() == 2


def test_the_short_poll_tells_the_same_as_the_stream(clerk: Person, model: Model) -> None:
    """UI6."""
    model.plays(call(ORDER), say("Yes indeed."))
    turn = str(clerk.say(clerk.converse(), "A-1?").json["turn"])
    polled = clerk.poll(turn)
    assert text(polled) == "Yes indeed."
    assert list(clerk.follow(turn))[-1][1:] == polled[-1][1:]


def test_a_stream_that_is_cut_goes_on_where_it_was_and_tells_each_event_once(clerk: Person, model: Model) -> None:
    """TU4, sec_J5, B62."""
    words = [f"w{number} " for number in range(20)]
    model.plays(stream(*[part for word in words for part in (chunk({"content": word}), 0.02)], chunk(finish="stop"), DONE))
    turn = str(clerk.say(clerk.converse(), "Tell").json["turn"])
    heard, after = [], 0
    for _ in range(5):
        for event in clerk.follow(turn, after=after):
            heard.append(event)
            after = event[0]
            if len(heard) % 4 == 0:
                break
    heard += list(clerk.follow(turn, after=after))
    assert text(heard) == "".join(words)


def test_stop_takes_effect_within_a_second_keeps_the_text_and_closes_the_connection(clerk: Person, model: Model) -> None:
    """TU4, B60."""
    model.plays(stream(chunk({"content": "Once upon "}), "hang"))
    conversation = clerk.converse()
    turn = str(clerk.say(conversation, "Tell me").json["turn"])
    for _, kind, _ in clerk.follow(turn):
        if kind == "text":
            break
    began = time.monotonic()
    stopped = clerk.ask("POST", f"turns/{turn}/stop", {})
    assert (stopped.status, stopped.json["end"]) == (200, "stopped")
    assert time.monotonic() - began < 25
    model.provider.wait_for(model.name, 1, closed=True)
    shown = clerk.messages(conversation)
    assert [(row["role"], row["content"], row["ending"]) for row in shown[1:2]] == [("assistant", "Once upon ", "stopped")]
    assert shown[2]["notice"] == "stopped"
    model.plays(say("Fine."))
    assert text(clerk.hear(conversation, "Again")) == "Fine."
    assert AIRequest.objects.filter(status="stopped", is_estimated=True).count() == 1


def test_stop_in_the_middle_of_a_tool_takes_effect_at_once_and_asks_the_model_nothing_more(clerk: Person, model: Model) -> None:
    """TU4, B60, B65."""
    model.plays(call(ORDER), say("Never said."))
    conversation = clerk.converse()
    reads, let_go = threading.Event(), threading.Event()

    def slowly(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if '"shop_order"' in sql:
            reads.set()
            assert let_go.wait(10)
        return execute(sql, *rest)

    with in_threads("deskhand-tool", slowly):
        turn = str(clerk.say(conversation, "A-1?").json["turn"])
        assert reads.wait(10)
        stopped = clerk.ask("POST", f"turns/{turn}/stop", {})
        assert (stopped.json["is_running"], stopped.json["end"]) == (False, "stopped")
        assert runner.here().settle(2)
        let_go.set()
    shown = clerk.messages(conversation)
    assert [(row["role"], (row["tool"] or {}).get("outcome", row["notice"])) for row in shown] == [
        ("user", ""),
        ("assistant", ""),
        ("tool", "stopped"),
        ("notice", "stopped"),
    ]
    assert len(model.requests) == 1
    assert Message.objects.get(role="tool").tool_result == ""


def test_a_second_start_is_busy_and_the_same_key_is_the_same_turn(clerk: Person, model: Model) -> None:
    """TU1, B61, B66, B73."""
    model.plays(stream(chunk({"content": "a"}), 0.5, chunk(finish="stop"), DONE))
    conversation = clerk.converse()
    key = uuid.uuid4().hex
    first = clerk.say(conversation, "one", key=key)
    second = clerk.say(conversation, "two")
    again = clerk.say(conversation, "one", key=key)
    assert (second.status, second.json["error"]["code"]) == (409, "busy")  # type: ignore[index]
    assert again.json["turn"] == first.json["turn"]
    list(clerk.follow(str(first.json["turn"])))
    after_the_end = clerk.say(conversation, "one", key=key)
    assert (after_the_end.status, after_the_end.json["turn"]) == (202, first.json["turn"])
    assert Message.objects.filter(role="user").count() == 1
    assert len(model.requests) == 1


def test_a_session_that_is_gone_ends_its_turn_and_asks_the_model_nothing_more(clerk: Person, model: Model) -> None:
    """SC2, sec_B8."""
    model.plays(stream(chunk({"content": "Slowly "}), "hang"))
    turn = str(clerk.say(clerk.converse(), "Tell").json["turn"])
    for _, kind, _ in clerk.follow(turn):
        if kind == "text":
            break
    Session.objects.all().delete()
    model.provider.wait_for(model.name, 1, closed=True)
    _wait_for_end(turn)
    assert Turn.objects.get(id=turn).end == TurnEnd.REFUSED
    assert len(model.requests) == 1
    assert clerk.ask("GET", f"turns/{turn}/events").status == 403


def test_a_user_who_is_deactivated_mid_stream_is_cut_off(clerk: Person, model: Model) -> None:
    """SC2, sec_B7."""
    model.plays(stream(chunk({"content": "Slowly "}), "hang"))
    turn = str(clerk.say(clerk.converse(), "Tell").json["turn"])
    for _, kind, _ in clerk.follow(turn):
        if kind == "text":
            break
    clerk.user.is_active = False  # type: ignore[attr-defined]
    clerk.user.save()  # type: ignore[attr-defined]
    with pytest.raises(AssertionError, match="stream answered 403"):
        list(clerk.follow(turn))
    _wait_for_end(turn)
    assert Turn.objects.get(id=turn).end == TurnEnd.REFUSED


def test_a_conversation_that_is_deleted_while_answering_stops_and_nothing_comes_back(clerk: Person, model: Model) -> None:
    """ME10, B70."""
    model.plays(stream(chunk({"content": "Slowly "}), "hang"))
    conversation = clerk.converse()
    turn = str(clerk.say(conversation, "Tell").json["turn"])
    for _, kind, _ in clerk.follow(turn):
        if kind == "text":
            break
    assert clerk.ask("DELETE", f"conversations/{conversation}").json == {"undo_seconds": 10}
    model.provider.wait_for(model.name, 1, closed=True)
    assert clerk.ask("GET", f"conversations/{conversation}/messages").status == 404
    assert AIRequest.objects.count() == 1
    assert clerk.ask("POST", f"conversations/{conversation}/restore", {}).status == 200


def test_a_turn_whose_time_is_over_ends_with_a_notice(clerk: Person, model: Model, settings: object) -> None:
    """TU3, sec_J3."""
    settings.DESKHAND = {**settings.DESKHAND, "TURN_SECONDS": 0.3}  # type: ignore[attr-defined]
    model.plays(stream(chunk({"content": "Slowly "}), "hang"))
    conversation = clerk.converse()
    told = clerk.hear(conversation, "Tell")
    assert told[-1][2]["end"] == "capped"
    assert clerk.messages(conversation)[-1]["notice"] == "time"


def test_what_is_told_is_stored_for_other_processes_once_a_tick(clerk: Person, model: Model) -> None:
    """TU4."""
    model.plays(stream(chunk({"content": "stored "}), "hang"))
    turn = str(clerk.say(clerk.converse(), "Tell").json["turn"])
    ends = time.monotonic() + 5
    while time.monotonic() < ends and not Event.objects.filter(turn_id=turn).exists():
        time.sleep(0.02)
    assert Event.objects.filter(turn_id=turn).get().told[-1][1:] == ["text", {"text": "stored "}]
    clerk.ask("POST", f"turns/{turn}/stop", {})


def test_a_dead_processes_turn_is_ended_by_the_next_start(clerk: Person, model: Model) -> None:
    """TU5, design: a lapsed lease is ended by whoever sees it first."""
    model.plays(stream(chunk({"content": "half "}), "hang"))
    conversation = clerk.converse()
    turn = clerk.say(conversation, "Tell").json["turn"]
    ends = time.monotonic() + 5
    while time.monotonic() < ends and not Event.objects.filter(turn_id=turn).exists():
        time.sleep(0.02)
    # The process is gone as far as anybody can see: no feed, no renewal, the lease over.
    lost = dict(runner.here()._running)
    runner.here()._running.clear()
    events.forget_feeds()
    Turn.objects.filter(id=turn).update(lease_until="2020-01-01T00:00:00Z")
    model.plays(say("On we go."))
    assert text(clerk.hear(conversation, "Still there?")) == "On we go."
    roles = [(row["role"], row["content"]) for row in clerk.messages(conversation)]
    assert ("assistant", "half ") in roles
    assert Turn.objects.get(id=turn).end == TurnEnd.DIED
    assert Conversation.objects.get().running_turn is None
    for each in lost.values():
        each.cancel.stop()


def _wait_for_end(turn: str) -> None:
    ends = time.monotonic() + 10
    while time.monotonic() < ends and Turn.objects.filter(id=turn, ended_at__isnull=True).exists():
        time.sleep(0.02)
