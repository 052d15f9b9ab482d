"""What the web tests start from: a person with a conversation, in a test's own transaction or over real servers."""

from __future__ import annotations

import dataclasses
import datetime
import json
import uuid
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from deskhand import conversations
from deskhand import scope as scopes
from deskhand.confirmations import signing
from deskhand.models import Confirmation
from deskhand.testing import run_turn, scope_of, script
from deskhand.turns import start
from tests import make
from tests.flows.conftest import Model, clerk, model  # noqa: F401 - fixtures
from tests.person import Person
from tests.provider import Provider
from tests.serving import Server, settings_for

USE = scopes.USE


@dataclasses.dataclass(frozen=True)
class Desk:
    """Somebody's place: an account, a session, a client that is signed in by it."""

    user: User
    session_ref: str
    client: Client
    csrf: str


def desk(may: tuple[str, ...] = (USE,), **fields: object) -> Desk:
    """A new one, with a CSRF token as the panel has it."""
    user = make.user(may, **fields)
    session_ref = make.session(user)
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["sessionid"] = session_ref
    csrf = "c" * 32
    client.cookies["csrftoken"] = csrf
    return Desk(user, session_ref, client, csrf)


@dataclasses.dataclass(frozen=True)
class Kept:
    """A conversation, a turn of it and a card in it."""

    conversation: uuid.UUID
    turn: uuid.UUID
    card: uuid.UUID


def waiting_card(owner: Desk, conversation: uuid.UUID) -> uuid.UUID:
    """A signed card of this session, for a tool that its owner may not use (any more)."""
    row = Confirmation(
        conversation_id=conversation,
        user=owner.user,
        user_key=str(owner.user.pk),
        actor=str(owner.user.pk),
        session_ref=owner.session_ref,
        tool_name="cancel_order",
        arguments='{"number":"A-1"}',
        card={"title": "Cancel order A-1"},
        expires_at=timezone.now() + datetime.timedelta(minutes=15),
    )
    row.mac = signing.sign(row)
    row.save(force_insert=True)
    return row.id


def ended(owner: Desk) -> Kept:
    """A turn that has ended."""
    ran = run_turn(owner.user, "Is A-1 paid?", script("Yes, it is."), session_ref=owner.session_ref)
    return Kept(ran.conversation_id, ran.turn_id, waiting_card(owner, ran.conversation_id))


def running(owner: Desk) -> Kept:
    """A turn that holds its locks and is run by nobody."""
    scope = scope_of(owner.user, owner.session_ref)
    conversation = conversations.create(scope.user).id
    started = start.prepare(scope, conversation, start.Asked("Is A-1 paid?", uuid.uuid4().hex))
    return Kept(conversation, started.turn_id, waiting_card(owner, conversation))


@pytest.fixture(scope="module")
def served_model(provider: Provider) -> Model:
    """The model of a module's servers."""
    return Model(provider)


@dataclasses.dataclass(frozen=True)
class Place:
    """Somebody at a server, and the model that answers there."""

    person: Person
    user: User
    model: Model


def at(server: Server, answers: Model) -> Place:
    """A new person at this server."""
    user = make.user([USE, "shop.view_order"])
    person = Person(server.url, user)
    person.arrive()
    return Place(person, user, answers)


class Stream:
    """One open stream, read as it comes."""

    def __init__(self, person: Person, turn: str, query: str = "", **headers: str) -> None:
        url = f"{person.base_url}/assistant/api/turns/{turn}/stream{query}"
        sent = {**person._headers(), **{name.replace("_", "-"): value for name, value in headers.items()}}
        self.response = person._http.request("GET", url, headers=sent, preload_content=False)
        self.status = self.response.status
        self.headers = self.response.headers
        self._buffer = b""

    def blocks(self) -> Iterator[bytes]:
        """What came, event by event and comment by comment, until the server ends it."""
        while piece := self.response.read1(65536):
            self._buffer += piece
            while b"\n\n" in self._buffer:
                block, _, self._buffer = self._buffer.partition(b"\n\n")
                yield block

    def events(self) -> Iterator[tuple[int, str, dict[str, object]]]:
        """Number, kind, payload."""
        for block in self.blocks():
            if not block.startswith(b":"):
                fields = dict(line.split(b": ", 1) for line in block.split(b"\n"))
                yield int(fields[b"id"]), fields[b"event"].decode(), json.loads(fields[b"data"])

    def until(self, kind: str) -> list[tuple[int, str, dict[str, object]]]:
        """All up to the first of this kind."""
        got = []
        for event in self.events():
            got.append(event)
            if event[1] == kind:
                return got
        raise AssertionError(f"the stream ended before {kind}")

    def close(self) -> None:
        """The browser goes away."""
        self.response.close()


@pytest.fixture(scope="module")
def uvicorn(served_model: Model, django_db_setup: None, django_db_blocker: object) -> Iterator[Server]:
    """An ASGI server over the test database."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        # A host that touches the session after each view: that connection has to be given back as well.
        wanted = settings_for(served_model.provider.base_url, served_model.name)
        server = Server.uvicorn(wanted, SESSION_SAVE_EVERY_REQUEST=True)
    yield server
    server.close()
