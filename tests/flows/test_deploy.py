"""A server that is told to end, as in a deploy, in the middle of answers: real servers, real signals."""

from __future__ import annotations

import contextlib
import socket
import threading
import uuid
from collections.abc import Callable, Iterator

import pytest
import urllib3
from django.db import connection

from deskhand import faults
from deskhand.models import AIRequest, Conversation, Event, Message, Turn
from deskhand.turns import closing
from tests import make, serving
from tests.flows.conftest import USE, Model
from tests.flows.steps import until
from tests.person import Answer, Person
from tests.provider import DONE, Provider, Reply, chunk, say, stream, usage
from tests.serving import Server, settings_for
from tests.turns.threads import assert_sound

pytestmark = pytest.mark.django_db(transaction=True)


class Site:
    """One server and people at it, each in a conversation of their own."""

    def __init__(self, provider: Provider, grace_seconds: float, make_server: Callable[..., Server], **options: object) -> None:
        """Options in capitals are settings of ours, the others those of the server."""
        self.model = Model(provider)
        ours = {key: value for key, value in options.items() if key.isupper()}
        wanted = settings_for(provider.base_url, self.model.name, GRACE_SECONDS=grace_seconds, **ours)
        self.server = make_server(wanted, **{key: value for key, value in options.items() if not key.isupper()})

    def asks(self, *replies: Reply) -> tuple[Person, str, str]:
        """Somebody new, their conversation and its turn, which has begun to answer and has stored that."""
        person = Person(self.server.url, make.user([USE, "shop.view_order"]))
        self.model.plays(*replies)
        conversation = person.converse()
        turn = str(person.say(conversation, "Tell me").json["turn"])
        until(lambda: Event.objects.filter(turn_id=turn, told__icontains="Half").exists())
        return person, conversation, turn


class Follower(threading.Thread):
    """Hears one stream until it ends, however it does."""

    def __init__(self, person: Person, turn: str) -> None:
        super().__init__(daemon=True)
        self.told: list[tuple[int, str, dict[str, object]]] = []
        self._events = person.follow(turn, seconds=0.01)
        # The first event is heard before anything else is done.
        self.told.append(next(self._events))
        self.start()

    def run(self) -> None:
        with contextlib.suppress(urllib3.exceptions.HTTPError, AssertionError):
            self.told.extend(self._events)

    @property
    def end(self) -> object:
        """How the turn ended, as far as it was told here."""
        self.join(20)
        assert not self.is_alive()
        _, kind, payload = self.told[-1]
        return payload["end"] if kind == "done" else None


def taking(seconds: float) -> Reply:
    """An answer that needs so long after its first half."""
    return stream(
        chunk({"content": "Half of "}), seconds, chunk({"content": "an answer"}), chunk(finish="stop"), usage(10, 2), DONE
    )


LONG = stream(chunk({"content": "Half of "}), "hang")


class Between:
    """A way to the database that can be cut: from then on it says nothing more, or takes no connection."""

    def __init__(self, host: str, port: int) -> None:
        self._there = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._is_silent = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, how: str) -> None:
        """``silent``: nothing comes through; ``gone``: nor is a connection taken."""
        self._is_silent.set()
        if how == "gone":
            self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                there = socket.create_connection(self._there)
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := one.recv(65536):
                if self._is_silent.is_set():
                    # Held, and never passed on: the other side waits.
                    return
                other.sendall(piece)
            other.close()


@pytest.fixture
def site(provider: Provider) -> Iterator[Callable[..., Site]]:
    """Makes the test's servers."""
    made: list[Site] = []

    def build(grace_seconds: float, make_server: Callable[..., Server], **options: object) -> Site:
        made.append(Site(provider, grace_seconds, make_server, **options))
        return made[-1]

    yield build
    for each in made:
        each.server.close()


def rows(conversation: str) -> list[tuple[str, str]]:
    """What the conversation holds, and that nothing in it is open."""
    found = assert_sound(uuid.UUID(conversation))
    assert Conversation.objects.get(id=conversation).running_turn is None
    assert not Turn.objects.filter(ended_at__isnull=True).exists()
    return [(row.role, row.content if row.role != "notice" else row.error) for row in found]


ANSWERED = [("user", "Tell me"), ("assistant", "Half of an answer")]
RESTARTED = [("user", "Tell me"), ("assistant", "Half of "), ("notice", "restarted")]


