"""A server that is killed in the middle of an answer, and what its next life and its neighbours make of it."""

from __future__ import annotations

import datetime
import signal
import time
from collections.abc import Iterator

import pytest
from django.utils import timezone

from deskhand.models import AIRequest, Conversation, Event, Message, Turn
from tests.flows.conftest import Model
from tests.person import Person
from tests.provider import chunk, say, stream
from tests.serving import Server, settings_for
from tests.web.conftest import Place, Stream, at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(served_model: Model) -> Iterator[Server]:
    running = Server.uvicorn(settings_for(served_model.provider.base_url, served_model.name))
    yield running
    running.close()


def in_the_middle(server: Server, model: Model) -> tuple[Place, str, str]:
    """A conversation and its turn, which has told half of its answer and stored it."""
    place = at(server, model)
    model.plays(stream(chunk({"content": "Half of "}), chunk({"content": "an answer"}), "hang"))
    conversation = place.person.converse()
    turn = str(place.person.say(conversation, "Tell me").json["turn"])
    told = Stream(place.person, turn)
    told.until("text")
    ends = time.monotonic() + 5
    while time.monotonic() < ends and "an answer" not in str(list(Event.objects.values_list("told", flat=True))):
        time.sleep(0.02)
    return place, conversation, turn


def honest_end(place: Place, conversation: str, turn: str) -> None:
    """The question is there, what was told of the answer is kept and marked, the end is said, the locks are free."""
    rows = [(row["role"], row["content"], row["ending"]) for row in place.person.messages(conversation)]
    assert rows[0][:2] == ("user", "Tell me")
    assert rows[1] == ("assistant", "Half of an answer", "incomplete")
    assert place.person.messages(conversation)[2]["notice"] == "died"
    assert len(rows) == 3
    assert Turn.objects.get(id=turn).end == "died"
    assert Conversation.objects.get().running_turn is None
    assert AIRequest.objects.filter(is_estimated=True).count() == 1


def goes_on(place: Place, conversation: str, model: Model) -> None:
    model.plays(say("On we go."))
    told = place.person.hear(conversation, "Still there?")
    assert "".join(str(payload["text"]) for _, kind, payload in told if kind == "text") == "On we go."
    assert Message.objects.filter(role="user").count() == 2


def test_after_a_kill_the_next_life_ends_the_turn_honestly_and_the_conversation_goes_on(
    server: Server, served_model: Model
) -> None:
    """TU5, sec_I4: at once, since the dead process was one of this machine."""
    place, conversation, turn = in_the_middle(server, served_model)
    server.kill()
    server.start()
    assert place.person.arrive()["running"] == []
    honest_end(place, conversation, turn)
    goes_on(place, conversation, served_model)


def test_who_follows_after_a_kill_is_told_the_end(server: Server, served_model: Model) -> None:
    """TU5: what had been told, then ``done``."""
    place, conversation, turn = in_the_middle(server, served_model)
    server.kill()
    server.start()
    told = Stream(place.person, turn).until("done")
    assert "".join(str(payload["text"]) for _, kind, payload in told if kind == "text") == "Half of an answer"
    assert told[-1][2]["end"] == "died"
    assert [kind for _, kind, _ in Stream(place.person, turn, f"?after={told[-1][0]}").events()] == ["done"]
    honest_end(place, conversation, turn)


def test_a_start_after_a_kill_is_not_busy(server: Server, served_model: Model) -> None:
    """TU5: even if nobody looked in between."""
    place, conversation, _ = in_the_middle(server, served_model)
    server.kill()
    server.start()
    goes_on(place, conversation, served_model)
    assert Turn.objects.filter(end="died").count() == 1


def test_a_turn_of_a_machine_that_is_gone_ends_when_its_lease_is_over(server: Server, served_model: Model) -> None:
    """TU5, TU1: nobody can see that process; until then conversation and user are busy."""
    place, conversation, turn = in_the_middle(server, served_model)
    server.kill()
    Turn.objects.update(owner="another-machine pid:[1] 1 1", lease_until=timezone.now() + datetime.timedelta(hours=1))
    server.start()
    assert [each["turn"] for each in place.person.arrive()["running"]] == [turn]  # type: ignore[attr-defined]
    assert place.person.say(conversation, "Still there?").status == 409
    Turn.objects.update(lease_until=timezone.now())
    assert place.person.arrive()["running"] == []
    honest_end(place, conversation, turn)
    goes_on(place, conversation, served_model)


def test_a_neighbour_ends_the_turn_of_a_killed_process_while_somebody_follows_there(server: Server, served_model: Model) -> None:
    """TU5, TU4."""
    place, _, turn = in_the_middle(server, served_model)
    other = Server.gunicorn(settings_for(served_model.provider.base_url, served_model.name), threads=4)
    try:
        person = Person(other.url, place.user, place.person.session_ref)
        far = Stream(person, turn)
        far.until("text")
        server.kill()
        assert far.until("done")[-1][2]["end"] == "died"
    finally:
        other.close()
    assert Turn.objects.get(id=turn).end == "died"


@pytest.mark.parametrize("kind", ["uvicorn", "gunicorn"])
def test_a_deploy_while_somebody_follows_leaves_an_honest_end(kind: str, served_model: Model) -> None:
    """TU5, sec_I20: whether the server's end lets us write it (uvicorn's does not), or the next process does."""
    made = {"uvicorn": Server.uvicorn, "gunicorn": Server.gunicorn}[kind]
    server = made(settings_for(served_model.provider.base_url, served_model.name))
    try:
        place, conversation, turn = in_the_middle(server, served_model)
        server.kill(signal.SIGTERM)
        server.start()
        assert place.person.arrive()["running"] == []
        honest_end(place, conversation, turn)
        goes_on(place, conversation, served_model)
    finally:
        server.close()
