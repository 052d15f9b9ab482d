"""People who do something else while an answer is being written: stop between two steps, use another conversation, delete the account."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.db import connection

from deskhand import faults
from deskhand.models import AIRequest, Conversation, Message, Turn
from deskhand.turns import runner
from tests.faults import checker
from tests.faults.witness import Witness
from tests.flows.conftest import Model
from tests.flows.steps import has_ended, hear_first_text, texts, until
from tests.person import Person
from tests.provider import DONE, Reply, call, chunk, say, stream, usage
from tests.turns.test_runner import in_threads

pytestmark = pytest.mark.django_db(transaction=True)

ORDER = ("read_order", {"number": "A-1"})


@pytest.fixture
def sleeps() -> Iterator[None]:
    """Each turn sleeps for a while between a tool's result and the next request to the model."""
    faults.set_faults("call.answered=sleep:0.7")
    yield
    faults.set_faults("")


def test_stop_between_a_tools_result_and_the_next_request_asks_the_model_nothing_more(
    clerk: Person, model: Model, sleeps: None
) -> None:
    """TU4, B60, B65: the finished step is kept."""
    model.plays(call(ORDER), say("Never said."))
    witness, conversation = Witness(clerk), clerk.converse()
    turn = witness.says(conversation, "A-1?")
    until(lambda: Message.objects.filter(role="tool").exists())
    stopped = clerk.ask("POST", f"turns/{turn}/stop", {})
    assert (stopped.json["is_running"], stopped.json["end"]) == (False, "stopped")
    assert runner.here().settle(10)
    witness.hears(turn)
    assert len(model.requests) == 1
    assert [row["role"] for row in clerk.messages(conversation)] == ["user", "assistant", "tool", "notice"]
    assert checker.wrong(witness, asked=1) == []


def slowly(*words: str) -> Reply:
    parts = [part for word in words for part in (chunk({"content": word}), 0.02)]
    return stream(*parts, chunk(finish="stop"), usage(10, 5), DONE)


def test_two_conversations_at_once_never_hear_of_each_other(clerk: Person, model: Model, settings: object) -> None:
    """B68, TU4: the answer of one is in it, and in no other, whatever else its person does meanwhile."""
    settings.DESKHAND = {**settings.DESKHAND, "TURNS_PER_USER": 2}  # type: ignore[attr-defined]
    words = [[f"{name}{number} " for number in range(30)] for name in "ab"]
    model.plays(*(slowly(*each) for each in words))
    witness = Witness(clerk)
    chats = [clerk.converse() for _ in words]
    turns = [witness.says(chat, "Tell me") for chat in chats]
    threads = [threading.Thread(target=witness.hears, args=(turn,)) for turn in turns]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    told = {texts(witness.told[turn]) for turn in turns}
    assert told == {"".join(each) for each in words}
    for chat, turn in zip(chats, turns, strict=True):
        assert [row["content"] for row in clerk.messages(chat)] == ["Tell me", texts(witness.told[turn])]
    assert checker.wrong(witness, asked=2) == []


def test_an_account_that_is_deleted_while_it_is_answered_stops_the_answer_and_keeps_the_books(
    clerk: Person, model: Model
) -> None:
    """B70, ME10: nothing of it comes back, and what it used is counted."""
    model.plays(stream(chunk({"content": "Slowly "}), "hang"))
    turn = str(clerk.say(clerk.converse(), "Tell").json["turn"])
    hear_first_text(clerk, turn)
    User.objects.get(pk=clerk.user.pk).delete()  # type: ignore[attr-defined]
    until(lambda: has_ended(turn))
    model.provider.wait_for(model.name, 1, closed=True)
    assert runner.here().settle(10)
    assert Turn.objects.get(id=turn).end == "refused"
    assert Conversation.objects.get().user_id is None
    assert AIRequest.objects.exclude(user_key="").count() == 1
    assert checker.wrong(asked=1) == []


def test_two_starts_at_the_same_moment_under_one_key_are_one_message_and_one_request(clerk: Person, model: Model) -> None:
    """B66, B73, TU1: Enter twice."""
    model.plays(say("Once."))
    for _ in range(10):
        conversation, key, together = clerk.converse(), uuid.uuid4().hex, threading.Barrier(4)
        answers: list[tuple[int, object]] = []

        def starts(
            conversation: str = conversation,
            key: str = key,
            together: threading.Barrier = together,
            answers: list[tuple[int, object]] = answers,
        ) -> None:
            together.wait(10)
            answer = clerk.say(conversation, "Hello", key=key)
            answers.append((answer.status, answer.json.get("turn")))

        before = len(model.requests)
        threads = [threading.Thread(target=starts) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(set(answers)) == 1, answers
        assert answers[0][0] == 202
        until(lambda turn=str(answers[0][1]): has_ended(turn))  # type: ignore[misc]
        assert len(model.requests) == before + 1
        assert Message.objects.filter(conversation=conversation, role="user").count() == 1
    assert checker.wrong(asked=10) == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers")
def test_a_writer_that_holds_sqlite_for_long_in_the_middle_of_a_turn_loses_no_message(
    clerk: Person, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sec_J10, TU3: the turn goes on, or ends with a notice as soon as that can be written."""
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.2)
    reads, let_go = threading.Event(), threading.Event()

    def waits(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if '"shop_order"' in sql:
            reads.set()
            assert let_go.wait(10)
        return execute(sql, *rest)

    model.plays(call(ORDER), say("At the gate."))
    witness, conversation = Witness(clerk), clerk.converse()
    with in_threads("deskhand-tool", waits):
        turn = witness.says(conversation, "A-1?")
        assert reads.wait(10)
        connection.ensure_connection()
        connection.connection.execute("BEGIN IMMEDIATE")
        let_go.set()
        refused = clerk.say(conversation, "And now?")
        assert not runner.here().settle(1)
        connection.connection.execute("ROLLBACK")
    assert refused.status in (409, 503)
    witness.hears(turn)
    assert runner.here().settle(10)
    assert Turn.objects.get(id=turn).end in ("answered", "failed")
    assert [row["content"] for row in clerk.messages(conversation) if row["role"] == "user"] == ["A-1?"]
    assert checker.wrong(witness) == []
