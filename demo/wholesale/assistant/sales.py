"""Tools that read sales figures."""

from __future__ import annotations

import datetime
from typing import Literal

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncMonth
from django.utils import timezone

from demo.wholesale import lookup
from demo.wholesale.assistant.asking import Category, CustomerName, ProductName, Rows, between, customers_named, euro, rows_of
from demo.wholesale.models import MONEY, Order, OrderLine, Product
from deskhand.tools import tool

_RANKED = {"sales": "-sales", "quantity": "-sold", "least": "sales"}


def _sold(since: datetime.date | None, until: datetime.date | None) -> Q:
    """Orders that count as sales: those of the last twelve months if no date is given."""
    if since is None and until is None:
        since = timezone.localdate().replace(day=1) - datetime.timedelta(days=334)
        since = since.replace(day=1)
    return between("ordered_on", since, until)


@tool(permission="wholesale.view_sales", reads=True, title="Sales by month")
def sales_by_month(
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    customer: CustomerName | None = None,
    category: Category | None = None,
) -> dict[str, object]:
    """Sums up sales (turnover, revenue: how much was sold) for each month, of all customers or of one (how much it bought).

    Also of one category of products. The last 12 months without dates.
    """
    orders = Order.objects.exclude(status=Order.Status.CANCELLED).filter(_sold(since, until))
    if customer:
        orders = orders.filter(customer__in=customers_named(customer))
    lines = OrderLine.objects.filter(order__in=orders)
    if category:
        lines = lines.filter(product__category=category)
    sums = lines.aggregate(count=Count("order", distinct=True), total=Sum("amount"))
    months = lines.order_by().values(month=TruncMonth("order__ordered_on"))
    months = months.annotate(orders=Count("order", distinct=True), total=Sum("amount"))
    rows: Rows = [
        {"month": f"{row['month']:%Y-%m}", "orders": row["orders"], "sales_eur": euro(row["total"])}
        for row in months.order_by("month")
    ]
    return {"orders": sums["count"], "total_eur": euro(sums["total"]), "months": rows}


@tool(permission="wholesale.view_sales", reads=True, title="Best sellers")
def best_selling_products(
    product: ProductName | None = None,
    category: Category | None = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    order_by: Literal["sales", "quantity", "least"] = "sales",
    limit: int = 10,
    page: int = 1,
) -> dict[str, object]:
    """Ranks products by what they sold: best sellers, top products; or tells how much was sold of one. 12 months without
    dates.
    """
    sold = Order.objects.exclude(status=Order.Status.CANCELLED).filter(_sold(since, until))
    lines = OrderLine.objects.filter(order__in=sold)
    if product:
        lines = lines.filter(product__in=lookup.matching(Product.objects.all(), product, "product"))
    if category:
        lines = lines.filter(product__category=category)
    ranked = lines.order_by().values("product__number", "product__name").annotate(sales=Sum("amount", output_field=MONEY))
    ranked = ranked.annotate(sold=Sum("quantity"), orders=Count("order", distinct=True))
    rows: Rows = [
        {
            "number": row["product__number"],
            "product": row["product__name"],
            "orders": row["orders"],
            "quantity_sold": row["sold"],
            "sales_eur": euro(row["sales"]),
        }
        for row in ranked.order_by(_RANKED[order_by], "product__number")[rows_of(limit, page)]
    ]
    return {"products": rows}


@tool(permission="wholesale.view_sales", reads=True, title="Best customers")
def best_customers(
    since: datetime.date | None = None, until: datetime.date | None = None, limit: int = 10, page: int = 1
) -> dict[str, object]:
    """Ranks customers by what they bought (sales that they brought in): best, top or biggest customers. 12 months without dates."""
    sold = Order.objects.exclude(status=Order.Status.CANCELLED).filter(_sold(since, until))
    ranked = sold.order_by().values("customer__number", "customer__name").annotate(orders=Count("pk"), sales=Sum("total"))
    rows: Rows = [
        {
            "number": row["customer__number"],
            "customer": row["customer__name"],
            "orders": row["orders"],
            "sales_eur": euro(row["sales"]),
        }
        for row in ranked.order_by("-sales", "customer__number")[rows_of(limit, page)]
    ]
    return {"customers": rows}
