"""A database that somebody else holds, and bodies as only a real server gets them."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from pytest_django.live_server_helper import LiveServer

from deskhand import transactions
from deskhand.models import Conversation, Message, Turn
from deskhand.turns import runner
from tests import make
from tests.flows.conftest import Model
from tests.person import Person
from tests.provider import chunk, say, stream
from tests.serving import Server
from tests.web.conftest import Place, at

pytestmark = pytest.mark.django_db(transaction=True)


@contextlib.contextmanager
def held(conversation: str) -> Iterator[None]:
    """Another writer holds what a start or a stop needs, and who waits for it does not wait long."""
    holds, release = threading.Event(), threading.Event()

    def hold() -> None:
        with transactions.writing() as alias:
            list(Conversation.objects.using(alias).select_for_update().filter(id=conversation))
            holds.set()
            release.wait(60)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert holds.wait(20)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(transactions, "LOCK_SECONDS", 0.2)
            if connection.vendor == "sqlite":
                patch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.2)
            yield
    finally:
        release.set()
        thread.join(20)


def test_a_start_while_another_writer_holds_the_database_is_503_in_words_and_nothing_is_half_stored(
    clerk: Person, model: Model
) -> None:
    """sec_J10: the message stays with the person, and the same start succeeds a moment later."""
    conversation = clerk.converse()
    model.plays(say("Here."))
    with held(conversation):
        answers = [
            clerk.say(conversation, "Hello", key="k"),
            clerk.ask("POST", f"conversations/{conversation}/turns", {"text": "x"}),
        ]
    assert (answers[0].status, answers[0].json["error"]["code"]) == (503, "database_busy")  # type: ignore[index]
    assert int(answers[0].headers["Retry-After"]) > 0
    assert answers[1].status == 400
    assert (Message.objects.count(), Turn.objects.count(), Conversation.objects.get().running_turn) == (0, 0, None)
    turn = clerk.say(conversation, "Hello", key="k")
    assert turn.status == 202
    list(clerk.follow(str(turn.json["turn"])))
    assert list(Message.objects.order_by("seq").values_list("content", flat=True)) == ["Hello", "Here."]


def test_a_stop_while_another_writer_holds_the_database_is_503_and_can_be_said_again(clerk: Person, model: Model) -> None:
    """sec_J10."""
    model.plays(stream(chunk({"content": "Slowly "}), "hang"))
    conversation = clerk.converse()
    turn = str(clerk.say(conversation, "Tell").json["turn"])
    for _, kind, _ in clerk.follow(turn):
        if kind == "text":
            break
    with held(conversation):
        assert clerk.ask("POST", f"turns/{turn}/stop", {}).status == 503
    assert clerk.ask("POST", f"turns/{turn}/stop", {}).json["end"] == "stopped"
    assert not runner.here()._running or runner.here().settle(5)


# --- bodies --------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def place(uvicorn: Server, served_model: Model) -> Place:
    return at(uvicorn, served_model)


def raw(
    place: Place, head: list[str], *parts: bytes, path: str = "conversations", closes: bool = False
) -> tuple[int, dict[str, object]]:
    """Status and JSON of a request that is written byte by byte."""
    host, _, port = place.person.base_url.removeprefix("http://").partition(":")
    sent = {**place.person._headers(), "Host": f"{host}:{port}", "Connection": "close"}
    lines = [f"POST /assistant/api/{path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), *head, "", ""]
    with socket.create_connection((host, int(port)), 20) as connected:
        connected.sendall("\r\n".join(lines).encode())
        for part in parts:
            connected.sendall(part)
        if closes:
            return 0, {}
        answer = b""
        while piece := connected.recv(65536):
            answer += piece
    top, _, content = answer.partition(b"\r\n\r\n")
    status = int(top.split()[1])
    return status, json.loads(content) if content.startswith(b"{") else {}


def chunked(content: bytes, size: int = 60_000) -> bytes:
    parts = [content[at : at + size] for at in range(0, len(content), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def test_a_body_without_a_length_is_read_up_to_the_limit(place: Place) -> None:
    """sec_L4, sec_H11's rule for JSON."""
    head = ["Transfer-Encoding: chunked"]
    assert raw(place, head, chunked(b"{}"))[0] == 201
    status, answer = raw(place, head, chunked(b'{"text": "' + b"x" * 1_500_000 + b'"}'))
    assert (status, answer["error"]["code"]) == (413, "too_large")  # type: ignore[index]
    status, answer = raw(place, head, chunked(b"[" * 5_000_000))
    assert (status, answer["error"]["code"]) == (413, "too_large")  # type: ignore[index]
    assert Conversation.objects.count() == 1


def test_a_body_that_breaks_off_stores_nothing(place: Place) -> None:
    """The browser went away, or lied about the length."""
    conversation = place.person.converse()
    path = f"conversations/{conversation}/turns"
    sent = json.dumps({"text": "Hello", "key": "k"}).encode()
    raw(place, [f"Content-Length: {len(sent) + 10}"], sent, path=path, closes=True)
    raw(place, ["Transfer-Encoding: chunked"], b"%x\r\n%b\r\n" % (len(sent), sent), path=path, closes=True)
    status, answer = raw(place, [f"Content-Length: {len(sent) - 3}"], sent, path=path)
    assert (status, answer["error"]["code"]) == (400, "bad_input")  # type: ignore[index]
    assert place.person.messages(conversation) == []
    assert Turn.objects.count() == 0


def test_nothing_under_wsgi_depends_on_the_length_either(live_server: LiveServer, model: Model) -> None:
    user = make.user(["deskhand.use_assistant"])
    place = Place(Person(live_server.url, user), user, model)
    place.person.arrive()
    for head in (["Content-Length: abc"], ["Content-Length: -1"], []):
        status, _ = raw(place, head, b"{}")
        assert status in (201, 400)
    status, answer = raw(place, ["Content-Length: 3"], b"{}x}")
    assert (status, answer["error"]["code"]) == (400, "bad_input")  # type: ignore[index]
    status, answer = raw(place, ["Content-Length: 5000000"], b"x" * 5_000_000)
    assert (status, answer["error"]["code"]) == (413, "too_large")  # type: ignore[index]


def test_a_start_inside_the_hosts_own_transaction_is_never_wrapped(clerk: Person, model: Model, settings: object) -> None:
    """TU2: the view is outside ``ATOMIC_REQUESTS``, on every database."""
    model.plays(say("Here."))
    connection.settings_dict["ATOMIC_REQUESTS"] = True
    try:
        told = clerk.hear(clerk.converse(), "Hello")
    finally:
        connection.settings_dict["ATOMIC_REQUESTS"] = False
    assert told[-1][2]["end"] == "answered"
    assert transaction.get_connection().in_atomic_block is False
