"""Threads whose order a test decides: one pauses before a chosen statement until it is told to go on."""

from __future__ import annotations

import contextlib
import itertools
import threading
import uuid
from collections.abc import Callable, Iterator

from django.db import connections
from django.db.backends.signals import connection_created

from deskhand import conversations
from deskhand.models import Conversation, Message, Turn
from deskhand.scope import Scope
from deskhand.turns import start
from deskhand.turns.start import Started

#: Waits of turns in tests, in seconds.
QUICK: dict[str, object] = {"FLUSH_SECONDS": 0.05, "RIGHTS_SECONDS": 0.1, "GRACE_SECONDS": 0.5, "LEASE_SECONDS": 2}
#: How long a thread that waits for a database lock is watched before the other one is let go on.
BLOCKED_SECONDS = 0.15


class Worker(threading.Thread):
    """Does this work with a connection of its own; pauses before statement number ``pause_at`` (from 0)."""

    def __init__(self, work: Callable[[], object], pause_at: int | None = None) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._pause_at = pause_at
        self._statements = 0
        self._go_on = threading.Event()
        #: Set when it pauses or has ended.
        self.rests = threading.Event()
        self.has_paused = False
        self.result: object = None
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            with connections["default"].execute_wrapper(self._wrapped):
                self.result = self._work()
        except BaseException as error:
            self.error = error
        finally:
            connections.close_all()
            self.rests.set()

    def _wrapped(self, execute: Callable[..., object], *statement: object) -> object:
        if self._statements == self._pause_at:
            self.has_paused = True
            self.rests.set()
            assert self._go_on.wait(20)
        self._statements += 1
        return execute(*statement)

    def go_on(self) -> None:
        """It pauses no more."""
        self._go_on.set()

    def ended(self) -> Worker:
        """Wait for its end."""
        self.go_on()
        self.join(20)
        assert not self.is_alive()
        return self


def between(first: Callable[[], object], second: Callable[[], object], at: int) -> tuple[Worker, Worker] | None:
    """``first`` pauses before its statement ``at``; meanwhile ``second`` runs, as far as the database lets it; then ``first`` goes on.

    ``None`` if ``first`` has no such statement; ``second`` did not run then.
    """
    one = Worker(first, at)
    assert one.rests.wait(20)
    if not one.has_paused:
        return None
    two = Worker(second)
    two.join(BLOCKED_SECONDS)
    return one.ended(), two.ended()


def begin(scope: Scope, conversation_id: uuid.UUID | None = None, *, key: str = "", text: str = "Hello") -> Started:
    """A turn that holds its locks and that nobody runs."""
    where = conversation_id or conversations.create(scope.user).id
    return start.prepare(scope, where, start.Asked(text, key or uuid.uuid4().hex))


def assert_sound(conversation_id: uuid.UUID) -> list[Message]:
    """The conversation's rows; numbers have no gap, every ended turn has let go, and no row came after its turn's end."""
    rows = list(Message.objects.filter(conversation_id=conversation_id).order_by("seq"))
    conversation = Conversation.objects.get(id=conversation_id)
    assert [row.seq for row in rows] == list(range(1, conversation.last_seq + 1))
    running = list(Turn.objects.filter(conversation_id=conversation_id, ended_at__isnull=True).values_list("id", flat=True))
    assert running == ([conversation.running_turn] if conversation.running_turn else [])
    for turn_ref in {row.turn_ref for row in rows}:
        of_turn = [row for row in rows if row.turn_ref == turn_ref]
        endings = [row for row in of_turn if row.role == "notice"]
        assert len(endings) <= 1
        assert not endings or endings[0] is of_turn[-1]
    return rows


@contextlib.contextmanager
def in_threads(name: str, wrapper: Callable[..., object]) -> Iterator[None]:
    """Each statement of the threads of that name goes through this execute wrapper."""

    def connected(*, connection: object, **_: object) -> None:
        wrappers = connection.execute_wrappers  # type: ignore[attr-defined]
        if threading.current_thread().name == name and wrapper not in wrappers:
            wrappers.append(wrapper)

    connection_created.connect(connected)
    try:
        yield
    finally:
        connection_created.disconnect(connected)
        for each in connections.all(initialized_only=True):
            with contextlib.suppress(ValueError):
                each.execute_wrappers.remove(wrapper)


class At:
    """Does ``what`` before statement number ``at`` of all that go through it."""

    def __init__(self, at: int, what: Callable[[object], None]) -> None:
        self._numbers = itertools.count()
        self._at = at
        self._what = what
        self.has_done = False

    def __call__(
        self, execute: Callable[..., object], sql: str, params: object, many: bool, context: dict[str, object]
    ) -> object:
        if not self.has_done and next(self._numbers) >= self._at:
            self.has_done = True
            self._what(context["connection"])
        return execute(sql, params, many, context)
