"""The keeper of conversations and messages."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deskhand import conversations
from deskhand.core.values import Outcome, Role
from deskhand.errors import BadInput, NotFound, TooLarge
from deskhand.models import Confirmation, Conversation, Message
from deskhand.testing import run_turn, script
from tests import append_only, make
from tests.canary import CANARY
from tests.turns.test_statements import fill

pytestmark = pytest.mark.django_db


def test_the_watch_over_the_journal_knows_what_changes_it() -> None:
    """ME1: the watch itself."""
    message = Message.objects.filter(seq=1)
    with CaptureQueriesContext(connection) as captured:
        message.update(content="x")
        message.filter(content="x").delete()
        Message.objects.filter(seq=1).first()
    changing = [append_only.changes_a_message(each["sql"]) for each in captured]
    assert changing.count(True) >= 1
    assert changing[-1] is False
    assert append_only.changes_a_message('DELETE FROM "deskhand_message" WHERE "deskhand_message"."id" IN (1)')


def test_a_persons_message_takes_the_text_alone() -> None:
    """ME6."""
    made = conversations.from_user("Hi", role="assistant", seq=9, tool_calls=[{}], actor="root", conversation_id=uuid.uuid4())
    assert (made.role, made.content, made.seq, made.tool_calls, made.actor, made.conversation_id) == (
        "user", "Hi", None, [], "", None,
    )  # fmt: skip


@pytest.mark.parametrize("blank", ["", "  \n\t", "\x00", " \udc81 ", None, 5, ["Hi"], b"Hi"])
def test_a_blank_message_is_refused(blank: object) -> None:
    """ME6."""
    with pytest.raises(BadInput):
        conversations.from_user(blank)


def test_a_message_is_measured_after_it_was_cleaned() -> None:
    """ME7, sec_L4."""
    assert len(conversations.from_user("x" * 20_000 + "\x00").content) == 20_000
    with pytest.raises(TooLarge):
        conversations.from_user("x" * 20_001)


def test_what_ties_a_message_to_others_is_never_taken_from_attributes() -> None:
    """ME6."""
    made = conversations.full(
        role="tool", conversation_id=uuid.uuid4(), ai_request_id=uuid.uuid4(), assistant_message_id=5, confirmation_id=uuid.uuid4(),
        id=7, seq=9, size_chars=99, content="abc",
    )  # fmt: skip
    tied = (made.conversation_id, made.ai_request_id, made.assistant_message_id, made.confirmation_id, made.pk, made.seq)
    assert tied == (None,) * 6
    assert made.size_chars == 3


def test_a_message_is_clean_at_every_depth_and_fits_its_columns() -> None:
    """ME3, ME7."""
    made = conversations.full(
        role="tool", content="a\x00b", tool_result="x" * 9_000 + "\x00", tool_name="n" * 300, tool_call_id="i" * 300,
        tool_calls=[{"id": "a\x00", "na\x00me": {"deep": ["\udc81x"]}, "arguments": "\ud83d\ude00"}],
    )  # fmt: skip
    assert made.content == "ab"
    assert len(made.tool_result) == 8_000
    assert (len(made.tool_name), len(made.tool_call_id)) == (200, 200)
    assert made.tool_calls == [{"id": "a", "name": {"deep": ["x"]}, "arguments": "\U0001f600"}]


def test_a_call_whose_id_is_longer_than_its_column_is_never_answered_twice() -> None:
    """ME5."""
    calls = [{"id": "i" * 300, "name": "x", "arguments": "{}"}]
    asked = Message(pk=1, role="assistant", tool_calls=calls)
    row = conversations.full(role="tool", tool_call_id="i" * 300, tool_outcome="ok")
    row.assistant_message_id = 1
    assert conversations.open_calls([asked, row]) == []
    assert len(conversations.open_calls([asked])) == 1


def test_a_result_never_reaches_a_reader_and_the_forbidden_reads_as_the_unknown() -> None:
    """ME8."""
    chat = conversations.create(make.user())
    for seq, outcome in enumerate((Outcome.OK, Outcome.UNKNOWN, Outcome.DENIED), start=1):
        Message.objects.create(
            conversation=chat, seq=seq, role="tool", tool_outcome=outcome, tool_result=CANARY, tool_name="read_order"
        )
    with CaptureQueriesContext(connection) as captured:
        shown = [conversations.shown(each) for each in conversations.messages_after(chat.id, 0)]
    assert CANARY not in repr(shown)
    assert 'deskhand_message"."tool_result" FROM' not in captured[0]["sql"]
    assert '"tool_result",' not in captured[0]["sql"]
    summaries = [each["tool"]["summary"] for each in shown]  # type: ignore[index]
    assert str(len(CANARY)) in summaries[0]
    assert summaries[1] == summaries[2]


def test_an_unknown_cost_is_never_shown_as_nothing() -> None:
    """ME9."""
    chat = conversations.create(make.user())
    Message.objects.create(conversation=chat, seq=1, role="assistant", content="x", ending="complete")
    shown = conversations.shown(conversations.message(chat.id, 1))
    assert [shown[key] for key in ("cost_micro_usd", "input_tokens", "output_tokens")] == [None, None, None]


@pytest.mark.parametrize("back", [datetime.timedelta(0), datetime.timedelta(hours=1)])
def test_order_is_as_sent_whatever_the_clock_says(monkeypatch: pytest.MonkeyPatch, back: datetime.timedelta) -> None:
    """B67, ME2: the clock stands still, or goes back an hour with each turn."""
    at = [timezone.now()]

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
            return at[0].astimezone(tz)

    monkeypatch.setattr(timezone, "datetime", Clock)
    user = make.user(["deskhand.use_assistant"])
    session_ref = make.session(user)
    chat = conversations.create(user)
    for number in range(5):
        run_turn(user, f"q{number}", script(f"a{number}"), conversation_id=chat.id, session_ref=session_ref)
        at[0] -= back
    times = set(Message.objects.filter(conversation=chat).values_list("created_at", flat=True))
    assert len(times) == (5 if back else 1)
    shown = [each.content for each in conversations.messages_before(chat.id, None)]
    assert shown == [text for number in range(5) for text in (f"q{number}", f"a{number}")]
    lines = conversations.window(chat.id, 24_000)
    assert [line.content for line in lines] == shown


def test_a_conversation_of_ten_thousand_messages_opens_with_one_page_and_few_statements() -> None:
    """sec_L6, HI10."""
    user = make.user(["deskhand.use_assistant"])
    chat = conversations.create(user)
    fill(chat, 10_000)
    with CaptureQueriesContext(connection) as captured:
        conversations.owned(user, chat.id)
        rows = conversations.messages_before(chat.id, None)
        window = conversations.window(chat.id, 24_000)
    assert len(captured) == 3
    assert len(rows) == conversations.MESSAGE_PAGE + 1
    assert len(window) == 24_000 // 200 + 1
    ran = run_turn(user, "Hi", script("Hello."), conversation_id=chat.id)
    assert sum(len(entry.content) for entry in ran.requests[0].entries) <= 24_000


def test_a_hidden_conversation_is_behind_no_door_and_comes_back_within_its_time() -> None:
    """ME10."""
    user, other = make.user(), make.user()
    chat = conversations.create(user)
    conversations.hide(chat)
    with pytest.raises(NotFound):
        conversations.owned(user, chat.id)
    assert conversations.listing(user) == []
    with pytest.raises(NotFound):
        conversations.restore(other, chat.id)
    assert conversations.restore(user, chat.id).hidden_at is None
    Conversation.objects.filter(id=chat.id).update(hidden_at=timezone.now() - datetime.timedelta(seconds=11))
    with pytest.raises(NotFound):
        conversations.restore(user, chat.id)


def test_the_window_reads_no_calls_results_or_notices() -> None:
    """HI2, HI9."""
    chat = conversations.create(make.user())
    card = Confirmation.objects.create(conversation=chat, tool_name="t", expires_at=timezone.now())
    rows = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "thinking", "tool_calls": [{"id": "1"}], "ending": "complete"},
        {"role": "tool", "tool_outcome": "ok", "tool_result": CANARY},
        {"role": "tool", "tool_outcome": "needs_confirmation", "confirmation": card, "tool_result": CANARY},
        {"role": "notice", "content": CANARY, "error": "died"},
        {"role": "notice", "content": CANARY, "tool_outcome": "confirmed", "confirmation": card},
        {"role": "assistant", "content": "a", "ending": "complete"},
    ]
    for seq, row in enumerate(rows, start=1):
        Message.objects.create(conversation=chat, seq=seq, **row)
    lines = conversations.window(chat.id, 24_000)
    assert [line.seq for line in lines] == [1, 4, 6, 7]
    assert CANARY not in repr(lines)
    assert {line.role for line in lines} <= set(Role)
