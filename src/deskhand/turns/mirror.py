"""Turns of other processes, followed here: one thread reads for all of them what is new, and rings those who follow.

However many browsers follow, a process asks the database the same few statements a tick, on a connection that it gives back after it.
What was told stays in memory while somebody follows, so a browser that comes back takes up from there. The thread begins with the first
mirror and is gone a few seconds after the last one; it is known by the process's id, because a thread from before a fork is dead in the
child. Where the site has a bell (``turns.bell``) it waits for that; rows are looked at now and then in any case.

A turn that nobody holds any more is ended by whoever sees it first, so by this thread as well.

Never here: an event that the turn did not tell; a question of rights, which are the follower's. Limits: without a bell an event comes
by up to ``POLL_SECONDS`` later than it was stored; while the database is away nothing comes at all.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
import uuid
from collections.abc import Iterable, Sequence

from django.db import Error

from deskhand import transactions
from deskhand.turns import bell, closing, events, lock, silence
from deskhand.turns.events import Channel, Told, Watched

logger = logging.getLogger("deskhand.turns")

#: How often rows are looked at where nothing rings.
POLL_SECONDS = 0.25
#: How often where something does.
SLOW_POLL_SECONDS = 2.0
#: How soon a new mirror is seen by the thread while it waits for the bell.
WAKE_SECONDS = 0.1
#: How long after one look the bell brings the next one at the earliest.
APART_SECONDS = 0.05
#: How long a mirror stays that nobody listens to, and the thread after the last one.
KEPT_SECONDS = 5.0
#: Events of one turn that are kept in memory at most; a browser that comes back for older ones reads them from the database.
KEPT_EVENTS = 2_000


class Mirror(Channel):
    """The events of one turn that runs in another process."""

    def __init__(self, turn_id: uuid.UUID, base: int) -> None:
        super().__init__(turn_id, base)
        #: When somebody last asked for it, by the monotonic clock.
        self.wanted_at = time.monotonic()
        self._ended_at: float | None = None

    @property
    def last(self) -> int:
        """Number of the newest event that is known."""
        with self._lock:
            return self._told[-1].number if self._told else self._base

    def add(self, told: Iterable[Told]) -> bool:
        """These events were told, if they were not known yet; whether there were any."""
        with self._lock:
            fresh = [each for each in told if each.number > self.last and not self._is_closed]
            self._told += fresh
            if len(self._told) > KEPT_EVENTS:
                cut = len(self._told) - KEPT_EVENTS
                self._base = self._told[cut - 1].number
                del self._told[:cut]
        if fresh:
            self.ring()
        return bool(fresh)

    def end(self, seen: Watched) -> None:
        """The turn's row has its end, which is told: at once if nothing is missing before it, else after a moment."""
        now = time.monotonic()
        self._ended_at = now if self._ended_at is None else self._ended_at
        if seen.is_told(self.last) or now - self._ended_at >= events.REST.total_seconds():
            with self._lock:
                if self._is_closed:
                    return
                self._told.append(seen.done())
                self._is_closed = True
            self.ring()


