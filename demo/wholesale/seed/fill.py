"""Fills an empty database with the demo's rows, and empties it again."""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeVar

from django.db import models, transaction
from django.utils import timezone

from demo.wholesale.models import (
    Customer,
    Invoice,
    Note,
    Order,
    OrderLine,
    Payment,
    Product,
    Return,
    Stock,
    StockCorrection,
    Warehouse,
)
from demo.wholesale.seed import names, trade
from demo.wholesale.seed.goods import BEST_SELLERS, price_list

Row = TypeVar("Row", bound=models.Model)
SEED = 20
#: Tables in the order in which they can be emptied.
TABLES: tuple[type[models.Model], ...] = (
    Return,
    Payment,
    Invoice,
    OrderLine,
    Order,
    StockCorrection,
    Stock,
    Warehouse,
    Product,
    Note,
    Customer,
)
NOTES = (
    "Wants deliveries before 10 o'clock only.",
    "Asked for a better price on cable from 2,000 m a month.",
    "New site manager; orders come from a new address now.",
    "Complained about a damaged pallet; credit was promised.",
    "Pays late every summer, but pays.",
    "Closed for two weeks in July.",
    "Prefers part deliveries over waiting.",
    "Phoned about an open reminder; says the money is on its way.",
    "Interested in the safety range, send the catalogue.",
    "Do not ship without a purchase number on the papers.",
)


def fill(today: datetime.date, *, orders: int = 3200, customers: int = 240) -> dict[str, int]:
    """Writes all rows in one transaction and returns how many of each kind; the same ``today`` gives the same rows."""
    rng = random.Random(SEED)
    with transaction.atomic():
        firms = _customers(rng, today, customers)
        products = _save(_products(rng))
        warehouses = _save([Warehouse(name=name) for name in ("North", "Harbour", "South")])
        stock = _save(_stock(rng, today, products, warehouses))
        habits = trade.habits(rng, len(firms))
        made, lines = trade.orders(rng, today, orders, firms, habits, products, warehouses)
        _save(made)
        _save(lines)
        sent = trade.invoices(rng, today, made)
        pays = {firm.pk: habit for firm, habit in zip(firms, habits, strict=True)}
        paid = trade.payments(rng, today, sent, pays)
        _save(sent)
        _save(paid)
        back = _save(trade.returns(rng, today, lines))
        notes = _save(_notes(rng, firms))
    counted: dict[str, Sequence[models.Model]] = {
        "customers": firms,
        "products": products,
        "stock": stock,
        "orders": made,
        "order lines": lines,
        "invoices": sent,
        "payments": paid,
        "returns": back,
        "notes": notes,
    }
    return {kind: len(rows) for kind, rows in counted.items()}


def empty() -> None:
    """Deletes all rows of the wholesaler's tables; accounts and conversations stay."""
    with transaction.atomic():
        for table in TABLES:
            table._default_manager.all().delete()


def _save(rows: list[Row]) -> list[Row]:
    if rows:
        type(rows[0])._default_manager.bulk_create(rows, batch_size=500)
    return rows


def _customers(rng: random.Random, today: datetime.date, count: int) -> list[Customer]:
    rows = []
    for place, (name, contact, country, city) in enumerate(names.firms(rng, count)):
        rows.append(
            Customer(
                number=f"C-{1001 + place}",
                name=name,
                contact=contact,
                email=f"office@c{1001 + place}.example",
                phone=f"+{rng.randint(30, 98)} 555 {rng.randint(1000, 9999)}",
                city=city,
                country=names.COUNTRIES[country],
                customer_since=today - datetime.timedelta(days=rng.randint(600, 5000)),
                payment_days=rng.choices([14, 30, 45, 60], (25, 55, 12, 8))[0],
                credit_limit=Decimal(rng.choice([2000, 5000, 5000, 10000, 20000, 50000])),
                is_active=rng.random() > 0.05,
            )
        )
    return _save(rows)


def _products(rng: random.Random) -> list[Product]:
    rows = []
    for place, (name, category, unit, price) in enumerate(price_list()):
        minimum = rng.choice([10, 20, 40, 60]) * (4 if name in BEST_SELLERS else 1)
        rows.append(
            Product(
                number=f"P-{2001 + place}",
                name=name,
                category=category,
                unit=unit,
                price=Decimal(str(price)),
                minimum_stock=minimum,
            )
        )
    return rows


def _stock(rng: random.Random, today: datetime.date, products: list[Product], warehouses: list[Warehouse]) -> list[Stock]:
    rows = []
    for product in products:
        # About one product in seven has run low, a few have run out.
        whole = product.minimum_stock * rng.choices([0, 0.5, 0.85, 1.6, 3.0, 5.0], (2, 6, 7, 30, 35, 20))[0]
        for warehouse, share in zip(warehouses, (0.55, 0.28, 0.17), strict=True):
            rows.append(
                Stock(
                    product=product,
                    warehouse=warehouse,
                    quantity=int(whole * share * rng.uniform(0.8, 1.2)),
                    shelf=f"{rng.choice('ABCDEF')}{rng.randint(1, 40):02d}",
                    counted_on=today - datetime.timedelta(days=rng.randint(5, 200)),
                )
            )
    return rows


def _notes(rng: random.Random, customers: list[Customer]) -> list[Note]:
    rows = []
    for customer in customers:
        for _ in range(rng.choices([0, 1, 2, 4], (35, 35, 20, 10))[0]):
            written = timezone.now().replace(microsecond=0) - datetime.timedelta(
                days=rng.randint(1, 500), minutes=rng.randint(0, 400)
            )
            rows.append(
                Note(customer=customer, written_at=written, author=rng.choice(["clerk", "owner"]), text=rng.choice(NOTES))
            )
    return rows
