"""Where turns run: in threads of the process that took the message, or on workers of procrastinate (``ENGINE``, ``OP7``).

On workers a start ends by deferring a job that carries the turn's id and nothing else, in the transaction that offers the turn: so
there is no job without its turn, and no turn that waits without its job. A worker takes the turn up and hands it to its own runner;
from there on all is as with threads. The job holds its place in the worker until the turn has ended, so that a worker takes no more
turns than it has places for.

Never here: a person's text in a job; a turn that runs twice, however often its job is delivered; ``LISTEN``, or a lock of a session,
that must work for turns to be right. Limits: a turn that no worker takes up within a lease ends as interrupted. Procrastinate is imported
only where ``ENGINE`` names it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import uuid

from django.db import Error, OperationalError

from deskhand import config, transactions
from deskhand.core.values import Notice, TurnEnd
from deskhand.turns import closing, events, lock, runner
from deskhand.turns.lock import Held

logger = logging.getLogger("deskhand.turns")

#: Names of the task and of its queue, as procrastinate's tables and command line have them.
TASK, QUEUE = "deskhand.turn", "deskhand"

#: How soon a worker that could not take a turn up, because the database was away, tries again.
AGAIN_SECONDS = 0.5


def hand_over(held: Held) -> None:
    """The turn runs in this process as soon as a thread is free, or waits for a worker: one transaction then.

    Raises:
        FenceLost: it was ended before it could be offered to workers.
    """
    if config.get().engine == "threads":
        runner.here().start(held)
    else:
        lock.offer(held, lambda: _defer(held.turn_id))


def _defer(turn_id: uuid.UUID) -> None:
    from procrastinate.contrib.django import app
    from procrastinate.exceptions import ConnectorException

    try:
        app.configure_task(TASK, queue=QUEUE).defer(turn_id=str(turn_id))
    except ConnectorException as fault:
        # As Django would have told it: where the database took the transaction back, it is begun anew.
        raise OperationalError("the job could not be deferred") from fault.__cause__


def register() -> None:
    """Procrastinate knows the task, whether its own app is ready yet or not."""
    from procrastinate.contrib.django import app

    if TASK not in app.tasks:
        app.task(name=TASK, queue=QUEUE)(work)


# --- in a worker ---------------------------------------------------------------------------------------------------------------


async def work(turn_id: str) -> None:
    """The job: this turn, if it still waits, is run by the threads of this process to its end.

    Whoever cancels it (a worker whose grace is over) ends the turn as restarted.
    """
    leaving = threading.Event()
    taking = asyncio.ensure_future(asyncio.to_thread(_take_up, uuid.UUID(turn_id), leaving))
    try:
        held = await asyncio.shield(taking)
        if held is not None:
            await _run(held)
    except asyncio.CancelledError:
        leaving.set()
        if (held := await taking) is not None:
            await asyncio.to_thread(_end_for_restart, held)
        raise


def _take_up(turn_id: uuid.UUID, leaving: threading.Event) -> Held | None:
    """As ``lock.take_up``; while the database is away it is asked again, as long as the turn may still wait."""
    ends = time.monotonic() + config.get().lease_seconds
    while True:
        try:
            return lock.take_up(turn_id)
        except Error as fault:
            logger.warning("turn %s can't be taken up yet: %s", turn_id, type(fault).__name__)
        finally:
            transactions.release()
        if leaving.wait(AGAIN_SECONDS) or time.monotonic() >= ends:
            return None


async def _run(held: Held) -> None:
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    runner.here().start(held)
    feed = events.feed(held.turn_id)
    if feed is None:
        return

    def look() -> None:
        if feed.is_closed:
            loop.call_soon_threadsafe(over.set)

    with feed.listening(look):
        # It may have ended before anybody listened.
        look()
        await over.wait()


def _end_for_restart(held: Held) -> None:
    try:
        closing.close(held.turn_id, TurnEnd.RESTARTED, Notice.RESTARTED)
    except Error as fault:
        # Then it counts as died once this process is gone: somebody else ends it.
        logger.warning("turn %s could not be ended: %s", held.turn_id, type(fault).__name__)
    finally:
        runner.cancel(held.turn_id)
        transactions.release()
