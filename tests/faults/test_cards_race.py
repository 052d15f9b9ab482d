"""Many clicks on one card at once, over real HTTP to several server processes: one effect, one outcome, and no fault is shown.

A short run each time; ``make race`` does all of it and prints the figures. The claim must hold between processes, so on PostgreSQL each
click of a card goes to another one. On SQLite the servers have the settings that ``startproject`` writes.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.models.functions import Now

from deskhand.confirmations import signing
from deskhand.models import Confirmation
from tests.faults import desk as desks
from tests.faults.desk import Desk
from tests.person import Answer
from tests.serving import Server, database, settings_for

pytestmark = pytest.mark.django_db(transaction=True)

IS_FULL = os.environ.get("DESKHAND_RACE") == "full"
IS_SQLITE = connection.vendor == "sqlite"
CLICKS = 8
PROCESSES = 1 if IS_SQLITE else 4 if IS_FULL else 2
CARDS = (300 if IS_SQLITE else 2_000) if IS_FULL else (30 if IS_SQLITE else 40)
ROUNDS = (60 if IS_SQLITE else 500) if IS_FULL else (20 if IS_SQLITE else 50)

#: How a person clicks on a card: what they ask for, and after how many seconds.
Click = tuple[str, float]


@pytest.fixture
def desk(django_db_setup: None, settings: object) -> Iterator[Desk]:
    """Somebody with a tab at each of several server processes."""
    settings.DESKHAND = {"CARDS": 100_000}  # type: ignore[attr-defined]
    deskhand = settings_for("http://127.0.0.1:9/v1", "none", CARDS=100_000)
    # As startproject writes it: no time-out, no mode of transactions, no WAL.
    plain = {**database(), "OPTIONS": {}} if IS_SQLITE else database()
    with contextlib.ExitStack() as stack:
        with ThreadPoolExecutor(PROCESSES) as pool:
            made = list(pool.map(lambda _: Server.gunicorn(deskhand, DATABASES={"default": plain}), range(PROCESSES)))
        for server in made:
            stack.callback(server.close)
        yield Desk([made[number % PROCESSES].url for number in range(CLICKS)])
        for server in made:
            assert "Traceback" not in server.log
            assert "locked" not in server.log


def raced(
    desk: Desk, cards: Sequence[str], clicks: Sequence[Click], before: Callable[[str], object] | None = None
) -> list[list[Answer]]:
    """Each card's clicks, made at once by as many threads; their answers by card. ``before`` is done to each card before."""
    gate = threading.Barrier(len(clicks))
    answers: list[list[Answer]] = [[] for _ in cards]

    def click(number: int) -> None:
        try:
            click_all(number)
        except threading.BrokenBarrierError:
            # Another one has failed, and says why.
            return
        except BaseException:
            gate.abort()
            raise

    def click_all(number: int) -> None:
        what, wait_seconds = clicks[number]
        for at, card in enumerate(cards):
            if before is not None and number == 0:
                before(card)
            gate.wait(60)
            if wait_seconds:
                time.sleep(wait_seconds)
            answers[at].append(desk.people[number].ask("POST", f"cards/{card}/{what}", {}))
        connection.close()

    with ThreadPoolExecutor(len(clicks)) as pool:
        for done in [pool.submit(click, number) for number in range(len(clicks))]:
            done.result()
    return answers


def held(cards: Sequence[str], answers: Sequence[Sequence[Answer]], name: str, seconds: float) -> Counter[str]:
    """Each card has one end, its effect fits, and every answer that tells an outcome tells that one; how many ended in which way."""
    statuses: Counter[int] = Counter()
    found: Counter[str] = Counter()
    for card, heard in zip(cards, answers, strict=True):
        end = desks.outcome(card)
        assert end is not None
        found[end] += 1
        assert desks.ends(card) == [end]
        assert desks.raised(card) == desks.logged(card) == (end == "confirmed")
        statuses.update(answer.status for answer in heard)
        told = {answer.json["card"]["outcome"] for answer in heard if answer.status == 200}  # type: ignore[index]
        assert told <= {end}
        assert told, "nobody was told the outcome"
    assert set(statuses) <= {200, 409}, statuses
    report(name, seconds, len(cards), statuses, found)
    return found


def report(name: str, seconds: float, cards: int, statuses: Counter[int], found: Counter[str]) -> None:
    """One line for ``make race``."""
    path = os.environ.get("DESKHAND_RACE_REPORT")
    if path:
        line = {"race": name, "database": connection.vendor, "processes": PROCESSES, "cards": cards, "seconds": round(seconds, 1)}
        line |= {"statuses": {str(key): value for key, value in sorted(statuses.items())}, "ends": dict(found)}
        with open(path, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")


def timed(
    desk: Desk, cards: Sequence[str], clicks: Sequence[Click], name: str, before: Callable[[str], object] | None = None
) -> Counter[str]:
    began = time.monotonic()
    answers = raced(desk, cards, clicks, before)
    return held(cards, answers, name, time.monotonic() - began)


def test_many_clicks_at_once_in_several_processes_have_one_effect(desk: Desk) -> None:
    """CO5, B46; sec_C3."""
    cards = desk.cards(CARDS)
    assert timed(desk, cards, [("confirm", 0.0)] * CLICKS, "confirm at once") == {"confirmed": CARDS}


def test_of_confirm_and_reject_at_once_exactly_one_wins(desk: Desk) -> None:
    """CO5, B46; sec_C4."""
    cards = desk.cards(ROUNDS)
    found = timed(desk, cards, [("confirm", 0.0), ("reject", 0.0)], "confirm against reject")
    assert set(found) <= {"confirmed", "rejected"}


def test_a_double_click_and_two_tabs_have_one_effect(desk: Desk) -> None:
    """B46; sec_C2."""
    cards = desk.cards(ROUNDS)
    assert timed(desk, cards, [("confirm", 0.0), ("confirm", 0.02)], "double click after 20 ms") == {"confirmed": ROUNDS}


def test_at_the_moment_of_its_end_a_card_is_carried_out_or_expired_and_never_both(desk: Desk) -> None:
    """CO6, B42; sec_C5."""
    cards = desk.cards(ROUNDS)

    waits = itertools.cycle(range(10, 190, 17))

    def soon(card: str) -> None:
        row = Confirmation.objects.annotate(now=Now()).get(id=card)
        row.expires_at = row.now + datetime.timedelta(milliseconds=next(waits))  # type: ignore[attr-defined]
        Confirmation.objects.filter(id=card).update(expires_at=row.expires_at, mac=signing.sign(row))

    found = timed(desk, cards, [("confirm", part / 1000) for part in (0, 20, 40, 60)], "confirm at the end of its time", soon)
    assert set(found) <= {"confirmed", "expired"}
