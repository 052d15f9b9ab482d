"""Setting how much a customer may owe."""

from __future__ import annotations

from decimal import Decimal

from django.db.models import Sum

from demo.wholesale.assistant.asking import CustomerName, euro
from demo.wholesale.assistant.writing import finding
from demo.wholesale.assistant.writing.finding import Euro
from demo.wholesale.models import Customer, Invoice
from deskhand.scope import Scope
from deskhand.tools import Change, Preview, ToolError, tool


def _changed(customer: str, limit_eur: Decimal) -> Customer:
    row = finding.customer(customer)
    if row.credit_limit == limit_eur:
        raise ToolError(f"The credit limit of {row.name} is {limit_eur} EUR already.")
    return row


@tool(permission="wholesale.change_credit_limit", writes=True, title="Credit limit")
def set_credit_limit(customer: CustomerName, limit_eur: Euro) -> None:
    """Sets, raises or lowers the credit limit of one customer, in euro."""
    row = _changed(customer, limit_eur)
    row.credit_limit = limit_eur
    row.save(update_fields=["credit_limit"])


@set_credit_limit.preview
def _limit_card(scope: Scope, customer: str, limit_eur: Decimal) -> Preview:
    row = _changed(customer, limit_eur)
    touches = []
    if scope.may("wholesale.view_invoice"):
        owed = euro(Invoice.objects.unpaid().filter(customer=row).aggregate(sum=Sum("balance"))["sum"])
        above = f", {owed - limit_eur} EUR above the new limit" if owed > limit_eur else ""
        touches.append(f"Unpaid at this moment: {owed} EUR{above}.")
    return Preview(
        title=f"Set the credit limit of {row.name}",
        verb="Set credit limit",
        target=row,
        changes=[Change("Credit limit (EUR)", row.credit_limit, limit_eur)],
        touches=touches,
        rows=[row],
    )
