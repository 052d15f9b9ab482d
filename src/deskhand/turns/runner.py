"""Threads that pull turns to their end, and the one that keeps them alive.

A turn runs in a thread of a bounded pool of this process. One more thread, the keeper, ticks for all of them: it stores what was told,
renews their leases, asks their rights while a model is silent, ends those whose time is over, and sweeps turns that nobody holds. Both
start with the first turn and are known by the process's id, because a thread from before a fork is dead in the child.

Never here: text of a person, a tool or a model in a log; a turn that is run twice. Limits: more turns than threads wait their place.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import datetime
import logging
import os
import queue
import threading
import time
import uuid
from collections.abc import Iterator

from django.db import DatabaseError
from django.utils import timezone, translation

from deskhand import config, hooks, transactions
from deskhand import scope as scopes
from deskhand.core.values import Notice, TurnEnd
from deskhand.endpoint import Endpoint
from deskhand.errors import FenceLost, NotFound, TurnStopped
from deskhand.turns import brief, closing, events, lock, loop
from deskhand.turns.asking import Cancel
from deskhand.turns.events import Feed

logger = logging.getLogger("deskhand.turns")

#: Events are kept this long after their turn's end, for a browser that was away for a moment.
EVENTS_KEPT = datetime.timedelta(minutes=10)

#: How soon events are stored while somebody follows from another process.
FOLLOWED_TICK_SECONDS = 0.1

#: How often it is looked whether another process has ended a turn of this one: a Stop there ends what is written here (``TU4``).
HELD_SECONDS = 1.0


@dataclasses.dataclass(slots=True)
class Running:
    """A turn that this process runs, or will as soon as a thread is free."""

    held: lock.Held
    feed: Feed
    cancel: Cancel
    ends_at: float
    endpoint: Endpoint | None = None


class Runner:
    """The threads of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[uuid.UUID, Running] = {}
        self._waiting: queue.SimpleQueue[Running] = queue.SimpleQueue()
        self._idle = 0
        self._threads = 0
        self._keeper: threading.Thread | None = None
        self._is_over = threading.Event()

    def start(self, held: lock.Held, endpoint: Endpoint | None = None) -> None:
        """The turn runs as soon as a thread is free; its lease is renewed from now on."""
        feed = events.open_feed(held.turn_id, held.fence, held.conversation_id)
        running = Running(held, feed, Cancel(), time.monotonic() + config.get().turn_seconds, endpoint)
        with self._lock:
            self._running[held.turn_id] = running
            self._waiting.put(running)
            if self._idle == 0 and self._threads < config.get().runner_threads:
                self._threads += 1
                threading.Thread(target=self._work, name="deskhand-turn", daemon=True).start()
            if self._keeper is None:
                self._keeper = threading.Thread(target=self._keep, name="deskhand-keeper", daemon=True)
                self._keeper.start()

    def cancel(self, turn_id: uuid.UUID) -> None:
        """The thread of this turn, if it is one of this process, stops waiting for whatever it waits for."""
        running = self._running.get(turn_id)
        if running is not None:
            running.cancel.stop()

    def settle(self, seconds: float) -> bool:
        """Wait until no turn runs here, at most this long; whether that came true."""
        until = time.monotonic() + seconds
        while self._running and time.monotonic() < until:
            time.sleep(0.02)
        return not self._running

    def drain(self, grace_seconds: float) -> None:
        """No turn of this process runs any more: those that have not ended within the grace are ended with a notice."""
        self.settle(grace_seconds)
        for turn_id in list(self._running):
            with contextlib.suppress(DatabaseError):
                closing.close(turn_id, TurnEnd.DIED, Notice.DIED)
            self.cancel(turn_id)
        self._is_over.set()
        if self._keeper is not None:
            self._keeper.join(grace_seconds + 1)

    # --- a turn's thread -------------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            running = self._waiting.get()
            with self._lock:
                self._idle -= 1
            try:
                _pull(running)
            finally:
                with self._lock:
                    self._running.pop(running.held.turn_id, None)
                events.leave_feed(running.held.turn_id)
                transactions.release()

    # --- the keeper ------------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Tick until the process ends."""
        due = _Due()
        while not self._is_over.is_set():
            seconds = config.get().flush_seconds
            try:
                if self._tick(due):
                    seconds = min(FOLLOWED_TICK_SECONDS, seconds)
            except Exception as error:  # noqa: BLE001 - the last net: all turns of this process hang on this thread
                # Most likely the database is away for a moment; the next tick tries again. Its words may hold values.
                logger.warning("tick skipped: %s", type(error).__name__)
            finally:
                transactions.release()
            self._is_over.wait(seconds)

    def _tick(self, due: _Due) -> bool:
        """One tick; whether somebody follows from another process and wants the next one sooner."""
        settings = config.get()
        running = list(self._running.values())
        followed = events.store([each.feed for each in running])
        if running:
            if due.every("renew", settings.lease_seconds / 4):
                self._give_up_others(running, lock.renew([each.held.turn_id for each in running]))
            elif due.every("held", HELD_SECONDS):
                self._give_up_others(running, lock.still_held([each.held.turn_id for each in running]))
            if due.every("rights", settings.rights_seconds):
                self._watch_rights(running)
            self._end_late(running)
        if due.every("sweep", settings.lease_seconds / 2):
            closing.sweep()
            events.clean(timezone.now() - EVENTS_KEPT)
        return bool(followed)

    def _give_up_others(self, running: list[Running], held: set[uuid.UUID]) -> None:
        for each in running:
            if each.held.turn_id not in held:
                # Somebody else ended it: its thread has nothing more to do.
                each.cancel.stop()

    def _watch_rights(self, running: list[Running]) -> None:
        for each in running:
            found = scopes.again(each.held.session_ref, each.held.user_id)
            if (found is None or found.role != each.held.acting_role) and not each.feed.is_closed:
                closing.close(each.held.turn_id, TurnEnd.REFUSED, Notice.RIGHTS)
                each.cancel.stop()

    def _end_late(self, running: list[Running]) -> None:
        for each in running:
            if time.monotonic() >= each.ends_at and not each.feed.is_closed:
                closing.close(each.held.turn_id, TurnEnd.CAPPED, Notice.TIME)
                each.cancel.stop()


