"""The wholesaler's tables.

Money is kept in euro with two decimals. What a customer owes is never stored: it is an invoice's total less its payments, computed in
the database by :meth:`InvoiceQuerySet.with_balance`.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import ClassVar, Self

from django.db import models
from django.db.models import DecimalField, ExpressionWrapper, F, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce

MONEY = DecimalField(max_digits=12, decimal_places=2)


class Customer(models.Model):
    """A firm that buys."""

    number = models.CharField(max_length=10, unique=True)
    name = models.CharField(max_length=120)
    contact = models.CharField("contact person", max_length=120, blank=True)
    email = models.EmailField("e-mail", blank=True)
    phone = models.CharField(max_length=40, blank=True)
    city = models.CharField(max_length=80, blank=True)
    country = models.CharField(max_length=40)
    customer_since = models.DateField()
    #: Days from the date of an invoice to the day it is due.
    payment_days = models.PositiveSmallIntegerField(default=30)
    credit_limit = models.DecimalField(max_digits=12, decimal_places=2, default=0)
    is_active = models.BooleanField("active", default=True)

    class Meta:
        ordering = ["name"]
        permissions = [
            ("view_credit_limit", "Can see credit limits"),
            ("change_credit_limit", "Can change credit limits"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"


class Note(models.Model):
    """What somebody in the office wrote down about a customer."""

    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="notes")
    written_at = models.DateTimeField()
    author = models.CharField(max_length=60)
    text = models.TextField()

    class Meta:
        ordering = ["-written_at"]

    def __str__(self) -> str:
        return f"{self.customer.name}, {self.written_at:%Y-%m-%d}"


class Product(models.Model):
    """Something on the price list."""

    number = models.CharField(max_length=10, unique=True)
    name = models.CharField(max_length=120)
    category = models.CharField(max_length=40)
    unit = models.CharField(max_length=10, default="pc")
    price = models.DecimalField(max_digits=10, decimal_places=2)
    #: Over all warehouses; below it the product has to be ordered.
    minimum_stock = models.PositiveIntegerField(default=0)
    is_active = models.BooleanField("active", default=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"


class Warehouse(models.Model):
    """A place where goods lie."""

    name = models.CharField(max_length=40, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Stock(models.Model):
    """How many of a product lie in a warehouse."""

    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="stock")
    warehouse = models.ForeignKey(Warehouse, on_delete=models.CASCADE, related_name="stock")
    quantity = models.PositiveIntegerField(default=0)
    shelf = models.CharField(max_length=10, blank=True)
    counted_on = models.DateField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "stock"
        constraints = [models.UniqueConstraint(fields=["product", "warehouse"], name="wholesale_stock_once")]

    def __str__(self) -> str:
        return f"{self.product.name} in {self.warehouse.name}"


class StockCorrection(models.Model):
    """Why a stock quantity was set to another number, and by whom."""

    class Reason(models.TextChoices):
        COUNTED = "counted"
        DAMAGED = "damaged"
        LOST = "lost"
        FOUND = "found"

    stock = models.ForeignKey(Stock, on_delete=models.CASCADE, related_name="corrections")
    corrected_at = models.DateTimeField()
    corrected_by = models.CharField(max_length=150)
    quantity_before = models.PositiveIntegerField()
    quantity_after = models.PositiveIntegerField()
    reason = models.CharField(max_length=10, choices=Reason.choices)

    class Meta:
        ordering = ["-corrected_at"]

    def __str__(self) -> str:
        return f"{self.stock}: {self.quantity_before} to {self.quantity_after}"


class Order(models.Model):
    """What a customer ordered on one day."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        CONFIRMED = "confirmed"
        PACKED = "packed"
        SHIPPED = "shipped"
        DELIVERED = "delivered"
        CANCELLED = "cancelled"

    #: Not yet sent to the customer.
    OPEN = (Status.DRAFT, Status.CONFIRMED, Status.PACKED)
    #: Which status may follow which. What was sent can't be cancelled: it comes back as a return.
    NEXT: ClassVar[Mapping[str, tuple[str, ...]]] = {
        Status.DRAFT: (Status.CONFIRMED, Status.CANCELLED),
        Status.CONFIRMED: (Status.PACKED, Status.CANCELLED),
        Status.PACKED: (Status.SHIPPED, Status.CANCELLED),
        Status.SHIPPED: (Status.DELIVERED,),
        Status.DELIVERED: (),
        Status.CANCELLED: (),
    }

    number = models.CharField(max_length=10, unique=True)
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="orders")
    ordered_on = models.DateField(db_index=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    warehouse = models.ForeignKey(Warehouse, on_delete=models.PROTECT, related_name="orders")
    #: Sum of the lines, kept by whoever writes the lines.
    total = models.DecimalField(max_digits=12, decimal_places=2, default=0)
    remark = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-ordered_on", "-number"]
        permissions = [("view_sales", "Can see sales figures")]

    def __str__(self) -> str:
        return self.number


class OrderLine(models.Model):
    """One product of an order."""

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="order_lines")
    quantity = models.PositiveIntegerField()
    #: When it was ordered; the price list may have changed since.
    unit_price = models.DecimalField(max_digits=10, decimal_places=2)
    amount = models.DecimalField(max_digits=12, decimal_places=2)

    def __str__(self) -> str:
        return f"{self.quantity} × {self.product.name}"


