"""Tools that read customers and the notes about them."""

from __future__ import annotations

import datetime

from django.db.models import Count, F, Max, Q, Sum
from django.utils import timezone

from demo.wholesale import lookup
from demo.wholesale.assistant.asking import MOST_ROWS, Country, CustomerName, Rows, customers_named, euro, rows_of
from demo.wholesale.models import Customer, Invoice, Note
from deskhand.scope import Scope
from deskhand.tools import tool


@tool(permission="wholesale.view_customer", reads=True, title="Customer search")
def find_customers(
    name: str | None = None, country: Country | None = None, city: str | None = None, limit: int = 20, page: int = 1
) -> dict[str, object]:
    """Finds customers by name, country or city, and names that are spelled alike: use it when a name may be mistyped or
    misspelled.

    Gives number, contact person, e-mail address, phone and city. Also counts customers.
    """
    customers = Customer.objects.order_by("name")
    if country:
        customers = customers.filter(country=country)
    if city:
        customers = customers.filter(city__icontains=city)
    if name:
        nearest = {pk: likeness for pk, _, likeness in lookup.alike(customers, name, MOST_ROWS)}
        by_number = customers.filter(number__iexact=name.strip()).values_list("pk", flat=True)
        customers = customers.filter(Q(pk__in=nearest) | Q(pk__in=by_number))
    else:
        nearest = {}
    found = sorted(customers, key=lambda customer: (-nearest.get(customer.pk, 0), customer.name, customer.number))
    rows: Rows = [
        {
            "number": customer.number,
            "name": customer.name,
            "contact": customer.contact,
            "email": customer.email,
            "phone": customer.phone,
            "city": customer.city,
            "country": customer.country,
        }
        for customer in found[rows_of(limit, page)]
    ]
    return {"count": len(found), "customers": rows}


@tool(permission="wholesale.view_customer", reads=True, title="Customer overview")
def customer_overview(scope: Scope, customer: CustomerName, limit: int = 10, page: int = 1) -> dict[str, object]:
    """Shows what is known of a customer: address, contact, customer since, terms, orders so far, last order.

    Also the credit limit, and more about money, for those who may see it.
    """
    keys = customers_named(customer)
    found = Customer.objects.filter(pk__in=keys).annotate(order_count=Count("orders"), last_order=Max("orders__ordered_on"))
    may_limit, may_invoices = scope.may("wholesale.view_credit_limit"), scope.may("wholesale.view_invoice")
    unpaid = Invoice.objects.unpaid().filter(customer__in=keys).order_by().values("customer").annotate(sum=Sum("balance"))
    owed = {row["customer"]: row["sum"] for row in unpaid} if may_invoices else {}
    rows: Rows = []
    for firm in found.order_by("name", "number")[rows_of(limit, page)]:
        row: dict[str, object] = {
            "number": firm.number,
            "customer": firm.name,
            "contact": firm.contact,
            "phone": firm.phone,
            "city": firm.city,
            "country": firm.country,
            "customer_since": firm.customer_since,
            "orders": firm.order_count,
            "last_order": firm.last_order,
            "payment_days": firm.payment_days,
        }
        if may_limit:
            row["credit_limit_eur"] = firm.credit_limit
        if may_invoices:
            row["unpaid_eur"] = euro(owed.get(firm.pk))
        rows.append(row)
    hidden = [name for name, may in (("credit limit", may_limit), ("unpaid sum", may_invoices)) if not may]
    note = {"not_shown_to_you": ", ".join(hidden)} if hidden else {}
    return {**rows[0], **note} if len(keys) == 1 else {"count": found.count(), **note, "customers": rows}


@tool(permission="wholesale.view_note", reads=True, title="Notes")
def customer_notes(customer: CustomerName, limit: int = 20, page: int = 1) -> dict[str, object]:
    """Reads the notes that the office wrote about a customer (remarks, complaints, agreements), newest first."""
    notes = Note.objects.filter(customer__in=customers_named(customer))
    rows: Rows = [
        {
            "date": timezone.localdate(note.written_at),
            "customer": note.customer.name,
            "author": note.author,
            "note": note.text,
        }
        for note in notes.select_related("customer").order_by("-written_at", "-pk")[rows_of(limit, page)]
    ]
    return {"count": notes.count(), "notes": rows}


@tool(permission="wholesale.view_order", reads=True, title="Quiet customers")
def customers_without_orders(
    since: datetime.date | None = None, country: Country | None = None, limit: int = 20, page: int = 1
) -> dict[str, object]:
    """Lists customers who have not ordered, or ordered nothing, since a day (six months ago without one): quiet, inactive, lost, gone."""
    since = since or timezone.localdate() - datetime.timedelta(days=182)
    # Who never ordered has no last order, and NULL is not less than a day.
    quiet = Customer.objects.annotate(last_order=Max("orders__ordered_on"))
    quiet = quiet.filter(Q(last_order__lt=since) | Q(last_order__isnull=True))
    if country:
        quiet = quiet.filter(country=country)
    rows: Rows = [
        {"number": firm.number, "customer": firm.name, "last_order": firm.last_order, "city": firm.city, "phone": firm.phone}
        for firm in quiet.order_by(F("last_order").asc(nulls_first=True), "name", "number")[rows_of(limit, page)]
    ]
    return {"count": quiet.count(), "customers": rows}
