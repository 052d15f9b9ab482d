"""What the tools have in common: limits, dates, names and money."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Annotated, Literal

from django.db.models import Q
from pydantic import Field

from demo.wholesale import lookup
from demo.wholesale.models import Customer

Category = Literal["Cables", "Lighting", "Electrical", "Pipes", "Bathroom", "Fasteners", "Tools", "Paint", "Insulation", "Safety"]
Country = Literal[
    "Bulgaria",
    "China",
    "Czechia",
    "Estonia",
    "France",
    "Germany",
    "Greece",
    "Israel",
    "Japan",
    "Norway",
    "Poland",
    "Sweden",
    "Turkey",
    "United Arab Emirates",
    "United Kingdom",
]
#: How rows are sorted.
Sorting = Literal["newest", "largest"]
#: How a tool takes a customer, an order or a product: the description is part of the schema that the model reads.
CustomerName = Annotated[
    str, Field(description="The customer's name or a part of it, as the person wrote it; or the number, of the form C-0000")
]
ProductName = Annotated[
    str, Field(description="The product's name or a part of it, as the person wrote it; or the number, of the form P-0000")
]
Rows = list[dict[str, object]]
#: The most rows that a tool gives, whatever limit it is called with.
MOST_ROWS = 50
MOST_PAGES = 10_000


def euro(amount: Decimal | None) -> Decimal:
    """The amount with two decimals; none is nothing."""
    return (amount or Decimal(0)).quantize(Decimal("0.01"))


def customers_named(asked: str) -> list[int]:
    """Primary keys of the customers of that number or name; ``ToolError`` with similar names if there are none."""
    return lookup.matching(Customer.objects.all(), asked, "customer")


def between(field: str, since: datetime.date | None, until: datetime.date | None) -> Q:
    """Rows from ``since`` to ``until``, both days included; ``None`` leaves that end open."""
    condition = Q()
    if since:
        condition &= Q(**{f"{field}__gte": since})
    if until:
        condition &= Q(**{f"{field}__lte": until})
    return condition


def numbers(prefix: str, asked: str) -> list[str]:
    """The stored numbers that may be meant: ``"a-1042"`` and ``"1042"`` both mean A-1042."""
    asked = asked.strip().upper()
    return [asked, f"{prefix}-{asked}"]


def rows_of(limit: int, page: int = 1) -> slice:
    """Which rows to give: the model's wish within what is allowed. Page 2 begins where page 1 ended, so the
    rows need an order that leaves no two alike."""
    count = max(1, min(limit, MOST_ROWS))
    first = (max(1, min(page, MOST_PAGES)) - 1) * count
    return slice(first, first + count)
