"""Tools that read products and stock."""

from __future__ import annotations

from typing import Literal

from deskhand.tools import tool
from django.db.models import F, Sum
from django.db.models.functions import Coalesce

from demo.wholesale import lookup
from demo.wholesale.assistant.asking import MOST_ROWS, Category, Rows, rows_of
from demo.wholesale.models import Product, Stock


@tool(permission="wholesale.view_product", reads=True, title="Price list")
def find_products(name: str | None = None, category: Category | None = None, limit: int = 20) -> dict[str, object]:
    """Finds products of the price list by name, number or category, with price and unit: what an article costs. Also counts products."""
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
        }
        for product in products[: rows_of(limit)]
    ]
    return {"count": products.count(), "products": rows}


@tool(permission="wholesale.view_stock", reads=True, title="Stock")
def stock_of_product(product: str, warehouse: Literal["North", "Harbour", "South"] | None = None) -> dict[str, object]:
    """Shows how many of a product are in stock, in each warehouse and altogether. Product by name or number (P-2010)."""
    stock = Stock.objects.filter(product__in=lookup.matching(Product.objects.all(), product, "product"))
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
        for item in stock.select_related("product", "warehouse").order_by("product__name", "warehouse__name")[:MOST_ROWS]
    ]
    return {"total_quantity": stock.aggregate(sum=Coalesce(Sum("quantity"), 0))["sum"], "stock": rows}


@tool(permission="wholesale.view_stock", reads=True, title="Low stock")
def low_stock(category: Category | None = None, limit: int = 30) -> dict[str, object]:
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
        for product in products.order_by(F("in_stock") * 1.0 / F("minimum_stock"), "name")[: rows_of(limit)]
    ]
    return {"count": products.count(), "products": rows}
