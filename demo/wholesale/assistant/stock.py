"""Tools that read products and stock."""

from __future__ import annotations

from typing import Literal

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce

from demo.wholesale import lookup
from demo.wholesale.assistant.asking import Category, ProductName, Rows, euro, rows_of
from demo.wholesale.models import MONEY, Product, Stock
from deskhand.tools import tool

_SORTED = {"name": ["name", "number"], "cheapest": ["price", "number"], "most_expensive": ["-price", "number"]}


@tool(permission="wholesale.view_product", reads=True, title="Price list")
def find_products(
    name: ProductName | None = None,
    category: Category | None = None,
    order_by: Literal["name", "cheapest", "most_expensive"] = "name",
    limit: int = 20,
    page: int = 1,
) -> dict[str, object]:
    """Finds products of the price list by name, number or category, with price and unit: what an article costs.

    Also counts products.
    """
    products = Product.objects.filter(is_active=True)
    if name:
        products = products.filter(pk__in=lookup.matching(products, name, "product"))
    if category:
        products = products.filter(category=category)
    rows: Rows = [
        {
            "number": product.number,
            "product": product.name,
            "category": product.category,
            "unit": product.unit,
            "price_eur": product.price,
            "minimum_stock": product.minimum_stock,
        }
        for product in products.order_by(*_SORTED[order_by])[rows_of(limit, page)]
    ]
    return {"count": products.count(), "products": rows}


@tool(permission="wholesale.view_stock", reads=True, title="Stock")
def stock_of_products(
    product: ProductName | None = None,
    category: Category | None = None,
    warehouse: Literal["North", "Harbour", "South"] | None = None,
    limit: int = 50,
    page: int = 1,
) -> dict[str, object]:
    """Shows how many of a product, or of a category, are in stock: left, available, where stored (shelf), in each warehouse
    and altogether.
    """
    stock = Stock.objects.filter(product__is_active=True)
    if product:
        stock = stock.filter(product__in=lookup.matching(Product.objects.all(), product, "product"))
    if category:
        stock = stock.filter(product__category=category)
    if warehouse:
        stock = stock.filter(warehouse__name=warehouse)
    rows: Rows = [
        {
            "product": item.product.name,
            "warehouse": item.warehouse.name,
            "quantity": item.quantity,
            "unit": item.product.unit,
            "shelf": item.shelf,
            "counted_on": item.counted_on,
        }
        for item in stock.select_related("product", "warehouse").order_by("product__name", "warehouse__name", "pk")[
            rows_of(limit, page)
        ]
    ]
    return {
        "count": stock.count(),
        "total_quantity": stock.aggregate(sum=Coalesce(Sum("quantity"), 0))["sum"],
        "stock_places": rows,
    }


@tool(permission="wholesale.view_stock", reads=True, title="Warehouses")
def warehouses() -> dict[str, object]:
    """Sums up the stock: how much lies in each warehouse, and what it is worth at list prices (value of the stock, inventory)."""
    worth = Sum(F("quantity") * F("product__price"), output_field=MONEY)
    totals = Stock.objects.aggregate(units=Coalesce(Sum("quantity"), 0), worth=worth)
    rows: Rows = [
        {
            "warehouse": row["warehouse__name"],
            "products": row["products"],
            "stock_quantity": row["units"],
            "stock_value_eur": euro(row["worth"]),
        }
        for row in Stock.objects.values("warehouse__name")
        .annotate(products=Count("pk", filter=Q(quantity__gt=0)), units=Sum("quantity"), worth=worth)
        .order_by("warehouse__name")
    ]
    return {"total_quantity": totals["units"], "total_value_eur": euro(totals["worth"]), "warehouses": rows}


@tool(permission="wholesale.view_stock", reads=True, title="Low stock")
def low_stock(category: Category | None = None, limit: int = 30, page: int = 1) -> dict[str, object]:
    """Lists products whose stock is below the minimum: low, running out, out of stock, to be reordered. The emptiest first."""
    products = Product.objects.filter(is_active=True).annotate(in_stock=Coalesce(Sum("stock__quantity"), 0))
    products = products.filter(in_stock__lt=F("minimum_stock")).annotate(missing=F("minimum_stock") - F("in_stock"))
    if category:
        products = products.filter(category=category)
    rows: Rows = [
        {
            "number": product.number,
            "product": product.name,
            "in_stock": product.in_stock,
            "minimum": product.minimum_stock,
            "missing": product.missing,
            "unit": product.unit,
        }
        for product in products.order_by(F("in_stock") * 1.0 / F("minimum_stock"), "number")[rows_of(limit, page)]
    ]
    return {"count": products.count(), "products": rows}