@pytest.mark.parametrize(("workers", "limit"), [(1, None), (2, 8)])
def test_under_uvicorn_short_turns_are_answered_and_long_ones_end_when_the_grace_is_over_followed_or_not(
    site: Callable[..., Site], workers: int, limit: int | None
) -> None:
    """TU5, TU4, sec_CP20: whoever follows hears the end, in whatever worker, and the server has nothing to complain of."""
    here = site(1.5, Server.uvicorn, app="asgi_drained", workers=workers, shutdown_seconds=limit)
    unseen = [here.asks(LONG), here.asks(LONG)]
    person, long, turn = here.asks(LONG)
    followers = [Follower(person, turn) for _ in range(4)]
    unseen_short = here.asks(taking(0.8))[1]
    other, short, turn = here.asks(taking(0.8))
    followers += [Follower(other, turn) for _ in range(4)]
    took = here.server.terminate()
    assert [each.end for each in followers] == ["restarted"] * 4 + ["answered"] * 4
    assert [rows(each) for each in (unseen_short, short)] == [ANSWERED] * 2
    assert [rows(each) for each in (long, *(conversation for _, conversation, _ in unseen))] == [RESTARTED] * 3
    assert sorted(Turn.objects.values_list("end", flat=True)) == ["answered"] * 2 + ["restarted"] * 3
    assert AIRequest.objects.filter(is_estimated=True).count() == 3
    assert here.server.log == ""
    assert 1.4 < took < 7


def test_under_uvicorn_streams_that_are_cut_before_the_grace_is_over_cost_the_follower_and_never_the_turn(
    site: Callable[..., Site],
) -> None:
    """TU5, sec_CP20."""
    here = site(2.5, Server.uvicorn, app="asgi_drained", shutdown_seconds=1)
    person, long, turn = here.asks(LONG)
    followers = [Follower(person, turn)]
    other, short, turn = here.asks(taking(1.8))
    followers.append(Follower(other, turn))
    took = here.server.terminate()
    assert [each.end for each in followers] == [None, None]
    assert (rows(short), rows(long)) == (ANSWERED, RESTARTED)
    # The server's own words about what it did.
    assert "timeout graceful shutdown exceeded" in here.server.log.splitlines()[0]
    assert 2.4 < took < 9


def test_under_gunicorn_the_grace_begins_when_the_streams_are_over(site: Callable[..., Site]) -> None:
    """TU5, sec_CP20, B134: documented; what nobody follows any more is ended all the same."""
    here = site(1.5, Server.gunicorn, shutdown_seconds=9, STREAM_SECONDS=1)
    unseen = here.asks(LONG)[1]
    person, long, turn = here.asks(LONG)
    follower = Follower(person, turn)
    short = here.asks(taking(0.5))[1]
    took = here.server.terminate()
    assert follower.end is None
    assert rows(short) == ANSWERED
    assert [rows(each) for each in (unseen, long)] == [RESTARTED] * 2
    assert here.server.log == ""
    assert took < 8


@pytest.mark.parametrize(("grace_seconds", "expected"), [(4, ANSWERED), (0.1, [("user", "Tell me"), ("notice", "restarted")])])
def test_a_turn_that_is_being_started_when_its_process_is_told_to_end_is_never_lost(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch, grace_seconds: float, expected: list[tuple[str, str]]
) -> None:
    """TU5, TU2, sec_CP20: it runs in what is left of the grace, or ends at once; the message is kept either way."""
    monkeypatch.setenv(faults.VARIABLE, "start.kept=sleep:0.8")
    here = site(grace_seconds, Server.uvicorn, app="asgi_drained")
    person = Person(here.server.url, make.user([USE]))
    conversation = person.converse()
    here.model.plays(say("Half of an answer"))
    answers: list[Answer] = []
    asking = threading.Thread(target=lambda: answers.append(person.say(conversation, "Tell me")))
    asking.start()
    until(lambda: Message.objects.exists())
    here.server.terminate()
    asking.join(10)
    assert answers[0].status == 202
    assert rows(conversation) == expected
    assert here.server.log == ""


@pytest.mark.skipif(connection.vendor != "postgresql", reason="a database that can be away")
@pytest.mark.parametrize("how", ["gone", "silent"])
def test_a_database_that_is_away_never_holds_up_a_deploy(
    site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """TU5, sec_J7, sec_CP20: what could not be written then is told by whoever looks next."""
    there = serving.database()
    way = Between(str(there["HOST"]), int(str(there["PORT"])))
    monkeypatch.setattr(serving, "database", lambda: {**there, "HOST": "127.0.0.1", "PORT": way.port})
    here = site(0.5, Server.uvicorn, app="asgi_drained", shutdown_seconds=1)
    _, conversation, turn = here.asks(LONG)
    way.cut(how)
    # The grace, five seconds for the end that can't be written, and what the server itself needs.
    assert 5 < here.server.terminate() < 15
    assert Turn.objects.get(id=turn).end == ""
    assert closing.sweep() == 1
    assert rows(conversation)[-1] == ("notice", "died")
