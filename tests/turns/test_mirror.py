"""Turns of other processes, followed here. The other process is a feed that this one does not know of."""

from __future__ import annotations

import contextlib
import datetime
import logging
import threading
import time
import uuid
from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deskhand.core.values import TurnEnd
from deskhand.models import Turn
from deskhand.scope import Scope
from deskhand.turns import events, lock, mirror
from deskhand.turns.events import Feed, Told
from deskhand.web.following import Follower
from tests import make
from tests.flows.steps import until
from tests.turns.threads import begin, between, in_threads

USE = ["deskhand.use_assistant"]


class Far:
    """A turn that another process runs."""

    def __init__(self) -> None:
        self.scope: Scope = make.scope(USE)
        self.held = begin(self.scope).held
        self.turn_id: uuid.UUID = self.held.turn_id
        self.feed = Feed(self.turn_id, self.held.fence, self.held.conversation_id)

    def tells(self, *texts: str, stored: bool = True) -> None:
        for text in texts:
            self.feed.tell(Told(events.TEXT, {"text": text}))
        if stored:
            events.store([self.feed])

    def ends(self, *, stored: bool = True) -> None:
        last = len(self.feed.after(0)) + 1
        last_seq = lock.finish(self.held, TurnEnd.ANSWERED, [], [], last)
        self.feed.tell(events.done(TurnEnd.ANSWERED, last_seq))
        if stored:
            events.store([self.feed])

    def follower(self, after: int = 0) -> Follower:
        return Follower(self.scope, self.turn_id, after)


def read(follower: Follower) -> list[Told]:
    """What a stream would send now."""
    told = follower.at_hand()
    if told is None:
        told = follower.step()
    assert told is not None
    return told


@pytest.fixture
def looks() -> Iterator[mirror.Mirrors]:
    """The mirrors of this process without their thread: a test looks when it wants to."""
    mirror.stop()
    made = mirror.here()
    made.stop(0)
    yield made
    mirror.stop()


@pytest.fixture
def mirrors() -> Iterator[mirror.Mirrors]:
    """Those of this process, fresh."""
    mirror.stop()
    yield mirror.here()
    mirror.stop()


def threads() -> list[str]:
    return [each.name for each in threading.enumerate() if each.name == "deskhand-mirror"]


@contextlib.contextmanager
def listening(*followers: Follower) -> Iterator[list[Follower]]:
    """These are open streams; whoever is rung stands in the list."""
    rung: list[Follower] = []
    with contextlib.ExitStack() as stack:
        for each in followers:
            stack.enter_context(each.listening(lambda each=each: rung.append(each)))  # type: ignore[misc]
        yield rung


# --- one look ------------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("has_news", [False, True])
def test_a_look_costs_the_same_few_statements_for_one_turn_and_for_fifty(looks: mirror.Mirrors, has_news: bool) -> None:
    """TU4, OP7: the turns' rows and their events; with the first look, that they are followed."""
    counts = []
    for number in (1, 50):
        far = [Far() for _ in range(number)]
        with listening(*(each.follower() for each in far for _ in range(2))) as _:
            for each in far:
                each.tells("a")
            with contextlib.ExitStack() as stack:
                followers = [each.follower() for each in far for _ in range(2)]
                for follower in followers:
                    stack.enter_context(follower.listening(lambda: None))
                    assert [told.number for told in read(follower)] == [1]
                Turn.objects.update(followed_until=None)
                if has_news:
                    for each in far:
                        each.tells("b")
                with CaptureQueriesContext(connection) as first:
                    assert looks.tick() is has_news
                with CaptureQueriesContext(connection) as second:
                    looks.tick()
                with CaptureQueriesContext(connection) as reading:
                    assert all(len(read(follower)) == has_news for follower in followers)
                said = [each["sql"] for each in first if "SAVEPOINT" not in each["sql"]]
                counts.append((len(said), len(second), len(reading)))
    # Where there are locks of rows: first, which of the turns are free.
    assert counts == [(4 if connection.vendor == "postgresql" else 3, 2, 0)] * 2


@pytest.mark.django_db
def test_the_first_look_of_a_follower_never_waits_for_the_mirror(looks: mirror.Mirrors) -> None:
    """TU4: of a turn that runs, and of one that has ended."""
    far = Far()
    far.tells("a", "b")
    with listening(one := far.follower(1)):
        assert [told.number for told in read(one)] == [2]
        assert Turn.objects.get(id=far.turn_id).followed_until is not None
    far.ends()
    with listening(two := far.follower(2)):
        assert [told.kind for told in read(two)] == ["done"]
        assert two.is_over


