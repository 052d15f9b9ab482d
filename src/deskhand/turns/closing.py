"""Ends a turn in place of a runner that no longer can or may: a person's Stop, a lease that ran out, a drained process.

Whoever ends it takes over the fence, writes down what is known of the turn – a row for each call that has none, the text that was
told, the usage of its calls, a notice – and frees the locks, all in one transaction. So a Stop takes effect at once, whatever the old
thread is waiting for, and a dead process's turn has an honest end. The old thread is told to give up if it runs in this process.

Never here: running a turn again. Limits: of a turn of another process, the text of its last second may be missing.
"""

from __future__ import annotations

import uuid

from deskhand import config, conversations, transactions, usage
from deskhand.core import phrases
from deskhand.core.values import Ending, Notice, Outcome, Role, TurnEnd, Usage
from deskhand.models import AIRequest, Message
from deskhand.tools import registry
from deskhand.turns import events, lock

#: How the answer under way is marked for each end.
_ENDINGS = {TurnEnd.STOPPED: Ending.STOPPED}


def close(turn_id: uuid.UUID, end: TurnEnd, notice: Notice, *, only_lapsed: bool = False) -> bool:
    """The turn has ended this way, unless it had ended before (or, ``only_lapsed``, lives); whether this call ended it."""
    feed = events.feed(turn_id)
    try:
        with transactions.writing():
            held = lock.take_over(turn_id, only_lapsed=only_lapsed)
            if held is None:
                return False
            text = feed.text() if feed else events.stored_text(turn_id)
            rows = conversations.of_turn(turn_id)
            messages = [*_calls_without_row(rows), *_answer(text, end), _notice(notice)]
            last = (feed.last if feed else _last_number(turn_id)) + 1
            last_seq = lock.ended(held, end, messages, _unbooked(held, rows, text), last)
    except lock.StillAlive:
        return False
    if feed:
        feed.tell(events.done(end, last_seq))
    return True


def sweep(*, user_id: object = None, conversation_id: uuid.UUID | None = None) -> int:
    """Turns that nobody holds are ended with a notice: all, or those that keep this user or conversation busy; how many."""
    lapsed = lock.lapsed(user_id=user_id, conversation_id=conversation_id)
    return sum(close(turn_id, TurnEnd.DIED, Notice.DIED, only_lapsed=True) for turn_id in lapsed)


def _last_number(turn_id: uuid.UUID) -> int:
    told = events.stored_after(turn_id, 0)
    return told[-1].number if told else 0


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


def _unbooked(held: lock.Held, rows: list[Message], text: str) -> list[AIRequest]:
    """Rows for the model calls of the turn that its runner had no time to write: the finished ones from the messages' copy, the one
    under way by an estimate."""
    booked = usage.known(held.turn_id)
    spender = usage.Spender(held.user_key, held.conversation_id, held.turn_id)
    endpoint = config.get().endpoint_settings()
    calls = []
    for row in rows:
        if row.ai_request_id is None or row.ai_request_id in booked or row.role != Role.ASSISTANT:
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
    if text:
        used = Usage(output_tokens=usage.estimate(text), is_estimated=True)
        calls.append(usage.row(spender, endpoint, used, status="stopped"))
    return calls
