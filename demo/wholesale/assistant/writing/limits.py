"""Setting how much a customer may owe, and how long it has to pay."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from django.db.models import Sum
from pydantic import Field

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


@tool(permission="wholesale.change_credit_limit", writes=True, title="Payment days")
def set_payment_days(customer: CustomerName, days: Annotated[int, Field(ge=0, le=180)]) -> None:
    """Sets the payment days (terms) of one customer: within how many days its invoices are to be paid."""
    row = finding.customer(customer)
    row.payment_days = days
    row.save(update_fields=["payment_days"])


@set_payment_days.preview
def _days_card(customer: str, days: int) -> Preview:
    row = finding.customer(customer)
    if row.payment_days == days:
        raise ToolError(f"The payment days of {row.name} are {days} already.")
    changes = [Change("Payment days", row.payment_days, days)]
    touches = ["Invoices that were made before keep their due dates."]
    return Preview(
        title=f"Set the payment days of {row.name}",
        verb="Set payment days",
        target=row,
        changes=changes,
        touches=touches,
        rows=[row],
    )
