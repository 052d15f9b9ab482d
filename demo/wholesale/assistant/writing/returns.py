"""Taking goods back: a return for one line of an order."""

from __future__ import annotations

from typing import Annotated, Literal

from django.db.models import Sum
from django.utils import timezone
from pydantic import Field

from demo.wholesale.assistant.asking import ProductName, euro
from demo.wholesale.assistant.writing import finding
from demo.wholesale.assistant.writing.finding import OrderNumber
from demo.wholesale.models import Order, OrderLine, Product, Return
from deskhand.tools import Change, Preview, ToolError, tool


def _returnable(order: str, product: str, quantity: int) -> tuple[OrderLine, int]:
    """The order's line of that product, and how many of it came back before."""
    row = finding.order(order)
    if row.status not in {Order.Status.SHIPPED, Order.Status.DELIVERED}:
        raise ToolError(f"Order {row.number} is {row.status}: nothing was sent that could come back.")
    wanted = finding.product(product, Product.objects.filter(order_lines__order=row).distinct())
    line = row.lines.select_related("product").filter(product=wanted).order_by("pk")[0]
    back = Return.objects.filter(order=row, product=wanted).exclude(status=Return.Status.REFUSED)
    before = back.aggregate(sum=Sum("quantity"))["sum"] or 0
    if before + quantity > line.quantity:
        raise ToolError(
            f"Order {row.number} has {line.quantity} × {wanted.name}, of which {before} came back before: "
            f"{quantity} can't come back."
        )
    return line, before


@tool(permission="wholesale.add_return", writes=True, title="New return")
def create_return(
    order: OrderNumber,
    product: ProductName,
    quantity: Annotated[int, Field(ge=1, le=100_000)],
    reason: Literal["damaged", "wrong_item", "too_many", "defective", "late"],
) -> None:
    """Creates a return: takes goods back from a customer, so many of one product of a shipped order, for a reason."""
    line, _ = _returnable(order, product, quantity)
    Return.objects.create(
        number=finding.next_number(Return, "RT"),
        order=line.order,
        product=line.product,
        returned_on=timezone.localdate(),
        quantity=quantity,
        reason=reason,
    )


@create_return.preview
def _return_card(order: str, product: str, quantity: int, reason: str) -> Preview:
    line, before = _returnable(order, product, quantity)
    row = line.order
    return Preview(
        title=f"Take back {quantity} × {line.product.name} from order {row.number} of {row.customer.name}",
        verb="Create return",
        target=row,
        changes=[
            Change(f"Returned of {line.quantity}", before, before + quantity),
            Change("Reason", None, Return.Reason(reason).label),
            Change("Status of the return", None, Return.Status.ANNOUNCED.label),
        ],
        touches=[f"Worth {euro(line.unit_price * quantity)} EUR. Nothing is credited yet, and no stock is changed."],
        rows=[row.customer, line.product, row, line, *row.returns.order_by("pk")],
    )
