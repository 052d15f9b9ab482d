"""Flows: real HTTP to a server in this process, which runs turns in threads against the provider process."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from pytest_django.live_server_helper import LiveServer

from deskhand.turns import runner
from tests import make
from tests.append_only import journal_is_append_only
from tests.person import Person
from tests.provider import Provider, Reply
from tests.shop.models import Customer, Order

__all__ = ["journal_is_append_only"]

USE = "deskhand.use_assistant"


class Model:
    """The model of one test: a name of its own at the provider process."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self.name = uuid.uuid4().hex

    def plays(self, *replies: Reply) -> None:
        """It answers with these, one a request."""
        self.provider.script(self.name, list(replies))

    @property
    def requests(self) -> list[dict[str, object]]:
        """Bodies that it received."""
        return [dict(request.body) for request in self.provider.requests(self.name)]


@pytest.fixture
def model(provider: Provider, settings: object) -> Model:
    """The site's endpoint is this test's model at the provider process; waits are short."""
    made = Model(provider)
    settings.DESKHAND = {  # type: ignore[attr-defined]
        "ENDPOINTS": {
            "test": {
                "PROVIDER": "openai",
                "BASE_URL": provider.base_url,
                "MODEL": made.name,
                "API_KEY": "sk-test",
                "FIRST_BYTE_SECONDS": 10,
            }
        },
        "FLUSH_SECONDS": 0.05,
        "RIGHTS_SECONDS": 0.2,
        "TURN_SECONDS": 30,
        # Long: each renewal is a write, which a test that reads and then writes in one transaction of SQLite may meet.
        "LEASE_SECONDS": 30,
        "GRACE_SECONDS": 0.5,
    }
    return made


@pytest.fixture
def clerk(transactional_db: None, live_server: LiveServer, model: Model) -> Iterator[Person]:
    """Somebody who may see orders."""
    customer = Customer.objects.create(name="Hansen Bygg")
    Order.objects.create(number="A-1", customer=customer, note="left at the gate")
    user = make.user([USE, "shop.view_order"], first_name="Ada")
    person = Person(live_server.url, user)
    person.user = user  # type: ignore[attr-defined]
    person.arrive()
    yield person
    runner.stop()
