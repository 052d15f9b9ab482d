"""How many statements a turn costs: exact, because they shape tables and phases (goal 5 of the benchmark)."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from deskhand import conversations
from deskhand.core.values import Role, ToolCall
from deskhand.models import Conversation, Message
from deskhand.testing import run_turn, script, sign_in
from tests import make
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db

CONTROL = re.compile(r"(SAVEPOINT|RELEASE|ROLLBACK|BEGIN|COMMIT|SET |PRAGMA|SELECT set_config)", re.IGNORECASE)
#: What an administrator has switched off is asked at most every two seconds of a process, whatever runs in it (``tests/test_switches.py``).
SWITCHES = re.compile(r'SELECT .* FROM "deskhand_switch"')
RIGHTS = re.compile(r'FROM "(auth_|django_session)')


def fill(conversation: Conversation, number: int) -> None:
    """So many old messages, written at once."""
    rows = [
        Message(
            conversation=conversation,
            seq=seq,
            role=Role.USER if seq % 2 else Role.ASSISTANT,
            content="x" * 200,
            size_chars=200,
            ending="" if seq % 2 else "complete",
        )
        for seq in range(1, number + 1)
    ]
    Message.objects.bulk_create(rows, batch_size=2000)
    Conversation.objects.filter(pk=conversation.pk).update(last_seq=number)


@pytest.mark.parametrize("old", [10, 300, 3000])
def test_a_turn_with_one_tool_costs_the_same_few_statements_at_any_length(old: int) -> None:
    """HI10. Beside the look at the switches, which is the process's. Ours: start 3, brief 2, the call 2, its result 2, the end 4. Rights: 4 at the request, then three questions of at most 4,
    the first of which reads the account with the turn and asks for the groups that the prompt names."""
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))
    user = make.user(["deskhand.use_assistant", "shop.view_order"])
    session_ref = sign_in(user)
    conversation = conversations.create(user)
    fill(conversation, old)
    model = script(ToolCall("c1", "read_order", '{"number": "A-1"}'), "Open.")
    with CaptureQueriesContext(connection) as captured:
        ran = run_turn(user, "A-1?", model, session_ref=session_ref, conversation_id=conversation.id)
    assert ran.answer == "Open."
    # run_turn's own look at the turn's rows is the last one.
    statements = [sql for each in captured if not CONTROL.match(sql := each["sql"]) and not SWITCHES.match(sql)][:-1]
    rights = [sql for sql in statements if RIGHTS.search(sql)]
    ours = [sql for sql in statements if re.search(r'(FROM|INTO|UPDATE) "deskhand_', sql)]
    tools = [sql for sql in statements if 'FROM "shop_order"' in sql]
    assert (len(ours), len(rights), len(tools), len(statements)) == (13, 4 + 4 + 4 + 4, 1, 30)


def test_a_start_and_an_end_are_one_transaction_each() -> None:
    """A turn with one tool has four writing transactions: the start, the call, its result, the end."""
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))
    user = make.user(["deskhand.use_assistant", "shop.view_order"])
    model = script(ToolCall("c1", "read_order", '{"number": "A-1"}'), "Open.")
    session_ref = sign_in(user)
    conversation = conversations.create(user)
    with CaptureQueriesContext(connection) as captured:
        run_turn(user, "A-1?", model, session_ref=session_ref, conversation_id=conversation.id)
    savepoints, writing = 0, set()
    for sql in (each["sql"] for each in captured):
        savepoints += sql.startswith("SAVEPOINT")
        if re.match(r"(INSERT|UPDATE|DELETE)", sql):
            writing.add(savepoints)
    assert len(writing) == 4
