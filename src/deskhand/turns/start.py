"""The start and the stop of a turn, as a request asks for them.

The order is ``TU2``'s: rights, limits, locks with the person's message, the host's two hooks outside any transaction, hand-over after
commit. The message is stored in the transaction that takes the locks, so that a hook that hangs, or a process that dies, loses nothing.

Never here: waiting for an answer. Limits: the hooks run in the request; one that never returns holds the locks until the lease runs out.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import re
import uuid
from collections.abc import Sequence

from django.db import Error
from django.utils import timezone

from deskhand import config, conversations, faults, hooks, processes, switches
from deskhand.confirmations import ends
from deskhand.core import limits, text
from deskhand.core.values import Notice, TurnEnd
from deskhand.errors import BadInput, Busy, CrashedTooOften, FenceLost
from deskhand.models import Message, Turn
from deskhand.scope import Scope
from deskhand.turns import closing, engine, events, lock, runner

#: How much of its first message names a conversation that has no title yet.
FIRST_TITLE_CHARS = 60
#: So many deaths in a row of one message, and it is not tried again (``TU5``).
CRASHES = 3
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """What a browser asks a start with. Nothing of it is trusted."""

    raw_text: object
    raw_key: object
    raw_page: object = None
    raw_locale: object = None
    #: Number of the newest message of the person, which this one replaces (``TU9``).
    raw_replaces: object = None


@dataclasses.dataclass(frozen=True, slots=True)
class Started:
    """A turn that runs, and the person's message."""

    turn_id: uuid.UUID
    message: Message
    held: lock.Held
    #: Whether there is nothing to hand over: this key had started it before, or it was ended while the host's hooks ran.
    is_over: bool = False


def prepare(scope: Scope, conversation_id: uuid.UUID, asked: Asked) -> Started:
    """The turn holds its locks, the message is stored, the hooks have said what they say: it can be handed over.

    Raises:
        BadInput, TooLarge: the text, the key or what is to be replaced is not usable.
        CrashedTooOften: the process died each time that it worked on this message (``TU5``).
        NotFound, NotAllowed: see ``lock.claim``.
        Busy: an answer is being written for this conversation or user.
        SwitchedOff: an administrator has switched the assistant off (``OP9``).
    """
    switches.refuse_if_off()
    message = conversations.from_user(asked.raw_text)
    if not isinstance(asked.raw_key, str) or not _KEY.match(asked.raw_key):
        raise BadInput("key", "must be 1 to 64 letters, digits, - or _")
    earlier = None
    turn = Turn(
        conversation_id=conversation_id,
        user_id=scope.user_id,
        client_key=asked.raw_key,
        lease_until=lock.lease(),
        owner=processes.mine(),
        taken_at=timezone.now(),
        session_ref=scope.session_ref,
        acting_role=scope.role,
        actor=scope.actor_key,
        page=text.path(asked.raw_page) or "",
        locale=text.locale(asked.raw_locale) or "",
    )
    message.actor, message.acting_role = scope.actor_key, scope.role
    try:
        message.replaces_seq = _replaced(scope, conversation_id, message.content, asked.raw_replaces)
        has_open_cards = _claim(turn, message, scope)
    except (Busy, BadInput):
        earlier = lock.same_start(conversation_id, asked.raw_key, scope)
        if earlier is None:
            raise
    if earlier is not None:
        first = conversations.message(conversation_id, earlier.message_seq)
        return Started(earlier.id, first, lock.held(earlier, scope.user_key), is_over=True)
    faults.point("start.kept")
    held = lock.held(turn, scope.user_key)
    try:
        if has_open_cards:
            # The window is read after this, so no card reads as waiting in it that is not (HI5).
            if message.replaces_seq:
                ends.reject_open(conversation_id, after_seq=message.replaces_seq)
            ends.settle(conversation_id)
        said = _hooks(scope, turn)
        if any(said.values()):
            lock.said(held, **said)
    except FenceLost:
        # Stopped, or its lease over, while the hooks ran (PR9): the message is kept, the turn has its end, nothing more is to do.
        return Started(turn.id, message, held, is_over=True)
    except BaseException:
        _give_up(held)
        raise
    faults.point("start.said")
    return Started(turn.id, message, held)


def _give_up(held: lock.Held) -> None:
    """The turn can't be handed over: it ends now, and does not keep its locks until the lease runs out."""
    with contextlib.suppress(Error):
        closing.close(held.turn_id, TurnEnd.FAILED, Notice.ERROR)


def start(scope: Scope, conversation_id: uuid.UUID, asked: Asked) -> Started:
    """As :func:`prepare`, and the turn is handed over to where turns run."""
    started = prepare(scope, conversation_id, asked)
    if started.is_over:
        return started
    try:
        engine.hand_over(started.held)
    except FenceLost:
        # Stopped since the hooks were asked.
        return dataclasses.replace(started, is_over=True)
    except BaseException:
        _give_up(started.held)
        raise
    return started


def _replaced(scope: Scope, conversation_id: uuid.UUID, said: str, raw: object) -> int | None:
    if raw is None:
        return None
    newest = conversations.newest_questions(conversations.owned(scope.user, conversation_id).id, CRASHES)
    if isinstance(raw, bool) or not isinstance(raw, int) or not newest or raw != newest[0].seq:
        raise BadInput("replaces", "must be the number of your newest message here")
    if _is_one_message(said, newest):
        # The last one's process may have died a moment ago.
        closing.sweep(user_id=scope.user_id, conversation_id=conversation_id)
        if lock.have_died([each.turn_ref for each in newest]):
            raise CrashedTooOften
    return raw


def _is_one_message(said: str, newest: Sequence[Message]) -> bool:
    """Whether these are ``CRASHES`` tries of what is said once more, each of which replaced the one before it."""
    if len(newest) < CRASHES or any(each.content != said for each in newest):
        return False
    return all(later.replaces_seq == earlier.seq for later, earlier in itertools.pairwise(newest))


def _claim(turn: Turn, message: Message, scope: Scope) -> bool:
    title = conversations.title_of(message.content)[:FIRST_TITLE_CHARS]
    try:
        return lock.claim(turn, message, scope, title=title)
    except Busy:
        # Perhaps by a turn that nobody holds any more: then it is ended here and now, and this one has its place.
        if not closing.sweep(user_id=scope.user_id, conversation_id=turn.conversation_id):
            raise
        return lock.claim(turn, message, scope, title=title)


def _hooks(scope: Scope, turn: Turn) -> dict[str, str]:
    settings = config.get()
    said = {"addendum": "", "page_text": ""}
    if settings.prompt_addendum is not None:
        facts = {"user_id": scope.user_id, "locale": turn.locale or None}
        said["addendum"] = text.clean(hooks.addendum(settings.prompt_addendum, facts) or "")
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
    """The user's conversation is hidden, its running turn stopped, its cards have ended as rejected (``ME10``).

    Raises:
        NotFound: it is not theirs.
    """
    # Hidden first: from then on no turn can start in it, so the one that runs is the last one.
    conversations.hide(conversations.owned(scope.user, conversation_id))
    running = conversations.running_turn(conversation_id)
    if running is not None:
        closing.close(running, TurnEnd.STOPPED, Notice.STOPPED)
        runner.cancel(running)
    ends.reject_open(conversation_id)
