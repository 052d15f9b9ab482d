"""Transactions: one way to write, one way to read without being able to write, one way to let connections go.

Django gives a host many ways to set up its transactions; deskhand must be right under each of them. So its own writing
transactions take SQLite's write lock at ``BEGIN`` and wait for PostgreSQL's locks for a bounded time whatever the host's ``OPTIONS``
say, and what they change of a connection is put back.

``reading`` is for a stranger's function: it catches mistakes and is no sandbox. A function that opens threads or connections of its
own, or that talks to the driver underneath, is outside of it.

Never here: a retry of what may have been committed. ``writing`` ends with the database's own exception; ``written`` begins anew where
the database says that it took the transaction back, and never after a connection was lost.

Turns run in many threads, so a turn's thread uses the database in short phases, of which a process has a bounded number at a time
(``phase``): two hundred turns that go on at the same moment take turns, and do not take two hundred connections.

Limits: a database that is neither PostgreSQL nor SQLite can't be read in ``reading``; the first statement on it raises
``NotSupportedError``. On SQLite a statement that waits for another writer can be cancelled only when that wait is over.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from django.apps import apps
from django.db import DatabaseError, NotSupportedError, OperationalError, connections, router, transaction
from django.db.backends.signals import connection_created

if TYPE_CHECKING:
    from django.db import models
    from django.db.backends.base.base import BaseDatabaseWrapper

#: How long a writing transaction waits for a row that another one holds.
LOCK_SECONDS = 5.0
#: How long the database lets a writing transaction sleep: a stopped process must not block a takeover for longer.
IDLE_SECONDS = 5.0
#: How long a reading transaction may sleep beyond its time limit before PostgreSQL ends it.
READING_SLACK_SECONDS = 10.0
#: How long ``Reading.cancel`` may take to reach PostgreSQL.
CANCEL_SECONDS = 0.5

#: Phases of turns that use the database at the same moment in one process.
PHASES = 10

#: How often ``written`` begins a transaction that the database took back for the sake of another one.
ATTEMPTS = 5
#: How often it begins one that waited for a lock in vain; each time it waits again.
LOCK_ATTEMPTS = 2
#: Longest pause before the second attempt; it doubles with each.
PAUSE_SECONDS = 0.02

#: Serialization failure and deadlock; a lock that did not come in time.
_TAKEN_BACK = frozenset({"40001", "40P01"})
_LOCKED = "55P03"
#: The session was ended because its transaction slept for too long.
_SLEPT = "25P03"

T = TypeVar("T")
M = TypeVar("M", bound="models.Model")

#: Vendors that deskhand runs on.
SUPPORTED = ("postgresql", "sqlite")


def own_alias() -> str:
    """The database in which deskhand's rows are written; its own reads go there, too, never to a replica."""
    return router.db_for_write(apps.get_model("deskhand", "Conversation"))


def is_inside() -> bool:
    """Whether this thread stands in a transaction on our database."""
    return connections[own_alias()].in_atomic_block


@contextlib.contextmanager
def writing(using: str | None = None, *, durable: bool = True, lock_seconds: float | None = None) -> Iterator[str]:
    """One writing transaction of ours; yields its database alias, commits at the end, rolls back if the body raises.

    On PostgreSQL it waits so long, or ``LOCK_SECONDS``, for a row that another one holds; SQLite has one wait for all, the host's ``timeout``.
    Opened durable: inside another transaction it raises ``RuntimeError``, but for the one that a ``TestCase`` wraps around a
    test, in which it becomes a savepoint. With ``durable=False`` it is a savepoint inside any other transaction.
    """
    alias = using or own_alias()
    connection = connections[alias]
    is_outermost = not connection.in_atomic_block
    if is_outermost and connection.vendor == "sqlite":
        connection.ensure_connection()
    with contextlib.ExitStack() as stack:
        with _sqlite_mode(connection, "IMMEDIATE" if is_outermost else None):
            stack.enter_context(transaction.atomic(using=alias, durable=durable))
        if is_outermost and connection.vendor == "postgresql":
            _set_local(
                connection,
                lock_timeout=LOCK_SECONDS if lock_seconds is None else lock_seconds,
                idle_in_transaction_session_timeout=IDLE_SECONDS,
            )
        yield alias


