"""Reads the database after a fault and says what is wrong with it, in sentences; an empty list means that every promise held.

``wrong(…)`` looks at every row that is there, so a test that uses it begins with empty tables or with rows that are right. What people
were told comes in a :class:`~tests.faults.witness.Heard`, how often the model was asked from the provider process: the journal is held
against both. It is called when all is quiet: no turn runs, no click is under way.

Never here: a look at anything but rows, or a word about how they came to be. Limits: a proposal's effect is known for ``raise_limit`` and
``send_reminder`` of the test shop alone.
"""

from __future__ import annotations

import json
import pathlib
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType

from deskhand.models import AIRequest, Confirmation, Conversation, Event, Message, Turn
from deskhand.turns import events
from tests.faults.witness import Heard
from tests.shop.models import Customer

#: Notices that fit an end.
NOTICES = {
    "answered": {"cut", "empty", "off_purpose"},
    "stopped": {"stopped"},
    "capped": {"rounds", "calls", "repeated", "time"},
    "refused": {"rights", "off"},
    "died": {"died"},
    "restarted": {"restarted"},
    "failed": {
        "endpoint", "endpoint_limited", "endpoint_timeout", "endpoint_denied", "endpoint_rejected", "context_too_long", "filtered", "error",
    },
}  # fmt: skip
#: What only the starting process could know, and goes with the turn's end.
PRIVATE = ("session_ref", "page", "page_text", "addendum")


def wrong(witness: Heard | None = None, *, asked: int | None = None, outbox: pathlib.Path | None = None) -> list[str]:
    """What is wrong. ``asked``: how many requests the provider received, none of them repeated; ``outbox``: where reminders go."""
    rows = _Rows()
    found = [
        *_numbers(rows),
        *_locks(rows),
        *_turns(rows),
        *_calls(rows),
        *_cards(rows),
        *_effects(rows),
        *_outside(rows, outbox),
        *_books(rows, asked),
        *_events(rows),
    ]
    if witness is not None:
        found += [*_taken(rows, witness), *_told(rows, witness)]
    return found


class _Rows:
    """All rows, read once."""

    def __init__(self) -> None:
        self.conversations = {row.id: row for row in Conversation.objects.all()}
        self.turns = {row.id: row for row in Turn.objects.order_by("conversation_id", "message_seq")}
        self.messages = list(Message.objects.order_by("conversation_id", "seq"))
        self.cards = {row.id: row for row in Confirmation.objects.all()}
        self.requests = {row.id: row for row in AIRequest.objects.all()}
        self.of_conversation: Mapping[uuid.UUID, list[Message]] = defaultdict(list)
        self.of_turn: Mapping[uuid.UUID | None, list[Message]] = defaultdict(list)
        for row in self.messages:
            self.of_conversation[row.conversation_id].append(row)
            if not _is_card_end(row):
                self.of_turn[row.turn_ref].append(row)


def _is_card_end(row: Message) -> bool:
    """It belongs to its card, not to the turn that runs when it is written."""
    return row.role == "notice" and row.confirmation_id is not None


def _numbers(rows: _Rows) -> Iterator[str]:
    for id_, conversation in rows.conversations.items():
        numbers = [row.seq for row in rows.of_conversation[id_]]
        if numbers != list(range(1, conversation.last_seq + 1)):
            yield f"the messages are numbered {numbers}, and the conversation counts {conversation.last_seq}"
        turn = None
        for row in rows.of_conversation[id_]:
            if row.role == "user":
                turn = row.turn_ref
            elif not _is_card_end(row) and row.turn_ref != turn:
                yield f"a row of an earlier turn ({row.role}) stands behind a later question, at {row.seq}"


def _locks(rows: _Rows) -> Iterator[str]:
    for conversation in rows.conversations.values():
        if conversation.running_turn is not None:
            yield "a conversation is still locked"


