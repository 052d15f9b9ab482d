"""Running one call of a reading tool: in a thread of its own, in a transaction that can't write, within its time.

The function is a stranger's. So it gets its own thread, which the turn can leave behind: at the time limit, or when the person stops
the turn, the statement that runs is cancelled at the database, the turn goes on, and whatever the function still returns is dropped
by its own thread, which closes its own connections. Python can't end a thread; after three hangs the tool rests (``resting``).

The thread has the caller's language, time zone, script prefix and context variables, and the host's ``AROUND_TURN`` is entered in it anew. An
``async def`` function runs through ``async_to_sync`` in it, so that its database work stays in the same transaction.

Never here: an exception that leaves ``run`` because of the tool, its words in a log or for the model (but a ``ToolError``'s, which
are meant for the model), a write. Limits: ``inline=True``, for tests, has no time limit and can't be stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import dataclasses
import datetime
import inspect
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from asgiref.sync import async_to_sync
from django.db import OperationalError, connections
from django.urls import get_script_prefix, set_script_prefix
from django.utils import timezone, translation

from deskhand import config, faults, hooks, transactions
from deskhand.core import phrases
from deskhand.core.values import Outcome
from deskhand.errors import ToolError
from deskhand.scope import Scope
from deskhand.tools import resting, result
from deskhand.tools.declare import Tool
from deskhand.tools.result import Result

logger = logging.getLogger("deskhand.tools")

#: How often a waiting turn looks whether it was stopped.
LOOK_SECONDS = 0.05


class Stops(Protocol):
    """Whether a call that runs is to be left; a ``threading.Event`` is one. Asked often, so it must cost nothing."""

    def is_set(self) -> bool: ...


def run(
    tool: Tool,
    arguments: Mapping[str, object],
    scope: Scope,
    *,
    cancel: Stops | None = None,
    inline: bool = False,
) -> Result:
    """How that call ended: ``OK``, ``ERROR``, ``TIMEOUT`` or ``STOPPED``. ``arguments`` come from :func:`arguments`.

    Whether the scope may use the tool is asked by the caller, before and after (``SC2``). With ``inline=True`` the function runs in
    this thread, in a savepoint of the caller's transaction, which is always undone.

    Raises:
        RuntimeError: the tool writes. Nothing may run such a tool but a click.
    """
    if tool.writes:
        raise RuntimeError("a writing tool is never run for the model")
    seconds = seconds_of(tool)
    call = _Call(tool, arguments, scope, seconds)
    ended = call.answer() if inline else _apart(call, cancel)
    if ended.outcome is Outcome.TIMEOUT:
        rests = resting.current.note_hang(tool.name)
        logger.warning("tool %s did not end within %g s%s", tool.name, seconds, "; it rests now" if rests else "")
    return ended


def look(
    tool: Tool,
    ask: Callable[[], None],
    scope: Scope,
    *,
    cancel: Stops | None = None,
    inline: bool = False,
) -> Result:
    """How ``ask`` ended under a reading tool's guards: read-only, within the time limit, whatever it raises. For a writing tool's
    preview; the tool itself is not run."""
    signature = dataclasses.replace(tool.signature, scope_parameter="", key_parameter="", rows_parameter="")
    return run(
        dataclasses.replace(tool, writes=False, function=ask, signature=signature), {}, scope, cancel=cancel, inline=inline
    )


def seconds_of(tool: Tool) -> float:
    """The tool's time limit."""
    return config.get().tool_seconds if tool.seconds is None else tool.seconds


