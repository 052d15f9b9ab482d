"""The tools of the test shop."""

from __future__ import annotations

import os
from decimal import Decimal

from django.db.models import F, QuerySet

from deskhand.scope import Scope
from deskhand.tools import Change, Done, IdempotencyKey, Item, Preview, ToolError, tool
from tests.shop.models import Customer, Order
from tests.shop.odd import *  # noqa: F403


@tool(permission="shop.view_order", reads=True)
def find_orders(status: str = "open") -> QuerySet[Order]:
    """Orders with this status, newest first."""
    return Order.objects.filter(status=status).order_by("-id")


@tool(permission="shop.view_order", reads=True, title="Order")
def read_order(number: str, scope: Scope) -> dict[str, object]:
    """One order by its number, and whose it is."""
    order = Order.objects.select_related("customer").filter(number=number).first()
    if order is None:
        raise ToolError("There is no order with that number.")
    told: dict[str, object] = {"number": order.number, "status": order.status, "note": order.note, "total": order.total}
    if scope.may("shop.view_customer"):
        told["customer"] = order.customer.name
    return told


@tool(permission="shop.view_customer", reads=True)
async def count_customers() -> str:
    """How many customers there are."""
    return f"{await Customer.objects.acount()} customers"


@tool(permission="shop.change_order")
def cancel_order(number: str) -> str:
    """Cancels an order."""
    Order.objects.filter(number=number).update(status="cancelled")
    return "cancelled"


@tool(permission="shop.change_customer", writes=True, title="Set credit limit")
def set_credit_limit(customer: int, limit: Decimal) -> None:
    """Sets a customer's credit limit."""
    row = Customer.objects.get(pk=customer)
    row.credit_limit = limit
    row.full_clean()
    row.save(update_fields=["credit_limit"])


@set_credit_limit.preview
def _credit_limit_card(customer: int, limit: Decimal) -> Preview:
    row = Customer.objects.filter(pk=customer).first()
    if row is None:
        raise ToolError("There is no such customer.")
    return Preview(
        title=f"Set the credit limit of {row.name}",
        verb="Set limit",
        target=row,
        changes=[Change("Credit limit", row.credit_limit, limit)],
        rows=[row],
    )


@tool(permission="shop.change_customer", writes=True, title="Raise credit limit")
def raise_limit(customer: int, by: Decimal) -> None:
    """Raises a customer's credit limit by this much. Done twice, it shows."""
    Customer.objects.filter(pk=customer).update(credit_limit=F("credit_limit") + by)


@raise_limit.preview
def _raise_card(customer: int, by: Decimal) -> Preview:
    row = Customer.objects.get(pk=customer)
    return Preview(
        title=f"Raise the credit limit of {row.name}",
        target=row,
        changes=[Change("Credit limit", row.credit_limit, row.credit_limit + by)],
        rows=[row],
    )


@tool(permission="shop.change_order", writes=True, outside=True)
def send_reminder(number: str, key: IdempotencyKey) -> None:
    """Sends the customer of an order a reminder."""
    path = os.environ.get("DESKHAND_TEST_OUTBOX")
    if number == "broken":
        raise ConnectionError("after or before, nobody knows")
    if path:
        with open(path, "a", encoding="utf-8") as outbox:
            outbox.write(f"{key} {number}\n")


@tool(permission="shop.change_order", writes=True, rows=5)
def close_orders(numbers: list[str]) -> list[Done]:
    """Closes several orders."""
    done = []
    for number in numbers:
        found = Order.objects.filter(number=number, status="open").update(status="closed")
        done.append(Done(number, bool(found), "" if found else "was not open"))
    return done


@close_orders.preview
def _close_card(numbers: list[str]) -> Preview:
    rows = list(Order.objects.filter(number__in=numbers).order_by("pk"))
    return Preview(
        title=f"Close {len(rows)} orders",
        items=[Item(row.number, [Change("Status", row.status, "closed")]) for row in rows],
        rows=rows,
    )
