"""Threads that pull turns to their end, and the one that keeps them alive.

A turn runs in a thread of a bounded pool of this process. One more thread, the keeper, ticks for all of them: it stores what was told,
renews their leases, has their rights asked while a model is silent (``turns.watch``), ends those whose time is over, and sweeps turns
that nobody holds. The former start with the first turn, the keeper with the first request of the API (never at import: a process that
serves nobody has none). All are known by the process's id, because a thread from before a fork is dead in the child.

A process that is told to end gives its turns a grace and then ends them as restarted. The keeper does that, because at the interpreter's
exit no thread can be started any more, and because whoever waits for it, an event loop or an exit, must not wait for a database.

Never here: text of a person, a tool or a model in a log; the keeper in a function of the host's, where all turns would wait; a turn that
is run twice; a turn that is forgotten while its row says that it runs: one whose end could not be written, because the database was away,
is kept and ended by the keeper as soon as it can be. Limits: more turns than threads wait their place.
"""

from __future__ import annotations

import atexit
import collections
import contextlib
import datetime
import logging
import os
import threading
import time
import uuid
from collections.abc import Iterator

from django.urls import get_script_prefix
from django.utils import timezone

from deskhand import config, switches, transactions, usage
from deskhand.confirmations import ends
from deskhand.core.values import Notice, TurnEnd
from deskhand.endpoint import Endpoint
from deskhand.turns import closing, events, lock
from deskhand.turns import running as turn
from deskhand.turns.asking import Cancel
from deskhand.turns.watch import Watch

logger = logging.getLogger("deskhand.turns")

#: Events are kept this long after their turn's end, for a browser that was away for a moment.
EVENTS_KEPT = datetime.timedelta(minutes=10)

#: How soon events are stored while somebody follows from another process.
FOLLOWED_TICK_SECONDS = 0.1

#: How long a process that ends waits, once the grace is over, until the ends of its turns are written: a database that is away holds up
#: no deploy. What could not be written is told by the next sweep of another process.
END_SECONDS = 5.0

#: So long after its grace an ending process still tells who follows a turn of another one, which may be ending at the same time.
HEARD_SECONDS = 2.0

#: How often those ends are tried meanwhile.
END_TICK_SECONDS = 0.1

#: How soon a turn that was stopped from another process is given up here: its connection to the model is closed then.
STILL_RUNNING_SECONDS = 1.0


