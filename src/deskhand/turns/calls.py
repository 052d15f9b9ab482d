"""One tool call of a turn: may it be made, does it fit, what came of it – and its row in the journal.

Rights are asked anew before a tool runs and after it ran, before its result can reach the model (``SC2``). Every call has a row, also one
that was never run (``ME5``). A tool that exists but may not be used is answered as one that does not exist; the journal knows the
difference (``TO3``).

A tool that an administrator switched off is answered in the same way; if it was running, it is left (``OP9``).

A writing tool is proposed, never run: its preview is asked under a reading tool's guards, and the proposal waits for a click (``CO1``).

Never here: an import that leads to a writing tool's function. Limits: what a preview reads may have changed by the click, which looks again.
"""

from __future__ import annotations

import dataclasses

from deskhand import conversations, switches, tools, transactions
from deskhand import scope as scopes
from deskhand.confirmations import drawing, proposing
from deskhand.core import phrases
from deskhand.core.values import Outcome, Role, ToolCall
from deskhand.errors import DeskhandError, InvalidArguments
from deskhand.models import Message
from deskhand.scope import Scope
from deskhand.tools import Result, Tool
from deskhand.turns import lock
from deskhand.turns.asking import Cancel
from deskhand.turns.brief import Brief


class _Stops:
    """Whether a tool that runs is to be left: the turn is to stop, or the tool was switched off."""

    def __init__(self, cancel: Cancel, tool: Tool) -> None:
        self._cancel = cancel
        self._name = tool.name

    def is_set(self) -> bool:
        return self._cancel.event.is_set() or switches.is_known_off(self._name)


class RightsGone(DeskhandError):
    """Session, account, role or the right to use the assistant is gone."""


#: Kind of a refusal, for the journal: the tool, or the assistant, is switched off.
OFF = "off"


@dataclasses.dataclass(frozen=True, slots=True)
class Answered:
    """What came of one call."""

    outcome: Outcome
    #: What the model reads.
    text: str
    row: Message
    #: The scope that was asked last; ``None``: gone.
    scope: Scope | None
    #: Whether the row is in the journal already: a proposal's is, with its card.
    is_stored: bool = False


def is_usable(scope: Scope | None, held: lock.Held) -> bool:
    """Whether the turn may go on as this scope: it is somebody, in the role it began in, who may use the assistant."""
    return scope is not None and scope.role == held.acting_role and scope.may(scopes.USE)


def rights(held: lock.Held) -> Scope:
    """Who the turn acts as at this moment.

    Raises:
        RightsGone: nobody any more.
    """
    found = now(held)
    if found is None:
        raise RightsGone
    return found


def now(held: lock.Held) -> Scope | None:
    """As :func:`rights`; ``None`` for nobody."""
    with transactions.phase():
        found = scopes.again(held.session_ref, held.user_id)
        return found if is_usable(found, held) else None


def told(call: ToolCall, result: str, scope: Scope) -> str:
    """What an earlier call of this turn found, as the model may hear it now: the right to know it may be gone since (``SC2``)."""
    tool = tools.registry().by_model_name(call.name)
    if tool is None or (scope.may(tool.permission) and not switches.is_off(tool.name)):
        return result
    return phrases.call_text(Outcome.DENIED)


def answer(call: ToolCall, brief: Brief, scope: Scope, cancel: Cancel, *, assistant_message_id: int, inline: bool) -> Answered:
    """Make this call with rights that were asked a moment ago, and ask them anew after it.

    Raises:
        FenceLost: the turn was ended by somebody else.
    """
    tool = tools.registry().by_model_name(call.name)
    if tool is None:
        return _not_run(call, None, Outcome.UNKNOWN, scope)
    if not scope.may(tool.permission):
        return _not_run(call, tool, Outcome.DENIED, scope, error="permission")
    if switches.is_off(tool.name):
        return _not_run(call, tool, Outcome.DENIED, scope, error=OFF)
    if tool not in tools.registry().offered(scope):
        return _not_run(call, tool, Outcome.DENIED, scope, error="resting")
    words = ""
    try:
        arguments = tools.arguments(tool, call.arguments)
        if tool.writes:
            # What is drawn, stored and run at the click must mean the same: the canonical form, read back.
            words, arguments = tools.canonical_arguments(tool, arguments)
    except InvalidArguments as wrong:
        return _not_run(call, tool, Outcome.INVALID, scope, reason=wrong.reason)
    drawn: list[drawing.Drawn] = []
    if tool.writes:
        language, site = brief.language, brief.site
        result = tools.look(
            tool,
            lambda: drawn.append(drawing.draw(tool, arguments, scope, language, site)),
            scope,
            cancel=_Stops(cancel, tool),
            inline=inline,
        )
    else:
        result = tools.run(tool, arguments, scope, cancel=_Stops(cancel, tool), inline=inline)
    try:
        scope = rights(brief.held)
    except RightsGone:
        # What it found is not kept and not told: the right to know it is gone.
        return _withheld(call, tool, None)
    if not scope.may(tool.permission):
        return _withheld(call, tool, scope)
    if switches.is_off(tool.name):
        return _not_run(call, tool, Outcome.DENIED, scope, error=OFF)
    if tool.writes and result.outcome is Outcome.OK:
        return _proposed(call, tool, words, scope, drawn[0], brief, assistant_message_id)
    return _ran(call, tool, result, scope)


def _proposed(
    call: ToolCall,
    tool: Tool,
    words: str,
    scope: Scope,
    drawn: drawing.Drawn,
    brief: Brief,
    assistant_message_id: int,
) -> Answered:
    if tool.per_object and (drawn.target is None or not scope.may(tool.permission, drawn.target)):
        return _withheld(call, tool, scope)
    held = brief.held
    place = proposing.Place(held.conversation_id, held.turn_id, held.fence, assistant_message_id, held.message_seq)
    made = proposing.propose(place, call, tool, words, scope, drawn)
    return Answered(made.outcome, made.text, made.row, scope, is_stored=True)


def not_run(call: ToolCall, outcome: Outcome) -> Answered:
    """A call that is not made at all: the answer was cut, a cap is reached, or there is nobody any more who may make it."""
    return _not_run(call, tools.registry().by_model_name(call.name), outcome, None)


def _not_run(
    call: ToolCall, tool: Tool | None, outcome: Outcome, scope: Scope | None, *, reason: str = "", error: str = ""
) -> Answered:
    row = _row(call, tool, outcome, error=error)
    return Answered(outcome, phrases.call_text(outcome, reason), row, scope)


def _withheld(call: ToolCall, tool: Tool, scope: Scope | None) -> Answered:
    return _not_run(call, tool, Outcome.DENIED, scope, error="permission")


def _ran(call: ToolCall, tool: Tool, result: Result, scope: Scope) -> Answered:
    row = _row(call, tool, result.outcome, error=result.error, stored=result.stored)
    return Answered(result.outcome, result.text, row, scope)


def _row(call: ToolCall, tool: Tool | None, outcome: Outcome, *, error: str, stored: str = "") -> Message:
    return conversations.full(
        role=Role.TOOL.value,
        tool_call_id=call.id,
        tool_name=tool.name if tool else call.name,
        tool_outcome=outcome.value,
        tool_result=stored,
        error=error,
    )
