"""What the demo's tools answer, and to whom."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.db.models import Sum
from django.test import Client
from django.test.utils import CaptureQueriesContext

from demo.wholesale.assistant import about_the_page, customers, money, orders, sales, stock, vocabulary, writing
from demo.wholesale.models import Customer, Invoice, Order, Payment, Product, Return, Stock
from demo.wholesale.seed.password import PASSWORD
from deskhand.core.values import Outcome
from deskhand.tools import LockedRows, ToolError, registry, run

Acting = Callable[[str], Any]
#: Arguments for the tools that can't do without.
NEEDED = {
    "show_order": {"number": "A-1042"},
    "show_invoice": {"number": "INV-5001"},
    "customer_overview": {"customer": "Hansen"},
    "customer_notes": {"customer": "Hansen"},
}


def test_every_tool_names_a_permission_that_exists() -> None:
    for tool in registry().all():
        app, _, codename = tool.permission.partition(".")
        assert Permission.objects.filter(content_type__app_label=app, codename=codename).exists(), tool.name


def test_every_tool_answers_the_owner_in_a_handful_of_statements(acting: Acting) -> None:
    scope = acting("owner")
    for tool in registry().all():
        if tool.writes:
            continue
        with CaptureQueriesContext(connection) as asked:
            result = run(tool, NEEDED.get(tool.name, {}), scope, inline=True)
        assert result.outcome is Outcome.OK, tool.name
        assert len(json.loads(result.text)) > 0, tool.name
        assert len(asked) <= 12, tool.name


def test_a_clerk_is_never_offered_what_is_about_money(acting: Acting) -> None:
    offered = {tool.name for tool in registry().offered(acting("clerk"))}
    assert {"search_orders", "low_stock", "find_customers", "customer_overview"} <= offered
    assert not offered & {
        "search_invoices",
        "unpaid_invoices",
        "overdue_invoices",
        "show_invoice",
        "customers_who_owe",
        "search_payments",
        "sales_by_month",
        "best_selling_products",
        "best_customers",
    }


def test_an_accountant_is_offered_all_that_reads(acting: Acting) -> None:
    offered = registry().offered(acting("accountant"))
    assert {tool for tool in registry().all() if not tool.writes} <= set(offered)


@pytest.mark.parametrize(
    ("login", "writing"),
    [
        ("clerk", {"change_order_status", "deliver_shipped_orders", "create_return", "correct_stock", "add_note"}),
        ("accountant", {"set_credit_limit", "set_payment_days", "book_payment", "send_payment_reminder", "add_note"}),
    ],
)
def test_each_may_propose_what_is_their_work_and_never_more(acting: Acting, login: str, writing: set[str]) -> None:
    assert {tool.name for tool in registry().offered(acting(login)) if tool.writes} == writing


def test_every_writing_tool_has_a_card_of_its_own() -> None:
    assert [tool.name for tool in registry().all() if tool.writes and tool.previewer is None] == []


def test_a_clerk_never_reads_a_credit_limit_an_unpaid_sum_or_a_total(acting: Acting) -> None:
    one = customers.customer_overview(acting("clerk"), "Hansen Bygg AS")
    assert one["not_shown_to_you"] == "credit limit, unpaid sum"
    assert not {"credit_limit_eur", "unpaid_eur"} & set(one)
    assert "total_eur" not in orders.search_orders(acting("clerk"))
    assert not {"invoice", "unpaid_eur"} & set(orders.show_order(acting("clerk"), "A-1042"))
    assert customers.customer_overview(acting("accountant"), "Hansen Bygg AS")["credit_limit_eur"] > 0


def test_counts_and_sums_cover_the_rows_that_the_limit_leaves_out(acting: Acting) -> None:
    answer = orders.search_orders(acting("owner"), limit=3)
    assert len(answer["orders"]) == 3
    assert answer["count"] == Order.objects.count()
    assert answer["total_eur"] == Order.objects.aggregate(sum=Sum("total"))["sum"]


def test_a_limit_never_gives_more_rows_than_allowed(acting: Acting) -> None:
    assert len(orders.search_orders(acting("owner"), limit=10_000)["orders"]) == 50
    assert len(orders.search_orders(acting("owner"), limit=-1)["orders"]) == 1


def test_open_orders_are_those_that_were_not_sent_yet(acting: Acting) -> None:
    answer = orders.search_orders(acting("owner"), status="open", limit=50)
    assert {row["status"] for row in answer["orders"]} <= {"Draft", "Confirmed", "Packed"}
    assert answer["count"] == Order.objects.filter(status__in=["draft", "confirmed", "packed"]).count()


def test_both_days_of_a_range_are_included(acting: Acting) -> None:
    day = Order.objects.order_by("ordered_on").values_list("ordered_on", flat=True)[100]
    answer = orders.search_orders(acting("owner"), since=day, until=day)
    assert answer["count"] == Order.objects.filter(ordered_on=day).count() > 0


@pytest.mark.parametrize("number", ["A-1042", "a-1042", " 1042 "])
def test_an_order_is_found_however_its_number_is_written(acting: Acting, number: str) -> None:
    order = orders.show_order(acting("owner"), number)
    assert order["order"] == "A-1042"
    assert sum(line["amount_eur"] for line in order["lines"]) == order["amount_eur"]


def test_a_number_that_no_order_has_is_said() -> None:
    with pytest.raises(ToolError, match="no order"):
        orders.show_order(None, "A-1")


def test_an_invoice_stays_unpaid_until_its_last_cent_is_paid(today: datetime.date) -> None:
    """Three parts of 33.33, 33.33 and 33.34: floating point must not leave a rest."""
    order = Order.objects.filter(invoice__isnull=True).first()
    made = Invoice.objects.create(
        number="INV-1", order=order, customer=order.customer, invoiced_on=today, due_on=today, total=Decimal("100.00")
    )
    for amount in ("33.33", "33.33"):
        Payment.objects.create(invoice=made, paid_on=today, amount=Decimal(amount))
    assert money.show_invoice("INV-1")["unpaid_eur"] == Decimal("33.34")
    assert Invoice.objects.unpaid().filter(pk=made.pk).exists()
    Payment.objects.create(invoice=made, paid_on=today, amount=Decimal("33.34"))
    assert money.show_invoice("INV-1")["is_paid"] is True
    assert not Invoice.objects.unpaid().filter(pk=made.pk).exists()


def test_what_all_customers_owe_is_what_all_unpaid_invoices_come_to() -> None:
    owed, unpaid = money.customers_who_owe(), money.unpaid_invoices()
    assert (
        owed["unpaid_eur"]
        == unpaid["unpaid_eur"]
        == sum(row["unpaid_eur"] for row in money.customers_who_owe(limit=50)["customers"])
    )
    debts = [row["unpaid_eur"] for row in owed["customers"]]
    assert debts == sorted(debts, reverse=True)


def test_overdue_invoices_are_at_least_so_many_days_late() -> None:
    answer = money.overdue_invoices(days=20, limit=50)
    assert answer["invoices"]
    assert min(row["days_overdue"] for row in answer["invoices"]) >= 20


def test_sales_leave_cancelled_orders_out_and_months_add_up(today: datetime.date) -> None:
    answer = sales.sales_by_month(since=datetime.date(2025, 1, 1), until=today)
    kept = Order.objects.exclude(status="cancelled").filter(ordered_on__gte="2025-01-01")
    assert answer["total_eur"] == kept.aggregate(sum=Sum("total"))["sum"] == sum(row["sales_eur"] for row in answer["months"])
    assert answer["orders"] == kept.count()


def test_without_dates_sales_are_those_of_twelve_months() -> None:
    months = [row["month"] for row in sales.sales_by_month()["months"]]
    assert (months[0], months[-1], len(months)) == ("2025-04", "2026-03", 12)


def test_low_stock_is_counted_over_all_warehouses() -> None:
    product = Product.objects.first()
    Stock.objects.filter(product=product).update(quantity=0)
    Product.objects.filter(pk=product.pk).update(minimum_stock=3)
    Stock.objects.filter(product=product, warehouse__name="North").update(quantity=2)
    (row,) = [row for row in stock.low_stock(limit=50)["products"] if row["number"] == product.number]
    assert (row["in_stock"], row["missing"]) == (2, 1)
    Stock.objects.filter(product=product, warehouse__name="South").update(quantity=1)
    assert product.number not in [row["number"] for row in stock.low_stock(limit=50)["products"]]


def test_open_returns_are_neither_credited_nor_refused() -> None:
    assert orders.search_returns(status="open")["count"] == Return.objects.exclude(status__in=["credited", "refused"]).count()


def test_a_customer_search_finds_names_that_are_spelled_alike() -> None:
    names = [row["name"] for row in customers.find_customers("Hanson")["customers"]]
    assert names[0].startswith(("Hansson", "Hansen"))
    assert {"Hansen Bygg AS", "Hansson Bygg AB"} <= set(names)


def test_the_open_page_is_named_to_who_may_see_it_and_never_to_another(acting: Acting) -> None:
    """``PR8``: the host asks the scope for what it names."""
    invoice, customer = Invoice.objects.first(), Customer.objects.get(name="Hansen Bygg AS")
    page = f"/admin/wholesale/customer/{customer.pk}/change/"
    assert about_the_page(page, acting("clerk")) == f"customer Hansen Bygg AS ({customer.number})"
    page = f"/admin/wholesale/invoice/{invoice.pk}/change/"
    assert about_the_page(page, acting("accountant")) == f"invoice {invoice.number}"
    assert about_the_page(page, acting("clerk")) is None
    for other in ("/admin/", "/nowhere/", "/admin/wholesale/customer/999999/change/", "/admin/wholesale/customer/x/change/"):
        assert about_the_page(other, acting("owner")) is None


def test_the_vocabulary_explains_the_words_and_the_numbers() -> None:
    for word in ("A-0000", "overdue", "open", "euro"):
        assert word in vocabulary()


@pytest.mark.parametrize(("login", "is_there"), [("clerk", False), ("accountant", True)])
def test_the_customers_page_shows_the_credit_limit_only_to_who_may_see_it(login: str, is_there: bool) -> None:
    client = Client()
    assert client.login(username=login, password=PASSWORD)
    customer = Customer.objects.first()
    page = client.get(f"/admin/wholesale/customer/{customer.pk}/change/")
    assert page.status_code == 200
    assert (b"credit_limit" in page.content) is is_there


@pytest.mark.parametrize("table", ["customer", "product", "stock", "order", "invoice", "payment", "return", "note"])
def test_every_list_of_the_admin_opens_for_the_owner(table: str) -> None:
    client = Client()
    client.login(username="owner", password=PASSWORD)
    page = client.get(f"/admin/wholesale/{table}/")
    assert page.status_code == 200
    assert b"deskhand" in page.content


def test_who_never_ordered_is_among_those_who_have_not_ordered_for_long(today: datetime.date) -> None:
    silent = Customer.objects.create(number="C-9", name="Never Ordered Ltd", country="Norway", customer_since=today)
    day = today - datetime.timedelta(days=60)
    answer = customers.customers_without_orders(since=day, limit=50)
    ordered = Order.objects.filter(ordered_on__gte=day).values("customer")
    assert answer["count"] == Customer.objects.exclude(pk__in=ordered).count()
    assert (silent.number, None) in [(row["number"], row["last_order"]) for row in answer["customers"]]


def test_reasons_for_returns_are_grouped_and_the_most_common_comes_first() -> None:
    answer = orders.returns_by_reason()
    counts = [row["returns"] for row in answer["reasons"]]
    assert sum(counts) == answer["total_returns"] == Return.objects.count()
    assert counts == sorted(counts, reverse=True)
    assert {row["reason"] for row in answer["reasons"]} <= {"Damaged", "Wrong item", "Too many", "Defective", "Came too late"}


@pytest.mark.parametrize("read", [money.unpaid_invoices, money.customers_who_owe, customers.find_customers, stock.find_products])
def test_all_rows_can_be_reached_page_by_page_and_none_comes_twice(read: Callable[..., dict[str, Any]]) -> None:
    count = read(limit=7)["count"]
    key = next(name for name, value in read(limit=1).items() if isinstance(value, list))
    seen = [tuple(row.items()) for page in range(1, count // 7 + 2) for row in read(limit=7, page=page)[key]]
    assert len(seen) == len(set(seen)) == count > 7
    assert read(limit=7, page=count)[key] == []


def test_debts_of_one_country_are_those_of_its_customers() -> None:
    owed = Invoice.objects.unpaid().filter(customer__country="Germany").aggregate(sum=Sum("balance"))["sum"]
    for read in (money.unpaid_invoices, money.customers_who_owe):
        assert read(country="Germany")["unpaid_eur"] == owed
    assert money.overdue_invoices(country="Germany")["unpaid_eur"] <= owed


def test_a_batch_changes_the_rows_that_it_is_handed_and_no_other() -> None:
    shown, other = Product.objects.filter(category="Lighting")[:2]
    locked = LockedRows([("wholesale.product", str(shown.pk))])
    assert [each.title for each in writing.prices.raise_prices(locked, "Lighting", Decimal(10))] == [str(shown)]
    assert Product.objects.get(pk=other.pk).price == other.price
    one, *_ = Order.objects.filter(status="shipped")
    locked = LockedRows([("wholesale.order", str(one.pk))])
    before = Order.objects.filter(status="delivered").count()
    writing.statuses.deliver_shipped_orders(locked, one.ordered_on)
    assert Order.objects.filter(status="delivered").count() == before + 1
