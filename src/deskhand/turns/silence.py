"""A word in the log about turns of which nobody gives a sign, because the person who waits can't know why and the admin can.

Whoever follows a turn sees it first, so followers call this. Each turn is told of once in a process.

Never here: an end of a turn; that is a lease's matter. Limits: a turn that nobody follows is not noticed.
"""

from __future__ import annotations

import logging
import uuid
from typing import TYPE_CHECKING

from django.utils import timezone

if TYPE_CHECKING:
    from deskhand.turns.events import Watched

logger = logging.getLogger("deskhand.turns")

#: After this time without a sign the log is told.
SILENT_SECONDS = 3.0
#: How many turns are remembered of which it was.
REMEMBERED = 1_000

_told: dict[uuid.UUID, None] = {}


def tell_if_waiting(seen: Watched) -> None:
    """The log was told of a running turn that no process has taken up for ``SILENT_SECONDS``, and why that may be."""
    if seen.taken_at is None and seen.is_running and (timezone.now() - seen.created_at).total_seconds() >= SILENT_SECONDS:
        _tell(seen.id, "turn %s waits: no worker has taken it up. Does one run for the queue deskhand, or are all places taken?")


def tell_if_silent(turn_id: uuid.UUID, seconds: float) -> None:
    """The log was told of a turn of this process whose threads gave no sign for so long, and why that may be."""
    if seconds >= SILENT_SECONDS:
        _tell(turn_id, "turn %s: no sign of this process's threads. Are threads enabled (uWSGI: enable-threads)?")


def _tell(turn_id: uuid.UUID, sentence: str) -> None:
    if turn_id in _told:
        return
    if len(_told) >= REMEMBERED:
        _told.clear()
    _told[turn_id] = None
    logger.warning(sentence, turn_id)
