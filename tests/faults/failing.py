"""A database that fails at the k-th thing that is asked of it, in any thread: a statement, or a commit, whose answer may be what is lost.

Statements are counted over all connections of this process, in the order in which they come. The fault is a real one: the connection
is closed under the code, or PostgreSQL raises the state itself. Limits: what is counted is what Django executes; a connection that
can't be opened is ``tests.faults.test_database_away``'s matter.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from django.db import OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

#: The connection is lost; the database takes the transaction back; the commit is made and its answer lost.
LOST, TAKEN_BACK, UNANSWERED = "lost", "40001", "unanswered"
KINDS = (LOST, TAKEN_BACK, UNANSWERED)


class Failing:
    """Fails at the k-th statement or commit (from 1), once, or until it is lifted."""

    def __init__(self, at: int, kind: str, *, lasts: bool = False) -> None:
        self._at, self._kind, self._lasts = at, kind, lasts
        self._lock = threading.Lock()
        #: Statements and commits so far.
        self.count = 0
        #: How often it has failed.
        self.times = 0
        self._is_lifted = False

    def lift(self) -> None:
        """From now on nothing fails."""
        self._is_lifted = True

    def _is_due(self) -> bool:
        with self._lock:
            self.count += 1
            due = not self._is_lifted and (self.count == self._at or (self._lasts and self.count > self._at))
            self.times += due
            return due

    def statement(
        self, execute: Callable[..., object], sql: str, params: object, many: bool, context: dict[str, BaseDatabaseWrapper]
    ) -> object:
        if sql.startswith(("ROLLBACK", "RELEASE")) or not self._is_due():
            return execute(sql, params, many, context)
        connection = context["connection"]
        if self._kind == TAKEN_BACK and connection.vendor == "postgresql":
            return execute("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$", None, False, context)
        if self._kind == UNANSWERED and not connection.in_atomic_block and not sql.startswith("BEGIN"):
            # Outside of a transaction a statement is its own commit.
            execute(sql, params, many, context)
        raise self._lose(connection)

    def _lose(self, connection: BaseDatabaseWrapper) -> OperationalError:
        if connection.vendor == "postgresql":
            # SQLite's is the file: what fails there is one statement.
            connection.connection.close()
        return OperationalError("the connection is lost")

    def watch(self, *, connection: BaseDatabaseWrapper, **_: object) -> None:
        """This connection is counted from now on."""
        if self.statement in connection.execute_wrappers:
            return
        connection.execute_wrappers.append(self.statement)
        commit = connection._commit  # type: ignore[attr-defined]

        def failing_commit() -> None:
            if connection.connection is None or not self._is_due():
                commit()
                return
            if self._kind == UNANSWERED:
                commit()
            raise self._lose(connection)

        connection._commit = failing_commit  # type: ignore[attr-defined]

    def unwatch(self, connection: BaseDatabaseWrapper) -> None:
        """This connection is as it was."""
        if self.statement in connection.execute_wrappers:
            connection.execute_wrappers.remove(self.statement)
            del connection._commit  # type: ignore[attr-defined]

    @contextlib.contextmanager
    def everywhere(self) -> Iterator[None]:
        """All connections are counted that this thread has, or that any thread opens meanwhile."""
        here = connections["default"]
        here.ensure_connection()
        self.watch(connection=here)
        connection_created.connect(self.watch)
        try:
            yield
        finally:
            self.lift()
            connection_created.disconnect(self.watch)
            self.unwatch(here)
