"""The start and the stop of a turn, as a request asks for them.

The order is ``TU2``'s: rights, limits, locks with the person's message, the host's two hooks outside any transaction, hand-over after
commit. The message is stored in the transaction that takes the locks, so that a hook that hangs, or a process that dies, loses nothing.

Never here: waiting for an answer. Limits: the hooks run in the request; one that never returns holds the locks until the lease runs out.
"""

from __future__ import annotations

import dataclasses
import re
import uuid

from deskhand import config, conversations, hooks
from deskhand.core import limits, text
from deskhand.core.values import Notice, TurnEnd
from deskhand.errors import BadInput, Busy
from deskhand.models import Message, Turn
from deskhand.scope import Scope
from deskhand.turns import closing, events, lock, runner

#: How much of its first message names a conversation that has no title yet.
FIRST_TITLE_CHARS = 60
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """What a browser asks a start with. Nothing of it is trusted."""

    raw_text: object
    raw_key: object
    raw_page: object = None
    raw_locale: object = None


@dataclasses.dataclass(frozen=True, slots=True)
class Started:
    """A turn that runs, and the person's message."""

    turn_id: uuid.UUID
    message: Message
    held: lock.Held
    #: Whether this key had started it before.
    is_repeated: bool = False


def prepare(scope: Scope, conversation_id: uuid.UUID, asked: Asked) -> Started:
    """The turn holds its locks, the message is stored, the hooks have said what they say: it can be handed over.

    Raises:
        BadInput, TooLarge: the text, or the key, is not usable.
        NotFound, NotAllowed: see ``lock.claim``.
        Busy: an answer is being written for this conversation or user.
    """
    message = conversations.from_user(asked.raw_text)
    if not isinstance(asked.raw_key, str) or not _KEY.match(asked.raw_key):
        raise BadInput("key", "must be 1 to 64 letters, digits, - or _")
    earlier = None
    turn = Turn(
        conversation_id=conversation_id,
        user_id=scope.user_id,
        client_key=asked.raw_key,
        lease_until=lock.lease(),
        owner=lock.this_process(),
        session_ref=scope.session_ref,
        acting_role=scope.role,
        actor=scope.actor_key,
        page=text.path(asked.raw_page) or "",
        locale=text.locale(asked.raw_locale) or "",
    )
    message.actor, message.acting_role = scope.actor_key, scope.role
    try:
        _claim(turn, message, scope)
    except Busy:
        earlier = lock.same_start(conversation_id, asked.raw_key, scope)
        if earlier is None:
            raise
    if earlier is not None:
        first = conversations.message(conversation_id, earlier.message_seq)
        return Started(earlier.id, first, lock.held(earlier, scope.user_key), is_repeated=True)
    held = lock.held(turn, scope.user_key)
    said = _hooks(scope, turn)
    if any(said.values()):
        lock.said(held, **said)
    return Started(turn.id, message, held)


def start(scope: Scope, conversation_id: uuid.UUID, asked: Asked) -> Started:
    """As :func:`prepare`, and the turn is handed to the runner of this process."""
    started = prepare(scope, conversation_id, asked)
    if not started.is_repeated:
        runner.here().start(started.held)
    return started


def _claim(turn: Turn, message: Message, scope: Scope) -> None:
    title = conversations.title_of(message.content)[:FIRST_TITLE_CHARS]
    try:
        lock.claim(turn, message, scope, title=title)
    except Busy:
        # Perhaps by a turn that nobody holds any more: then it is ended here and now, and this one has its place.
        ended = [
            closing.close(each, TurnEnd.DIED, Notice.DIED, only_lapsed=True)
            for each in lock.lapsed(user_id=scope.user_id, conversation_id=turn.conversation_id)
        ]
        if not any(ended):
            raise
        message.pk = None
        lock.claim(turn, message, scope, title=title)


def _hooks(scope: Scope, turn: Turn) -> dict[str, str]:
    settings = config.get()
    said = {"addendum": "", "page_text": ""}
    if settings.prompt_addendum is not None:
        facts = {"user_id": scope.user_id, "locale": turn.locale or None}
        said["addendum"] = hooks.ask("prompt_addendum", settings.prompt_addendum, facts) or ""
    if settings.page_context is not None and turn.page:
        line = hooks.ask("page_context", settings.page_context, turn.page, scope, max_chars=limits.PAGE_TEXT_CHARS)
        said["page_text"] = line or ""
    return said


def stop(scope: Scope, turn_id: uuid.UUID) -> events.Watched:
    """The user's turn has ended, by this call or before it; what was said is kept and marked (``TU4``).

    Raises:
        NotFound: it is not this user's turn.
    """
    seen = events.watched(turn_id, scope.user_id)
    if seen.is_running:
        closing.close(turn_id, TurnEnd.STOPPED, Notice.STOPPED)
        runner.cancel(turn_id)
        seen = events.watched(turn_id, scope.user_id)
    return seen


def hide(scope: Scope, conversation_id: uuid.UUID) -> None:
    """The user's conversation is hidden and its running turn stopped (``ME10``).

    Raises:
        NotFound: it is not theirs.
    """
    conversation = conversations.owned(scope.user, conversation_id)
    if conversation.running_turn is not None:
        stop(scope, conversation.running_turn)
    conversations.hide(conversation)
