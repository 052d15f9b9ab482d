"""One turn that this process runs: how a thread pulls it to its end, and what the keeper does to it from outside that thread.

Whatever fails in a turn stays in it: a fault of ours, of a host's hook or of the database costs that turn its answer and nobody else's.

Never here: text of a person, a tool or a model in a log. Limits: a thread that waits within a stranger's code can't be ended, only its turn.
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import uuid
from collections.abc import Callable, Iterator, Sequence

from django.db import Error
from django.urls import set_script_prefix

from deskhand import faults, hooks, switches, transactions
from deskhand.core.values import Notice, TurnEnd
from deskhand.endpoint import Endpoint
from deskhand.errors import FenceLost, TurnStopped
from deskhand.turns import brief, calls, closing, events, language, lock, loop
from deskhand.turns.asking import Cancel
from deskhand.turns.events import Feed

logger = logging.getLogger("deskhand.turns")


@dataclasses.dataclass(slots=True)
class Running:
    """A turn that this process runs, or will as soon as a thread is free."""

    held: lock.Held
    feed: Feed
    cancel: Cancel
    ends_at: float
    endpoint: Endpoint | None = None
    #: What the site's addresses begin with, as the starting request knew it; a thread has no other way to know.
    script_prefix: str = "/"
    #: Whether its thread has left it with its end still to be written.
    is_left: bool = False
    #: How it ends if nobody else writes an end.
    end: tuple[TurnEnd, Notice] = (TurnEnd.FAILED, Notice.ERROR)


def attempt(duty: str, work: Callable[[], object]) -> None:
    """Do this duty of the keeper's; if it fails, the next tick tries again."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 - the last net: all turns of this process hang on this thread
        # Most likely the database is away for a moment. Its words may hold values.
        logger.warning("keeper: %s skipped: %s", duty, type(error).__name__)
        # A connection that is broken must not fail the next duty as well.
        transactions.release()


def give_up(running: Sequence[Running], alive: set[uuid.UUID]) -> None:
    for each in running:
        if each.held.turn_id not in alive:
            # Somebody else ended it: its thread has nothing more to do.
            each.cancel.stop()


def watch_switch(running: Sequence[Running]) -> None:
    """If an administrator has switched the assistant off, these turns have ended (``OP9``)."""
    if switches.ASSISTANT not in switches.off():
        return
    for each in running:
        if not (each.feed.is_closed or each.is_left):
            attempt("end", lambda each=each: close(each, TurnEnd.REFUSED, Notice.OFF))  # type: ignore[misc]


def watch_rights(running: Running) -> None:
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
        attempt("end", lambda: close(running, TurnEnd.FAILED, Notice.ERROR))
        return
    if not may_go_on:
        attempt("end", lambda: close(running, TurnEnd.REFUSED, Notice.RIGHTS))


def close(running: Running, end: TurnEnd, notice: Notice) -> None:
    """The turn has ended this way, or will as soon as its end can be written; its thread gives up in any case."""
    running.end = (end, notice)
    try:
        closing.close(running.held.turn_id, end, notice)
    finally:
        running.cancel.stop()


def restarted(running: Running) -> None:
    """A turn that has not ended within the grace has ended as restarted; one that was left owes its own end."""
    if not running.feed.is_closed and not running.is_left:
        attempt("end", lambda: close(running, TurnEnd.RESTARTED, Notice.RESTARTED))


def pull(running: Running) -> None:
    """Run one turn to its end. Whatever happens in it, this returns."""
    held = running.held
    # Of this thread, until its next turn.
    set_script_prefix(running.script_prefix)
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


def has_ended(running: Running) -> bool:
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
    with language.around(held.locale), hooks.around(held.user_id, held.session_ref):
        yield
