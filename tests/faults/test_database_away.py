"""The whole database goes away under running turns, and comes back: a cluster of the test's own that it stops as by a crash, and starts.

At each point of a turn the server process is stopped, so that the database is gone exactly there; then it goes on and has to do with what it
finds. Nothing is restarted but the database. PostgreSQL alone: SQLite's database is a file.

The cluster must keep what it has committed, so it waits for its log, as a host's does; that a machine's disk keeps it is not tried.
"""

from __future__ import annotations

import os
import signal
import time
import uuid
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection

from deskhand import faults
from deskhand.models import Turn
from scripts import postgres
from scripts.postgres import Cluster
from tests.faults import figures
from tests.faults.conftest import FEW_SEEDS, IS_FULL
from tests.faults.scene import QUESTION, Scene, time_of
from tests.faults.servers import Killable
from tests.flows.steps import until
from tests.provider import Provider
from tests.serving import settings_for

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite's database is a file"),
]

POINTS = [point for point in (*faults.TURN, *faults.PROPOSAL) if point != "take.held"]
FEW = ("start.kept", "model.writing", "proposal.stored", "end.held")
#: How long it is away, in seconds.
AWAY_SECONDS = 10.0 if IS_FULL else 0.5
#: A turn that was to be ended while it was away has its end so soon after it is back.
SOON_SECONDS = 20.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    found = postgres.binaries()
    if found is None:
        pytest.skip("no programs of PostgreSQL on this machine's path")
    # What is committed must outlive a crash of the server.
    with postgres.own(found, synchronous_commit="on") as made:
        yield made


@pytest.fixture
def elsewhere(cluster: Cluster, transactional_db: None) -> Iterator[Cluster]:
    """While a test runs, this process's database is the one in the cluster that may be stopped."""
    before = {name: connection.settings_dict[name] for name in ("HOST", "PORT", "USER", "NAME")}
    host, port, user = cluster.address.split(":")
    connection.close()
    connection.settings_dict.update({"HOST": host, "PORT": port, "USER": user, "NAME": "postgres"})
    try:
        call_command("migrate", verbosity=0, run_syncdb=True)
        yield cluster
    finally:
        if not cluster.is_up():
            cluster.start()
        call_command("flush", verbosity=0, interactive=False)
        connection.close()
        connection.settings_dict.update(before)


@pytest.fixture
def server(elsewhere: Cluster, provider: Provider, served: dict[str, Killable]) -> Killable:
    """A server over that cluster; one for all tests of this module."""
    if "server" not in served:
        model = uuid.uuid4().hex
        served["server"] = Killable.fresh(settings_for(provider.base_url, model))
        served["server"].model = model
    served["server"].arm("")
    return served["server"]


@pytest.fixture(scope="module")
def served() -> Iterator[dict[str, Killable]]:
    made: dict[str, Killable] = {}
    yield made
    for each in made.values():
        each.close()


def goes_away(cluster: Cluster, worker: int, seed: int) -> None:
    """The database crashes, or (each other seed) is shut down in order, while that process does nothing, and comes back after the process has gone on without it for a while."""
    cluster.stop("fast" if seed % 2 else "immediate")
    os.kill(worker, signal.SIGCONT)
    time.sleep(AWAY_SECONDS)
    cluster.start()
    connection.close()


@pytest.mark.parametrize("seed", FEW_SEEDS)
@pytest.mark.parametrize("point", [point for point in POINTS if IS_FULL or point in FEW])
def test_a_database_that_goes_away_at_any_point_of_a_turn_and_comes_back_costs_that_turn_and_no_message(
    elsewhere: Cluster, server: Killable, provider: Provider, point: str, seed: int
) -> None:
    """TU3, TU5, ME1; sec_J7: told, kept or refused, never half."""
    scene, key = Scene([server.url], provider, server.model), uuid.uuid4().hex
    scene.plays()
    worker = server.arm(f"{point}=stop@{time_of(point, seed)}")
    listening = scene.witness.says_and_hears(scene.conversation, QUESTION, key)
    server.stopped(worker)
    goes_away(elsewhere, worker, seed)
    began = time.monotonic()
    listening.join(SOON_SECONDS)
    assert not listening.is_alive()
    # A start whose turn could neither be handed over nor ended waits for its lease, which is longer here than a test.
    is_left = point in ("start.kept", "start.said") and scene.witness.statuses == [503]
    if is_left:
        Turn.objects.update(lease_until="2020-01-01T00:00Z")
    until(scene.is_quiet, SOON_SECONDS)
    seconds = time.monotonic() - began
    assert server.worker() == worker, "the process lives on"
    if scene.turn() is None:
        scene.plays(pause_seconds=0)
    scene.witness.hears(scene.witness.says(scene.conversation, QUESTION, key))
    scene.goes_on()
    scene.is_right()
    figures.record(f"database away {AWAY_SECONDS:g} s", point, seed, seconds)
