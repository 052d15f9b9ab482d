"""Moving an order on: one at a time by its number, or all that lie at one customer's for long."""

from __future__ import annotations

import datetime
from typing import Literal

from django.utils import timezone

from demo.wholesale.assistant.asking import CustomerName, euro
from demo.wholesale.assistant.writing import finding
from demo.wholesale.assistant.writing.finding import OrderNumber
from demo.wholesale.models import Invoice, Order
from deskhand.tools import Change, Done, Item, LockedRows, Preview, ToolError, tool

NewStatus = Literal["confirmed", "packed", "shipped", "delivered", "cancelled"]
#: What the button says.
_VERBS = {
    "confirmed": "Confirm order",
    "packed": "Mark as packed",
    "shipped": "Mark as shipped",
    "delivered": "Mark as delivered",
    "cancelled": "Cancel order",
}


def _movable(number: str, status: str) -> Order:
    order = finding.order(number)
    allowed = Order.NEXT[order.status]
    if order.status == status:
        raise ToolError(f"Order {order.number} is {status} already.")
    if status not in allowed:
        can = f"It can become {' or '.join(allowed)}." if allowed else "It stays as it is."
        raise ToolError(f"Order {order.number} is {order.status} and can't become {status}. {can}")
    return order


@tool(permission="wholesale.change_order", writes=True, title="Order status")
def change_order_status(order: OrderNumber, status: NewStatus) -> None:
    """Changes the status of one order: confirms, packs, ships, delivers or cancels it. A shipped order gets its invoice."""
    row = _movable(order, status)
    row.status = status
    row.save(update_fields=["status"])
    if status == Order.Status.SHIPPED and not Invoice.objects.filter(order=row).exists():
        today = timezone.localdate()
        Invoice.objects.create(
            number=finding.next_number(Invoice, "INV"),
            order=row,
            customer=row.customer,
            invoiced_on=today,
            due_on=today + datetime.timedelta(days=row.customer.payment_days),
            total=row.total,
        )


@change_order_status.preview
def _status_card(order: str, status: str) -> Preview:
    row = _movable(order, status)
    touches = []
    if status == Order.Status.SHIPPED and not Invoice.objects.filter(order=row).exists():
        due = timezone.localdate() + datetime.timedelta(days=row.customer.payment_days)
        touches.append(f"An invoice of {euro(row.total)} EUR is made, due on {due}.")
    if status == Order.Status.CANCELLED:
        touches.append(f"{row.lines.count()} order lines over {euro(row.total)} EUR will not be sent.")
    return Preview(
        title=f"{_VERBS[status]} {row.number} of {row.customer.name}" if status in {"confirmed", "cancelled"} else
        f"Mark order {row.number} of {row.customer.name} as {status}",
        verb=_VERBS[status],
        target=row,
        changes=[Change("Status", row.get_status_display(), Order.Status(status).label)],
        touches=touches,
        rows=[row.customer, row, *row.lines.order_by("pk")],
    )  # fmt: skip


def _arrived(until: datetime.date, customer: str | None) -> list[Order]:
    orders = Order.objects.filter(status=Order.Status.SHIPPED, ordered_on__lte=until).select_related("customer")
    if customer:
        orders = orders.filter(customer=finding.customer(customer))
    found = list(orders.order_by("pk"))
    if not found:
        raise ToolError("There are no shipped orders up to that day.")
    return found


@tool(permission="wholesale.change_order", writes=True, title="Deliver shipped orders", rows=100)
def deliver_shipped_orders(locked: LockedRows, until: datetime.date, customer: CustomerName | None = None) -> list[Done]:
    """Marks all shipped orders that were ordered until a day (included) as delivered, which closes them, of all customers or of one."""
    orders = locked.of(Order)
    done = [Done(order.number, True, "delivered") for order in orders.order_by("pk")]
    orders.update(status=Order.Status.DELIVERED)
    return done


@deliver_shipped_orders.preview
def _delivered_card(until: datetime.date, customer: str | None) -> Preview:
    orders = _arrived(until, customer)
    of_whom = f" of {orders[0].customer.name}" if customer else ""
    return Preview(
        title=f"Mark {len(orders)} shipped orders{of_whom} ordered until {until} as delivered",
        verb=f"Mark {len(orders)} as delivered",
        items=[
            Item(
                f"{order.number}, {order.customer.name}, {order.ordered_on}",
                [Change("Status", order.get_status_display(), Order.Status.DELIVERED.label)],
            )
            for order in orders
        ],
        rows=orders,
    )
