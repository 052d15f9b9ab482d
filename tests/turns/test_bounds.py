"""How much one turn can make of it: long answers, thousands of calls, huge results."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from deskhand.core.values import Finish, Outcome, Reply, TextDelta, ToolCall, Usage
from deskhand.models import Message
from deskhand.testing import run_turn, script, sign_in
from tests import make
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db

RIGHTS = ["deskhand.use_assistant", "shop.view_order"]


@pytest.fixture(autouse=True)
def order() -> Order:
    return Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))


def calls(number: int) -> list[ToolCall]:
    return [ToolCall(f"c{at}", "read_order", '{"number": "A-1"}') for at in range(number)]


def test_five_million_characters_are_kept_and_the_next_turn_reads_its_share() -> None:
    """sec_L6, HI8."""
    user = make.user(RIGHTS)
    ran = run_turn(user, "Talk", script([TextDelta("0123456789" * 1000)] * 500))
    assert len(ran.answer) == 5_000_000
    after = run_turn(user, "And?", script("Enough."), conversation_id=ran.conversation_id)
    assert after.answer == "Enough."
    assert sum(len(entry.content) for entry in after.requests[0].entries) <= 24_000


def test_ten_thousand_calls_in_one_answer_each_have_a_row_and_sixteen_run() -> None:
    """sec_L1, ME5, TU3: in few statements."""
    user = make.user(RIGHTS)
    session_ref = sign_in(user)
    with CaptureQueriesContext(connection) as captured:
        ran = run_turn(user, "Read", script(calls(10_000)), session_ref=session_ref)
    assert ran.notices == ["calls"]
    assert ran.outcomes.count(Outcome.OK) == 16
    assert ran.outcomes.count(Outcome.STOPPED) == 10_000 - 16
    assert [row.seq for row in ran.messages] == list(range(1, len(ran.messages) + 1))
    reads = [each for each in captured if 'FROM "shop_order"' in each["sql"]]
    writes = [each for each in captured if re.match('(INSERT INTO|UPDATE) "deskhand_(message|conversation)"', each["sql"])]
    assert len(reads) == 16
    # SQLite takes a bounded number of values a statement.
    assert len(writes) < 500


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.FILTERED])
def test_a_thousand_cut_calls_never_run_and_are_stored_together(finish: Finish) -> None:
    """B12, ME5."""
    cut = Reply("", "", tuple(calls(1000)), finish, Usage())
    ran = run_turn(make.user(RIGHTS), "Read", script(cut, "Sorry."))
    assert ran.outcomes == [Outcome.TRUNCATED] * 1000
    assert ran.notices == ["calls"]


def test_a_result_of_two_million_characters_is_cut_for_the_model_and_the_journal(order: Order) -> None:
    """TO7, B29."""
    Order.objects.update(note="x" * 2_000_000)
    ran = run_turn(make.user(RIGHTS), "Read", script(calls(1), "Long."))
    assert len(ran.requests[1].rounds[0].results[0]) <= 24_000
    row = next(row for row in ran.messages if row.role == "tool")
    assert len(row.tool_result) <= 8_000
    state = next(told for told in ran.events if told.kind == "tool" and told.payload["state"] == "ok")
    shown = Message.objects.get(pk=row.pk)
    assert len(shown.tool_result) == len(row.tool_result)
    assert "x" not in str(state.payload["summary"])
