"""Threads that pull turns to their end, and the one that keeps them alive.

A turn runs in a thread of a bounded pool of this process. One more thread, the keeper, ticks for all of them: it stores what was told,
renews their leases, asks their rights while a model is silent, ends those whose time is over, and sweeps turns that nobody holds. Both
start with the first turn and are known by the process's id, because a thread from before a fork is dead in the child.

Never here: text of a person, a tool or a model in a log; a turn that is run twice; a turn that is forgotten while its row says that it
runs: one whose end could not be written, because the database was away, is kept and ended by the keeper as soon as it can be. Limits:
more turns than threads wait their place.
"""

from __future__ import annotations

import atexit
import collections
import contextlib
import dataclasses
import datetime
import logging
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence

from django.db import Error
from django.utils import timezone

from deskhand import config, faults, hooks, transactions, usage
from deskhand.confirmations import ends
from deskhand.core.values import Notice, TurnEnd
from deskhand.endpoint import Endpoint
from deskhand.errors import FenceLost, TurnStopped
from deskhand.turns import brief, calls, closing, events, language, lock, loop
from deskhand.turns.asking import Cancel
from deskhand.turns.events import Feed

logger = logging.getLogger("deskhand.turns")

#: Events are kept this long after their turn's end, for a browser that was away for a moment.
EVENTS_KEPT = datetime.timedelta(minutes=10)

#: How soon events are stored while somebody follows from another process.
FOLLOWED_TICK_SECONDS = 0.1

#: How soon a turn that was stopped from another process is given up here: its connection to the model is closed then.
STILL_RUNNING_SECONDS = 1.0


@dataclasses.dataclass(slots=True)
class Running:
    """A turn that this process runs, or will as soon as a thread is free."""

    held: lock.Held
    feed: Feed
    cancel: Cancel
    ends_at: float
    endpoint: Endpoint | None = None
    #: Whether its thread has left it with its end still to be written.
    is_left: bool = False
    #: How it ends if nobody else writes an end.
    end: tuple[TurnEnd, Notice] = (TurnEnd.FAILED, Notice.ERROR)


class Runner:
    """The threads of one process."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._running: dict[uuid.UUID, Running] = {}
        self._waiting: collections.deque[Running] = collections.deque()
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
            self._waiting.append(running)
            self._lock.notify()
            # Idle threads that were told of an earlier turn and have not woken yet count as idle: so does their turn as waiting.
            if len(self._waiting) > self._idle and self._threads < config.get().runner_threads:
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
            with contextlib.suppress(Error):
                closing.close(turn_id, TurnEnd.DIED, Notice.DIED)
            self.cancel(turn_id)
        self._is_over.set()
        if self._keeper is not None:
            self._keeper.join(grace_seconds + 1)

    def abandon(self) -> None:
        """Threads stop waiting and the keeper ends; what their turns' rows say stays."""
        self._is_over.set()
        for turn_id in list(self._running):
            self.cancel(turn_id)

    # --- a turn's thread -------------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        transactions.bound()
        while True:
            running = self._next()
            try:
                _pull(running)
            finally:
                if _has_ended(running):
                    self._leave(running)
                else:
                    running.is_left = True
                transactions.release()

    def _next(self) -> Running:
        with self._lock:
            while not self._waiting:
                self._idle += 1
                self._lock.wait()
                self._idle -= 1
            return self._waiting.popleft()

    def _leave(self, running: Running) -> None:
        with self._lock:
            self._running.pop(running.held.turn_id, None)
        events.leave_feed(running.held.turn_id)
        usage.close_ledger(running.held.turn_id)

    # --- the keeper ------------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Tick until the process ends."""
        due = _Due()
        while not self._is_over.is_set():
            seconds = config.get().flush_seconds
            if self._tick(due):
                seconds = min(FOLLOWED_TICK_SECONDS, seconds)
            transactions.release()
            self._is_over.wait(seconds)

    def _tick(self, due: _Due) -> bool:
        """One tick; whether somebody follows from another process and wants the next one sooner.

        No duty is kept from being done by the failure of another one, and no turn by that of another one.
        """
        settings = config.get()
        running = list(self._running.values())
        followed: set[uuid.UUID] = set()
        _try("store", lambda: followed.update(events.store([each.feed for each in running])))
        if running:
            if due.every("renew", settings.lease_seconds / 4):
                _try("renew", lambda: _give_up(running, lock.renew([each.held.turn_id for each in running])))
            elif due.every("still running", min(STILL_RUNNING_SECONDS, settings.lease_seconds / 4)):
                _try("look", lambda: _give_up(running, lock.still_running([each.held.turn_id for each in running])))
            if due.every("rights", settings.rights_seconds):
                for each in running:
                    _watch_rights(each)
            for each in running:
                self._end_owed(each)
        if due.every("sweep", settings.lease_seconds / 2):
            _try("sweep", closing.sweep)
            _try("sweep cards", ends.sweep)
            _try("clean", lambda: events.clean(timezone.now() - EVENTS_KEPT))
        return bool(followed)

    def _end_owed(self, running: Running) -> None:
        """End a turn whose time is over, and one whose thread could not write its end."""
        if running.is_left:
            if _has_ended(running):
                self._leave(running)
        elif time.monotonic() >= running.ends_at and not running.feed.is_closed:
            _try("end", lambda: _close(running, TurnEnd.CAPPED, Notice.TIME))


