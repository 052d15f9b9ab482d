"""Calls the function that does the change: the one place, and only a click leads here (``CO1``).

Nothing that a turn's loop or a model's endpoint imports imports this module; the import contract holds it. The function is the host's
code: whatever it raises ends the card as failed, inside a savepoint that undoes what it did.

Never here: a question of rights, a claim, an outcome row. Limits: what a function does outside of this database no rollback undoes; such
a tool must say so (``CO7``).
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from asgiref.sync import async_to_sync
from django.core.exceptions import ValidationError
from django.db import connections, transaction
from django.db.transaction import TransactionManagementError
from django.utils import timezone, translation

from deskhand import faults, transactions
from deskhand.core import text
from deskhand.errors import ToolError
from deskhand.scope import Scope
from deskhand.tools import Done, IdempotencyKey, LockedRows, Tool

logger = logging.getLogger("deskhand.confirmations")

#: Longest text for the person on an ended card.
REASON_CHARS = 500


@dataclasses.dataclass(frozen=True, slots=True)
class Effect:
    """How the function went."""

    is_done: bool
    #: Kind of the fault.
    error: str = ""
    #: For the person, on the card: what a ``ToolError`` or a ``ValidationError`` says.
    reason: str = ""
    results: Sequence[dict[str, object]] = ()


def run(
    tool: Tool,
    arguments: Mapping[str, object],
    scope: Scope,
    *,
    key: str,
    language: str,
    using: str | None,
    rows: Sequence[Sequence[str]] = (),
    then: Callable[[], None] | None = None,
) -> Effect:
    """Do the change. ``using``: the database whose open transaction it is part of; ``None`` for an outside effect. ``rows``: those of
    the card, which that transaction holds locked. ``then`` is part of the change: if it raises, nothing is done.

    Raises:
        DatabaseError: a fault that passes when the whole transaction is made again, or a wait for somebody else's lock.
    """
    given: dict[str, object] = dict(arguments)
    if tool.signature.scope_parameter:
        given[tool.signature.scope_parameter] = scope
    if tool.signature.key_parameter:
        given[tool.signature.key_parameter] = IdempotencyKey(key)
    if tool.signature.rows_parameter:
        given[tool.signature.rows_parameter] = LockedRows(rows, using)
    savepoint = transaction.atomic(using=using) if using is not None else contextlib.nullcontext()
    try:
        with translation.override(language), timezone.override(timezone.get_default_timezone()), savepoint:
            if using is not None:
                faults.point("effect.begun")
            returned = tool.function(**given)
            if inspect.isawaitable(returned):
                returned = async_to_sync(_awaited)(returned)
            results = _results(returned)
            if using is not None:
                faults.point("effect.returned")
                _refuse_if_undone(using)
                _survive_later_steps(using)
            if then is not None:
                then()
        return Effect(True, results=results)
    except ToolError as said:
        return Effect(False, "ToolError", _words(said.message))
    except ValidationError as invalid:
        return Effect(False, "ValidationError", _words(" ".join(invalid.messages)))
    except (Exception, SystemExit, asyncio.CancelledError) as fault:
        if using is not None and (transactions.was_taken_back(fault) or transactions.waited_in_vain(fault)):
            raise
        logger.warning("tool %s failed at the click: %s", tool.name, type(fault).__name__)
        return Effect(False, type(fault).__name__)


def _refuse_if_undone(using: str) -> None:
    """A function that has its own work rolled back without a word (``set_rollback``, a fault caught inside an ``atomic``) did nothing."""
    if transaction.get_rollback(using):
        raise TransactionManagementError("the function's work is marked to be rolled back")


def _survive_later_steps(using: str) -> None:
    """What the function left to be done after the commit can't turn the answer into an error: the change has happened by then."""
    connection = connections[using]
    connection.run_on_commit = [(ids, step, True) for ids, step, *_ in connection.run_on_commit]  # type: ignore[misc]


async def _awaited(awaitable: Awaitable[object]) -> object:
    return await awaitable


def _words(raw: object) -> str:
    # A lazy translation, or a number for a title: whatever it is, it is told as text.
    return text.clean(str(raw))[:REASON_CHARS]


def _results(returned: object) -> list[dict[str, object]]:
    if not isinstance(returned, list | tuple) or not all(isinstance(each, Done) for each in returned):
        return []
    return [{"title": _words(each.title), "is_done": bool(each.is_done), "words": _words(each.words)} for each in returned]
