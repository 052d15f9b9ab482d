"""Ends a turn in place of a runner that no longer can or may: a person's Stop, a lease that ran out, a drained process.

Whoever ends it takes over the fence, writes down what is known of the turn – a row for each call that has none, the text that was
told, the usage of its calls, a notice – and frees the locks, all in one transaction. So a Stop takes effect at once, whatever the old
thread is waiting for, and a dead process's turn has an honest end. The old thread is told to give up if it runs in this process.

Never here: running a turn again. Limits: of a turn of another process, the text of its last second may be missing, and what its last
model call used is not known.
"""

from __future__ import annotations

import uuid

from django.db import OperationalError

from deskhand import conversations, transactions, usage, user_settings
from deskhand.core import phrases
from deskhand.core.values import Ending, Notice, Outcome, Role, TurnEnd, Usage, UserId
from deskhand.models import AIRequest, Message
from deskhand.tools import registry
from deskhand.turns import events, language, lock

#: How long one who ends turns for others, and comes again, waits for a conversation that somebody has locked.
BRIEF_SECONDS = 0.5
#: How the answer under way is marked for each end.
_ENDINGS = {TurnEnd.STOPPED: Ending.STOPPED}


def close(turn_id: uuid.UUID, end: TurnEnd, notice: Notice, *, only_lapsed: bool = False, is_brief: bool = False) -> bool:
    """The turn has ended this way, unless it had ended before (or, ``only_lapsed``, lives); whether this call ended it.

    Raises:
        Error: it can't be ended now. ``is_brief``: also where somebody has its conversation locked for more than ``BRIEF_SECONDS``.
    """
    feed = events.feed(turn_id)
    sealed: list[events.Feed] = []
    attempts, seconds = (1, BRIEF_SECONDS) if is_brief else (transactions.LOCK_ATTEMPTS, None)
    try:
        last_seq = transactions.written(
            lambda _: _end(turn_id, feed, sealed, end, notice, only_lapsed=only_lapsed),
            lock_attempts=attempts,
            lock_seconds=seconds,
        )
    except lock.StillAlive:
        last_seq = None
    except BaseException:
        _unseal(sealed)
        raise
    if last_seq is None:
        _unseal(sealed)
        return False
    usage.close_ledger(turn_id)
    if feed:
        feed.tell(events.done(end, last_seq))
    return True


def _unseal(sealed: list[events.Feed]) -> None:
    # By this call alone: who came too late must not open what another one, who has the turn's locks, has sealed.
    for each in sealed[:1]:
        each.unseal()


def _end(
    turn_id: uuid.UUID, feed: events.Feed | None, sealed: list[events.Feed], end: TurnEnd, notice: Notice, *, only_lapsed: bool
) -> int | None:
    held = lock.take_over(turn_id, only_lapsed=only_lapsed)
    if held is None:
        return None
    # From here on the old thread can store nothing, so it is to tell nothing either.
    if feed:
        sealed.append(feed)
    told = feed.seal() if feed else events.unfinished(turn_id)
    rows = conversations.of_turn(turn_id)
    text = told.text
    if any(row.role == Role.ASSISTANT and row.seq > told.seq for row in rows):
        # The message that this text belongs to was stored; only the news of it was not told any more.
        text = ""
    with language.around(held.locale):
        messages = [*_calls_without_row(rows), *_answer(text, end), _notice(notice)]
    return lock.ended(held, end, messages, _calls(held, end, rows, text, is_here=feed is not None), told.last + 1)


def sweep(*, user_id: UserId | None = None, conversation_id: uuid.UUID | None = None) -> int:
    """Turns that nobody holds are ended with a notice: all, or those that keep this user or conversation busy; how many.

    One whose conversation somebody has locked, and does not let go in time, is left for the next sweep and holds up no other.
    """
    lapsed = lock.lapsed(user_id=user_id, conversation_id=conversation_id)
    return sum(close_if_lapsed(turn_id) for turn_id in lapsed)


def close_if_lapsed(turn_id: uuid.UUID) -> bool:
    """A turn that nobody holds has ended with a notice; whether this call ended it. Not one whose conversation somebody has locked."""
    try:
        return close(turn_id, TurnEnd.DIED, Notice.DIED, only_lapsed=True, is_brief=True)
    except OperationalError as fault:
        if transactions.waited_in_vain(fault):
            return False
        raise


def _calls_without_row(rows: list[Message]) -> list[Message]:
    missing = []
    for asked, call in conversations.open_calls(rows):
        tool = registry().by_model_name(call["name"])
        row = conversations.full(
            role=Role.TOOL.value,
            tool_call_id=call["id"],
            tool_name=tool.name if tool else call["name"],
            tool_outcome=Outcome.STOPPED.value,
        )
        row.assistant_message_id = asked.pk
        missing.append(row)
    return missing


def _answer(text: str, end: TurnEnd) -> list[Message]:
    if not text.strip():
        return []
    ending = _ENDINGS.get(end, Ending.INCOMPLETE)
    return [conversations.full(role=Role.ASSISTANT.value, content=text, ending=ending.value)]


def _notice(notice: Notice) -> Message:
    return conversations.full(role=Role.NOTICE.value, content=phrases.notice(notice), error=notice.value)


def _calls(held: lock.Held, end: TurnEnd, rows: list[Message], text: str, *, is_here: bool) -> list[AIRequest]:
    """The turn's model calls: what this process's ledger says, else what can be told from its messages."""
    ledger = usage.ledger(held.turn_id)
    if ledger is not None:
        return ledger.rows()
    if is_here or held.is_waiting:
        # It waited for a thread, or for a worker: the model was not asked.
        return []
    return _calls_of_another(held, end, rows, text)


def _calls_of_another(held: lock.Held, end: TurnEnd, rows: list[Message], text: str) -> list[AIRequest]:
    spender = usage.Spender(held.user_key, held.conversation_id, held.turn_id)
    endpoint = user_settings.endpoint(user_settings.effective(held.user_id))
    calls = []
    for row in rows:
        if row.ai_request_id is None:
            continue
        used = Usage(
            input_tokens=row.input_tokens,
            output_tokens=row.output_tokens,
            cost_micro_usd=row.cost_micro_usd,
            is_estimated=True,
        )
        call = usage.row(spender, endpoint, used, status="ok", model=row.model, latency_ms=row.latency_ms)
        call.id = row.ai_request_id
        calls.append(call)
    if not conversations.open_calls(rows):
        # It was asking, or about to ask: how much that used nobody knows, which is not nothing (ME9).
        used = Usage(output_tokens=usage.estimate(text) if text else None, is_estimated=True)
        calls.append(usage.row(spender, endpoint, used, status="died" if end is TurnEnd.DIED else "stopped"))
    return calls
