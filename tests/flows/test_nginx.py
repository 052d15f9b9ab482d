"""Real servers behind a real nginx: an answer streams, whatever the proxy would like to keep in its buffers."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator

import pytest
from django.db import connection

from tests import make
from tests.flows.conftest import USE
from tests.flows.steps import ends, hear_first_text, notices, texts
from tests.nginx import PROGRAM, Nginx
from tests.person import Person
from tests.provider import Provider, Reply, chunk, say, stream
from tests.serving import Server, settings_for

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(PROGRAM is None, reason="no nginx on this machine"),
]

#: An answer that begins and does not end.
BEGUN: Reply = stream(chunk({"content": "Half "}), "hang")


class Site:
    """Servers, the nginx in front of them, and their model at the provider process."""

    def __init__(self, nginx: Nginx, provider: Provider, model: str) -> None:
        self.nginx, self.provider, self.model = nginx, provider, model

    def person(self) -> Person:
        """Somebody whose requests go through nginx."""
        person = Person(self.nginx.url, make.user([USE]))
        person.arrive()
        return person

    def plays(self, *replies: Reply) -> None:
        """The model answers with these."""
        self.provider.script(self.model, list(replies))


@pytest.fixture
def site(request: pytest.FixtureRequest, django_db_setup: None, provider: Provider) -> Iterator[Site]:
    """Which servers and what more nginx is told: the parameter."""
    kind, more = request.param
    model = uuid.uuid4().hex
    deskhand = settings_for(provider.base_url, model)
    with contextlib.ExitStack() as stack:
        # SQLite is for one process.
        count = 2 if connection.vendor == "postgresql" else 1
        make_server = Server.gunicorn if kind == "gunicorn" else Server.uvicorn
        servers = [make_server(deskhand) for _ in range(count)]
        for server in servers:
            stack.callback(server.close)
        nginx = Nginx([server.port for server in servers], more)
        stack.callback(nginx.close)
        yield Site(nginx, provider, model)
        assert "Traceback" not in "".join(server.log for server in servers)


@pytest.mark.parametrize("site", [("gunicorn", ""), ("uvicorn", ""), ("uvicorn", "gzip on; gzip_types *;")], indirect=True)
def test_an_answer_streams_through_the_default_buffering_of_a_proxy(site: Site) -> None:
    """UI6, B131, B132: the first words arrive while the last ones do not exist yet."""
    site.plays(BEGUN, say("Whole."))
    person = site.person()
    conversation = person.converse()
    turn = str(person.say(conversation, "?").json["turn"])
    hear_first_text(person, turn)
    assert person.ask("POST", f"turns/{turn}/stop", {}).status == 200
    assert ends(list(person.follow(turn))) == "stopped"
    assert notices(person, conversation) == ["stopped"]
    assert texts(person.hear(conversation, "Again")) == "Whole."


@pytest.mark.parametrize("site", [("gunicorn", "proxy_ignore_headers X-Accel-Buffering;")], indirect=True)
def test_a_proxy_that_keeps_everything_still_lets_polls_through(site: Site) -> None:
    """UI6: a stream gives nothing there, a poll gives what was told so far."""
    site.plays(BEGUN)
    person = site.person()
    turn = str(person.say(person.converse(), "?").json["turn"])
    site.provider.wait_for(site.model, 1)
    told: list[dict[str, object]] = []
    for _ in range(100):
        told = person.ask("GET", f"turns/{turn}/events?after=0").json["events"]  # type: ignore[assignment]
        if any(event["kind"] == "text" for event in told):
            break
    assert "Half " in str(told)
    person.ask("POST", f"turns/{turn}/stop", {})