def written(work: Callable[[str], T], *, lock_attempts: int = LOCK_ATTEMPTS, lock_seconds: float | None = None) -> T:
    """What ``work`` gives, done in one writing transaction of its own and called with its alias.

    Where the database took the transaction back (serialization failure, deadlock) it is begun anew, at most ``ATTEMPTS`` times in all,
    and ``lock_attempts`` times where a lock did not come in time. So ``work`` may be called more than once, and must not count on
    what an earlier call of it did outside the database. Inside another transaction there is one attempt.
    """
    for attempt in itertools.count(1):
        try:
            with phase(), writing(lock_seconds=lock_seconds) as alias:
                return work(alias)
        except OperationalError as fault:
            if attempt >= _attempts(fault, lock_attempts) or is_inside():
                raise
        time.sleep(random.uniform(0, PAUSE_SECONDS * 2.0 ** (attempt - 1)))
    raise AssertionError


def unlocked(rows: models.QuerySet[M]) -> models.QuerySet[M]:
    """Those of these rows that nobody else has locked for a change; nobody else changes them until the end of this transaction.

    One statement; none on SQLite, where a writing transaction has all rows for itself.
    """
    if not connections[rows.db].features.has_select_for_update_skip_locked:
        return rows
    # Not its key: rows that point to one are inserted all the time.
    free = list(rows.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True))
    return rows.model._base_manager.using(rows.db).filter(pk__in=free)


def _attempts(fault: OperationalError, lock_attempts: int) -> int:
    """How often a transaction that ended so may be begun in all."""
    if was_taken_back(fault):
        return ATTEMPTS
    return lock_attempts if waited_in_vain(fault) else 1


def was_taken_back(fault: BaseException) -> bool:
    """Whether the database undid the transaction for the sake of another one (serialization failure, deadlock)."""
    return isinstance(fault, DatabaseError) and _state(fault) in _TAKEN_BACK


def waited_in_vain(fault: BaseException) -> bool:
    """Whether somebody else held a lock for longer than the transaction waits."""
    if not isinstance(fault, DatabaseError):
        return False
    code = (getattr(fault.__cause__, "sqlite_errorcode", None) or 0) & 0xFF
    return _state(fault) == _LOCKED or code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def slept(fault: BaseException) -> bool:
    """Whether the database ended a transaction that slept for longer than ``IDLE_SECONDS``: nothing of it is kept."""
    return isinstance(fault, DatabaseError) and _state(fault) == _SLEPT


def _state(fault: BaseException) -> str:
    cause = fault.__cause__
    return str(getattr(cause, "sqlstate", None) or getattr(cause, "pgcode", None) or "")


def release() -> None:
    """Closes this thread's connections, so that none is held while nothing is asked of it. One in a transaction stays open."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


class _Phases(threading.local):
    """Whether this thread is one of a turn, and whether it is in a phase."""

    is_bounded = False
    is_inside = False


_phases = _Phases()


@functools.cache
def _places(pid: int) -> threading.BoundedSemaphore:
    return threading.BoundedSemaphore(PHASES)


def bound() -> None:
    """From now on this thread uses the database in phases alone: it is a turn's, and there may be hundreds of them."""
    _phases.is_bounded = True


@contextlib.contextmanager
def phase() -> Iterator[None]:
    """One of the ``PHASES`` of this process in which a turn's thread may use the database; it holds no connection after.

    In any other thread, and inside another phase, it is nothing. Must not last while a model or a tool is waited for.
    """
    if not _phases.is_bounded or _phases.is_inside:
        yield
        return
    with _places(os.getpid()):
        _phases.is_inside = True
        try:
            yield
        finally:
            _phases.is_inside = False
            release()