class _Call:
    """One call under way: run by one thread, maybe left by another."""

    def __init__(self, tool: Tool, arguments: Mapping[str, object], scope: Scope, seconds: float) -> None:
        self.tool = tool
        self.seconds = seconds
        self._arguments = arguments
        self._scope = scope
        self._lock = threading.Lock()
        self._is_left = False
        self._reading: transactions.Reading | None = None

    def answer(self) -> Result:
        """Runs the function and says how it ended, whatever it does."""
        started = time.monotonic()
        try:
            with transactions.reading(self.seconds) as reading:
                self._enter(reading)
                return self._answer()
        except (Exception, SystemExit, asyncio.CancelledError) as fault:  # noqa: BLE001 - a stranger's function
            kind = type(fault).__name__
            if isinstance(fault, OperationalError) and time.monotonic() - started >= self.seconds:
                # PostgreSQL's own limit was a moment sooner than ours.
                return not_run(Outcome.TIMEOUT)
            logger.warning("tool %s failed: %s", self.tool.name, kind)
            return not_run(Outcome.ERROR, kind)

    def around(self) -> contextlib.AbstractContextManager[None]:
        """The host's ``AROUND_TURN``, to be entered in the thread that runs the call as in the turn's own (``OP10``)."""
        return hooks.around(self._scope.user_id, self._scope.session_ref)

    def leave(self) -> None:
        """Has what runs at the database cancelled and all that comes after it refused."""
        with self._lock:
            self._is_left = True
            reading = self._reading
        if reading is not None:
            reading.cancel()

    def _enter(self, reading: transactions.Reading) -> None:
        with self._lock:
            self._reading = reading
            is_left = self._is_left
        if is_left:
            reading.cancel()

    def _answer(self) -> Result:
        outcome, error = Outcome.OK, ""
        try:
            words = result.clean(result.told(self._returned()))
        except ToolError as fault:
            outcome, error = Outcome.ERROR, "ToolError"
            words = result.clean(phrases.tool_error(fault.message))
        redact = config.get().redact
        if redact is None or not words.strip():
            return result.of_text(outcome, words, error=error)
        allowed = hooks.ask("redact", redact, self.tool.name, words, self._scope)
        if allowed is None:
            return not_run(Outcome.ERROR, "redact")
        return result.of_text(outcome, allowed, error=error, size_chars=len(words))

    def _returned(self) -> object:
        given = dict(self._arguments)
        if self.tool.signature.scope_parameter:
            given[self.tool.signature.scope_parameter] = self._scope
        faults.point("tool.running")
        returned = self.tool.function(**given)
        return async_to_sync(_awaited)(returned) if inspect.isawaitable(returned) else returned


def not_run(outcome: Outcome, kind: str = "") -> Result:
    """The result of a call that returned nothing: a fixed text for the model, the kind of the fault for the journal."""
    return result.of_text(outcome, phrases.call_text(outcome, kind), error=kind, size_chars=0)


async def _awaited(awaitable: Awaitable[object]) -> object:
    return await awaitable


def _apart(call: _Call, cancel: Stops | None) -> Result:
    """Runs the call in a thread of its own and waits for it, within its time and until it is stopped."""
    if cancel is not None and cancel.is_set():
        return not_run(Outcome.STOPPED)
    ends: list[Result] = []
    done = threading.Event()
    thread = threading.Thread(
        target=contextvars.copy_context().run,
        args=(_work, call, ends, done, get_script_prefix(), translation.get_language(), timezone.get_current_timezone()),
        name="deskhand-tool",
        daemon=True,
    )
    deadline = time.monotonic() + call.seconds
    thread.start()
    while not done.wait(max(0.0, min(LOOK_SECONDS, deadline - time.monotonic()))):
        is_stopped = cancel is not None and cancel.is_set()
        if is_stopped or time.monotonic() >= deadline:
            call.leave()
            return not_run(Outcome.STOPPED if is_stopped else Outcome.TIMEOUT)
    return ends[0]


def _work(
    call: _Call, ends: list[Result], done: threading.Event, prefix: str, language: str | None, zone: datetime.tzinfo
) -> None:
    set_script_prefix(prefix)
    try:
        with translation.override(language), timezone.override(zone), call.around():
            ends.append(call.answer())
    except BaseException as fault:  # noqa: BLE001 - nobody above in this thread; Python would print the fault's words
        kind = type(fault).__name__
        logger.warning("tool %s failed: %s", call.tool.name, kind)
        ends.append(not_run(Outcome.ERROR, kind))
    finally:
        try:
            connections.close_all()
        finally:
            done.set()
