"""How much is done: a little in each run of the suite, all of it by ``make faults`` and ``make race``."""

from __future__ import annotations

import os
import pathlib
import uuid
from collections.abc import Iterator

import pytest
from django.db import connection

from tests.faults.servers import Killable
from tests.provider import Provider
from tests.serving import settings_for

FOLDER = pathlib.Path(__file__).resolve().parent
#: Seeds of each crash test; seed 0 is the plain one.
SEEDS = range(int(os.environ.get("DESKHAND_SEEDS", "1")))
#: Whether all is to be done, or what there is time for in each run of the suite.
IS_FULL = len(SEEDS) > 1
#: Seeds of tests that take seconds each.
FEW_SEEDS = range(max(1, len(SEEDS) // 5))
#: How long a transaction may sleep on PostgreSQL in the servers of these tests (``transactions.IDLE_SECONDS``).
IDLE_SECONDS = 1.0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In each run of the suite one database meets every other point, the other database the rest; all points in full."""
    if IS_FULL:
        return
    turn = int(connection.vendor == "postgresql")
    here = [item for item in items if item.path.parent == FOLDER and "-0]" in item.name]
    left_out = set(here[turn::2])
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="module")
def outbox(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Where outside effects go."""
    return tmp_path_factory.mktemp("outbox") / "outbox"


@pytest.fixture(scope="module")
def killable(django_db_setup: None, provider: Provider, outbox: pathlib.Path) -> Iterator[Killable]:
    """A server that can be made to die at a point; its model is ``killable.model``."""
    model = uuid.uuid4().hex
    os.environ |= {"DESKHAND_TEST_OUTBOX": str(outbox), "DESKHAND_TEST_IDLE_SECONDS": str(IDLE_SECONDS)}
    server = Killable.fresh(settings_for(provider.base_url, model))
    server.model = model
    yield server
    server.close()
    del os.environ["DESKHAND_TEST_OUTBOX"]


@pytest.fixture(scope="module")
def neighbour(killable: Killable, provider: Provider) -> Iterator[Killable]:
    """A second server over the same database, with the same model."""
    server = Killable.fresh(settings_for(provider.base_url, killable.model))
    server.model = killable.model
    yield server
    server.close()


@pytest.fixture
def other(neighbour: Killable) -> Killable:
    """The second server, which has no faults and knows nothing of the last test's rows."""
    neighbour.arm("")
    return neighbour
