"""The ASGI application that lets its turns finish when the server is told to end: one line in a host's ``asgi.py``.

    application = drained(get_asgi_application())

An ASGI server ends its process by the signal that it got, so what Python would run at exit does not run. What it does do is tell the
application, in the lifespan protocol, which Django's does not speak; here it is answered. The server tells it only after all open
responses have ended, though, and a turn that somebody follows keeps its stream open: so the grace begins with the signal itself.

Never here: a request held up or changed; a signal kept from the server; the event loop waiting for a database. Limits: a server without
the lifespan protocol (``--lifespan off``, Daphne) drains nothing, and one that takes no signal in Python begins the grace when its
streams are over.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import types
from collections.abc import Awaitable, Callable, Iterator, MutableMapping

#: What ASGI calls so. Django's, another framework's, or one around them; their types don't agree.
Application = Callable[..., Awaitable[None]]
Event = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]

#: How often a server that ends looks whether the turns have.
LOOK_SECONDS = 0.05


def drained(application: Application) -> Application:
    """The application, and when the server is told to end, its running turns get ``GRACE_SECONDS`` and are then ended as restarted.

    Requests and sockets are passed on as they are. So is the server's lifespan to an application that speaks it: it hears of the end
    when the turns are over, because they may need what it closes then. Source: ``TU5``.
    """

    async def served(scope: Event, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            with _on_signals(_begin_drain):
                await _live(application, scope, receive, send)
        else:
            await application(scope, receive, send)

    return served


async def _live(application: Application, scope: Event, receive: Receive, send: Send) -> None:
    heard, said = [], []

    async def received() -> Event:
        event = await receive()
        heard.append(event["type"])
        if event["type"] == "lifespan.startup":
            _begin()
        elif event["type"] == "lifespan.shutdown":
            await _drain()
        return event

    async def answered(event: Event) -> None:
        said.append(event["type"])
        await send(event)

    speaks = asyncio.ensure_future(application(scope, received, answered))
    try:
        await asyncio.wait([speaks])
    finally:
        speaks.cancel()
    fault = speaks.exception()
    if heard and fault is not None:
        raise fault
    # It does not speak this protocol and ended, as Django's does with an exception, before it heard a word; or it had nothing to do at the
    # end and did not wait for it.
    while "lifespan.shutdown" not in heard and "lifespan.startup.failed" not in said:
        event = await received()
        await send({"type": f"{event['type']}.complete"})


# Django may not be set up yet where a project's ``asgi.py`` imports this, so what needs it is imported when the server calls.


def _begin() -> None:
    from deskhand.turns import runner

    runner.renew()


def _begin_drain() -> None:
    from deskhand import config
    from deskhand.turns import runner

    runner.here().begin_drain(config.get().grace_seconds)


async def _drain() -> None:
    from deskhand.turns import runner

    _begin_drain()
    while not runner.here().is_drained():
        await asyncio.sleep(LOOK_SECONDS)


@contextlib.contextmanager
def _on_signals(told: Callable[[], None]) -> Iterator[None]:
    """While it lasts, ``told`` is called in this event loop as soon as the process gets a signal by which the server ends."""
    if threading.current_thread() is not threading.main_thread():
        # Python takes signals in the main thread alone; a server in another one is told its end by its host.
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def heard(number: int, frame: types.FrameType | None) -> None:
        with contextlib.suppress(RuntimeError):
            # Not here and now: the interrupted code may hold any lock.
            loop.call_soon_threadsafe(told)
        servers = before[signal.Signals(number)]
        if callable(servers):
            servers(number, frame)

    # A signal that no server has taken keeps its meaning.
    taken = [number for number, servers in before.items() if callable(servers)]
    for number in taken:
        signal.signal(number, heard)
    try:
        yield
    finally:
        for number in taken:
            if signal.getsignal(number) is heard:
                signal.signal(number, before[number])