def _try(duty: str, work: Callable[[], object]) -> None:
    """Do this duty of the keeper's; if it fails, the next tick tries again."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 - the last net: all turns of this process hang on this thread
        # Most likely the database is away for a moment. Its words may hold values.
        logger.warning("keeper: %s skipped: %s", duty, type(error).__name__)
        # A connection that is broken must not fail the next duty as well.
        transactions.release()


def _give_up(running: Sequence[Running], alive: set[uuid.UUID]) -> None:
    for each in running:
        if each.held.turn_id not in alive:
            # Somebody else ended it: its thread has nothing more to do.
            each.cancel.stop()


def _watch_rights(running: Running) -> None:
    """A turn whose session, account, role or right is gone has ended; so has one of which that can't be told (``LI1``'s rule)."""
    if running.feed.is_closed or running.is_left:
        return
    try:
        with around(running.held):
            may_go_on = calls.now(running.held) is not None
    except Error:
        # The database is away: asked again with the next tick.
        transactions.release()
        return
    except BaseException as error:  # noqa: BLE001 - a host's hook
        logger.error("rights of turn %s: %s", running.held.turn_id, type(error).__name__)
        _try("end", lambda: _close(running, TurnEnd.FAILED, Notice.ERROR))
        return
    if not may_go_on:
        _try("end", lambda: _close(running, TurnEnd.REFUSED, Notice.RIGHTS))


def _close(running: Running, end: TurnEnd, notice: Notice) -> None:
    """The turn has ended this way, or will as soon as its end can be written; its thread gives up in any case."""
    running.end = (end, notice)
    try:
        closing.close(running.held.turn_id, end, notice)
    finally:
        running.cancel.stop()


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
    """Run one turn to its end. Whatever happens in it, this returns."""
    held = running.held
    try:
        with around(held):
            faults.point("turn.begun")
            with transactions.phase():
                gathered = brief.gather(held.turn_id, endpoint=running.endpoint)
            faults.point("turn.gathered")
            for told in loop.run(gathered, running.cancel):
                running.feed.tell(told)
                transactions.release()
    except (FenceLost, TurnStopped):
        # Somebody else ended it, and has said so.
        pass
    except BaseException as error:  # noqa: BLE001 - the last net
        # A fault of ours, of a host's hook or of the database. Its words may hold anything, so only its kind is told.
        logger.error("turn %s failed: %s", held.turn_id, type(error).__name__)


def _has_ended(running: Running) -> bool:
    """Whether the turn's end is written, here and now if nobody has, and told to who follows."""
    try:
        if not running.feed.is_closed:
            # Also where a host's context manager has swallowed the fault.
            closing.close(running.held.turn_id, *running.end)
        if not running.feed.is_closed:
            with transactions.phase():
                told = events.end_of(running.held.turn_id)
            if told:
                running.feed.tell(told)
    except Exception as error:  # noqa: BLE001 - the last net: the keeper tries again
        logger.warning("turn %s could not be ended yet: %s", running.held.turn_id, type(error).__name__)
        transactions.release()
    return running.feed.is_closed


@contextlib.contextmanager
def around(held: lock.Held) -> Iterator[None]:
    """The user's language, and the host's ``AROUND_TURN``, around all of a turn's work."""
    hook = config.get().around_turn
    with language.around(held.locale), hooks.surroundings(hook) if hook else contextlib.nullcontext():
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


def abandon() -> None:
    """The runner of this process is given up as it is, its turns with it; nothing is written (tests)."""
    runner = _runners.pop(os.getpid(), None)
    if runner is not None:
        runner.abandon()


def cancel(turn_id: uuid.UUID) -> None:
    """As ``Runner.cancel``, without making a runner."""
    runner = _runners.get(os.getpid())
    if runner is not None:
        runner.cancel(turn_id)
