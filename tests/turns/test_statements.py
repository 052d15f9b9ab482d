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
def test_a_turn_with_one_tool_costs_twelve_statements_beside_rights_at_any_length(old: int) -> None:
    """HI10. Start 3, brief 2 (one of them reads the account with the turn), calls 2, result 2, end 4; the tool's own SELECT comes on
    top, and three questions of rights of at most four statements each, one of which shares the account with the brief."""
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"))
    user = make.user(["deskhand.use_assistant", "shop.view_order"])
    session_ref = sign_in(user)
    conversation = conversations.create(user)
    fill(conversation, old)
    model = script(ToolCall("c1", "read_order", '{"number": "A-1"}'), "Open.")
    run_turn(user, "warm", script("warm"), session_ref=session_ref)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        run_turn(user, "A-1?", model, session_ref=session_ref, conversation_id=conversation.id)
    statements = [each["sql"] for each in captured if not CONTROL.match(each["sql"])]
    ours = [sql for sql in statements if "deskhand_" in sql and not RIGHTS.search(sql)]
    rights = [sql for sql in statements if RIGHTS.search(sql)]
    tools = [sql for sql in statements if "shop_" in sql and sql not in rights]
    for sql in statements:
        print(sql[:150])
    assert (len(ours), len(tools)) == (13, 1)
    assert len(rights) == 0
