"""The back office's pages: the stock admin, and nothing deskhand needs."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from demo.wholesale import models


class NoteInline(admin.StackedInline):
    """Notes on the customer's page."""

    model = models.Note
    extra = 0


@admin.register(models.Customer)
class CustomerAdmin(admin.ModelAdmin):
    """Customers; the credit limit only for those who may see it, and a field only for those who may change it."""

    list_display = ["number", "name", "contact", "city", "country", "is_active"]
    list_filter = ["country", "is_active"]
    search_fields = ["number", "name", "contact", "city"]
    inlines = [NoteInline]

    def get_exclude(self, request: HttpRequest, obj: models.Customer | None = None) -> list[str]:
        """Leaves the credit limit out for who may not see it."""
        return [] if request.user.has_perm("wholesale.view_credit_limit") else ["credit_limit"]

    def get_readonly_fields(self, request: HttpRequest, obj: models.Customer | None = None) -> list[str]:
        """Makes the credit limit a text for who may see it and not change it."""
        may_see, may_change = (request.user.has_perm(f"wholesale.{verb}_credit_limit") for verb in ("view", "change"))
        return ["credit_limit"] if may_see and not may_change else []


@admin.register(models.Product)
class ProductAdmin(admin.ModelAdmin):
    """The price list."""

    list_display = ["number", "name", "category", "unit", "price", "minimum_stock", "is_active"]
    list_filter = ["category", "is_active"]
    search_fields = ["number", "name"]


@admin.register(models.Stock)
class StockAdmin(admin.ModelAdmin):
    """Quantities in the warehouses."""

    list_display = ["product", "warehouse", "quantity", "shelf", "counted_on"]
    list_filter = ["warehouse", "product__category"]
    list_select_related = ["product", "warehouse"]
    search_fields = ["product__number", "product__name"]
    autocomplete_fields = ["product"]


@admin.register(models.StockCorrection)
class StockCorrectionAdmin(admin.ModelAdmin):
    """Corrections of quantities; they are written by the assistant's tool."""

    list_display = ["corrected_at", "stock", "quantity_before", "quantity_after", "reason", "corrected_by"]
    list_filter = ["reason"]
    list_select_related = ["stock__product", "stock__warehouse"]


class OrderLineInline(admin.TabularInline):
    """Lines on the order's page."""

    model = models.OrderLine
    extra = 0
    autocomplete_fields = ["product"]


@admin.register(models.Order)
class OrderAdmin(admin.ModelAdmin):
    """Orders with their lines."""

    list_display = ["number", "customer", "ordered_on", "status", "warehouse", "total"]
    list_filter = ["status", "warehouse", "ordered_on"]
    list_select_related = ["customer", "warehouse"]
    search_fields = ["number", "customer__name", "customer__number"]
    date_hierarchy = "ordered_on"
    autocomplete_fields = ["customer"]
    inlines = [OrderLineInline]


class PaymentInline(admin.TabularInline):
    """Payments on the invoice's page."""

    model = models.Payment
    extra = 0


@admin.register(models.Invoice)
class InvoiceAdmin(admin.ModelAdmin):
    """Invoices with what was paid of them."""

    list_display = ["number", "customer", "invoiced_on", "due_on", "total", "balance", "reminders"]
    list_select_related = ["customer"]
    search_fields = ["number", "order__number", "customer__name"]
    date_hierarchy = "invoiced_on"
    autocomplete_fields = ["customer", "order"]
    inlines = [PaymentInline]

    def get_queryset(self, request: HttpRequest) -> models.InvoiceQuerySet:
        """Invoices with their balance."""
        return models.Invoice.objects.with_balance()

    @admin.display(description="still to pay", ordering="balance")
    def balance(self, invoice: Any) -> Any:
        """What is still to be paid."""
        return invoice.balance


@admin.register(models.Payment)
class PaymentAdmin(admin.ModelAdmin):
    """Money that came in."""

    list_display = ["paid_on", "invoice", "amount", "method"]
    list_filter = ["method"]
    list_select_related = ["invoice"]
    search_fields = ["invoice__number", "invoice__customer__name"]
    date_hierarchy = "paid_on"
    autocomplete_fields = ["invoice"]


@admin.register(models.Return)
class ReturnAdmin(admin.ModelAdmin):
    """Goods that came back."""

    list_display = ["number", "order", "product", "returned_on", "quantity", "reason", "status"]
    list_filter = ["status", "reason"]
    list_select_related = ["order", "product"]
    search_fields = ["number", "order__number", "order__customer__name", "product__name"]
    autocomplete_fields = ["order", "product"]


@admin.register(models.Note)
class NoteAdmin(admin.ModelAdmin):
    """Notes of the office."""

    list_display = ["written_at", "customer", "author", "text"]
    list_select_related = ["customer"]
    search_fields = ["text", "customer__name", "author"]
    autocomplete_fields = ["customer"]


admin.site.register(models.Warehouse)