class Reading:
    """A running ``reading`` as another thread may see it: it can be cancelled, once, at any time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._is_cancelled = False
        self._opened: list[_Opened] = []

    def cancel(self) -> None:
        """Cancels the statement that runs now, at the database, and has every later one refused. Does nothing after the end."""
        with self._lock:
            self._is_cancelled = True
            for opened in self._opened:
                _cancel(opened.connection)

    def _begin(self, connection: BaseDatabaseWrapper) -> None:
        """Opens the read-only transaction on this connection, unless it stands there already."""
        if any(opened.connection is connection for opened in self._opened):
            return
        self._refuse_if_cancelled()
        opened = _Opened(connection, self._watch)
        opened.begin(self._seconds)
        with self._lock:
            self._opened.append(opened)

    def _end(self) -> None:
        with self._lock:
            opened, self._opened = self._opened, []
        with contextlib.ExitStack() as stack:
            for one in opened:
                stack.callback(one.end)

    def _watch(self, execute: Callable[..., object], sql: str, params: object, many: bool, context: object) -> object:
        self._refuse_if_cancelled()
        return execute(sql, params, many, context)

    def _refuse_if_cancelled(self) -> None:
        if self._is_cancelled:
            raise OperationalError("the time limit of this tool is over")


_current = threading.local()


@contextlib.contextmanager
def reading(seconds: float) -> Iterator[Reading]:
    """A read-only transaction on every database that this thread uses inside, opened at the first use, always rolled back.

    PostgreSQL: ``READ ONLY``, each statement at most ``seconds``. SQLite: a deferred transaction, then ``query_only``; no time
    limit of its own, ``Reading.cancel`` is the way to end a statement. Inside a transaction that is open already (a test's) it is
    a savepoint with the same guards, undone at the end. Source: ``TO6``.
    """
    if getattr(_current, "reading", None) is not None:
        raise RuntimeError("reading() does not nest")
    one = Reading(seconds)
    _current.reading = one
    try:
        for connection in connections.all(initialized_only=True):
            if connection.connection is not None:
                one._begin(connection)
        yield one
    finally:
        _current.reading = None
        one._end()


def _begin_when_connected(*, connection: BaseDatabaseWrapper, **_: object) -> None:
    one: Reading | None = getattr(_current, "reading", None)
    if one is None:
        return
    with contextlib.ExitStack() as failed:
        # Left open, it would be used without the guards.
        failed.callback(connection.close)
        one._begin(connection)
        failed.pop_all()


connection_created.connect(_begin_when_connected, dispatch_uid="deskhand.transactions.reading")


class _Opened:
    """One connection in a ``reading``, and how it is put back."""

    def __init__(self, connection: BaseDatabaseWrapper, watch: Callable[..., object]) -> None:
        self.connection = connection
        self._watch = watch
        self._was_query_only = False

    def begin(self, seconds: float) -> None:
        connection = self.connection
        if connection.vendor not in SUPPORTED:
            raise NotSupportedError(f"a reading tool can't be kept from writing on {connection.vendor}")
        if connections[connection.alias] is not connection:
            raise NotSupportedError("a reading tool can't open a connection of its own")
        self._block = transaction.atomic(using=connection.alias)
        with _sqlite_mode(connection, "DEFERRED"):
            self._block.__enter__()
        with contextlib.ExitStack() as failed:
            failed.callback(self.end)
            if connection.vendor == "sqlite":
                self._was_query_only = bool(_value(connection, "PRAGMA query_only"))
                _value(connection, "PRAGMA query_only = ON")
            else:
                limits = {"statement_timeout": seconds, "idle_in_transaction_session_timeout": seconds + READING_SLACK_SECONDS}
                _set_local(connection, read_only=True, **limits)
            failed.pop_all()
        connection.execute_wrappers.append(self._watch)

    def end(self) -> None:
        connection = self.connection
        with contextlib.suppress(ValueError):
            connection.execute_wrappers.remove(self._watch)
        is_open = connection.connection is not None and not connection.closed_in_transaction
        if is_open and connection.vendor == "sqlite" and not self._was_query_only:
            # Straight to the driver: after an error Django refuses statements until the block is left.
            connection.connection.execute("PRAGMA query_only = OFF")
        if connection.in_atomic_block:
            connection.needs_rollback = True
        self._block.__exit__(None, None, None)


@contextlib.contextmanager
def _sqlite_mode(connection: BaseDatabaseWrapper, mode: str | None) -> Iterator[None]:
    """While it lasts, a ``BEGIN`` on SQLite is of that mode; the host's own is put back."""
    if mode is None or connection.vendor != "sqlite":
        yield
        return
    before = getattr(connection, "transaction_mode", None)
    connection.transaction_mode = mode  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.transaction_mode = before  # type: ignore[attr-defined]


def _set_local(connection: BaseDatabaseWrapper, *, read_only: bool = False, **seconds: float) -> None:
    """PostgreSQL settings that end with the transaction or savepoint, in one statement."""
    values = {name: f"{max(1, round(value * 1000))}" for name, value in seconds.items()}
    if read_only:
        values["transaction_read_only"] = "on"
    calls = ", ".join("set_config(%s, %s, true)" for _ in values)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {calls}", [part for pair in values.items() for part in pair])


def _value(connection: BaseDatabaseWrapper, sql: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        row = cursor.fetchone()
    return row[0] if row else None


def _cancel(connection: BaseDatabaseWrapper) -> None:
    raw = connection.connection
    if raw is None:
        return
    # A connection that ends at this moment has nothing left to cancel.
    with contextlib.suppress(connection.Database.Error):  # type: ignore[attr-defined]
        if connection.vendor == "sqlite":
            raw.interrupt()
        elif hasattr(raw, "cancel_safe"):
            raw.cancel_safe(timeout=CANCEL_SECONDS)
        else:
            raw.cancel()
