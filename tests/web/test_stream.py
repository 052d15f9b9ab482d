"""A turn's events on their way to a browser, over real servers of both kinds and from several processes."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from deskhand import scope as scopes
from deskhand.models import Turn
from deskhand.scope import Scope
from deskhand.testing import scope_of
from deskhand.turns import events, runner
from deskhand.web import following
from deskhand.web import stream as streams
from tests import make
from tests.flows.conftest import Model
from tests.person import Person
from tests.provider import DONE, Reply, call, chunk, say, stream
from tests.serving import Server, settings_for
from tests.web.conftest import USE, Place, Stream, at, desk, ended, running

pytestmark = pytest.mark.django_db(transaction=True)

Told = list[tuple[int, str, dict[str, object]]]
#: What a slow machine may add.
LOG_OUT_SLACK_SECONDS = 20.0


def slowly(*words: str, pause: float = 0.05) -> Reply:
    return stream(*[part for word in words for part in (chunk({"content": word}), pause)], chunk(finish="stop"), DONE)


def hangs(text: str = "Slowly ") -> Reply:
    return stream(chunk({"content": text}), "hang")


def text(told: Told) -> str:
    return "".join(str(payload["text"]) for _, kind, payload in told if kind == "text")


def soon(is_true: Callable[[], bool], seconds: float = 8.0) -> bool:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if is_true():
            return True
        time.sleep(0.02)
    return is_true()


@pytest.fixture(params=["wsgi", "asgi"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Somebody at a server in threads, and at one with an event loop."""
    if request.param == "asgi":
        yield at(request.getfixturevalue("uvicorn"), request.getfixturevalue("served_model"))
        return
    server: LiveServer = request.getfixturevalue("live_server")
    model: Model = request.getfixturevalue("model")
    user = make.user([USE, "shop.view_order"])
    person = Person(server.url, user)
    person.arrive()
    yield Place(person, user, model)
    runner.stop()


def ask(place: Place, *replies: Reply) -> str:
    """A new turn's id."""
    place.model.plays(*replies)
    return str(place.person.say(place.person.converse(), "Tell me").json["turn"])


def test_the_events_of_a_turn_are_the_same_from_every_server(place: Place) -> None:
    """UI6, TU4: with the headers that keep proxies from waiting."""
    turn = ask(place, call(("read_order", {"number": "A-0"})), say("There is none."))
    open_ = Stream(place.person, turn)
    told = open_.until("done")
    assert open_.status == 200
    assert open_.headers["Content-Type"].startswith("text/event-stream")
    assert open_.headers["X-Accel-Buffering"] == "no"
    assert "no-store" in open_.headers["Cache-Control"]
    kinds = [kind for _, kind, _ in told]
    assert [kind for at, kind in enumerate(kinds) if kinds[at - 1 : at] != [kind]] == [
        "message", "tool", "message", "text", "message", "done",
    ]  # fmt: skip
    assert text(told) == "There is none."
    assert [number for number, _, _ in told] == list(range(1, len(told) + 1))
    assert list(open_.events()) == []


def test_text_comes_while_the_model_still_writes(place: Place) -> None:
    """TU4: a stream is no parcel."""
    turn = ask(place, hangs())
    assert text(Stream(place.person, turn).until("text")) == "Slowly "
    place.person.ask("POST", f"turns/{turn}/stop", {})


def test_a_stream_is_taken_up_after_a_number_and_tells_each_event_once(place: Place) -> None:
    """TU4, sec_J5: by the query and by the header, the query first."""
    words = [f"w{number} " for number in range(12)]
    turn = ask(place, slowly(*words))
    told: Told = []
    for by in ("query", "header", "both"):
        after = told[-1][0] if told else 0
        query = f"?after={after}" if by != "header" else ""
        headers = {} if by == "query" else {"Last_Event_ID": str(after if by == "header" else 10**6)}
        part = Stream(place.person, turn, query, **headers)
        for event in part.events():
            told.append(event)
            if len(told) % 3 == 0:
                break
        part.close()
    told += Stream(place.person, turn, f"?after={told[-1][0]}").until("done")
    assert text(told) == "".join(words)
    assert [number for number, _, _ in told] == list(range(1, len(told) + 1))


