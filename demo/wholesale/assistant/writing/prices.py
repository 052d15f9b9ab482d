"""Raising the prices of a whole category at once."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated

from pydantic import Field

from demo.wholesale.assistant.asking import Category
from demo.wholesale.models import Product
from deskhand.tools import Change, Done, Item, LockedRows, Preview, ToolError, tool

Percent = Annotated[Decimal, Field(gt=0, le=25, decimal_places=2, description="How much more, in percent of today's price")]
CENT = Decimal("0.01")


def _higher(price: Decimal, percent: Decimal) -> Decimal:
    return (price * (1 + percent / 100)).quantize(CENT, ROUND_HALF_UP)


def _raised(category: str, percent: Decimal) -> list[tuple[Product, Decimal]]:
    """The category's products with their new prices; those that would not change by a cent are left out."""
    found = []
    for product in Product.objects.filter(category=category, is_active=True).order_by("pk"):
        price = _higher(product.price, percent)
        if price != product.price:
            found.append((product, price))
    if not found:
        raise ToolError("No price in this category would change.")
    return found


@tool(permission="wholesale.change_product", writes=True, title="Raise prices", rows=60)
def raise_prices(locked: LockedRows, category: Category, percent: Percent) -> list[Done]:
    """Raises the list prices of all products of one category by a percentage."""
    done = []
    for product in locked.of(Product).order_by("pk"):
        product.price = _higher(product.price, percent)
        product.save(update_fields=["price"])
        done.append(Done(str(product), True, f"{product.price} EUR"))
    return done


@raise_prices.preview
def _prices_card(category: str, percent: Decimal) -> Preview:
    raised = _raised(category, percent)
    return Preview(
        title=f"Raise the prices of {len(raised)} products in {category} by {percent} percent",
        verb=f"Raise {len(raised)} prices",
        items=[Item(str(product), [Change("Price (EUR)", product.price, price)]) for product, price in raised],
        touches=["Orders that were made before keep their prices."],
        rows=[product for product, _ in raised],
    )
