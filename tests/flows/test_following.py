"""Many who follow at once, over real servers: what they cost a process, and that each hears everything once.

``DESKHAND_TEST_FOLLOWERS=200`` runs the whole of it; without it there are so few that it takes some seconds.
"""

from __future__ import annotations

import dataclasses
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from deskhand import transactions
from deskhand.core.values import ModelRequest
from deskhand.models import Event, Turn
from deskhand.testing import script
from deskhand.turns import runner
from deskhand.web import stream as streams
from tests import make
from tests.flows.conftest import USE, Model
from tests.flows.steps import until
from tests.person import Person
from tests.provider import DONE, Provider, chunk, stream
from tests.serving import Server, database, settings_for
from tests.turns.threads import begin
from tests.web.conftest import Stream

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="several processes need PostgreSQL"),
]

FOLLOWERS = int(os.environ.get("DESKHAND_TEST_FOLLOWERS", "30"))
#: How long connections are counted, in seconds, and how often.
COUNTED_SECONDS, COUNTED_EVERY = 2.0, 0.02
#: Connections that were given back, and that a busy server has not yet ended.
CLOSING = 2
#: With few, rights are asked more often, so that counting meets it.
RIGHTS_SECONDS = 5 if FOLLOWERS >= 100 else 2


@pytest.fixture(scope="module")
def model(provider: Provider) -> Model:
    return Model(provider)


