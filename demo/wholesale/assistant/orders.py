"""Tools that read orders and returns."""

from __future__ import annotations

import datetime
from typing import Literal

from django.db.models import Count, Sum

from demo.wholesale import lookup
from demo.wholesale.assistant.asking import (
    Country,
    CustomerName,
    ProductName,
    Rows,
    Sorting,
    between,
    customers_named,
    euro,
    numbers,
    rows_of,
)
from demo.wholesale.models import Invoice, Order, OrderLine, Product, Return
from deskhand.scope import Scope
from deskhand.tools import ToolError, tool

OrderStatus = Literal["open", "draft", "confirmed", "packed", "shipped", "delivered", "cancelled"]


@tool(permission="wholesale.view_order", reads=True, title="Orders")
def search_orders(
    scope: Scope,
    customer: CustomerName | None = None,
    status: OrderStatus | None = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    min_amount: float | None = None,
    country: Country | None = None,
    product: ProductName | None = None,
    order_by: Sorting = "newest",
    limit: int = 20,
    page: int = 1,
) -> dict[str, object]:
    """Lists orders by customer, status, order date (since, until: both included), least amount, country, or a product in them.

    Status "open" means not yet shipped. Also counts orders, and tells what a customer bought.
    """
    orders = Order.objects.filter(between("ordered_on", since, until))
    if customer:
        orders = orders.filter(customer__in=customers_named(customer))
    if status:
        orders = orders.filter(status__in=Order.OPEN if status == "open" else [status])
    if min_amount is not None:
        orders = orders.filter(total__gte=min_amount)
    if product:
        lines = OrderLine.objects.filter(product__in=lookup.matching(Product.objects.all(), product, "product"))
        orders = orders.filter(pk__in=lines.values("order"))
    if country:
        orders = orders.filter(customer__country=country)
    orders = orders.order_by("-total" if order_by == "largest" else "-ordered_on", "-number")
    sums = orders.aggregate(count=Count("pk"), total=Sum("total"))
    answer: dict[str, object] = {"count": sums["count"]}
    if scope.may("wholesale.view_sales"):
        answer["total_eur"] = euro(sums["total"])
    answer["orders"] = [
        {
            "order": order.number,
            "date": order.ordered_on,
            "customer": order.customer.name,
            "status": order.get_status_display(),
            "warehouse": order.warehouse.name,
            "amount_eur": euro(order.total),
        }
        for order in orders.select_related("customer", "warehouse")[rows_of(limit, page)]
    ]
    return answer


@tool(permission="wholesale.view_order", reads=True, title="One order")
def show_order(scope: Scope, number: str) -> dict[str, object]:
    """Shows one order with its lines: what was ordered, quantities and prices. The number looks like A-1042."""
    order = Order.objects.select_related("customer", "warehouse").filter(number__in=numbers("A", number)).first()
    if order is None:
        raise ToolError("There is no order with that number.")
    answer: dict[str, object] = {
        "order": order.number,
        "customer": order.customer.name,
        "date": order.ordered_on,
        "status": order.get_status_display(),
        "warehouse": order.warehouse.name,
        "amount_eur": euro(order.total),
        "remark": order.remark,
    }
    if scope.may("wholesale.view_invoice"):
        invoice = Invoice.objects.with_balance().filter(order=order).first()
        answer["invoice"] = invoice.number if invoice else "not invoiced yet"
        if invoice:
            answer["unpaid_eur"] = euro(invoice.balance)  # type: ignore[attr-defined]
    answer["lines"] = [
        {
            "product": line.product.name,
            "quantity": line.quantity,
            "unit": line.product.unit,
            "unit_price_eur": line.unit_price,
            "amount_eur": line.amount,
        }
        for line in order.lines.select_related("product").order_by("pk")
    ]
    return answer


@tool(permission="wholesale.view_return", reads=True, title="Returns")
def search_returns(
    number: str | None = None,
    customer: CustomerName | None = None,
    product: ProductName | None = None,
    reason: Literal["damaged", "wrong_item", "too_many", "defective", "late"] | None = None,
    status: Literal["open", "announced", "received", "credited", "refused"] | None = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    limit: int = 20,
    page: int = 1,
) -> dict[str, object]:
    """Lists returns (goods that customers sent back), newest first, by number (RT-310), customer, product, reason, status and
    date.

    Status "open" means not yet credited (and not refused).
    """
    returns = Return.objects.filter(between("returned_on", since, until))
    if number:
        returns = returns.filter(number__in=numbers("RT", number))
    if customer:
        returns = returns.filter(order__customer__in=customers_named(customer))
    if product:
        returns = returns.filter(product__in=lookup.matching(Product.objects.all(), product, "product"))
    if reason:
        returns = returns.filter(reason=reason)
    if status:
        returns = returns.filter(status__in=Return.OPEN if status == "open" else [status])
    rows: Rows = [
        {
            "return": item.number,
            "date": item.returned_on,
            "order": item.order.number,
            "customer": item.order.customer.name,
            "product": item.product.name,
            "quantity": item.quantity,
            "reason": item.get_reason_display(),
            "status": item.get_status_display(),
        }
        for item in returns.select_related("order__customer", "product")[rows_of(limit, page)]
    ]
    return {"count": returns.count(), "returns": rows}


@tool(permission="wholesale.view_return", reads=True, title="Reasons for returns")
def returns_by_reason(
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    customer: CustomerName | None = None,
    product: ProductName | None = None,
) -> dict[str, object]:
    """Groups returns by reason, the most common first: why goods are sent back, and how often.

    Of all customers and products, or of one.
    """
    returns = Return.objects.filter(between("returned_on", since, until))
    if customer:
        returns = returns.filter(order__customer__in=customers_named(customer))
    if product:
        returns = returns.filter(product__in=lookup.matching(Product.objects.all(), product, "product"))
    groups = returns.order_by().values("reason").annotate(returns=Count("pk"), pieces=Sum("quantity"))
    rows: Rows = [
        {"reason": Return.Reason(row["reason"]).label, "returns": row["returns"], "pieces": row["pieces"]}
        for row in groups.order_by("-returns", "reason")
    ]
    return {"total_returns": returns.count(), "reasons": rows}
