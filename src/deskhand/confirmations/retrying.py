"""Which faults of a database pass by themselves, and the bounded repetition of a transaction that met one.

40001 and 40P01 mean that the transaction was undone and may simply be made again; SQLite says ``locked``. A wait for a row lock that
took too long (55P03) is not repeated: somebody else is at work there.
Never here: repeating an effect that is not undone. Limits: at most ``ATTEMPTS`` times.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import DatabaseError

T = TypeVar("T")

ATTEMPTS = 5
_PASSING = ("40001", "40P01", "SQLITE_BUSY", "SQLITE_LOCKED")
_WAITED = "55P03"


def is_passing(fault: BaseException) -> bool:
    """Whether the same transaction may well succeed when it is made again."""
    return isinstance(fault, DatabaseError) and _code(fault).startswith(_PASSING)


def waited_too_long(fault: BaseException) -> bool:
    """Whether somebody else held a row for longer than we wait."""
    return isinstance(fault, DatabaseError) and _code(fault) == _WAITED


def _code(fault: BaseException) -> str:
    return str(getattr(fault.__cause__, "sqlstate", None) or getattr(fault.__cause__, "sqlite_errorname", None) or "")


def again(attempt: Callable[[], T]) -> T:
    """What ``attempt`` gives, made again from its start when it met a fault that passes.

    Raises:
        DatabaseError: another fault, or the last one of ``ATTEMPTS``.
    """
    for number in range(1, ATTEMPTS + 1):
        try:
            return attempt()
        except DatabaseError as fault:
            if number == ATTEMPTS or not is_passing(fault):
                raise
        time.sleep(random.uniform(0.01, 0.05) * number)
    raise AssertionError("unreachable")