class Runner:
    """The threads of one process."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._running: dict[uuid.UUID, turn.Running] = {}
        self._waiting: collections.deque[turn.Running] = collections.deque()
        self._idle = 0
        self._threads = 0
        #: Requests that may hand a turn over at any moment.
        self._starting = 0
        self._keeper: threading.Thread | None = None
        self._watch = Watch()
        self._is_over = False
        #: Wakes the keeper before its time.
        self._bell = threading.Event()
        #: When the grace is over, by the monotonic clock; ``None``: the process was not told to end.
        self._grace_ends: float | None = None
        self._ticked_at = time.monotonic()

    def start(self, held: lock.Held, endpoint: Endpoint | None = None) -> None:
        """The turn runs as soon as a thread is free; its lease is renewed from now on.

        In a process that was told to end and has nothing left of its grace it ends at once, as restarted: the message is kept.
        """
        feed = events.open_feed(held.turn_id, held.fence, held.conversation_id)
        running = turn.Running(held, feed, Cancel(), time.monotonic() + config.get().turn_seconds, endpoint)
        running.script_prefix = config.script_name() or get_script_prefix()
        if not self._take(running):
            try:
                turn.close(running, TurnEnd.RESTARTED, Notice.RESTARTED)
            finally:
                self._leave(running)

    def _take(self, running: turn.Running) -> bool:
        with self._lock:
            if self._is_past_grace():
                return False
            self._running[running.held.turn_id] = running
            self._waiting.append(running)
            self._lock.notify()
            # Idle threads that were told of an earlier turn and have not woken yet count as idle: so does their turn as waiting.
            if len(self._waiting) > self._idle and self._threads < config.get().runner_threads:
                # Counted once it runs: a machine that gives no thread at this moment must not cost the pool its place for good.
                threading.Thread(target=self._work, name="deskhand-turn", daemon=True).start()
                self._threads += 1
        self.keep()
        return True

    def keep(self) -> None:
        """The keeper is at work: this process sweeps, whether it has run a turn or not."""
        if self._keeper is not None:
            return
        with self._lock:
            if self._keeper is None:
                keeper = threading.Thread(target=self._keep, name="deskhand-keeper", daemon=True)
                keeper.start()
                self._keeper = keeper

    @contextlib.contextmanager
    def starting(self) -> Iterator[None]:
        """While it lasts a turn may be handed over: a process that is told to end waits for that, too."""
        with self._lock:
            self._starting += 1
        try:
            yield
        finally:
            with self._lock:
                self._starting -= 1

    def cancel(self, turn_id: uuid.UUID) -> None:
        """The thread of this turn, if it is one of this process, stops waiting for whatever it waits for."""
        running = self._running.get(turn_id)
        if running is not None:
            running.cancel.stop()

    def silent_seconds(self, turn_id: uuid.UUID) -> float:
        """For how long the keeper is overdue, if this turn runs here; else 0."""
        if turn_id not in self._running:
            return 0.0
        return max(0.0, time.monotonic() - self._ticked_at - config.get().flush_seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until no turn runs here, at most this long; whether that came true."""
        until = time.monotonic() + seconds
        while self._running and time.monotonic() < until:
            time.sleep(0.02)
        return not self._running

    # --- the end of the process ------------------------------------------------------------------------------------------------

    def begin_drain(self, grace_seconds: float) -> None:
        """Turns of this process may go on for so long; those that have not ended then are ended as restarted. Returns at once.

        Told again it changes nothing, but for a shorter grace.
        """
        ends = time.monotonic() + grace_seconds
        with self._lock:
            self._grace_ends = ends if self._grace_ends is None else min(ends, self._grace_ends)
        self._bell.set()

    def is_drained(self) -> bool:
        """Whether nothing of this process's turns is left to be told, or that was waited for long enough.

        From the moment at which this says yes, a turn that is handed over ends at once.
        """
        with self._lock:
            if self._grace_ends is None:
                return False
            is_late = time.monotonic() >= self._grace_ends + END_SECONDS
            if not is_late and (self._starting or not all(each.feed.is_closed for each in self._running.values())):
                return False
            self._grace_ends = min(self._grace_ends, time.monotonic())
            return True

    def drain(self, grace_seconds: float) -> None:
        """As :meth:`begin_drain`, and wait for it: never longer than the grace and ``END_SECONDS``."""
        self.begin_drain(grace_seconds)
        while not self.is_drained():
            time.sleep(0.02)

    def is_past_hearing(self) -> bool:
        """Whether the process was told to end, and its grace is over for so long that nobody hears anything new here."""
        return self._is_past_grace(HEARD_SECONDS)

    def _is_past_grace(self, seconds: float = 0.0) -> bool:
        ends = self._grace_ends
        return ends is not None and time.monotonic() >= ends + seconds

    def abandon(self, seconds: float = 0.0) -> None:
        """Threads stop waiting and the keeper ends, which is waited for so long; what their turns' rows say stays."""
        self._is_over = True
        self._bell.set()
        for turn_id in list(self._running):
            self.cancel(turn_id)
        if self._keeper is not None and seconds:
            self._keeper.join(seconds)
            self._watch.leave(seconds)

    # --- a turn's thread -------------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        transactions.bound()
        while True:
            running = self._next()
            try:
                turn.pull(running)
            finally:
                if turn.has_ended(running):
                    self._leave(running)
                else:
                    running.is_left = True
                transactions.release()

    def _next(self) -> turn.Running:
        with self._lock:
            while not self._waiting:
                self._idle += 1
                self._lock.wait()
                self._idle -= 1
            return self._waiting.popleft()

    def _leave(self, running: turn.Running) -> None:
        with self._lock:
            self._running.pop(running.held.turn_id, None)
        events.leave_feed(running.held.turn_id)
        usage.close_ledger(running.held.turn_id)

    # --- the keeper ------------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """Tick until the process ends."""
        due = _Due("sweep", "clean")
        while not self._is_over:
            is_followed = self._tick(due)
            transactions.release()
            self._bell.wait(min(self._pause_seconds(is_followed), switches.OLD_SECONDS))
            self._bell.clear()

    def _pause_seconds(self, is_followed: bool) -> float:
        seconds = min(config.get().flush_seconds, lock.renew_seconds())
        if is_followed:
            seconds = min(FOLLOWED_TICK_SECONDS, seconds)
        if self._grace_ends is not None:
            left = self._grace_ends - time.monotonic()
            seconds = min(seconds, left if left > 0 else END_TICK_SECONDS)
        return seconds

    def _tick(self, due: _Due) -> bool:
        """One tick; whether somebody follows from another process and wants the next one sooner.

        No duty is kept from being done by the failure of another one, and no turn by that of another one.
        """
        self._ticked_at = time.monotonic()
        settings = config.get()
        running = list(self._running.values())
        followed: set[uuid.UUID] = set()
        if self._is_past_grace():
            for each in running:
                turn.restarted(each)
        turn.attempt("store", lambda: followed.update(events.store([each.feed for each in running])))
        if running:
            if due.every("renew", lock.renew_seconds()):
                turn.attempt("renew", lambda: turn.give_up(running, lock.renew([each.held.turn_id for each in running])))
            elif due.every("still running", min(STILL_RUNNING_SECONDS, lock.renew_seconds())):
                turn.attempt("look", lambda: turn.give_up(running, lock.still_running([each.held.turn_id for each in running])))
            turn.attempt("switch", lambda: turn.watch_switch(running))
            is_due = due.every("rights", settings.rights_seconds)
            turn.attempt("rights", lambda: self._watch.begin(running) if is_due else self._watch.look())
            for each in running:
                self._end_owed(each)
        if due.every("sweep", lock.sweep_seconds()):
            turn.attempt("sweep", closing.sweep)
        if due.every("clean", settings.lease_seconds / 2):
            turn.attempt("sweep cards", ends.sweep)
            turn.attempt("clean", clean)
        return bool(followed)

    def _end_owed(self, running: turn.Running) -> None:
        """End a turn whose time is over, and one whose thread could not write its end."""
        if running.is_left:
            if turn.has_ended(running, is_brief=True):
                self._leave(running)
        elif time.monotonic() >= running.ends_at and not running.feed.is_closed:
            turn.attempt("end", lambda: turn.close(running, TurnEnd.CAPPED, Notice.TIME))


