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


def ask(scope: Any, question: str) -> tuple[list[tuple[str, dict[str, object]]], str]:
    """The calls that it made, and its answer."""
    tools = registry().offered(scope)
    rounds: tuple[Round, ...] = ()
    made: list[tuple[str, dict[str, object]]] = []
    while True:
        request = ModelRequest("date: 2026-03-18 (UTC)", (Entry("user", question),), rounds, tuple(tool.spec for tool in tools))
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
    assert "None of the tools" in answer


def test_a_clerk_is_told_what_was_kept_from_them(acting: Acting) -> None:
    made, answer = ask(acting("clerk"), "What is the credit limit of Hansen Bygg AS?")
    assert made == [("customer_overview", {"customer": "Hansen Bygg AS"})]
    assert "Not shown to you:** credit limit, unpaid sum" in answer


def test_a_mistyped_name_is_answered_with_the_nearest_ones(acting: Acting) -> None:
    _, answer = ask(acting("owner"), "unpaid invoices of Hannsen Elektro")
    assert "Hansen Elektro AS" in answer