class Mirrors:
    """The mirrors of one process, and the thread that reads for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mirrors: dict[uuid.UUID, Mirror] = {}
        self._thread: threading.Thread | None = None
        self._wake = threading.Event()
        self._is_over = False
        self._is_away = False
        self._ear = bell.Ear()

    def of(self, turn_id: uuid.UUID, after: int) -> Mirror:
        """The turn's mirror. A new one tells events after this number, from the next look on, which comes at once."""
        with self._lock:
            found = self._mirrors.get(turn_id)
            if found is None:
                found = self._mirrors[turn_id] = Mirror(turn_id, after)
                self._wake.set()
            found.wanted_at = time.monotonic()
            if not self._is_over and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._run, name="deskhand-mirror", daemon=True)
                self._thread.start()
        return found

    def tick(self) -> bool:
        """One look for all mirrors; whether anything was new. Two statements, and one more for turns that are not said to be followed.

        Raises:
            Error: the database did not answer.
        """
        mirrors = self._wanted()
        if not mirrors:
            return False
        # In this order: what is stored of a turn that has ended is all there.
        seen = events.standing(list(mirrors))
        told = events.stored_since({turn_id: each.last for turn_id, each in mirrors.items()})
        lapsed, unsaid, has_news = [], [], False
        for turn_id, mirror in mirrors.items():
            row = seen.get(turn_id)
            if row is None:
                # Its row is gone. Who follows asks for it and learns so.
                self._drop(mirror)
                continue
            has_news |= mirror.add(told.get(turn_id, ()))
            if not row.is_running:
                mirror.end(row)
                continue
            silence.tell_if_waiting(row)
            if lock.is_lapsed(row):
                lapsed.append(turn_id)
            elif mirror.is_heard and not row.is_followed:
                unsaid.append(turn_id)
        if unsaid:
            events.say_followed(unsaid)
        _close(lapsed)
        return has_news

    def _wanted(self) -> dict[uuid.UUID, Mirror]:
        """Those that have to be looked at; forgets those that nobody listens to, and those whose turn now runs here."""
        with self._lock:
            mirrors = list(self._mirrors.values())
            old = time.monotonic() - KEPT_SECONDS
            for each in mirrors:
                if each.is_heard:
                    each.wanted_at = time.monotonic()
                elif each.wanted_at < old:
                    del self._mirrors[each.turn_id]
        for each in mirrors:
            if events.feed(each.turn_id) is not None:
                self._drop(each)
        with self._lock:
            return {turn_id: each for turn_id, each in self._mirrors.items() if not each.is_closed}

    def _drop(self, mirror: Mirror) -> None:
        """It is no more; who listened to it looks for another channel."""
        with self._lock:
            self._mirrors.pop(mirror.turn_id, None)
        mirror.ring()

    # --- the thread ------------------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        is_called = True
        try:
            while True:
                self._look(is_called)
                if self._has_left():
                    return
                is_called = self._pause()
        except BaseException:
            # A fault of ours. Whoever follows next begins anew.
            self._ear.close()
            transactions.release()
            raise

    def _has_left(self) -> bool:
        """Whether nobody needs the thread any more."""
        if self._mirrors and not self._is_over:
            return False
        # Before the next thread can have it.
        self._ear.close()
        with self._lock:
            if self._mirrors and not self._is_over:
                return False
            self._thread = None
            return True

    def _look(self, is_called: bool) -> None:
        has_news = False
        try:
            has_news = self.tick()
            self._is_away = False
        except Error as fault:
            # Most likely the database is away for a moment. Its words may hold values.
            if not self._is_away:
                logger.warning("turns of other processes can't be read: %s", type(fault).__name__)
            self._is_away = True
        finally:
            transactions.release()
        self._ear.reckon(has_rung=is_called, has_news=has_news)

    def _pause(self) -> bool:
        """Wait for the next look; whether it comes for a reason, or only because it is time."""
        alias = transactions.own_alias()
        began = time.monotonic()
        while not self._is_over and not self._wake.is_set():
            listens = self._ear.is_open(alias)
            left = began + (SLOW_POLL_SECONDS if listens else POLL_SECONDS) - time.monotonic()
            if left <= 0:
                return False
            if not listens:
                self._wake.wait(left)
            elif any(each in self._mirrors for each in self._ear.heard(min(left, WAKE_SECONDS))):
                # What rings at the same moment is read together.
                time.sleep(max(0.0, began + APART_SECONDS - time.monotonic()))
                return True
        self._wake.clear()
        return True

    def stop(self, seconds: float) -> None:
        """The thread has ended, or will within this time."""
        with self._lock:
            self._is_over = True
            thread = self._thread
        self._wake.set()
        if thread is not None:
            thread.join(seconds)


def _close(lapsed: Sequence[uuid.UUID]) -> None:
    for turn_id in lapsed:
        # The next look tells its end.
        closing.close_if_lapsed(turn_id)


_here: dict[int, Mirrors] = {}
_here_lock = threading.Lock()


def here() -> Mirrors:
    """The mirrors of this process."""
    with _here_lock:
        pid = os.getpid()
        if pid not in _here:
            _here[pid] = Mirrors()
            atexit.register(stop, pid)
        return _here[pid]


def stop(pid: int | None = None) -> None:
    """This process follows no turns of others any more; the next one that is followed begins anew."""
    pid = os.getpid() if pid is None else pid
    mirrors = _here.pop(pid, None)
    if mirrors is not None and pid == os.getpid():
        mirrors.stop(seconds=1.0)
