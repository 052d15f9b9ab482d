"""The bell between processes: what it carries, when it rings, and that nothing needs it."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from deskhand.models import Turn
from deskhand.turns import bell, events, mirror
from tests.flows.steps import until
from tests.turns.test_mirror import Far, listening, mirrors, read

__all__ = ["mirrors"]

pytestmark = pytest.mark.django_db(transaction=True)
on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL rings")


@pytest.fixture(autouse=True)
def with_bell(settings: object) -> None:
    settings.DESKHAND = {"BELL": True}  # type: ignore[attr-defined]


@pytest.fixture
def notes() -> Iterator[object]:
    """What is rung from now on, as a function."""
    other = connection.copy()
    other.ensure_connection()
    with other.cursor() as cursor:
        cursor.execute(f"LISTEN {bell.CHANNEL}")
    yield lambda: [note.payload for note in other.connection.notifies(timeout=0.1)]
    other.close()


@pytest.mark.skipif(connection.vendor == "postgresql", reason="where it rings")
def test_a_site_without_postgresql_has_no_bell_and_needs_none(mirrors: mirror.Mirrors) -> None:
    """OP7."""
    far = Far()
    with listening(follower := far.follower()) as rung:
        read(follower)
        far.tells("a")
        until(lambda: rung)
        assert [told.number for told in read(follower)] == [1]
    assert not bell.is_wanted("default")


@on_postgres
def test_it_carries_ids_and_never_a_word(notes: object) -> None:
    """TU4: of turns that somebody follows elsewhere, at each tick and at the end."""
    far, alone = Far(), Far()
    events.say_followed([far.turn_id])
    for each in (far, alone):
        each.tells("a secret")
    assert notes() == [str(far.turn_id)]  # type: ignore[operator]
    for each in (far, alone):
        each.ends(stored=False)
    assert notes() == [str(far.turn_id)]  # type: ignore[operator]


@on_postgres
def test_it_never_rings_for_what_is_not_committed(notes: object, settings: object) -> None:
    """TU4."""
    ids = [uuid.uuid4() for _ in range(450)]
    with transaction.atomic():
        bell.ring("default", ids)
        transaction.set_rollback(True)
    assert notes() == []  # type: ignore[operator]
    bell.ring("default", ids)
    rung = notes()  # type: ignore[operator]
    assert [len(each) < 8000 for each in rung] == [True] * 3
    assert " ".join(rung).split() == [str(each) for each in ids]
    settings.DESKHAND = {}  # type: ignore[attr-defined]
    bell.ring("default", ids)
    assert notes() == []  # type: ignore[operator]


@on_postgres
def test_who_hears_it_looks_at_once(mirrors: mirror.Mirrors, monkeypatch: pytest.MonkeyPatch) -> None:
    """TU4: long before the slow poll."""
    monkeypatch.setattr(mirror, "SLOW_POLL_SECONDS", 600.0)
    far = Far()
    with listening(follower := far.follower()) as rung:
        read(follower)
        until(lambda: mirrors._ear._connection is not None)
        for number in range(1, 4):
            far.tells(str(number))
            until(lambda: rung)
            assert [told.number for told in read(follower)] == [number]
            rung.clear()
        far.ends()
        until(lambda: rung)
        assert [told.kind for told in read(follower)] == ["done"]


@on_postgres
def test_a_bell_that_is_lost_costs_a_warning_and_never_an_event(
    mirrors: mirror.Mirrors, caplog: pytest.LogCaptureFixture
) -> None:
    """TU4, OP7: its connection is ended by the server, and none can be had afterwards."""
    far = Far()
    with caplog.at_level(logging.WARNING, "deskhand.turns"), listening(follower := far.follower()) as rung:
        read(follower)
        until(lambda: mirrors._ear._connection is not None)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        until(lambda: mirrors._ear._connection is None)
        far.tells("a")
        until(lambda: rung)
        assert [told.number for told in read(follower)] == [1]
    assert [record.getMessage() for record in caplog.records] == [
        "the bell can't be heard (OperationalError): turns of other processes are looked at by a short poll"
    ]


@on_postgres
def test_a_bell_that_never_rings_is_given_up(
    mirrors: mirror.Mirrors, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """OP7: behind a transaction pooler nothing says that nobody listens."""
    monkeypatch.setattr(mirror, "SLOW_POLL_SECONDS", 0.05)
    far = Far()
    with caplog.at_level(logging.WARNING, "deskhand.turns"), listening(follower := far.follower()):
        read(follower)
        until(lambda: mirrors._ear._connection is not None)
        for number in range(1, 200):
            # As one whose ring is lost on the way.
            Turn.objects.update(followed_until=None)
            far.tells(str(number))
            until(lambda number=number: mirrors.of(far.turn_id, 0).last == number)  # type: ignore[misc]
            if mirrors._ear._connection is None:
                break
        assert number < 100
        assert [told.number for told in read(follower)] == list(range(1, number + 1))
    assert "silent" in caplog.text