class InvoiceQuerySet(models.QuerySet["Invoice"]):
    """Invoices, with what was paid of them."""

    def with_balance(self) -> Self:
        """Each invoice gets ``paid`` and ``balance`` (total less paid), computed in the database."""
        paid = (
            Payment.objects.filter(invoice=OuterRef("pk")).order_by().values("invoice").annotate(sum=Sum("amount")).values("sum")
        )
        zero = Value(Decimal("0.00"), output_field=MONEY)
        return self.annotate(paid=Coalesce(Subquery(paid, output_field=MONEY), zero)).annotate(
            balance=ExpressionWrapper(F("total") - F("paid"), output_field=MONEY)
        )

    def unpaid(self) -> Self:
        """Those of which something is still to be paid."""
        # Half a cent, not zero: SQLite adds decimals as floating point.
        return self.with_balance().filter(balance__gte=Decimal("0.005"))

    def overdue(self, today: datetime.date) -> Self:
        """Those of which something is still to be paid though the due date is past."""
        return self.unpaid().filter(due_on__lt=today)


class Invoice(models.Model):
    """What a customer is asked to pay for an order."""

    number = models.CharField(max_length=12, unique=True)
    order = models.OneToOneField(Order, on_delete=models.PROTECT, related_name="invoice")
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, related_name="invoices")
    invoiced_on = models.DateField()
    due_on = models.DateField(db_index=True)
    total = models.DecimalField(max_digits=12, decimal_places=2)
    reminders = models.PositiveSmallIntegerField("reminders sent", default=0)

    objects = InvoiceQuerySet.as_manager()

    class Meta:
        ordering = ["-invoiced_on", "-number"]

    def __str__(self) -> str:
        return self.number


class Payment(models.Model):
    """Money that came in for an invoice."""

    class Method(models.TextChoices):
        BANK = "bank_transfer", "Bank transfer"
        CARD = "card"
        CASH = "cash"

    invoice = models.ForeignKey(Invoice, on_delete=models.PROTECT, related_name="payments")
    paid_on = models.DateField(db_index=True)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    method = models.CharField(max_length=15, choices=Method.choices, default=Method.BANK)

    class Meta:
        ordering = ["-paid_on"]

    def __str__(self) -> str:
        return f"{self.amount} for {self.invoice.number}"


class Return(models.Model):
    """Goods that a customer sends back."""

    class Reason(models.TextChoices):
        DAMAGED = "damaged"
        WRONG_ITEM = "wrong_item", "Wrong item"
        TOO_MANY = "too_many", "Too many"
        DEFECTIVE = "defective"
        LATE = "late", "Came too late"

    class Status(models.TextChoices):
        ANNOUNCED = "announced"
        RECEIVED = "received"
        CREDITED = "credited"
        REFUSED = "refused"

    #: Neither credited nor refused so far.
    OPEN = (Status.ANNOUNCED, Status.RECEIVED)

    number = models.CharField(max_length=10, unique=True)
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="returns")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="returns")
    returned_on = models.DateField()
    quantity = models.PositiveIntegerField()
    reason = models.CharField(max_length=12, choices=Reason.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ANNOUNCED)

    class Meta:
        ordering = ["-returned_on", "-number"]

    def __str__(self) -> str:
        return self.number
