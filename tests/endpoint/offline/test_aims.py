"""A change is proposed only by a tool for what the order names."""

from __future__ import annotations

import dataclasses

import pytest

from tests.endpoint.offline.talk import TEXT, Talk, spec

WRITING = tuple(
    dataclasses.replace(tool, writes=True)
    for tool in (
        spec("set_loan_limit", "Loan limit", "Sets, raises or lowers the loan limit of one member.", ["member", "limit"],
             member=TEXT, limit={"type": "integer"}),
        spec("change_loan_status", "Loan status", "Changes the status of one loan, such as LN-204: extends or closes it.",
             ["loan", "status"], loan={**TEXT, "description": "The number, of the form LN-000"},
             status={"enum": ["extended", "closed"]}),
    )
)  # fmt: skip


@pytest.mark.parametrize(
    "order",
    [
        "set the reminder days of Mirela Kos to 45",
        "set Mirela Kos's reminder days to 45",
        "set the discount of Mirela Kos to 45",
        "change the phone number of Mirela Kos to 5551234",
        "raise the loan limit of Mirela Kos by 10 percent",
        "From now on Mirela Kos gets 45 days to bring books back",
    ],
)
def test_a_tool_for_something_else_never_proposes_the_change(order: str) -> None:
    talk = Talk(WRITING)
    assert talk.say(order) == []
    assert "I can't propose that" in talk.text


@pytest.mark.parametrize("order", ["set the loan limit of Mirela Kos to 45", "raise Mirela Kos's loan limit to 45"])
def test_the_tool_for_what_is_named_proposes_it(order: str) -> None:
    [(name, arguments)] = Talk(WRITING).say(order)
    assert (name, arguments) == ("set_loan_limit", {"member": "Mirela Kos", "limit": 45})


def test_an_order_may_stand_behind_its_reason() -> None:
    assert Talk(WRITING).say("Mirela Kos has closed LN-204, please change the loan") == [
        ("change_loan_status", {"loan": "LN-204", "status": "closed"})
    ]


def test_from_now_on_is_never_answered_by_looking_something_up() -> None:
    assert Talk().say("From now on Mirela Kos gets 45 days for her loans") == []
