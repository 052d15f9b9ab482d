"""The offline model with the demo's tools: which one it picks, and with what, for questions that people put.

Its own tests use other domains; here it is seen that the demo's descriptions are such that words lead to the right tool.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from deskhand.core.values import Entry, ModelRequest, Reply, Round
from deskhand.endpoint import Settings
from deskhand.endpoint.offline import OfflineEndpoint
from deskhand.tools import arguments, registry, run

Acting = Callable[[str], Any]
REFUSAL = "either no tool does that, or your rights do not allow it"


def ask(scope: Any, question: str, entries: tuple[Entry, ...] = ()) -> tuple[list[tuple[str, dict[str, object]]], str]:
    """The calls that it made, and its answer; ``entries``: what was said before."""
    tools = registry().offered(scope)
    rounds: tuple[Round, ...] = ()
    made: list[tuple[str, dict[str, object]]] = []
    while True:
        request = ModelRequest(
            "date: 2026-03-18 (UTC)", (*entries, Entry("user", question)), rounds, tuple(tool.spec for tool in tools)
        )
        *_, reply = OfflineEndpoint(Settings("offline", "offline", "offline")).stream(request)
        assert isinstance(reply, Reply)
        if not reply.calls:
            return made, reply.text
        results = []
        for call in reply.calls:
            tool = registry().by_model_name(call.name)
            assert tool is not None
            made.append((call.name, json.loads(call.arguments)))
            results.append(run(tool, arguments(tool, call.arguments), scope, inline=True).text)
        rounds += (Round("", "", reply.calls, tuple(results)),)


@pytest.mark.parametrize(
    ("question", "tool", "given"),
    [
        ("which orders of Hansen are still unpaid?", "unpaid_invoices", {"customer": "Hansen"}),
        ("what is low on stock?", "low_stock", {}),
        ("how much did we sell in October?", "sales_by_month", {"since": "2025-10-01", "until": "2025-10-31"}),
        ("show order A-1042", "show_order", {"number": "A-1042"}),
        ("who owes us the most?", "customers_who_owe", {}),
        ("how many orders did we get last month?", "search_orders", {"since": "2026-02-01", "until": "2026-02-28"}),
        ("Which invoices are overdue by more than 60 days?", "overdue_invoices", {"days": 60}),
        ("How many LED bulbs do we have in stock?", "stock_of_products", {"product": "LED bulbs"}),
        ("Show the payments of Hansen Bygg AS", "search_payments", {"customer": "Hansen Bygg AS"}),
        ("What is the credit limit of Hansen Bygg AS?", "customer_overview", {"customer": "Hansen Bygg AS"}),
        ("any returns because of damaged goods?", "search_returns", {"reason": "damaged"}),
        ("Which customers are in Norway?", "find_customers", {"country": "Norway"}),
        ("what does a cordless drill cost?", "find_products", {"name": "cordless drill"}),
        ("notes about Schröder", "customer_notes", {"customer": "Schröder"}),
        ("Which customer bought the most last year?", "best_customers", {"since": "2025-01-01", "until": "2025-12-31"}),
        ("how many orders are not shipped yet?", "search_orders", {"status": "open"}),
        ("Which products do we need to reorder?", "low_stock", {}),
        ("Has invoice INV-5010 been paid?", "show_invoice", {"number": "INV-5010"}),
        ("What is our stock worth?", "warehouses", {}),
        ("Show me orders above 5000 euro", "search_orders", {"min_amount": 5000.0}),
        ("top 5 products in Lighting", "best_selling_products", {"category": "Lighting", "limit": 5}),
        ("orders from Иванов", "search_orders", {"customer": "Иванов"}),
        ("what is the average order value in October?", "search_orders", {"since": "2025-10-01", "until": "2025-10-31"}),
        ("compare the sales of September and October", "sales_by_month", {"since": "2025-09-01", "until": "2025-10-31"}),
        ("which customer brought in the most money last year?", "best_customers", {"since": "2025-01-01", "until": "2025-12-31"}),
        (
            "Which product brought in the most money this year?",
            "best_selling_products",
            {"order_by": "sales", "since": "2026-01-01", "until": "2026-12-31"},
        ),
        (
            "how many metres of 22mm copper pipe are there in Harbour?",
            "stock_of_products",
            {"category": "Pipes", "warehouse": "Harbour", "product": "22mm copper pipe"},
        ),
        (
            "which customers haven't ordered anything since the end of August?",
            "customers_without_orders",
            {"since": "2025-08-31"},
        ),
        ("Tell me about Hansen Bygg AS", "customer_overview", {"customer": "Hansen Bygg AS"}),
    ],
)
def test_a_question_finds_its_tool_and_its_arguments(acting: Acting, question: str, tool: str, given: dict[str, object]) -> None:
    made, answer = ask(acting("owner"), question)
    assert made == [(tool, given)]
    assert "The tool failed" not in answer


@pytest.mark.parametrize(
    "question", ["how much did we sell in October?", "which payments came in this month?", "show invoice INV-5010"]
)
def test_a_clerks_question_about_money_is_never_answered_from_another_table(acting: Acting, question: str) -> None:
    made, answer = ask(acting("clerk"), question)
    assert made == []
    assert REFUSAL in answer


@pytest.mark.parametrize(
    "question", ["which invoices are unpaid?", "unpaid invoices of Hansen", "who owes us the most?", "which orders are unpaid?"]
)
def test_a_clerk_who_asks_for_debts_hears_that_their_rights_do_not_reach(acting: Acting, question: str) -> None:
    made, answer = ask(acting("clerk"), question)
    assert made == []
    assert REFUSAL in answer


@pytest.mark.parametrize(
    ("login", "order", "tool", "given"),
    [
        (
            "accountant",
            "set the credit limit of Hansen Elektro AS to 5000",
            "set_credit_limit",
            {"customer": "Hansen Elektro AS", "limit_eur": 5000},
        ),
        (
            "accountant",
            "From now on Hansen Elektro AS gets 45 days to pay",
            "set_payment_days",
            {"customer": "Hansen Elektro AS", "days": 45},
        ),
        (
            "clerk",
            "Hansen Elektro AS have confirmed A-1042, please change the order",
            "change_order_status",
            {"order": "A-1042", "status": "confirmed"},
        ),
        ("clerk", "mark order A-1042 as shipped", "change_order_status", {"order": "A-1042", "status": "shipped"}),
        ("clerk", "cancel order A-1042", "change_order_status", {"order": "A-1042", "status": "cancelled"}),
        (
            "accountant",
            "book a payment of 378.30 on INV-5685",
            "book_payment",
            {"invoice": "INV-5685", "amount_eur": 378.3},
        ),
        (
            "accountant",
            "remind Hansen about INV-5685",
            "send_payment_reminder",
            {"invoice": "INV-5685", "customer": "Hansen"},
        ),
        (
            "clerk",
            "take back 3 LED bulbs of order A-1042 because they are defective",
            "create_return",
            {"order": "A-1042", "product": "LED bulbs", "quantity": 3, "reason": "defective"},
        ),
        (
            "clerk",
            "set the stock of copper pipe 15 mm in North to 12, counted",
            "correct_stock",
            {"product": "copper pipe 15 mm", "warehouse": "North", "quantity": 12, "reason": "counted"},
        ),
        ("owner", "raise the prices in Lighting by 4 percent", "raise_prices", {"category": "Lighting", "percent": 4}),
        (
            "clerk",
            "mark all shipped orders before 1 March as delivered",
            "deliver_shipped_orders",
            {"until": "2026-02-28"},
        ),
        (
            "clerk",
            "add a note to Hansen Elektro AS: wants deliveries before 10.",
            "add_note",
            {"customer": "Hansen Elektro AS", "text": "wants deliveries before 10."},
        ),
    ],
)
def test_an_order_finds_its_writing_tool(acting: Acting, login: str, order: str, tool: str, given: dict[str, object]) -> None:
    tools = tuple(each.spec for each in registry().offered(acting(login)))
    request = ModelRequest("date: 2026-03-18 (UTC)", (Entry("user", order),), tools=tools)
    *_, reply = OfflineEndpoint(Settings("offline", "offline", "offline")).stream(request)
    assert isinstance(reply, Reply)
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [(tool, given)]


@pytest.mark.parametrize(
    ("login", "order"),
    [
        ("clerk", "set the credit limit of Hansen Elektro AS to 5000"),
        ("accountant", "mark order A-1042 as shipped"),
        ("accountant", "raise the prices in Lighting by 4 percent"),
    ],
)
def test_what_is_not_somebodys_work_is_never_proposed_for_them(acting: Acting, login: str, order: str) -> None:
    made, answer = ask(acting(login), order)
    assert made == []
    assert REFUSAL in answer


def test_a_clerk_is_told_what_was_kept_from_them(acting: Acting) -> None:
    made, answer = ask(acting("clerk"), "What is the credit limit of Hansen Bygg AS?")
    assert made == [("customer_overview", {"customer": "Hansen Bygg AS"})]
    assert "Not shown to you:** credit limit, unpaid sum" in answer


@pytest.mark.parametrize(
    ("login", "said", "tool", "given"),
    [
        ("owner", ["which German customer owes us the most?"], "customers_who_owe", {"country": "Germany"}),
        ("owner", ["how many unpaid invoices have already had three reminders?"], "overdue_invoices", {"reminders": 3}),
        ("owner", ["does Hansen still have something to pay?"], "unpaid_invoices", {"customer": "Hansen"}),
        ("owner", ["is Hansen fully paid up?"], "unpaid_invoices", {"customer": "Hansen"}),
        ("owner", ["why do people send things back most often?"], "returns_by_reason", {}),
        ("owner", ["most common reason for returns"], "returns_by_reason", {}),
        ("clerk", ["which customers have ordered nothing in the last three months?"], "customers_without_orders", {"since": "2025-12-18"}),
        ("clerk", ["what is the most expensive thing we sell?"], "find_products", {"order_by": "most_expensive"}),
        ("owner", ["how much money came in last month?", "and the month before?"], "search_payments",
         {"since": "2026-01-01", "until": "2026-01-31"}),
        ("owner", ["what is our turnover this year?", "and the year before?"], "sales_by_month",
         {"since": "2025-01-01", "until": "2025-12-31"}),
        ("clerk", ["which Norwegian customers do we have?", "show more"], "find_customers", {"country": "Norway", "page": 2}),
        ("owner", ["what is the contact of Hansen Bygg AS?", "when did they last order?"], "search_orders", {"customer": "Hansen Bygg AS"}),
        ("owner", ["what is the most expensive thing we sell?", "Hansen Bygg AS"], "customer_overview", {"customer": "Hansen Bygg AS"}),
    ],
)  # fmt: skip
def test_what_newcomers_say_leads_to_the_right_tool(
    acting: Acting, login: str, said: list[str], tool: str, given: dict[str, object]
) -> None:
    entries: tuple[Entry, ...] = ()
    made: list[tuple[str, dict[str, object]]] = []
    for text in said:
        made, answer = ask(acting(login), text, entries)
        entries += (Entry("user", text), Entry("assistant", answer))
    assert made == [(tool, given)]


def test_a_mistyped_name_is_put_right_by_one_more_call(acting: Acting) -> None:
    made, answer = ask(acting("owner"), "What is the credit limit of Hanssen Elektroo?")
    assert made[-1][1] == {"customer": "Hansen Elektro AS"}
    assert len(made) == 2
    assert "Credit limit EUR: **" in answer


def test_a_mistyped_name_is_answered_with_the_nearest_ones(acting: Acting) -> None:
    _, answer = ask(acting("owner"), "unpaid invoices of Hannsen Elektro")
    assert "Hansen Elektro AS" in answer