class _Due:
    """Which of the keeper's duties is due."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}

    def every(self, duty: str, seconds: float) -> bool:
        now = time.monotonic()
        if now - self._last.get(duty, 0.0) < seconds:
            return False
        self._last[duty] = now
        return True


def _pull(running: Running) -> None:
    """Run one turn to its end. Whatever happens, the turn ends and says so."""
    held = running.held
    try:
        with around(held):
            for told in loop.run(brief.gather(held.turn_id, endpoint=running.endpoint), running.cancel):
                running.feed.tell(told)
                transactions.release()
    except (FenceLost, TurnStopped):
        # Somebody else ended it, and has said so.
        pass
    except Exception as error:  # noqa: BLE001 - the last net
        # A fault of ours, of a host's hook or of the database. Its words may hold anything, so only its kind is told.
        logger.error("turn %s failed: %s", held.turn_id, type(error).__name__)
        with contextlib.suppress(DatabaseError):
            closing.close(held.turn_id, TurnEnd.FAILED, Notice.ERROR)
    finally:
        if not running.feed.is_closed:
            _tell_end(running)


def _tell_end(running: Running) -> None:
    """Who follows hears of an end that was written elsewhere."""
    with contextlib.suppress(DatabaseError, NotFound):
        seen = events.watched(running.held.turn_id, running.held.user_id)
        if not seen.is_running:
            running.feed.tell(seen.done())


@contextlib.contextmanager
def around(held: lock.Held) -> Iterator[None]:
    """The user's language, and the host's ``AROUND_TURN``, around all of a turn's work."""
    hook = config.get().around_turn
    with translation.override(brief.language_of(held.locale)), hooks.surroundings(hook) if hook else contextlib.nullcontext():
        yield


_runners: dict[int, Runner] = {}


def here() -> Runner:
    """The runner of this process, made at its first turn."""
    pid = os.getpid()
    if pid not in _runners:
        _runners[pid] = Runner()
        atexit.register(stop, pid)
    return _runners[pid]


def stop(pid: int | None = None) -> None:
    """The runner of this process has ended its turns, within the grace, and is gone; the next turn makes a new one."""
    pid = os.getpid() if pid is None else pid
    runner = _runners.pop(pid, None)
    if runner is not None and pid == os.getpid():
        runner.drain(config.get().grace_seconds)


def cancel(turn_id: uuid.UUID) -> None:
    """As ``Runner.cancel``, without making a runner."""
    runner = _runners.get(os.getpid())
    if runner is not None:
        runner.cancel(turn_id)