def clean() -> int:
    """Events that no browser can be waiting for any more are gone; how many rows."""
    return events.clean(timezone.now() - EVENTS_KEPT)


class _Due:
    """Which of the keeper's duties is due. All are at its first tick, but for those named here."""

    def __init__(self, *later: str) -> None:
        self._last = dict.fromkeys(later, time.monotonic())

    def every(self, duty: str, seconds: float) -> bool:
        now = time.monotonic()
        if now - self._last.get(duty, 0.0) < seconds:
            return False
        self._last[duty] = now
        return True


_runners: dict[int, Runner] = {}


def here() -> Runner:
    """The runner of this process, made where first asked for."""
    pid = os.getpid()
    if pid not in _runners:
        made = Runner()
        # Two first requests at once get the same one.
        if _runners.setdefault(pid, made) is made:
            atexit.register(drain, pid)
    return _runners[pid]


def keep() -> None:
    """A process that serves somebody also ends what dead ones have left: its keeper is at work.

    Not where the caller stands in a transaction, which a request of ours never does but a host's ``TestCase`` does: no other thread sees
    the rows of that test, and one that looked would keep its database busy.
    """
    if not transactions.is_inside():
        here().keep()


def drain(pid: int | None = None) -> None:
    """This process, which is about to end, has given its turns their grace and told their ends; it runs no turn any more."""
    pid = os.getpid() if pid is None else pid
    runner = _runners.get(pid)
    if runner is not None and pid == os.getpid():
        runner.drain(config.get().grace_seconds)


def renew() -> None:
    """A process that was told to end, and in which a server is started once more, runs turns again."""
    runner = _runners.get(os.getpid())
    if runner is not None and runner.is_drained():
        _runners.pop(os.getpid(), None)
        runner.abandon()


def is_past_hearing() -> bool:
    """As ``Runner.is_past_hearing``, without making a runner."""
    runner = _runners.get(os.getpid())
    return runner is not None and runner.is_past_hearing()


def stop() -> None:
    """The runner of this process has ended its turns, within the grace, and is gone; the next turn makes a new one (tests)."""
    runner = _runners.pop(os.getpid(), None)
    if runner is not None:
        runner.drain(config.get().grace_seconds)
        runner.abandon(END_SECONDS)


def abandon() -> None:
    """The runner of this process is given up as it is, its turns with it; nothing is written (tests)."""
    runner = _runners.pop(os.getpid(), None)
    if runner is not None:
        runner.abandon(END_SECONDS)


def cancel(turn_id: uuid.UUID) -> None:
    """As ``Runner.cancel``, without making a runner."""
    runner = _runners.get(os.getpid())
    if runner is not None:
        runner.cancel(turn_id)


def silent_seconds(turn_id: uuid.UUID) -> float:
    """As ``Runner.silent_seconds``, without making a runner."""
    runner = _runners.get(os.getpid())
    return 0.0 if runner is None else runner.silent_seconds(turn_id)
