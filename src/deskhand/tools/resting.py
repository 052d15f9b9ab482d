"""Resting: a tool that hung three times within ten minutes is not offered for the next ten (``TO6``).

Each hang may leave a thread behind that nobody can end, so the number of them must have a bound. Kept per process and in memory:
another process finds out for itself.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

#: So many hangs send a tool to rest.
HANGS = 3
#: Within this time, and for this long.
REST_SECONDS = 600.0


class Resting:
    """Which tools rest, by registered name. Safe to use from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._hangs: dict[str, deque[float]] = {}

    def note_hang(self, name: str) -> bool:
        """Counts one more hang of that tool; whether it rests from now on."""
        with self._lock:
            self._hangs.setdefault(name, deque(maxlen=HANGS)).append(self._clock())
        return self.is_resting(name)

    def is_resting(self, name: str) -> bool:
        """Whether that tool rests now."""
        with self._lock:
            hangs = self._hangs.get(name)
            if hangs is None or len(hangs) < HANGS:
                return False
            return hangs[-1] - hangs[0] <= REST_SECONDS and self._clock() - hangs[-1] < REST_SECONDS

    def forget(self) -> None:
        """No tool rests any more."""
        with self._lock:
            self._hangs.clear()


#: Of this process.
current = Resting()
