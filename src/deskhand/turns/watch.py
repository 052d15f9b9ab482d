"""The watch over the rights of running turns while their model is silent (``SC2``), in threads of its own.

To ask them a host's functions are called (``SCOPE``, ``AROUND_TURN``), which may be slow, or never come back. So the keeper, on which all
turns of a process hang, only says which turns it is about and looks on: one thread asks for all of them, one after the other; where it is
stuck it is left with that turn, and another one goes on with the rest. A turn whose rights nobody has told for ``HANGS_SECONDS`` has
ended. The thread waits for the next round, because at the interpreter's exit none can be started any more.

Never here: the keeper waiting for a host. Limits: a thread that waits within a host's function can't be ended; there are as many of them
as turns for which it hangs.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Sequence

from deskhand import transactions
from deskhand.core.values import Notice, TurnEnd
from deskhand.turns import running as turn
from deskhand.turns.running import Running

logger = logging.getLogger("deskhand.turns")

#: So long one question keeps those after it waiting; then they are asked in another thread.
LATE_SECONDS = 2.0
#: So long after a question was asked it counts as never answered.
HANGS_SECONDS = 30.0


class Watch:
    """Who asks for the turns of one process. Only the keeper calls it."""

    def __init__(self) -> None:
        self._asker: _Asker | None = None
        self._stuck: list[_Asker] = []

    def begin(self, running: Sequence[Running]) -> None:
        """The rights of these turns are asked from now on, unless the round before is still under way."""
        self.look()
        if self._asker is not None and self._asker.is_busy:
            return
        asked = {each.at for each in self._stuck}
        self._ask([each for each in running if each.held.turn_id not in asked and _is_due(each)])

    def look(self) -> None:
        """Turns behind one that is stuck are asked without it; one whose rights can't be told has ended."""
        if self._asker is not None and self._asker.has_waited(LATE_SECONDS):
            left, self._asker = self._asker, None
            self._stuck.append(left)
            self._ask(left.leave())
        self._stuck = [each for each in self._stuck if each.is_alive()]
        for each in self._stuck:
            hung = each.asks_for
            if hung is not None and each.has_waited(HANGS_SECONDS) and _is_due(hung):
                logger.error("rights of turn %s: no answer", hung.held.turn_id)
                turn.attempt("end", lambda hung=hung: turn.close(hung, TurnEnd.FAILED, Notice.ERROR))  # type: ignore[misc]

    def _ask(self, due: Sequence[Running]) -> None:
        if not due:
            return
        if self._asker is None:
            asker = _Asker()
            asker.start()
            self._asker = asker
        self._asker.ask(due)

    def leave(self, seconds: float) -> None:
        """No more questions are asked; those under way are waited for, all in all so long."""
        until = time.monotonic() + seconds
        for each in [*self._stuck, *([self._asker] if self._asker else [])]:
            each.leave()
            each.join(max(0.0, until - time.monotonic()))


def _is_due(running: Running) -> bool:
    return not (running.feed.is_closed or running.is_left)


class _Asker(threading.Thread):
    """Asks for the turns that it is told, one after the other, until it is left."""

    def __init__(self) -> None:
        super().__init__(name="deskhand-rights", daemon=True)
        self._lock = threading.Condition()
        self._due: list[Running] = []
        self._is_left = False
        self._began = 0.0
        #: The turn for which it asks at this moment.
        self.asks_for: Running | None = None

    @property
    def at(self) -> uuid.UUID | None:
        """The id of that turn."""
        asks_for = self.asks_for
        return None if asks_for is None else asks_for.held.turn_id

    @property
    def is_busy(self) -> bool:
        """Whether a round is under way."""
        with self._lock:
            return bool(self._due) or self.asks_for is not None

    def has_waited(self, seconds: float) -> bool:
        """Whether it waits for one answer, and has for so long."""
        with self._lock:
            return self.asks_for is not None and time.monotonic() - self._began >= seconds

    def ask(self, due: Sequence[Running]) -> None:
        """It asks for these next."""
        with self._lock:
            self._due += due
            self._lock.notify()

    def leave(self) -> list[Running]:
        """It ends, as soon as it has the answer that it waits for; for these turns it has not asked."""
        with self._lock:
            self._is_left = True
            rest, self._due = self._due, []
            self._lock.notify()
            return rest

    def run(self) -> None:
        """Until it is left. A turn's fault costs that turn alone: ``watch_rights`` raises nothing."""
        while (asks_for := self._next()) is not None:
            turn.watch_rights(asks_for)
            with self._lock:
                self.asks_for = None
                is_over = not self._due
            if is_over:
                transactions.release()
        transactions.release()

    def _next(self) -> Running | None:
        with self._lock:
            self._lock.wait_for(lambda: self._due or self._is_left)
            if self._is_left:
                return None
            self._began = time.monotonic()
            self.asks_for = self._due.pop(0)
            return self.asks_for