@pytest.mark.django_db
def test_who_comes_back_takes_up_from_memory(looks: mirror.Mirrors) -> None:
    """TU4, sec_J5: without asking for an event."""
    far = Far()
    with listening(far.follower()) as _, listening(one := far.follower()):
        read(one)
        far.tells("a", "b", "c")
        looks.tick()
        assert [told.number for told in read(one)] == [1, 2, 3]
        again = far.follower(1)
        read(again)
        again.after = 1
        with listening(again), CaptureQueriesContext(connection) as statements:
            assert [told.number for told in read(again)] == [2, 3]
        assert len(statements) == 0


@pytest.mark.django_db
def test_memory_is_bounded_and_what_fell_out_of_it_is_read_from_the_database(
    looks: mirror.Mirrors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TU4."""
    monkeypatch.setattr(mirror, "KEPT_EVENTS", 5)
    far = Far()
    with listening(slow := far.follower(), quick := far.follower()):
        heard: dict[Follower, list[int]] = {slow: [], quick: []}
        for follower in heard:
            read(follower)
        for number in range(30):
            far.tells(str(number))
            looks.tick()
            heard[quick] += [told.number for told in read(quick)]
        assert len(looks.of(far.turn_id, 0)._told) == 5
        assert slow.patience() <= 0.5
        far.ends()
        looks.tick()
        for follower, numbers in heard.items():
            while not follower.is_over:
                numbers += [told.number for told in read(follower)]
            assert numbers == list(range(1, 32))


@pytest.mark.django_db
def test_the_end_waits_a_moment_for_what_the_turn_told_last_and_no_longer(looks: mirror.Mirrors) -> None:
    """TU4: each event once, also those that no tick had stored; and an end if they are lost."""
    for is_lost in (False, True):
        far = Far()
        with listening(follower := far.follower()):
            read(follower)
            far.tells("a")
            far.tells("b", stored=False)
            far.ends(stored=False)
            looks.tick()
            assert [told.number for told in read(follower)] == [1]
            if is_lost:
                looks.of(far.turn_id, 0)._ended_at -= events.REST.total_seconds()  # type: ignore[operator]
            else:
                events.store([far.feed])
            looks.tick()
            assert [(told.number, told.kind) for told in read(follower)] == [
                *([] if is_lost else [(2, "text")]),
                (3, "done"),
            ]
            assert follower.is_over


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("statement", range(5))
def test_what_is_stored_from_two_threads_is_never_stored_twice(statement: int) -> None:
    """TU4: the keeper's tick, and the turn's own thread at its end."""
    far = Far()
    far.tells("a", "b", stored=False)

    def last() -> None:
        far.tells("c", stored=False)
        events.store([far.feed])

    if between(lambda: events.store([far.feed]), last, statement) is None:
        last()
    # One of them may have left the other's to the next tick.
    events.store([far.feed])
    assert [told.number for told in events.stored_after(far.turn_id, 0)] == [1, 2, 3]


@pytest.mark.django_db
def test_an_event_that_came_after_a_takeover_is_never_stored() -> None:
    """TU5: the fence rises with it, and with the next turn."""
    far = Far()
    far.tells("a", stored=False)
    far.ends(stored=False)
    begin(far.scope, far.held.conversation_id)
    events.store([far.feed])
    assert events.stored_after(far.turn_id, 0) == []


@pytest.mark.django_db
def test_a_turn_that_nobody_holds_is_ended_and_its_followers_hear_it(looks: mirror.Mirrors) -> None:
    """TU5."""
    far = Far()
    far.tells("half")
    with listening(follower := far.follower()):
        read(follower)
        looks.tick()
        Turn.objects.filter(id=far.turn_id).update(lease_until=timezone.now() - datetime.timedelta(seconds=1))
        looks.tick()
        looks.tick()
        assert [told.payload["end"] for told in read(follower)] == ["died"]


@pytest.mark.django_db
def test_a_turn_whose_row_is_gone_cuts_its_followers_off(looks: mirror.Mirrors) -> None:
    far = Far()
    with listening(follower := far.follower()) as rung:
        read(follower)
        looks.tick()
        Turn.objects.filter(id=far.turn_id).delete()
        looks.tick()
        assert rung == [follower]
        assert follower.at_hand() is None
        assert follower.step() is None


ACTS = st.sampled_from(["tell", "tell", "store", "look", "read", "away", "here", "gone"])


@pytest.mark.django_db
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(st.tuples(ACTS, st.integers(0, 2)), max_size=60))
def test_every_event_is_told_once_and_in_order_however_followers_come_and_go(
    looks: mirror.Mirrors, acts: list[tuple[str, int]]
) -> None:
    """TU4, sec_J5: also where the turn comes to run in this process, or no longer does, while it is followed."""
    far = Far()
    told, heard = 0, {number: list[int]() for number in range(3)}
    with contextlib.ExitStack() as stack:
        open_: dict[int, tuple[Follower, contextlib.ExitStack]] = {}

        def come(number: int) -> None:
            if number in open_:
                open_.pop(number)[1].close()
            follower = far.follower(heard[number][-1] if heard[number] else 0)
            mine = stack.enter_context(contextlib.ExitStack())
            mine.enter_context(follower.listening(lambda: None))
            open_[number] = (follower, mine)

        def hear(number: int) -> None:
            heard[number] += [each.number for each in read(open_[number][0])]

        for number in heard:
            come(number)
        for act, number in acts:
            if act == "tell":
                told += 1
                far.tells(str(told), stored=False)
            elif act == "store":
                events.store([far.feed])
            elif act == "look":
                looks.tick()
            elif act == "read":
                hear(number)
            elif act == "away":
                come(number)
            elif act == "here":
                events.told._feeds[far.turn_id] = far.feed
            else:
                events.told.leave_feed(far.turn_id)
        far.ends()
        for number, (follower, _) in open_.items():
            for _ in range(3):
                looks.tick()
                if not follower.is_over:
                    hear(number)
        events.forget_feeds()
    assert heard == {number: list(range(1, told + 2)) for number in range(3)}


# --- the thread ----------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_one_thread_follows_for_all_and_is_gone_after_the_last(mirrors: mirror.Mirrors, monkeypatch: pytest.MonkeyPatch) -> None:
    """OP7."""
    monkeypatch.setattr(mirror, "KEPT_SECONDS", 0.2)
    far = [Far() for _ in range(3)]
    assert threads() == []
    with listening(*(followers := [each.follower() for each in far])) as rung:
        for follower in followers:
            read(follower)
        for each in far:
            each.tells("a")
        until(lambda: {*followers} == {*rung})
        assert threads() == ["deskhand-mirror"]
        assert [[told.number for told in read(follower)] for follower in followers] == [[1]] * 3
    until(lambda: threads() == [])
    with listening(again := far[0].follower(1)) as rung:
        read(again)
        far[0].tells("b")
        until(lambda: rung)
        assert [told.number for told in read(again)] == [2]


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_for_a_while_cuts_no_follower_off(
    mirrors: mirror.Mirrors, settings: object, caplog: pytest.LogCaptureFixture
) -> None:
    """TU4: the mirror goes on trying, and says so once; nothing is told that can't be known."""
    settings.DESKHAND = {"RIGHTS_SECONDS": 0.05}  # type: ignore[attr-defined]
    away = threading.Event()
    away.set()

    def refused(execute: object, *statement: object) -> object:
        if away.is_set():
            raise OperationalError("the server is away")
        return execute(*statement)  # type: ignore[operator]

    far = Far()
    with (
        caplog.at_level(logging.WARNING, "deskhand.turns"),
        in_threads("deskhand-mirror", refused),
        listening(follower := far.follower()) as rung,
    ):
        read(follower)
        far.tells("a")
        until(lambda: mirrors._is_away)
        with connection.execute_wrapper(refused):
            time.sleep(0.1)
            assert follower.step() == []
            assert 0 < follower.patience() <= 1
        time.sleep(2 * mirror.POLL_SECONDS)
        assert rung == []
        away.clear()
        until(lambda: rung)
        assert [told.number for told in read(follower)] == [1]
    assert [record.getMessage() for record in caplog.records] == ["turns of other processes can't be read: OperationalError"]


@pytest.mark.django_db(transaction=True)
def test_a_fault_of_the_thread_never_ends_following(mirrors: mirror.Mirrors, monkeypatch: pytest.MonkeyPatch) -> None:
    """TU4: whoever looks next begins it anew."""
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    far = Far()
    with listening(follower := far.follower()) as rung:
        with in_threads("deskhand-mirror", lambda *_: 1 / 0):
            read(follower)
            until(lambda: mirrors._thread is not None and not mirrors._thread.is_alive())
        far.tells("a")
        read(follower)
        until(lambda: rung)
        assert [told.number for told in read(follower)] == [1]
