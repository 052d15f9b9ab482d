"""For the tests of hosts: run a whole turn inside a test's own transaction, with a model that plays a script.

    ran = run_turn(user, "Is A-1 paid?", script(ToolCall("1", "get_order", '{"number": "A-1"}'), "Yes, it is."))
    assert ran.answer == "Yes, it is."

Everything is the real thing – session, rights, tools in a read-only transaction, journal – but the model, and that it runs in the test's
thread. Never here: a shortcut around rights. Limits: nothing watches over time and rights while the scripted model "thinks".
"""

from __future__ import annotations

import dataclasses
import importlib
import uuid

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.base_user import AbstractBaseUser

from deskhand import config, conversations, switches
from deskhand import scope as scopes
from deskhand.core.values import ModelRequest, Outcome, Role, ToolCall
from deskhand.endpoint.scripted import Round, ScriptedEndpoint
from deskhand.errors import NotAllowed
from deskhand.models import Message
from deskhand.scope import Scope
from deskhand.turns import brief, loop, running, start
from deskhand.turns.asking import Cancel
from deskhand.turns.events import Told

__all__ = ["Ran", "ToolCall", "run_turn", "scope_of", "script", "sign_in"]


def script(*rounds: Round) -> ScriptedEndpoint:
    """A model that plays these rounds in turn: a text is an answer, a ``ToolCall`` (or several) asks for tools."""
    return ScriptedEndpoint(list(rounds))


@dataclasses.dataclass(frozen=True)
class Ran:
    """A turn that has ended."""

    turn_id: uuid.UUID
    conversation_id: uuid.UUID
    #: The turn's rows, oldest first.
    messages: list[Message]
    events: list[Told]
    #: What the model was asked with, one for each round.
    requests: list[ModelRequest]

    @property
    def answer(self) -> str:
        """The text that closed the turn; empty if it ended without one."""
        return next((row.content for row in reversed(self.messages) if row.role == Role.ASSISTANT), "")

    @property
    def notices(self) -> list[str]:
        """Names of the turn's notices (``values.Notice``)."""
        return [row.error for row in self.messages if row.role == Role.NOTICE]

    @property
    def outcomes(self) -> list[Outcome]:
        """How its tool calls ended, in order."""
        return [Outcome(row.tool_outcome) for row in self.messages if row.role == Role.TOOL]


def sign_in(user: AbstractBaseUser) -> str:
    """A new session of this user; its key, as a ``session_ref``."""
    session = importlib.import_module(config.session_engine()).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def scope_of(user: AbstractBaseUser, session_ref: str = "") -> Scope:
    """Who acts in this session of the user, or in a new one.

    Raises:
        NotAllowed: the user may not use the assistant.
    """
    found = scopes.again(session_ref or sign_in(user), user.pk)
    if found is None or not found.may(scopes.USE):
        raise NotAllowed
    return found


def run_turn(
    user: AbstractBaseUser,
    text: str,
    endpoint: ScriptedEndpoint,
    *,
    session_ref: str = "",
    conversation_id: uuid.UUID | None = None,
    page: str | None = None,
    locale: str | None = None,
) -> Ran:
    """Ask this as this user and run the turn to its end, in this thread and transaction.

    A new session and conversation are made where none is given.

    Raises:
        Refused: as a request would be.
    """
    # What an earlier test left switched off, or this one has just, must not depend on the time between them.
    switches.forget()
    scope = scope_of(user, session_ref)
    conversation_id = conversation_id or conversations.create(scope.user).id
    asked = start.Asked(text, uuid.uuid4().hex, page, locale)
    started = start.prepare(scope, conversation_id, asked)
    with running.around(started.held):
        told = list(loop.run(brief.gather(started.turn_id, endpoint=endpoint), Cancel(), inline=True))
    return Ran(started.turn_id, conversation_id, conversations.of_turn(started.turn_id), told, list(endpoint.requests))
