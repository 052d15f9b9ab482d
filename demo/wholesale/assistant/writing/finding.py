"""What the writing tools have in common: finding the one row that is meant, amounts of money, and the next free number."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, TypeVar

from django.db import models
from pydantic import AfterValidator, Field

from demo.wholesale import lookup
from demo.wholesale.assistant.asking import euro, numbers
from demo.wholesale.models import Customer, Invoice, Order, Product
from deskhand.tools import ToolError

Named = TypeVar("Named", Customer, Product)
OrderNumber = Annotated[str, Field(description="The order's number, of the form A-0000", max_length=20)]
InvoiceNumber = Annotated[str, Field(description="The invoice's number, of the form INV-0000", max_length=20)]
#: Euro with two decimals: the argument is stored, shown and used in this one form.
Euro = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=2), AfterValidator(euro)]


def order(asked: str) -> Order:
    """The order of that number, with its customer and warehouse; ``ToolError`` if there is none."""
    found = Order.objects.select_related("customer", "warehouse").filter(number__in=numbers("A", asked)).first()
    if found is None:
        raise ToolError("There is no order with that number.")
    return found


def invoice(asked: str) -> Invoice:
    """The invoice of that number, with ``paid``, ``balance`` and its customer; ``ToolError`` if there is none."""
    found = Invoice.objects.with_balance().select_related("customer").filter(number__in=numbers("INV", asked)).first()
    if found is None:
        raise ToolError("There is no invoice with that number.")
    return found


def customer(asked: str) -> Customer:
    """The one customer of that number or name; ``ToolError`` if there is none, or more than one."""
    return _one(Customer.objects.all(), asked, "customer")


def product(asked: str, among: models.QuerySet[Product] | None = None) -> Product:
    """The one product of that number or name; ``ToolError`` if there is none, or more than one."""
    return _one(Product.objects.filter(is_active=True) if among is None else among, asked, "product")


def _one(rows: models.QuerySet[Named], asked: str, kind: str) -> Named:
    found = list(rows.filter(pk__in=lookup.matching(rows, asked, kind)).order_by("name")[:7])
    if len(found) > 1:
        raise ToolError(f"More than one {kind} has that name: {', '.join(map(str, found[:6]))}. Say which one is meant.")
    return found[0]


def next_number(table: type[models.Model], prefix: str) -> str:
    """The number after the highest; two clicks at once can't both keep it, for numbers are unique."""
    taken = table._default_manager.filter(number__startswith=f"{prefix}-").values_list("number", flat=True)
    highest = max((int(number.rpartition("-")[2]) for number in taken if number.rpartition("-")[2].isdecimal()), default=0)
    return f"{prefix}-{highest + 1}"
