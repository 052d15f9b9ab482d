"""The lifespan that drains: what the server and the application hear of each other, with no server around."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator

import pytest
from django.core.asgi import get_asgi_application

from deskhand.asgi import Application, Event, drained
from deskhand.core.values import TurnEnd
from deskhand.models import Turn
from deskhand.scope import Scope
from deskhand.testing import script
from deskhand.turns import runner
from tests import make
from tests.turns.threads import begin

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scope(settings: object) -> Iterator[Scope]:
    settings.DESKHAND = {"GRACE_SECONDS": 0.3, "FLUSH_SECONDS": 0.05}  # type: ignore[attr-defined]
    yield make.scope(["deskhand.use_assistant"])
    runner.stop()


class Server:
    """Speaks lifespan with an application and keeps what it hears."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.heard: list[object] = []
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._answers: asyncio.Queue[object] = asyncio.Queue()

    async def begin(self) -> None:
        self.lifespan = asyncio.ensure_future(self.application({"type": "lifespan"}, self._events.get, self._hear))
        await self.say("startup")

    async def say(self, word: str) -> object:
        """The application's answer, or nothing if it ended without one."""
        await self._events.put({"type": f"lifespan.{word}"})
        answer = asyncio.ensure_future(self._answers.get())
        await asyncio.wait([answer, self.lifespan], return_when=asyncio.FIRST_COMPLETED, timeout=20)
        return answer.result() if answer.done() else answer.cancel() and None

    async def _hear(self, event: Event) -> None:
        self.heard.append(event["type"])
        await self._answers.put(event["type"])


def hangs(let_go: threading.Event) -> Callable[[object], str]:
    """A model that is silent until it is let go."""

    def silent(request: object) -> str:
        assert let_go.wait(10)
        return "Late."

    return silent


def running(scope: Scope, let_go: threading.Event) -> object:
    started = begin(scope)
    runner.here().start(started.held, script(hangs(let_go)))
    return started.turn_id


def end_of(turn_id: object) -> str:
    return Turn.objects.get(id=turn_id).end


def test_an_application_that_does_not_speak_lifespan_is_spoken_for_and_its_turns_end(scope: Scope) -> None:
    """TU5, sec_CP20: Django's own."""
    let_go = threading.Event()
    turn_id = running(scope, let_go)

    async def life() -> list[object]:
        server = Server(drained(get_asgi_application()))
        await server.begin()
        await server.say("shutdown")
        await asyncio.wait_for(server.lifespan, 5)
        return server.heard

    heard = asyncio.run(life())
    let_go.set()
    assert heard == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert end_of(turn_id) == TurnEnd.RESTARTED


def test_the_event_loop_goes_on_while_turns_get_their_grace(scope: Scope) -> None:
    """TU5: responses that are under way are not held up."""
    let_go = threading.Event()
    running(scope, let_go)

    async def life() -> int:
        server = Server(drained(get_asgi_application()))
        await server.begin()
        ending = asyncio.ensure_future(server.say("shutdown"))
        steps = 0
        while not ending.done():
            await asyncio.sleep(0.01)
            steps += 1
        return steps

    steps = asyncio.run(life())
    let_go.set()
    assert steps > 3


def test_an_application_that_speaks_lifespan_hears_of_the_end_when_the_turns_are_over(scope: Scope) -> None:
    """TU5: they may need what it closes then."""
    let_go, order = threading.Event(), []
    turn_id = running(scope, let_go)

    async def speaks(scope_: Event, receive: Callable[[], Awaitable[Event]], send: Callable[[Event], Awaitable[None]]) -> None:
        while True:
            event = await receive()
            order.append((event["type"], await asyncio.to_thread(end_of, turn_id)))
            await send({"type": f"{event['type']}.complete"})
            if event["type"] == "lifespan.shutdown":
                return

    async def life() -> list[object]:
        server = Server(drained(speaks))
        await server.begin()
        await server.say("shutdown")
        return server.heard

    heard = asyncio.run(life())
    let_go.set()
    assert heard == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert order == [("lifespan.startup", ""), ("lifespan.shutdown", TurnEnd.RESTARTED)]


def test_an_application_whose_start_fails_is_heard_by_the_server_as_it_is(scope: Scope) -> None:
    """OP10: its fault is not hidden behind ours."""

    async def fails(scope_: Event, receive: Callable[[], Awaitable[Event]], send: object) -> None:
        await receive()
        raise ValueError

    async def life() -> None:
        server = Server(drained(fails))
        await server.begin()
        await server.lifespan

    with pytest.raises(ValueError):
        asyncio.run(life())


def test_requests_and_sockets_are_passed_on_untouched() -> None:
    """OP10."""
    seen = []

    async def application(*asked: object) -> None:
        seen.append(asked)

    def receive() -> None: ...

    def send() -> None: ...

    for kind in ("http", "websocket"):
        asked = ({"type": kind}, receive, send)
        asyncio.run(drained(application)(*asked))  # type: ignore[arg-type]
        assert all(theirs is mine for theirs, mine in zip(seen.pop(), asked, strict=True))
    assert seen == []


def test_the_grace_begins_with_the_signal_and_the_server_hears_it_too(scope: Scope) -> None:
    """TU5, sec_CP20: long before it says that it shuts down."""
    let_go, taken = threading.Event(), []
    turn_id = running(scope, let_go)

    async def life() -> None:
        server = Server(drained(get_asgi_application()))
        await server.begin()
        os.kill(os.getpid(), signal.SIGTERM)
        while not await asyncio.to_thread(end_of, turn_id):
            await asyncio.sleep(0.02)
        assert server.heard == ["lifespan.startup.complete"]
        await server.say("shutdown")
        await server.lifespan

    def servers(number: int, frame: object) -> None:
        taken.append(number)

    before = signal.signal(signal.SIGTERM, servers)
    try:
        asyncio.run(asyncio.wait_for(life(), 10))
        assert signal.getsignal(signal.SIGTERM) is servers
    finally:
        signal.signal(signal.SIGTERM, before)
        let_go.set()
    assert taken == [signal.SIGTERM]
    assert end_of(turn_id) == TurnEnd.RESTARTED


def test_a_signal_that_no_server_has_taken_keeps_its_meaning() -> None:
    """TU5."""

    async def life() -> object:
        server = Server(drained(get_asgi_application()))
        await server.begin()
        found = signal.getsignal(signal.SIGTERM)
        await server.say("shutdown")
        return found

    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        assert asyncio.run(life()) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_server_in_another_thread_drains_without_signals(scope: Scope) -> None:
    """TU5: where Python lets nobody listen for them."""
    let_go, heard = threading.Event(), []
    turn_id = running(scope, let_go)

    async def life() -> None:
        server = Server(drained(get_asgi_application()))
        await server.begin()
        await server.say("shutdown")
        heard.extend(server.heard)

    thread = threading.Thread(target=lambda: asyncio.run(life()))
    thread.start()
    thread.join(10)
    let_go.set()
    assert heard == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert end_of(turn_id) == TurnEnd.RESTARTED


def test_a_server_that_is_started_once_more_in_the_same_process_runs_turns(scope: Scope) -> None:
    """TU5."""

    async def life() -> None:
        server = Server(drained(get_asgi_application()))
        await server.begin()
        await server.say("shutdown")

    asyncio.run(life())
    asyncio.run(life())

    async def begun() -> None:
        await Server(drained(get_asgi_application())).begin()

    asyncio.run(begun())
    started = begin(scope)
    runner.here().start(started.held, script("Here again."))
    assert runner.here().settle(10)
    assert end_of(started.turn_id) == TurnEnd.ANSWERED
