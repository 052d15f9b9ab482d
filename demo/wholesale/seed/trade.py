"""Eighteen months of trade, ending today: who ordered what, what was sent, invoiced, paid and sent back.

The shapes are those of a real shop floor: a few customers and a few products make most of the turnover, autumn is busy and December
is not, weekends are empty, most customers pay about the due date and some do not.
"""

from __future__ import annotations

import dataclasses
import datetime
import random
from decimal import Decimal

from demo.wholesale.models import Customer, Invoice, Order, OrderLine, Payment, Product, Return, Warehouse
from demo.wholesale.seed.goods import BEST_SELLERS

#: January … December against an average month.
SEASON = (0.7, 0.8, 1.0, 1.1, 1.15, 1.1, 0.75, 0.95, 1.2, 1.3, 1.1, 0.6)
DAYS = 548
CENT = Decimal("0.01")


@dataclasses.dataclass(frozen=True)
class Habit:
    """How a customer buys and pays."""

    #: How often it orders, against the others.
    weight: float
    #: Days after the due date at which it usually pays; ``None``: it often does not pay.
    pays_late_days: int | None


def habits(rng: random.Random, count: int) -> list[Habit]:
    """One habit a customer: 70 % pay in time, 20 % late, 10 % badly."""
    kinds: list[int | None] = [-3, 21, None]
    return [Habit(rng.paretovariate(1.3), rng.choices(kinds, (70, 20, 10))[0]) for _ in range(count)]


def working_days(rng: random.Random, today: datetime.date, count: int) -> list[datetime.date]:
    """``count`` order days, oldest first, none on a weekend, more of them in busy months and lately."""
    days = [today - datetime.timedelta(days=back) for back in range(DAYS, -1, -1)]
    days = [day for day in days if day.weekday() < 5]
    weights = [SEASON[day.month - 1] * (1 + place / len(days) * 0.25) for place, day in enumerate(days)]
    return sorted(rng.choices(days, weights, k=count))


def status(rng: random.Random, age_days: int) -> str:
    """How far an order of that age is."""
    states = Order.Status
    if rng.random() < 0.04:
        return states.CANCELLED
    if age_days > 20:
        return rng.choices([states.DELIVERED, states.CONFIRMED, states.SHIPPED], (97, 1, 2))[0]
    if age_days > 7:
        return rng.choices([states.DELIVERED, states.SHIPPED, states.PACKED, states.CONFIRMED], (60, 25, 8, 7))[0]
    return rng.choices([states.DRAFT, states.CONFIRMED, states.PACKED, states.SHIPPED], (15, 45, 20, 20))[0]


def orders(
    rng: random.Random,
    today: datetime.date,
    count: int,
    customers: list[Customer],
    buying: list[Habit],
    products: list[Product],
    warehouses: list[Warehouse],
) -> tuple[list[Order], list[OrderLine]]:
    """Orders A-1001, A-1002 … in the order of their days, with their lines; totals are the lines' sums."""
    made, lines = [], []
    weights = [habit.weight for habit in buying]
    demand = [BEST_SELLERS.get(product.name, 1) for product in products]
    for number, day in enumerate(working_days(rng, today, count), start=1001):
        order = Order(
            number=f"A-{number}",
            customer=rng.choices(customers, weights)[0],
            ordered_on=day,
            status=status(rng, (today - day).days),
            warehouse=rng.choices(warehouses, (6, 3, 2))[0],
            remark=rng.choice(["", "", "", "", "deliver before noon", "call before delivery", "part delivery is fine"]),
        )
        picked = dict.fromkeys(rng.choices(products, demand, k=rng.choices(range(1, 9), (20, 22, 18, 14, 10, 8, 5, 3))[0]))
        for product in picked:
            quantity = max(1, round(rng.lognormvariate(2.2, 0.9) * (0.25 if product.price > 30 else 1)))
            # The price list rose by some percent since the oldest orders.
            price = (product.price * Decimal(1 - (today - day).days / 9000)).quantize(CENT)
            lines.append(OrderLine(order=order, product=product, quantity=quantity, unit_price=price, amount=price * quantity))
            order.total += price * quantity
        made.append(order)
    return made, lines


def invoices(rng: random.Random, today: datetime.date, made: list[Order]) -> list[Invoice]:
    """An invoice for every order that was sent, INV-5001 and on."""
    found = []
    for order in made:
        if order.status not in {Order.Status.SHIPPED, Order.Status.DELIVERED}:
            continue
        day = min(today, order.ordered_on + datetime.timedelta(days=rng.randint(1, 6)))
        due = day + datetime.timedelta(days=order.customer.payment_days)
        found.append(Invoice(order=order, customer=order.customer, invoiced_on=day, due_on=due, total=order.total))
    found.sort(key=lambda invoice: invoice.invoiced_on)
    for number, invoice in enumerate(found, start=5001):
        invoice.number = f"INV-{number}"
    return found


def payments(rng: random.Random, today: datetime.date, sent: list[Invoice], pays: dict[int, Habit]) -> list[Payment]:
    """What came in up to today; unpaid invoices that are due get their reminders counted."""
    found = []
    for invoice in sent:
        late = pays[invoice.customer_id].pays_late_days
        if late is None:
            late = rng.randint(10, 90)
            share = rng.choices([Decimal(1), Decimal("0.5"), Decimal(0)], (72, 16, 12))[0]
        else:
            share = Decimal("0.5") if rng.random() < 0.01 else Decimal(1)
        day = invoice.due_on + datetime.timedelta(days=late + rng.randint(-6, 6))
        day = max(day, invoice.invoiced_on)
        # Old debts get settled in the end: nobody waits a year and more.
        if share < 1 and (today - invoice.due_on).days > 240:
            share = Decimal(1)
        amount = (invoice.total * share).quantize(CENT)
        if day <= today and amount:
            method = rng.choices(list(Payment.Method), (90, 7, 3))[0]
            found.append(Payment(invoice=invoice, paid_on=day, amount=amount, method=method))
        else:
            amount = Decimal(0)
        overdue_days = (today - invoice.due_on).days
        if amount < invoice.total and overdue_days > 0:
            invoice.reminders = min(3, overdue_days // 14)
    return found


def returns(rng: random.Random, today: datetime.date, lines: list[OrderLine]) -> list[Return]:
    """About one delivered line in eighty comes back, RT-301 and on."""
    found = []
    for line in lines:
        if line.order.status != Order.Status.DELIVERED or rng.random() > 0.0125:
            continue
        day = line.order.ordered_on + datetime.timedelta(days=rng.randint(4, 25))
        if day > today:
            continue
        states = Return.Status
        is_new = (today - day).days < 21
        state = (
            rng.choice([states.ANNOUNCED, states.RECEIVED])
            if is_new
            else rng.choices([states.CREDITED, states.REFUSED], (9, 1))[0]
        )
        found.append(
            Return(
                order=line.order,
                product=line.product,
                returned_on=day,
                quantity=max(1, line.quantity // rng.choice([1, 2, 4])),
                reason=rng.choice(list(Return.Reason)),
                status=state,
            )
        )
    found.sort(key=lambda item: item.returned_on)
    for number, item in enumerate(found, start=301):
        item.number = f"RT-{number}"
    return found
