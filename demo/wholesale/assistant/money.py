"""Tools that read invoices and payments: who owes what."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Literal

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from demo.wholesale.assistant.asking import Country, CustomerName, Rows, Sorting, between, customers_named, euro, numbers, rows_of
from demo.wholesale.models import Invoice, Payment
from deskhand.tools import ToolError, tool


def _unpaid(invoices: QuerySet[Invoice], order_by: str, limit: int, page: int) -> dict[str, object]:
    today = timezone.localdate()
    sums = invoices.aggregate(count=Count("pk"), unpaid=Sum("balance"))
    rows: Rows = [
        {
            "invoice": invoice.number,
            "order": invoice.order.number,
            "customer": invoice.customer.name,
            "due_on": invoice.due_on,
            "days_overdue": max(0, (today - invoice.due_on).days),
            "reminders": invoice.reminders,
            "total_eur": euro(invoice.total),
            "unpaid_eur": euro(invoice.balance),  # type: ignore[attr-defined]
        }
        for invoice in invoices.select_related("order", "customer").order_by(
            "-balance" if order_by == "largest" else "due_on", "number"
        )[rows_of(limit, page)]
    ]
    return {"count": sums["count"], "unpaid_eur": euro(sums["unpaid"]), "invoices": rows}


@tool(permission="wholesale.view_invoice", reads=True, title="Invoices")
def search_invoices(
    customer: CustomerName | None = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    order_by: Sorting = "newest",
    limit: int = 20,
    page: int = 1,
) -> dict[str, object]:
    """Lists invoices, paid and unpaid alike, by customer and date. Also counts invoices."""
    invoices = Invoice.objects.with_balance().filter(between("invoiced_on", since, until))
    if customer:
        invoices = invoices.filter(customer__in=customers_named(customer))
    invoices = invoices.order_by("-total" if order_by == "largest" else "-invoiced_on", "-number")
    sums = invoices.aggregate(count=Count("pk"), total=Sum("total"))
    rows: Rows = [
        {
            "invoice": invoice.number,
            "date": invoice.invoiced_on,
            "order": invoice.order.number,
            "customer": invoice.customer.name,
            "due_on": invoice.due_on,
            "total_eur": euro(invoice.total),
            "unpaid_eur": euro(invoice.balance),  # type: ignore[attr-defined]
        }
        for invoice in invoices.select_related("order", "customer")[rows_of(limit, page)]
    ]
    return {"count": sums["count"], "total_eur": euro(sums["total"]), "invoices": rows}


@tool(permission="wholesale.view_invoice", reads=True, title="Unpaid invoices")
def unpaid_invoices(
    customer: CustomerName | None = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    due_since: datetime.date | None = None,
    due_until: datetime.date | None = None,
    country: Country | None = None,
    order_by: Literal["oldest", "largest"] = "oldest",
    limit: int = 20,
    page: int = 1,
) -> dict[str, object]:
    """Lists unpaid (open, outstanding) invoices with the order of each, of all customers, of one or of a country,
    what is still to be paid and when it is due.
    """
    invoices = Invoice.objects.unpaid().filter(between("invoiced_on", since, until), between("due_on", due_since, due_until))
    if customer:
        invoices = invoices.filter(customer__in=customers_named(customer))
    if country:
        invoices = invoices.filter(customer__country=country)
    return _unpaid(invoices, order_by, limit, page)


@tool(permission="wholesale.view_invoice", reads=True, title="Overdue invoices")
def overdue_invoices(
    customer: CustomerName | None = None,
    days: int = 1,
    reminders: int | None = None,
    country: Country | None = None,
    order_by: Literal["oldest", "largest"] = "oldest",
    limit: int = 20,
    page: int = 1,
) -> dict[str, object]:
    """Lists overdue invoices: unpaid and late, at least so many days past the due date, with so many reminders sent. The
    longest overdue first.
    """
    invoices = Invoice.objects.overdue(timezone.localdate() - datetime.timedelta(days=max(1, days) - 1))
    if reminders is not None:
        invoices = invoices.filter(reminders=reminders)
    if customer:
        invoices = invoices.filter(customer__in=customers_named(customer))
    if country:
        invoices = invoices.filter(customer__country=country)
    return _unpaid(invoices, order_by, limit, page)


@tool(permission="wholesale.view_invoice", reads=True, title="One invoice")
def show_invoice(number: str) -> dict[str, object]:
    """Shows one invoice with its payments: whether it is paid, when it is due, its order. The number looks like INV-5031."""
    invoice = Invoice.objects.with_balance().select_related("order", "customer").filter(number__in=numbers("INV", number)).first()
    if invoice is None:
        raise ToolError("There is no invoice with that number.")
    return {
        "invoice": invoice.number,
        "customer": invoice.customer.name,
        "order": invoice.order.number,
        "invoiced_on": invoice.invoiced_on,
        "due_on": invoice.due_on,
        "total_eur": euro(invoice.total),
        "unpaid_eur": euro(invoice.balance),  # type: ignore[attr-defined]
        "is_paid": invoice.balance < Decimal("0.005"),  # type: ignore[attr-defined]
        "reminders": invoice.reminders,
        "payments": [
            {"date": payment.paid_on, "method": payment.get_method_display(), "amount_eur": euro(payment.amount)}
            for payment in invoice.payments.all()
        ],
    }


@tool(permission="wholesale.view_invoice", reads=True, title="Who owes money")
def customers_who_owe(
    customer: CustomerName | None = None, country: Country | None = None, limit: int = 10, page: int = 1
) -> dict[str, object]:
    """Lists customers who owe money (debtors, open balance): unpaid and overdue invoices and their sums for each customer, the
    largest debt first.

    With a customer: how much that one owes.
    """
    unpaid = Invoice.objects.unpaid()
    if customer:
        unpaid = unpaid.filter(customer__in=customers_named(customer))
    if country:
        unpaid = unpaid.filter(customer__country=country)
    late = Q(due_on__lt=timezone.localdate())
    owing = unpaid.order_by().values("customer__number", "customer__name")
    owing = owing.annotate(unpaid=Sum("balance"), overdue=Sum("balance", filter=late), invoices=Count("pk"))
    rows: Rows = [
        {
            "number": row["customer__number"],
            "customer": row["customer__name"],
            "invoices": row["invoices"],
            "overdue_eur": euro(row["overdue"]),
            "unpaid_eur": euro(row["unpaid"]),
        }
        for row in owing.order_by("-unpaid", "customer__number")[rows_of(limit, page)]
    ]
    return {"count": owing.count(), "unpaid_eur": euro(unpaid.aggregate(sum=Sum("balance"))["sum"]), "customers": rows}


@tool(permission="wholesale.view_payment", reads=True, title="Payments")
def search_payments(
    customer: CustomerName | None = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    method: Literal["bank_transfer", "card", "cash"] | None = None,
    order_by: Sorting = "newest",
    limit: int = 20,
    page: int = 1,
) -> dict[str, object]:
    """Lists payments that customers made (money received) by customer, date and method, with their sum."""
    payments = Payment.objects.filter(between("paid_on", since, until))
    if customer:
        payments = payments.filter(invoice__customer__in=customers_named(customer))
    if method:
        payments = payments.filter(method=method)
    payments = payments.order_by("-amount" if order_by == "largest" else "-paid_on", "-pk")
    sums = payments.aggregate(count=Count("pk"), total=Sum("amount"))
    rows: Rows = [
        {
            "date": payment.paid_on,
            "customer": payment.invoice.customer.name,
            "invoice": payment.invoice.number,
            "method": payment.get_method_display(),
            "amount_eur": euro(payment.amount),
        }
        for payment in payments.select_related("invoice__customer")[rows_of(limit, page)]
    ]
    return {"count": sums["count"], "total_eur": euro(sums["total"]), "payments": rows}


@tool(permission="wholesale.view_credit_limit", reads=True, title="Over their credit limit")
def customers_over_credit_limit(limit: int = 20, page: int = 1) -> dict[str, object]:
    """Lists customers whose unpaid sum is above their credit limit (exceeded), the furthest above first."""
    owing = Invoice.objects.unpaid().order_by().values("customer__number", "customer__name", "customer__credit_limit")
    over = owing.annotate(unpaid=Sum("balance"), above=Sum("balance") - F("customer__credit_limit")).filter(above__gt=0)
    rows: Rows = [
        {
            "number": row["customer__number"],
            "customer": row["customer__name"],
            "credit_limit_eur": euro(row["customer__credit_limit"]),
            "unpaid_eur": euro(row["unpaid"]),
            "above_limit_eur": euro(row["above"]),
        }
        for row in over.order_by("-above", "customer__number")[rows_of(limit, page)]
    ]
    return {"count": over.count(), "customers": rows}
