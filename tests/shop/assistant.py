"""The tools of the test shop."""

from __future__ import annotations

from django.db.models import QuerySet

from deskhand.scope import Scope
from deskhand.tools import ToolError, tool
from tests.shop.models import Customer, Order


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
