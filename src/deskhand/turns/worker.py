"""A worker of procrastinate that outlives its database's absences.

Procrastinate's own command ends when the database can't be reached at the wrong moment, and waits with that until its running jobs have
ended, which takes no new ones meanwhile. This worker is procrastinate's, with a connector that waits for the database instead. It takes as
many turns as it has threads, is told of new jobs by ``NOTIFY`` and looks for itself every second, which alone would do.

Never here: a job begun twice; a job of another queue. Limits: a job whose fetching was cut off by the loss of the connection may be marked
as begun and never be; its turn ends when its lease is over. Called by ``manage.py deskhand_worker`` alone, in the main thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, LiteralString, TypeVar

import psycopg
from procrastinate.connector import Notify
from procrastinate.contrib.django import app, connector_params
from procrastinate.exceptions import ConnectorException
from procrastinate.psycopg_connector import PsycopgConnector

from deskhand import config
from deskhand.turns import engine, runner

logger = logging.getLogger("deskhand.turns")

#: How soon the database is asked again after it was away.
AGAIN_SECONDS = 1.0
#: How often jobs are looked for without a notification.
POLL_SECONDS = 1.0
#: How long a statement waits for a connection, and a connection for the database, before both count as away.
CONNECT_SECONDS = 5.0

T = TypeVar("T")


class TablesMissing(Exception):
    """The database has no such tables or functions of procrastinate's: it was not migrated."""


class Patient(PsycopgConnector):
    """Asks again, until it is answered, while the database is away and the worker has not been told to end."""

    is_leaving = False

    async def execute_query_async(self, query: LiteralString, **arguments: Any) -> None:
        """As the parent's, once the database is there."""
        ask = super().execute_query_async
        await self._answered(lambda: ask(query, **arguments))

    async def execute_query_one_async(self, query: LiteralString, **arguments: Any) -> dict[str, Any]:
        """As the parent's, once the database is there."""
        ask = super().execute_query_one_async
        return await self._answered(lambda: ask(query, **arguments))

    async def execute_query_all_async(self, query: LiteralString, **arguments: Any) -> list[dict[str, Any]]:
        """As the parent's, once the database is there."""
        ask = super().execute_query_all_async
        return await self._answered(lambda: ask(query, **arguments))

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        """As the parent's, for ever: where listening is not possible at all, jobs are looked for anyway."""
        listen, names = super().listen_notify, list(channels)
        await self._answered(lambda: listen(on_notification, names))

    async def _answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        is_away = False
        while True:
            try:
                answer = await ask()
            except ConnectorException as fault:
                if isinstance(fault.__cause__, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedFunction):
                    raise TablesMissing from None
                if self.is_leaving or not isinstance(fault.__cause__, psycopg.OperationalError):
                    raise
                if not is_away:
                    logger.warning("worker: the database is away: %s", type(fault.__cause__).__name__)
                is_away = True
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                if is_away:
                    logger.warning("worker: the database is back")
                return answer


def run(concurrency: int, *, listens: bool = True) -> None:
    """Turns are run, so many at a time, until SIGTERM or SIGINT; then those that run have ``GRACE_SECONDS`` to end.

    Raises:
        TablesMissing: it could not begin.
    """
    asyncio.run(_run(concurrency, listens))


async def _run(concurrency: int, listens: bool) -> None:
    connector = Patient(
        kwargs=connector_params(config.queue_alias()),
        min_size=1,
        max_size=4,
        timeout=CONNECT_SECONDS,
        reconnect_timeout=CONNECT_SECONDS,
    )
    # It sweeps, like every process that serves, also before its first turn.
    runner.here().keep()
    loop = asyncio.get_running_loop()
    with app.replace_connector(connector):
        async with app.open_async():
            working = asyncio.create_task(
                app.run_worker_async(
                    queues=[engine.QUEUE],
                    name="deskhand",
                    concurrency=concurrency,
                    fetch_job_polling_interval=POLL_SECONDS,
                    shutdown_graceful_timeout=config.get().grace_seconds,
                    listen_notify=listens,
                    delete_jobs="successful",
                    install_signal_handlers=False,
                )
            )

            def leave() -> None:
                # Twice would cut the ends of turns off.
                if not connector.is_leaving:
                    connector.is_leaving = True
                    working.cancel()

            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, leave)
            with contextlib.suppress(asyncio.CancelledError):
                await working
