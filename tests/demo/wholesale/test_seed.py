"""The invented rows look like a trade."""

from __future__ import annotations

import datetime
import unicodedata
from decimal import Decimal

from django.contrib.auth import get_user_model
from django.db.models import Count, F, Sum

from demo.wholesale.models import Customer, Invoice, Order, OrderLine, Payment, Product, Return
from demo.wholesale.seed import fill


def _print() -> list[object]:
    return [
        list(table.objects.order_by("number").values_list("number", flat=True)) for table in (Customer, Order, Invoice, Return)
    ] + [
        list(Order.objects.order_by("number").values_list("customer__name", "total")),
        Payment.objects.aggregate(sum=Sum("amount")),
    ]


def test_the_same_day_gives_the_same_rows(today: datetime.date) -> None:
    before = _print()
    fill.empty()
    fill.fill(today, orders=900, customers=120)
    assert _print() == before


def test_an_orders_total_is_the_sum_of_its_lines() -> None:
    for order in Order.objects.annotate(sum=Sum("lines__amount")):
        assert order.total == round(order.sum, 2)


def test_nothing_lies_in_the_future_and_nobody_pays_more_than_the_invoice_asks(today: datetime.date) -> None:
    assert not Order.objects.filter(ordered_on__gt=today).exists()
    assert not Invoice.objects.filter(invoiced_on__gt=today).exists()
    assert not Payment.objects.filter(paid_on__gt=today).exists()
    assert not Invoice.objects.with_balance().filter(balance__lt=Decimal("-0.005")).exists()


def test_most_invoices_are_paid_some_are_open_and_some_of_those_are_late(today: datetime.date) -> None:
    every, unpaid, late = Invoice.objects.count(), Invoice.objects.unpaid().count(), Invoice.objects.overdue(today).count()
    assert 0 < late < unpaid < every / 3


def test_a_few_products_make_much_of_the_trade() -> None:
    counted = OrderLine.objects.values("product").annotate(times=Count("pk")).order_by("-times")
    times = [row["times"] for row in counted]
    assert sum(times[:5]) > sum(times) / 6


def test_some_products_are_below_their_minimum_and_most_are_not() -> None:
    products = Product.objects.annotate(lying=Sum("stock__quantity"))
    assert 0 < products.filter(lying__lt=F("minimum_stock")).count() < products.count() / 2


def test_the_names_are_different_and_come_in_several_scripts() -> None:
    names = list(Customer.objects.values_list("name", flat=True))
    assert len(set(names)) == len(names)
    scripts = {unicodedata.name(letter).split()[0] for name in names for letter in name if letter.isalpha()}
    assert {"LATIN", "CYRILLIC", "GREEK", "CJK", "ARABIC", "HEBREW"} <= scripts
    assert {"ø", "ü", "õ"} <= set("".join(names))
    assert sum("Hansen" in name for name in names) >= 3


def test_a_clerk_sees_no_money_and_an_accountant_changes_no_stock() -> None:
    clerk = get_user_model().objects.get(username="clerk")
    accountant = get_user_model().objects.get(username="accountant")
    for right in ("view_invoice", "view_payment", "view_credit_limit", "view_sales"):
        assert not clerk.has_perm(f"wholesale.{right}")
        assert accountant.has_perm(f"wholesale.{right}")
    assert clerk.has_perm("wholesale.change_stock")
    assert not accountant.has_perm("wholesale.change_stock")
    assert clerk.has_perm("deskhand.use_assistant")
    assert accountant.has_perm("deskhand.use_assistant")
