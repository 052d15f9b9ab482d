"""Streams under a host's settings and on each server that is documented: events come while the model still writes."""

from __future__ import annotations

import importlib.util
import os
import threading
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connection

from deskhand.models import Message, Turn
from tests import make
from tests.flows.conftest import USE, Model
from tests.flows.steps import until
from tests.person import Person
from tests.provider import Provider, chunk, stream
from tests.serving import Server, database, settings_for
from tests.web.conftest import Stream

pytestmark = pytest.mark.django_db(transaction=True)

SERVERS: dict[str, Callable[..., Server]] = {
    "runserver": Server.runserver,
    "uvicorn": Server.uvicorn,
    "gunicorn": Server.gunicorn,
    "daphne": Server.daphne,
}


@pytest.fixture
def model(provider: Provider) -> Model:
    made = Model(provider)
    made.plays(stream(chunk({"content": "one "}), "hang"))
    return made


def asked(server: Server) -> tuple[Person, str]:
    """Somebody whose turn is in the middle of its answer."""
    person = Person(server.url, make.user([USE]))
    started = person.say(person.converse(), "Tell me")
    assert started.status == 202, started.raw
    return person, str(started.json["turn"])


def stopped(person: Person, turn: str) -> list[str]:
    """Kinds of what is told after a Stop."""
    one = Stream(person, turn)
    one.until("text")
    assert person.ask("POST", f"turns/{turn}/stop", {}).json["end"] == "stopped"
    return [kind for _, kind, _ in one.until("done")]


@pytest.mark.parametrize("name", SERVERS)
def test_a_stream_streams_on_every_documented_server_without_a_warning(
    name: str, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B138, UI6: with every warning an error."""
    if name == "daphne" and importlib.util.find_spec("daphne") is None:
        pytest.skip("daphne is not installed")
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    server = SERVERS[name](settings_for(model.provider.base_url, model.name))
    try:
        assert stopped(*asked(server))[-1] == "done"
        assert "Warning" not in server.log
        assert "Traceback" not in server.log
    finally:
        server.close()


@pytest.mark.parametrize("name", ["uvicorn", "gunicorn"])
def test_a_host_that_compresses_never_holds_events_back(name: str, model: Model) -> None:
    """B131: with ``GZipMiddleware`` in front, events come as they are told; other answers are compressed."""
    middleware = ["django.middleware.gzip.GZipMiddleware", *django_settings.MIDDLEWARE]
    server = SERVERS[name](settings_for(model.provider.base_url, model.name), MIDDLEWARE=middleware)
    try:
        person, turn = asked(server)
        one = Stream(person, turn, Accept_Encoding="gzip")
        assert one.headers["Content-Encoding"] == "identity"
        one.until("text")
        assert Turn.objects.get(id=turn).ended_at is None
        page = person._http.request(
            "GET", f"{server.url}/admin/login/", headers={"Accept-Encoding": "gzip"}, decode_content=False
        )
        assert page.headers["Content-Encoding"] == "gzip"
        assert b"csrf" in zlib.decompress(page.data, 31)
        person.ask("POST", f"turns/{turn}/stop", {})
        one.until("done")
    finally:
        server.close()


def test_a_host_whose_requests_are_transactions_never_hides_a_turn_from_other_tabs(model: Model, tmp_path: Path) -> None:
    """B135: ``ATOMIC_REQUESTS`` on the default database and on a second one, which no request of ours touches."""
    second = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(tmp_path / "second.sqlite3"), "ATOMIC_REQUESTS": True}
    server = Server.uvicorn(
        settings_for(model.provider.base_url, model.name),
        DATABASES={"default": {**database(), "ATOMIC_REQUESTS": True}, "second": second},
    )
    try:
        person, turn = asked(server)
        one = Stream(person, turn)
        one.until("text")
        assert Message.objects.get().content == "Tell me"
        assert Turn.objects.get(id=turn).ended_at is None
        polled = person.ask("GET", f"turns/{turn}/events").json
        assert polled["is_running"] is True
        wrong = person.ask("POST", f"conversations/{Turn.objects.get().conversation_id}/turns", {"text": "again", "key": "k"})
        assert wrong.status == 409
        person.ask("POST", f"turns/{turn}/stop", {})
        one.until("done")
        assert Message.objects.filter(role="user").count() == 1
        assert "Traceback" not in server.log
    finally:
        server.close()


@pytest.mark.parametrize("name", ["uvicorn", "gunicorn"])
def test_a_hundred_browsers_that_vanish_leave_no_thread_and_no_connection_behind(name: str, model: Model) -> None:
    """B133: and the turn goes on."""
    server = SERVERS[name](settings_for(model.provider.base_url, model.name, WSGI_STREAMS=4, STREAM_SECONDS=1))
    try:
        person, turn = asked(server)
        Stream(person, turn).until("text")

        def threads() -> int:
            return sum(len(list(Path(f"/proc/{each}/task").iterdir())) for each in processes(server))

        def opens() -> bool:
            one = Stream(person, turn)
            one.close()
            return one.status == 200

        def vanish() -> None:
            for _ in range(25):
                one = Stream(person, turn)
                if one.status == 200:
                    next(one.events())
                one.close()

        before = threads()
        readers = [threading.Thread(target=vanish) for _ in range(4)]
        for each in readers:
            each.start()
        for each in readers:
            each.join()
        # Two ask rights, from the first look on; gunicorn makes its eight as they are needed.
        until(lambda: threads() <= before + 2 + 8 * (name == "gunicorn"), seconds=30)
        until(lambda: held_connections(server) == 0, seconds=30)
        assert Turn.objects.get(id=turn).ended_at is None
        until(opens, seconds=30)
        assert person.ask("POST", f"turns/{turn}/stop", {}).json["end"] == "stopped"
    finally:
        server.close()


def held_connections(server: Server) -> int:
    """How many connections to the database the server's processes hold."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
            return int(cursor.fetchone()[0])
    held = 0
    for process in processes(server):
        for each in Path(f"/proc/{process}/fd").iterdir():
            try:
                held += os.readlink(each) == str(connection.settings_dict["NAME"])
            except OSError:
                continue
    return held


def processes(server: Server) -> list[int]:
    """Of the server: the one that was started, and its workers."""
    pid = server.process.pid
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