def test_two_who_follow_at_once_hear_the_same(place: Place) -> None:
    """TU4."""
    turn = ask(place, slowly("a ", "b ", "c "))
    heard: dict[int, Told] = {}

    def follow(number: int) -> None:
        heard[number] = Stream(place.person, turn).until("done")

    threads = [threading.Thread(target=follow, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert heard[0] == heard[1]
    assert text(heard[0]) == "a b c "


@pytest.mark.parametrize("is_forgotten", [False, True], ids=["just ended", "of another process"])
def test_the_end_of_a_turn_is_told_whatever_number_is_asked_after(is_forgotten: bool) -> None:
    """TU4: ``done`` is always the last, by the stream as by the poll."""
    owner = desk()
    kept = running(owner)
    turn = Turn.objects.get()
    feed = events.open_feed(turn.id, turn.fence, turn.conversation_id)
    feed.tell(events.Told(events.TEXT, {"text": "half"}))
    owner.client.post(f"/assistant/api/turns/{kept.turn}/stop", "{}", "application/json", headers={"X-CSRFToken": owner.csrf})
    if is_forgotten:
        events.forget_feeds()
    for after in (0, 1, 2, 3, 10**17):
        path = f"/assistant/api/turns/{kept.turn}"
        polled = owner.client.get(f"{path}/events?after={after}").json()
        assert (polled["is_running"], polled["events"][-1]["kind"]) == (False, "done")
        answer = owner.client.get(f"{path}/stream?after={after}", **{"wsgi.multithread": True})  # type: ignore[arg-type]
        assert b"".join(answer.streaming_content).count(b"event: done") == 1
    events.forget_feeds()


def test_a_session_that_was_signed_out_is_cut_off_and_another_one_goes_on(place: Place) -> None:
    """SC2, sec_B8: within ``RIGHTS_SECONDS``."""
    turn = ask(place, hangs())
    other = Person(place.person.base_url, place.user)
    mine, theirs = Stream(place.person, turn), Stream(other, turn)
    for each in (mine, theirs):
        each.until("text")
    Session.objects.filter(session_key=other.session_ref).delete()
    began = time.monotonic()
    assert [kind for _, kind, _ in theirs.events()] == []
    assert time.monotonic() - began < 0.5 + LOG_OUT_SLACK_SECONDS
    assert other.ask("GET", f"turns/{turn}/stream").status == 403
    place.person.ask("POST", f"turns/{turn}/stop", {})
    assert mine.until("done")


def test_a_follower_never_waits_beyond_the_moment_when_its_rights_are_due(settings: object) -> None:
    """SC2: else a session that was signed out would be followed for up to twice as long."""
    settings.DESKHAND = {"RIGHTS_SECONDS": 5}  # type: ignore[attr-defined]
    owner = desk()
    kept = running(owner)
    events.open_feed(kept.turn, 1, kept.conversation)
    follower = following.Follower(scope_of(owner.user, owner.session_ref), kept.turn, 0)
    with follower.listening(lambda: None):
        assert follower.at_hand() == []
        following._rights._granted[owner.session_ref, owner.user.pk] -= 4
        assert follower.patience() <= 1
        following._rights._granted[owner.session_ref, owner.user.pk] -= 1
        assert follower.at_hand() is None
        owner.user.user_permissions.clear()
        assert follower.step() is None
    events.forget_feeds()


def test_a_host_that_never_answers_for_some_sessions_holds_up_no_other_one(
    settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SC2, TU4: however few threads ask for all of them."""
    monkeypatch.setattr(streams, "LATE_SECONDS", 0.1)
    owners = [desk() for _ in range(streams.THREADS + 2)]
    followers = [following.Follower(scope_of(each.user, each.session_ref), running(each).turn, 0) for each in owners]
    unlucky, let_go = {each.user.pk for each in owners[:-1]}, threading.Event()

    def hangs(session_ref: str, user: User) -> Scope | None:
        if user.pk in unlucky:
            let_go.wait(20)
        return scopes.session_scope(session_ref, user)

    async def follow() -> object:
        asking = streams._Asking()
        waiting = [asyncio.ensure_future(asking.step(each)) for each in followers[:-1]]
        await asyncio.sleep(0.05)
        try:
            return await asyncio.wait_for(asking.step(followers[-1]), 10)
        finally:
            for each in waiting:
                each.cancel()

    settings.DESKHAND = {"SCOPE": hangs}  # type: ignore[attr-defined]
    following._rights._granted.clear()
    try:
        assert asyncio.run(follow()) == []
    finally:
        let_go.set()
    assert soon(lambda: "deskhand-follow" not in [each.name for each in threading.enumerate()])


@pytest.mark.parametrize("fault", [ValueError, SystemExit])
def test_a_host_whose_scope_fails_ends_the_stream_and_never_the_server(
    settings: object, caplog: pytest.LogCaptureFixture, fault: type[BaseException]
) -> None:
    """SC2, sec_J16: rights that can't be told are none; its words stand nowhere."""
    owner = desk()
    follower = following.Follower(scope_of(owner.user, owner.session_ref), running(owner).turn, 0)

    def fails(session_ref: str, user: User) -> Scope | None:
        raise fault("canary")

    async def follow() -> list[bytes]:
        return [piece async for piece in streams._asynchronous(follower)]

    settings.DESKHAND = {"SCOPE": fails}  # type: ignore[attr-defined]
    following._rights._granted.clear()
    assert asyncio.run(follow()) == [b": open\n\n"]
    assert f"rights of who follows turn {follower.turn_id}: {fault.__name__}" in caplog.text
    assert "canary" not in caplog.text


def test_a_silent_stream_says_now_and_then_that_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """UI6: a comment, so that no proxy takes it for dead."""
    monkeypatch.setattr(streams, "COMMENT_SECONDS", 0.05)
    owner = desk()
    kept = running(owner)
    events.open_feed(kept.turn, 1, kept.conversation)
    scope = scope_of(owner.user, owner.session_ref)

    follower = following.Follower(scope, kept.turn, 0)

    async def listen() -> list[bytes]:
        got = []
        content = streams._asynchronous(follower)
        async for piece in content:
            got.append(piece)
            if len(got) == 3:
                await content.aclose()  # type: ignore[attr-defined]
        return got

    assert asyncio.run(listen()) == [b": open\n\n", b":\n\n", b":\n\n"]
    content = streams._Synchronous(following.Follower(scope, kept.turn, 0))
    pieces = iter(content)
    assert [next(pieces) for _ in range(3)] == [b": open\n\n", b":\n\n", b":\n\n"]
    content.close()
    feed = events.feed(kept.turn)
    assert feed
    assert feed._listeners == []
    events.forget_feeds()


def test_a_browser_that_goes_away_leaves_nothing_behind_in_threads(
    live_server: LiveServer, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """UI6: its place and its thread are free at the next comment."""
    monkeypatch.setattr(streams, "COMMENT_SECONDS", 0.1)
    user = make.user([USE])
    person = Person(live_server.url, user)
    person.arrive()
    place = Place(person, user, model)
    turn = ask(place, hangs())
    before = threading.active_count()
    for _ in range(4):
        one = Stream(person, turn)
        assert one.status == 200
        one.until("text")
        one.close()
        assert soon(lambda: streams._Synchronous._taken == 0)
    assert soon(lambda: threading.active_count() <= before)
    person.ask("POST", f"turns/{turn}/stop", {})
    runner.stop()


# --- processes -----------------------------------------------------------------------------------------------------------------


def connections_of(server: Server) -> int:
    """How many connections to the database that process holds."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
            return int(cursor.fetchone()[0])
    held = 0
    for each in Path(f"/proc/{server.process.pid}/fd").iterdir():
        try:
            held += os.readlink(each) == str(connection.settings_dict["NAME"])
        except OSError:
            continue
    return held


def threads_of(server: Server) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))


def test_twenty_open_streams_hold_no_connection_and_leave_nothing_behind(uvicorn: Server, served_model: Model) -> None:
    """UI6: none while they wait; and when the browsers are gone, their threads are, too."""
    place = at(uvicorn, served_model)
    turn = ask(place, hangs())
    Stream(place.person, turn).until("text")
    before = threads_of(uvicorn)
    opened = [Stream(place.person, turn) for _ in range(20)]
    assert [each.status for each in opened] == [200] * 20
    for each in opened:
        each.until("text")
    seen = []
    for _ in range(30):
        seen.append(connections_of(uvicorn))
        time.sleep(0.03)
    # The keeper, and the threads that ask rights for streams and for turns, have one for a moment.
    assert max(seen) <= streams.THREADS + 2
    assert min(seen) == 0
    for each in opened:
        each.close()
    assert soon(lambda: threads_of(uvicorn) <= before + streams.THREADS)
    place.person.ask("POST", f"turns/{turn}/stop", {})
    assert soon(lambda: connections_of(uvicorn) == 0)


@pytest.fixture(scope="module")
def second(served_model: Model, django_db_setup: None, django_db_blocker: object) -> Iterator[Server]:
    """A WSGI server on the same database."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        server = Server.gunicorn(settings_for(served_model.provider.base_url, served_model.name), threads=8)
    yield server
    server.close()


@pytest.mark.parametrize("runs_on", ["uvicorn", "gunicorn"])
def test_a_turn_is_followed_from_another_process_while_it_runs(
    runs_on: str, uvicorn: Server, second: Server, served_model: Model
) -> None:
    """TU4, UI6: text while the model writes, then its end; the same events as where it runs."""
    here, there = (uvicorn, second) if runs_on == "uvicorn" else (second, uvicorn)
    place = at(here, served_model)
    turn = ask(place, stream(chunk({"content": "one "}), 1.0, chunk({"content": "two"}), 0.5, chunk(finish="stop"), DONE))
    other = Person(there.url, place.user, place.person.session_ref)
    far = Stream(other, turn)
    first = far.until("text")
    assert Turn.objects.get(id=turn).ended_at is None
    rest = far.until("done")
    assert text(first + rest).startswith("one ")
    numbers = [number for number, _, _ in first + rest]
    assert numbers == sorted(set(numbers))
    near = {number: (kind, payload) for number, kind, payload in Stream(place.person, turn).until("done")}
    assert all(near[number] == (kind, payload) for number, kind, payload in first + rest)


def test_a_stop_in_another_process_is_heard_where_the_turn_runs(uvicorn: Server, second: Server, served_model: Model) -> None:
    """TU4: within a second or so, and the model's connection is closed."""
    place = at(uvicorn, served_model)
    turn = ask(place, hangs())
    near = Stream(place.person, turn)
    near.until("text")
    other = Person(second.url, place.user, place.person.session_ref)
    other.arrive()
    assert other.ask("POST", f"turns/{turn}/stop", {}).json["end"] == "stopped"
    began = time.monotonic()
    assert near.until("done")[-1][2]["end"] == "stopped"
    # By the renewal of its lease alone it would take 30 s.
    assert time.monotonic() - began < 25
    served_model.provider.wait_for(served_model.name, 1, closed=True)


def test_a_server_under_wsgi_lends_streams_only_so_many_of_its_threads(second: Server, served_model: Model) -> None:
    """UI6: the next one is polled, and others are served meanwhile."""
    place = at(second, served_model)
    turn = ask(place, hangs())
    opened = [Stream(place.person, turn) for _ in range(2)]
    for each in opened:
        each.until("text")
    refused = place.person.ask("GET", f"turns/{turn}/stream")
    assert (refused.status, refused.json["error"]["code"]) == (429, "limit_reached")  # type: ignore[index]
    assert place.person.ask("GET", f"turns/{turn}/events").json["is_running"] is True
    place.person.ask("POST", f"turns/{turn}/stop", {})
    for each in opened:
        each.until("done")
    assert soon(lambda: place.person.ask("GET", f"turns/{turn}/stream").status == 200)


def test_a_server_of_one_thread_never_streams(served_model: Model) -> None:
    """UI6: it says so, in the state and at the door, and the poll tells the same."""
    server = Server.gunicorn(settings_for(served_model.provider.base_url, served_model.name), threads=1)
    try:
        place = at(server, served_model)
        assert place.person.arrive()["streams"] is False
        turn = ask(place, say("Here I am."))
        refused = place.person.ask("GET", f"turns/{turn}/stream")
        assert (refused.status, refused.json["error"]["code"]) == (409, "no_streams")  # type: ignore[index]
        assert text(place.person.poll(turn)) == "Here I am."
    finally:
        server.close()


def test_a_server_of_several_threads_says_that_it_streams(uvicorn: Server, second: Server, served_model: Model) -> None:
    """UI6."""
    for server in (uvicorn, second):
        assert at(server, served_model).person.arrive()["streams"] is True


def test_ended_turns_are_told_from_the_database() -> None:
    """TU4: by a process that never ran them."""
    owner = desk()
    kept = ended(owner)
    polled = owner.client.get(f"/assistant/api/turns/{kept.turn}/events").json()
    assert [each["kind"] for each in polled["events"]] == ["done"]