def _turns(rows: _Rows) -> Iterator[str]:
    for row in rows.messages:
        if row.role == "user" and row.turn_ref not in rows.turns:
            yield "a question has no turn"
    for id_, turn in rows.turns.items():
        messages = rows.of_turn[id_]
        if not messages or (messages[0].role, messages[0].seq) != ("user", turn.message_seq):
            yield f"a turn ({turn.end}) does not begin with its question"
            continue
        if not turn.end:
            yield "a turn has no end"
            continue
        if left := [name for name in PRIVATE if getattr(turn, name)]:
            yield f"a turn that has ended still holds {left}"
        yield from _end(turn, messages)


def _end(turn: Turn, messages: list[Message]) -> Iterator[str]:
    notices = [row.error for row in messages if row.role == "notice"]
    answers = [row for row in messages if row.role == "assistant" and not row.tool_calls]
    if turn.end == "answered":
        last = messages[-1]
        if last.role == "notice":
            if notices not in [[name] for name in NOTICES["answered"]]:
                yield f"an answered turn says {notices}"
        elif last.role != "assistant" or last.tool_calls or last.ending != "complete":
            yield f"an answered turn ends with {last.role} ({last.ending})"
    elif len(notices) != 1 or notices[0] not in NOTICES[turn.end]:
        yield f"a turn that ended as {turn.end} says {notices}"
    elif messages[-1].role != "notice":
        yield f"in a turn that ended as {turn.end}, {messages[-1].role} stands behind the end"
    elif [row for row in answers if row.ending == "complete"]:
        yield f"the answer of a turn that ended as {turn.end} is called complete"
    if len(answers) > 1:
        yield "a turn has two answers"


def _calls(rows: _Rows) -> Iterator[str]:
    answered = Counter((row.assistant_message_id, row.tool_call_id) for row in rows.messages if row.role == "tool")
    made = Counter((row.pk, call["id"]) for row in rows.messages for call in row.tool_calls)
    ended = {(row.pk, call["id"]) for row in rows.messages if _has_ended(rows, row) for call in row.tool_calls}
    for call in ended - set(answered):
        yield f"a call has no row of its outcome: {call[1]}"
    for call, times in answered.items():
        if times != made[call]:
            yield f"a call that was made {made[call]} times has {times} outcomes: {call[1]}"


def _has_ended(rows: _Rows, row: Message) -> bool:
    turn = rows.turns.get(row.turn_ref) if row.turn_ref else None
    return turn is None or bool(turn.end)


def _cards(rows: _Rows) -> Iterator[str]:
    proposals = Counter(row.confirmation_id for row in rows.messages if row.role == "tool" and row.confirmation_id)
    ends: dict[uuid.UUID, list[str]] = defaultdict(list)
    for row in rows.messages:
        if row.confirmation_id is not None and _is_card_end(row):
            ends[row.confirmation_id].append(row.tool_outcome)
    for id_, card in rows.cards.items():
        if proposals[id_] != 1:
            yield f"a card has {proposals[id_]} proposals in the journal"
        if ends[id_] != ([card.outcome] if card.outcome else []):
            yield f"a card's row says {card.outcome}, the journal {ends[id_]}"
        if card.claimed_at and not card.outcome:
            yield "a card is claimed and has no end"


def _effects(rows: _Rows) -> Iterator[str]:
    due: dict[str, Decimal] = defaultdict(Decimal)
    clicks: Counter[str] = Counter()
    for card in rows.cards.values():
        if card.tool_name == "raise_limit" and card.outcome == "confirmed":
            arguments = json.loads(card.arguments)
            due[str(arguments["customer"])] += Decimal(str(arguments["by"]))
            clicks[str(arguments["customer"])] += 1
    kind = ContentType.objects.get_for_model(Customer)
    logged = Counter(LogEntry.objects.filter(content_type=kind).values_list("object_id", flat=True))
    for customer in Customer.objects.all():
        key = str(customer.pk)
        if customer.credit_limit != due[key]:
            yield f"the journal says that a limit was raised by {due[key]}, the host's table says {customer.credit_limit}"
        if logged[key] != clicks[key]:
            yield f"{clicks[key]} changes were confirmed, the host's log has {logged[key]}"


def _outside(rows: _Rows, outbox: pathlib.Path | None) -> Iterator[str]:
    if outbox is None:
        return
    sent = outbox.read_text() if outbox.exists() else ""
    for id_, card in rows.cards.items():
        if card.is_outside:
            times = sent.count(str(id_))
            fits = {1} if card.outcome == "confirmed" else {0, 1} if card.is_unknown else {0}
            if times not in fits:
                yield f"an outside effect that ended as {card.outcome} happened {times} times"


