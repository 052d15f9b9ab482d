"""Booking what came in for an invoice, and reminding who has not paid."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Literal

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F
from django.utils import timezone

from demo.wholesale import outbox
from demo.wholesale.assistant.asking import CustomerName, euro
from demo.wholesale.assistant.writing import finding
from demo.wholesale.assistant.writing.finding import Euro, InvoiceNumber
from demo.wholesale.models import Invoice, Payment
from deskhand.tools import Change, IdempotencyKey, Preview, ToolError, tool

CENT = Decimal("0.005")


def _balance(invoice: Invoice) -> Decimal:
    return euro(invoice.balance)  # type: ignore[attr-defined]


def _payable(invoice: str, amount_eur: Decimal, paid_on: datetime.date | None) -> tuple[Invoice, datetime.date]:
    row = finding.invoice(invoice)
    day = paid_on or timezone.localdate()
    if _balance(row) < CENT:
        raise ToolError(f"Invoice {row.number} is paid already.")
    if amount_eur < CENT:
        raise ToolError("A payment must be more than nothing.")
    if amount_eur > _balance(row):
        raise ToolError(f"Of invoice {row.number} only {_balance(row)} EUR are unpaid; {amount_eur} EUR would be too much.")
    if day > timezone.localdate():
        raise ToolError("A payment can't be booked for a day that is still to come.")
    return row, day


@tool(permission="wholesale.add_payment", writes=True, title="Payment")
def book_payment(
    invoice: InvoiceNumber,
    amount_eur: Euro,
    method: Literal["bank_transfer", "card", "cash"] = "bank_transfer",
    paid_on: datetime.date | None = None,
) -> None:
    """Books a payment that came in for an invoice: all of what is unpaid, or a part of it. Today's date without one."""
    row, day = _payable(invoice, amount_eur, paid_on)
    Payment.objects.create(invoice=row, amount=amount_eur, method=method, paid_on=day)


@book_payment.preview
def _payment_card(invoice: str, amount_eur: Decimal, method: str, paid_on: datetime.date | None) -> Preview:
    row, day = _payable(invoice, amount_eur, paid_on)
    rest = _balance(row) - amount_eur
    paid = euro(row.paid)  # type: ignore[attr-defined]
    return Preview(
        title=f"Book {amount_eur} EUR for invoice {row.number} of {row.customer.name}",
        verb="Book payment",
        target=row,
        changes=[
            Change("Paid (EUR)", paid, paid + amount_eur),
            Change("Still unpaid (EUR)", _balance(row), rest),
            Change("Status", "Partly paid" if paid else "Unpaid", "Partly paid" if rest else "Paid"),
            Change("Paid on", None, day),
            Change("Method", None, Payment.Method(method).label),
        ],
        touches=[f"Invoice total: {euro(row.total)} EUR, due on {row.due_on}."],
        rows=[row.customer, row, *row.payments.order_by("pk")],
    )


def _remindable(invoice: str, customer: str | None) -> Invoice:
    row = finding.invoice(invoice)
    if customer and finding.customer(customer) != row.customer:
        raise ToolError(f"Invoice {row.number} is not that customer's; it is of {row.customer}.")
    if _balance(row) < CENT:
        raise ToolError(f"Invoice {row.number} is paid.")
    if row.due_on >= timezone.localdate():
        raise ToolError(f"Invoice {row.number} is due on {row.due_on} and not overdue yet.")
    if not row.customer.email:
        raise ToolError(f"No e-mail address is known of {row.customer.name}.")
    return row


def _letter(row: Invoice) -> EmailMessage:
    days = (timezone.localdate() - row.due_on).days
    return EmailMessage(
        subject=f"Reminder: invoice {row.number}",
        body=(
            f"Dear {row.customer.contact or row.customer.name},\n\nof our invoice {row.number} of {row.invoiced_on} over "
            f"{euro(row.total)} EUR, {_balance(row)} EUR are unpaid. It was due on {row.due_on}, {days} days ago. "
            "Please let us have the money these days.\n\nYour wholesaler"
        ),
        from_email="office@wholesaler.example",
        to=[row.customer.email],
    )


@tool(permission="wholesale.change_invoice", writes=True, outside=True, title="Payment reminder")
def send_payment_reminder(invoice: InvoiceNumber, key: IdempotencyKey, customer: CustomerName | None = None) -> None:
    """Reminds the customer of an overdue invoice by e-mail and counts the reminder on the invoice."""
    row = _remindable(invoice, customer)
    letter = _letter(row)
    letter.extra_headers["Message-ID"] = f"<{key}@wholesaler.example>"
    outbox.write(letter, settings.OUTBOX)
    # The letter is out: the count follows it, and never goes before.
    Invoice.objects.filter(pk=row.pk).update(reminders=F("reminders") + 1)


@send_payment_reminder.preview
def _reminder_card(invoice: str, customer: str | None) -> Preview:
    row = _remindable(invoice, customer)
    letter = _letter(row)
    return Preview(
        title=f"E-mail {row.customer.name} a reminder of invoice {row.number}",
        verb="Send reminder",
        target=row,
        changes=[
            Change("Reminders sent", row.reminders, row.reminders + 1),
            Change("To", None, letter.to[0]),
            Change("Subject", None, letter.subject),
            Change("Text", None, letter.body),
        ],
        touches=["An e-mail can't be taken back."],
        rows=[row.customer, row, *row.payments.order_by("pk")],
    )