@dataclasses.dataclass(frozen=True)
class Site:
    """Two processes of one site, and what each of them holds."""

    near: Server
    far: Server
    model: Model
    has_bell: bool

    def connections(self, name: str) -> int:
        """Connections of this process to the database at this moment."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [name])
            return int(cursor.fetchone()[0])

    def counted(self, name: str, seconds: float = COUNTED_SECONDS) -> list[int]:
        """As ``connections``, again and again."""
        seen, ends = [], time.monotonic() + seconds
        while time.monotonic() < ends:
            seen.append(self.connections(name))
            time.sleep(COUNTED_EVERY)
        return seen

    def threads(self, server: Server) -> int:
        return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))


@pytest.fixture(scope="module", params=["poll", "bell"])
def site(request: pytest.FixtureRequest, model: Model, django_db_setup: None, django_db_blocker: object) -> Iterator[Site]:
    """Two uvicorn processes: without a bell, and with one on a host that keeps its connections."""
    has_bell = request.param == "bell"
    wanted = settings_for(
        model.provider.base_url,
        model.name,
        RUNNER_THREADS=FOLLOWERS,
        RIGHTS_SECONDS=RIGHTS_SECONDS,
        FLUSH_SECONDS=1,
        BELL=has_bell,
        TURN_SECONDS=900,
    )
    # So many take a while to begin, and all of them are to wait until the end.
    wanted["ENDPOINTS"]["test"] |= {"IDLE_SECONDS": 900, "TOTAL_SECONDS": 900}  # type: ignore[index]
    servers = []
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:  # type: ignore[attr-defined]
        for name in ("near", "far"):
            patch.setenv("PGAPPNAME", name)
            kept = {**database(), "CONN_MAX_AGE": 600 if has_bell else 0}
            servers.append(Server.uvicorn(wanted, DATABASES={"default": kept}))
    yield Site(*servers, model, has_bell)
    for each in servers:
        each.close()


def people(site: Site, number: int) -> list[tuple[Person, str]]:
    """So many people whose turn runs in the near process, and is in the middle of its answer."""
    found = []
    for _ in range(number):
        person = Person(site.near.url, make.user([USE]))
        answer = person.say(person.converse(), "Tell me")
        assert answer.status == 202
        found.append((person, str(answer.json["turn"])))
    return found


def summary(name: str, seen: list[int]) -> str:
    return f"{name}: at most {max(seen)}, mean {sum(seen) / len(seen):.2f}, none in {seen.count(0)} of {len(seen)}"


def test_open_streams_and_turns_that_wait_hold_no_connection(site: Site, record_property: Callable[[str, object], None]) -> None:
    """OP7, B130: of turns that wait for their model, in the same process and from another one."""
    site.model.plays(stream(chunk({"content": "one "}), "hang"))
    running = people(site, FOLLOWERS)
    until(lambda: len(site.model.requests) >= FOLLOWERS, seconds=60)
    until(lambda: site.threads(site.near) <= FOLLOWERS + 15)
    assert site.threads(site.near) > FOLLOWERS
    said = [f"threads of {FOLLOWERS} running turns: {site.threads(site.near)}"]
    until(lambda: Event.objects.values("turn").distinct().count() >= FOLLOWERS, seconds=60)
    until(lambda: site.has_bell or site.connections("near") == 0, seconds=30)
    # Of the requests that began the turns, where the host wants connections kept.
    kept = {name: site.connections(name) if site.has_bell else 0 for name in ("near", "far")}
    said.append(summary("near, turns that wait", seen := site.counted("near")))
    # The keeper, and the thread that asks rights.
    assert max(seen) <= kept["near"] + 2 + CLOSING
    until(lambda: site.connections("near") <= kept["near"])
    for name, server in (("near", site.near), ("far", site.far)):
        followers = [Stream(Person(server.url, None, person.session_ref), turn) for person, turn in running]
        for each in followers:
            assert each.status == 200
            each.until("text")
        # The threads that ask rights, and the keeper or the mirror, each for a moment; and the bell.
        until(lambda name=name: site.connections(name) <= kept[name] + streams.THREADS + 3)  # type: ignore[misc]
        said.append(summary(f"{name}, {FOLLOWERS} streams", seen := site.counted(name)))
        bell = int(site.has_bell and name == "far")
        assert max(seen) <= kept[name] + streams.THREADS + 2 + bell + CLOSING
        until(lambda name=name, bell=bell: site.connections(name) <= kept[name] + bell, seconds=30)  # type: ignore[misc]
        for each in followers:
            each.close()
    for name in ("near", "far"):
        until(lambda name=name: site.connections(name) <= kept[name], seconds=20)  # type: ignore[misc]
    assert Turn.objects.filter(ended_at__isnull=True).count() == FOLLOWERS
    for person, turn in running:
        person.ask("POST", f"turns/{turn}/stop", {})
    print("", *said, sep="\n")
    record_property("said", said)


def test_each_follower_hears_each_event_once_from_any_process_however_often_it_comes_back(site: Site) -> None:
    """TU4, sec_J5."""
    words = [f"w{number} " for number in range(40)]
    site.model.plays(stream(*(part for word in words for part in (chunk({"content": word}), 0.05)), chunk(finish="stop"), DONE))
    [(person, turn)] = people(site, 1)
    seeds = range(6)
    heard: dict[int, list[tuple[int, str, dict[str, object]]]] = {seed: [] for seed in seeds}
    chances = {seed: random.Random(seed) for seed in seeds}
    open_ = set(seeds)
    while open_:
        for seed in sorted(open_):
            told, chance = heard[seed], chances[seed]
            server = chance.choice([site.near, site.far])
            part = Stream(Person(server.url, None, person.session_ref), turn, f"?after={told[-1][0] if told else 0}")
            assert part.status == 200
            events = part.events()
            for _ in range(chance.randint(1, 8)):
                told.append(next(events))
                if told[-1][1] == "done":
                    open_.discard(seed)
                    break
            part.close()
    assert Turn.objects.get().end == "answered"
    for told in heard.values():
        assert [number for number, _, _ in told] == list(range(1, len(told) + 1))
        assert "".join(str(payload["text"]) for _, kind, payload in told if kind == "text") == "".join(words)
        assert told == heard[0]


def test_turns_that_go_on_at_the_same_moment_share_a_few_connections(settings: object) -> None:
    """OP7: they begin, and end, all at once; with a thread each."""
    settings.DESKHAND = {"RUNNER_THREADS": FOLLOWERS, "FLUSH_SECONDS": 0.2}  # type: ignore[attr-defined]
    go_on = threading.Event()

    def waits(request: ModelRequest) -> str:
        assert go_on.wait(60)
        return "Now."

    held = [begin(make.scope([USE])).held for _ in range(FOLLOWERS)]
    seen: list[int] = []
    is_over = threading.Event()

    def count() -> None:
        with connection.cursor() as cursor:
            while not is_over.is_set():
                cursor.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = '' "
                    "AND pid <> pg_backend_pid()"
                )
                seen.append(int(cursor.fetchone()[0]))
        connection.close()

    transactions.release()
    counting = threading.Thread(target=count)
    counting.start()
    try:
        for each in held:
            runner.here().start(each, script(waits))
        time.sleep(1)
        go_on.set()
        assert runner.here().settle(120)
    finally:
        is_over.set()
        counting.join()
        runner.stop()
    print("", summary(f"{FOLLOWERS} turns that begin and end at once", seen), sep="\n")
    # And the keeper, and a few that the server has not yet ended.
    assert max(seen) <= 16
    assert transactions.PHASES <= 10
    assert set(Turn.objects.values_list("end", flat=True)) == {"answered"}
