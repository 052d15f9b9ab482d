"""What the assistant is told of this house: its words, and the page that is open."""

from __future__ import annotations

from django.urls import Resolver404, resolve

from demo.wholesale.models import Customer, Invoice, Order, Product
from deskhand.scope import Scope


def vocabulary() -> str:
    """The words of this house, for the system prompt."""
    return (
        "Words used here: order numbers are of the form A-0000, invoices INV-0000, customers C-0000, products P-0000, returns "
        "RT-000. An order is draft, confirmed, packed, shipped, delivered or cancelled; open means draft, confirmed or packed. An "
        "invoice is unpaid as long as its payments are less than its total, and overdue once its due date is past as well. Sales are the "
        "totals of orders that were not cancelled, by order date. All amounts are in euro. Answer in the user's language."
    )


def about_the_page(path: str, scope: Scope) -> str | None:
    """Names the customer, order, product or invoice whose admin page is open, if the user may see it."""
    try:
        match = resolve(path)
    except Resolver404:
        return None
    for table in (Customer, Order, Product, Invoice):
        kind = table._meta.model_name
        if match.url_name == f"wholesale_{kind}_change" and scope.may(f"wholesale.view_{kind}"):
            key = match.kwargs["object_id"]
            row = table._default_manager.filter(pk=key).first() if key.isdecimal() else None
            return f"{kind} {row}" if row else None
    return None
