"""Switches: what an administrator has switched off for everybody, a tool or the whole assistant (``OP9``).

A switch that stands is a row, so it holds in every process of the site. What they say is read from the database at most once in
``OLD_SECONDS`` a process; while turns run, their keeper sees to it, so that a turn in another process ends within five seconds too. A
click, which changes something, asks the database itself.

Never here: a guess. Where the table can't be read, nothing is known to be on, and nothing starts. Limits: what the model has been told
before a tool went off it has been told.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from django.db import DatabaseError, InterfaceError, OperationalError

from deskhand import transactions
from deskhand.errors import SwitchedOff
from deskhand.models import Switch

if TYPE_CHECKING:
    from django.db import models

logger = logging.getLogger("deskhand.switches")

#: The name of the assistant as a whole, beside the names of tools.
ASSISTANT = ""
#: How old what is known may be.
OLD_SECONDS = 2.0


class _Known:
    """What the switches said when they were read last, for all threads of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._off: frozenset[str] = frozenset()
        self._read_at: float | None = None

    def off(self) -> frozenset[str]:
        # Held while the database is asked: who comes meanwhile waits for that answer instead of asking as well.
        with self._lock:
            now = self._clock()
            if self._read_at is None or now - self._read_at >= OLD_SECONDS:
                self._off = frozenset(rows().values_list("tool", flat=True))
                # The age counts from the question, not from the answer.
                self._read_at = now
            return self._off

    def last(self) -> frozenset[str]:
        return self._off

    def forget(self) -> None:
        # Without the lock, which a reader may hold for as long as the database takes. If that one writes its answer after this, it is
        # at most ``OLD_SECONDS`` old all the same.
        self._read_at = None


_known = _Known()


def rows() -> models.QuerySet[Switch]:
    """What is off, as rows, read where they are written."""
    return Switch.objects.using(transactions.own_alias()).order_by("tool")


def off() -> frozenset[str]:
    """Registered names of the tools that are off, and ``ASSISTANT`` if all is; at most ``OLD_SECONDS`` old, one statement or none.

    Raises:
        DatabaseError, InterfaceError: it can't be read.
    """
    return _known.off()


def is_off(tool_name: str) -> bool:
    """Whether this tool may not be used now, because it or the assistant is off. As :func:`off` in all else."""
    return not off().isdisjoint({ASSISTANT, tool_name})


def is_known_off(tool_name: str) -> bool:
    """As :func:`is_off` by what was read last: never a statement, so it may be asked in a loop that waits."""
    return not _known.last().isdisjoint({ASSISTANT, tool_name})


def is_off_now(tool_name: str) -> bool:
    """As :func:`is_off`, asked of the database in any case: for the transaction that changes something."""
    return rows().filter(tool__in=[ASSISTANT, tool_name]).exists()


def refuse_if_off() -> None:
    """The assistant is on.

    Raises:
        SwitchedOff: it is off, or nobody can say.
        OperationalError, InterfaceError: the database does not answer.
    """
    try:
        is_on = ASSISTANT not in off()
    except (OperationalError, InterfaceError):
        raise
    except DatabaseError as fault:
        logger.error("the switches can't be read, so nothing starts: %s", type(fault).__name__)
        raise SwitchedOff from None
    if not is_on:
        raise SwitchedOff


def switch_off(tool: str, by: str = "") -> Switch:
    """This tool (``ASSISTANT``: all of it) is off for everybody; ``by`` is the account that did it. Once more changes nothing."""
    with transactions.writing(durable=False) as alias:
        row, _ = Switch.objects.using(alias).get_or_create(tool=tool, defaults={"switched_by": by})
    forget()
    return row


def switch_on(tool: str) -> bool:
    """This tool (``ASSISTANT``: all of it) is on again, but for what is off by a switch of its own; whether it was off."""
    with transactions.writing(durable=False) as alias:
        found, _ = Switch.objects.using(alias).filter(tool=tool).delete()
    forget()
    return bool(found)


def forget() -> None:
    """What this process knows counts as too old: it asks again at the next look."""
    _known.forget()
