"""A bell between processes: PostgreSQL's ``NOTIFY``, so that who follows a turn of another process looks at once.

Rung in the transaction that stores events, or a turn's end, with ids alone; heard by the thread of ``turns.mirror``, on a connection of
its own. It is off unless ``BELL`` says so, because ``LISTEN`` needs a session of its own and a transaction pooler gives none.

Never here: a word of anybody's in a notification; anything that is wrong without it. A bell that is lost costs a moment: the rows are
looked at now and then in any case. Limits: PostgreSQL with psycopg 3; anywhere else there is no bell.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import Error, connections

from deskhand import config

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

logger = logging.getLogger("deskhand.turns")

CHANNEL = "deskhand"
#: PostgreSQL takes less than 8,000 bytes in one notification; an id takes 37.
IDS = 200
#: How long nobody tries to listen again after it failed, in seconds.
AGAIN_SECONDS = 60.0
#: So often in a row rows were new though nothing had rung: then the bell does not reach this process.
SILENT_TIMES = 5


def is_wanted(alias: str) -> bool:
    """Whether this site rings in this database."""
    return config.get().bell and connections[alias].vendor == "postgresql"


def ring(alias: str, turn_ids: Sequence[uuid.UUID]) -> None:
    """Who follows these turns elsewhere is told to look, once the transaction is committed. One statement for each 200 turns."""
    if not turn_ids or not is_wanted(alias):
        return
    for first in range(0, len(turn_ids), IDS):
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, " ".join(map(str, turn_ids[first : first + IDS]))])


class Ear:
    """The listening side, for one thread: a connection that is open while there is something to listen for."""

    def __init__(self) -> None:
        self._connection: BaseDatabaseWrapper | None = None
        self._again_at = 0.0
        self._silent = 0

    def is_open(self, alias: str) -> bool:
        """Whether it listens, from now on if it can. Where it can't, one warning says so, and it is tried again later."""
        if self._connection is not None:
            return True
        if time.monotonic() < self._again_at or not is_wanted(alias):
            return False
        # A copy: what the site's connections go through, a pool perhaps, must not take it back.
        connection = connections[alias].copy()
        connection.settings_dict.get("OPTIONS", {}).pop("pool", None)
        try:
            connection.ensure_connection()
            if not hasattr(connection.connection, "notifies") or not callable(connection.connection.notifies):
                raise NotImplementedError
            connection.set_autocommit(True)
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}")
        except (Error, NotImplementedError) as fault:
            connection.close()
            self._give_up(type(fault).__name__)
            return False
        self._connection, self._silent = connection, 0
        return True

    def heard(self, seconds: float) -> set[uuid.UUID]:
        """Turns that were rung for, as soon as there are any; none if none came in time, or the connection is lost."""
        connection = self._connection
        if connection is None:
            return set()
        rung: set[uuid.UUID] = set()
        try:
            with connection.wrap_database_errors:
                for note in connection.connection.notifies(timeout=seconds, stop_after=1):
                    rung |= _ids(note.payload)
        except Error as fault:
            self.close()
            self._give_up(type(fault).__name__)
        return rung

    def reckon(self, *, has_rung: bool, has_news: bool) -> None:
        """Whether the last look found news, and whether the bell had rung before it: one that never rings is given up."""
        if has_rung:
            self._silent = 0
        elif has_news and self._connection is not None:
            self._silent += 1
            if self._silent >= SILENT_TIMES:
                self.close()
                self._give_up("silent")

    def close(self) -> None:
        """It holds no connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _give_up(self, why: str) -> None:
        if self._again_at == 0.0:
            logger.warning("the bell can't be heard (%s): turns of other processes are looked at by a short poll", why)
        self._again_at = time.monotonic() + AGAIN_SECONDS


def _ids(payload: str) -> set[uuid.UUID]:
    # Anybody who may connect to this database can ring on this channel.
    found = set()
    for part in payload.split():
        try:
            found.add(uuid.UUID(part))
        except ValueError:
            continue
    return found
