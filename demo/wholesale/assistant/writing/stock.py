"""Putting a stock quantity right, with the reason kept."""

from __future__ import annotations

from typing import Annotated, Literal

from django.db.models import Sum
from django.utils import timezone
from pydantic import Field

from demo.wholesale.assistant.asking import ProductName
from demo.wholesale.assistant.writing import finding
from demo.wholesale.models import Stock, StockCorrection
from deskhand.scope import Scope
from deskhand.tools import Change, Preview, ToolError, tool

#: More than the column takes nobody can mean.
Quantity = Annotated[int, Field(ge=0, le=1_000_000)]


def _corrected(product: str, warehouse: str, quantity: int) -> Stock:
    wanted = finding.product(product)
    row = Stock.objects.select_related("product", "warehouse").filter(product=wanted, warehouse__name=warehouse).first()
    if row is None:
        raise ToolError(f"{wanted.name} has no place in {warehouse}.")
    if row.quantity == quantity:
        raise ToolError(f"The stock of {wanted.name} in {warehouse} is {quantity} already.")
    return row


@tool(permission="wholesale.change_stock", writes=True, title="Stock correction")
def correct_stock(
    scope: Scope,
    product: ProductName,
    warehouse: Literal["North", "Harbour", "South"],
    quantity: Quantity,
    reason: Literal["counted", "damaged", "lost", "found"],
) -> None:
    """Corrects the stock: sets how many of a product lie in a warehouse, for a reason."""
    row = _corrected(product, warehouse, quantity)
    StockCorrection.objects.create(
        stock=row,
        corrected_at=timezone.now(),
        corrected_by=scope.full_name,
        quantity_before=row.quantity,
        quantity_after=quantity,
        reason=reason,
    )
    row.quantity = quantity
    if reason == StockCorrection.Reason.COUNTED:
        row.counted_on = timezone.localdate()
    row.save(update_fields=["quantity", "counted_on"])


@correct_stock.preview
def _stock_card(product: str, warehouse: str, quantity: int, reason: str) -> Preview:
    row = _corrected(product, warehouse, quantity)
    changes = [
        Change(f"In stock in {warehouse}", row.quantity, quantity),
        Change("Reason", None, StockCorrection.Reason(reason).label),
    ]
    if reason == StockCorrection.Reason.COUNTED:
        changes.append(Change("Counted on", row.counted_on, timezone.localdate()))
    lying = row.product.stock.aggregate(sum=Sum("quantity"))["sum"] + quantity - row.quantity
    minimum = row.product.minimum_stock
    low = f", below the minimum of {minimum}" if lying < minimum else ""
    return Preview(
        title=f"Correct the stock of {row.product.name} in {warehouse}",
        verb="Correct stock",
        target=row,
        changes=changes,
        touches=[f"In all warehouses together it is then {lying} {row.product.unit}{low}."],
        rows=[row.product, *row.product.stock.order_by("pk")],
    )