def _books(rows: _Rows, asked: int | None) -> Iterator[str]:
    for row in rows.messages:
        if row.ai_request_id and row.ai_request_id not in rows.requests and _has_ended(rows, row):
            yield "an answer's model call is not in the books"
    for request in rows.requests.values():
        if request.turn_ref not in rows.turns:
            yield "a model call is in the books of no turn"
    if asked is None:
        return
    # How far the last call of a turn that somebody else ended had come, nobody can say: it is written down as unknown.
    unsure = sum(1 for turn in rows.turns.values() if turn.end in ("died", "restarted", "stopped"))
    if not asked <= len(rows.requests) <= asked + unsure:
        yield f"the model was asked {asked} times, the books have {len(rows.requests)}, of which {unsure} may be guessed"


def _events(rows: _Rows) -> Iterator[str]:
    told: dict[uuid.UUID, dict[int, object]] = defaultdict(dict)
    for event in Event.objects.order_by("turn_id", "number"):
        if not event.told or event.told[-1][0] != event.number:
            yield f"an event row of number {event.number} holds {[number for number, *_ in event.told]}"
        for number, *what in event.told:
            # Stored twice where the answer to a commit was lost; but never as two different things.
            if told[event.turn_id].setdefault(number, what) != what:
                yield f"two events of a turn have the number {number}"
    for id_, numbers in told.items():
        read = [each.number for each in events.stored_after(id_, 0)]
        # A tick may have stored more since.
        if read != list(range(1, len(read) + 1)) or len(read) < len(numbers):
            yield f"the events of a turn are read as {read}"
        turn = rows.turns[id_]
        if turn.end and len(numbers) >= turn.last_event:
            yield f"a turn whose last event is number {turn.last_event} has stored {len(numbers)} before it"


def _taken(rows: _Rows, witness: Heard) -> Iterator[str]:
    for turn, text in witness.taken.items():
        questions = [row.content for row in rows.of_turn[uuid.UUID(turn)] if row.role == "user"]
        if questions != [text]:
            yield f"a message that was taken is there {len(questions)} times"


def _told(rows: _Rows, witness: Heard) -> Iterator[str]:
    for turn, told in witness.told.items():
        numbers = [number for number, kind, _ in told if kind != "done"]
        if numbers != sorted(set(numbers)):
            yield f"events were told as {numbers}"
        stored = {row.seq: row for row in rows.of_turn[uuid.UUID(turn)]}
        text, seq = "", 0
        for _, kind, payload in told:
            if kind == "text":
                text += str(payload["text"])
            elif kind == "message":
                seq = int(str(payload["seq"]))
                row = stored.get(seq)
                if row is None or (row.role, row.content) != (payload["role"], payload["content"]):
                    yield f"a message that was told ({payload['role']}) is not in the journal as {seq}"
                elif row.role == "assistant" and text != row.content:
                    yield "the text that was streamed is not the text of its message"
                if payload["role"] == "assistant":
                    text = ""
        yield from _rest(rows.turns[uuid.UUID(turn)], [row for at, row in stored.items() if at > seq], text)
        if [payload["end"] for _, kind, payload in told if kind == "done"] not in ([], [rows.turns[uuid.UUID(turn)].end]):
            yield "the end that was told is not the turn's"


def _rest(turn: Turn, later: list[Message], text: str) -> Iterator[str]:
    """Of what was told after the last message: the journal has it, or the beginning of it, marked."""
    if not text or not turn.end:
        return
    kept = next((row for row in later if row.role == "assistant"), None)
    if kept is None:
        # Said within the last tick before the fault: that may be lost (one tick, as the documents say).
        if turn.end == "answered":
            yield "text that was told is in no message"
        return
    if not text.startswith(kept.content) and not kept.content.startswith(text):
        yield "the journal has another text than the one that was told"
    if kept.content != text and not kept.content.startswith(text) and kept.ending == "complete":
        yield "a part of the text that was told is called complete"
