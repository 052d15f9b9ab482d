"""What a tool returned becomes text for the model and for the journal (``TO7``, ``ME3``, ``ME7``)."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import uuid
from decimal import Decimal

import pytest
from django.utils.translation import gettext_lazy
from pydantic import BaseModel

from deskhand.core.values import CONTROL_KEYS, Outcome
from deskhand.tools import result
from tests import make
from tests.shop.models import Customer, Order


class Colour(enum.Enum):
    RED = "red"


class Stock(BaseModel):
    product: str
    price: Decimal


@dataclasses.dataclass
class Pair:
    left: object
    right: object


NOON = datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", "plain"),
        (gettext_lazy("user"), "user"),
        (None, "null"),
        ({"a": [1, 2.5, True]}, '{"a": [1, 2.5, true]}'),
        ({1: {2}}, '{"1": [2]}'),
        ([Decimal("10.10"), datetime.date(2026, 3, 1), NOON], '["10.10", "2026-03-01", "2026-03-01T12:00:00+00:00"]'),
        ((Colour.RED, uuid.UUID(int=7)), '["red", "00000000-0000-0000-0000-000000000007"]'),
        (float("nan"), '"nan"'),
        (b"abc", '"(3 bytes)"'),
        (Stock(product="pen", price=Decimal("1.20")), '{"product": "pen", "price": "1.20"}'),
        (Pair(Pair(1, 2), "ü"), '{"left": {"left": 1, "right": 2}, "right": "ü"}'),
        ((number for number in range(3)), "[0, 1, 2]"),
    ],
)
def test_every_kind_of_result_is_told(value: object, expected: str) -> None:
    """TO7"""
    assert result.told(value) == expected


@pytest.mark.django_db
def test_a_row_is_told_by_its_columns() -> None:
    """TO7"""
    customer = Customer.objects.create(name="Ada", credit_limit=Decimal("5.00"))
    order = Order.objects.create(number="A-1", customer=customer)
    told = json.loads(result.told(Order.objects.get()))
    assert told == {
        "id": order.pk, "number": "A-1", "customer_id": customer.pk, "status": "open", "note": "", "total": "0.00",
    }  # fmt: skip
    assert set(json.loads(result.told(Order.objects.only("number").get()))) == {"id", "number"}


@pytest.mark.django_db
def test_a_password_hash_is_never_told() -> None:
    """sec_K1"""
    user = make.user()
    assert user.password not in result.told({"user": user})
    assert "username" in result.told(user)


@pytest.mark.django_db
def test_rows_are_limited_and_the_rest_is_counted(django_assert_num_queries) -> None:
    """TO7"""
    Customer.objects.bulk_create(Customer(name=f"c{place}") for place in range(120))
    with django_assert_num_queries(2):
        told = json.loads(result.told(Customer.objects.order_by("id")))
    assert [row["name"] for row in told["rows"]] == [f"c{place}" for place in range(50)]
    assert told["note"] == "This is only a part: the first 50 of 120 rows."
    assert len(json.loads(result.told(Customer.objects.order_by("id")[:50]))) == 50
    assert "60 rows" in result.told(Customer.objects.order_by("id")[:60])
    assert len(json.loads(result.told(Customer.objects.values_list("name")))["rows"]) == 50
    assert "120 rows" in result.told({"customers": Customer.objects})


def test_an_endless_iterator_is_told_in_part() -> None:
    """TO7"""
    assert "only a part" in result.told(iter(int, 1))


def test_what_holds_itself_ends() -> None:
    """TO7"""
    loop: dict[str, object] = {}
    loop["again"] = loop
    assert result.told(loop).count("again") == result.DEPTH


def test_two_megabytes_are_cut_with_a_line_that_says_so() -> None:
    """B29, TO7"""
    made = result.of_text(Outcome.OK, "x" * 2_000_000)
    line = "\n[cut: this is only a part of 2000000 characters]"
    assert (len(made.text), len(made.stored), made.size_chars) == (24_000, 8_000, 2_000_000)
    assert made.text.endswith(line)
    assert made.stored.endswith(line)


def test_what_fits_is_whole() -> None:
    """TO7"""
    made = result.of_text(Outcome.OK, "x" * 8_000)
    assert made.text == made.stored == "x" * 8_000


HIDDEN = "a\x00b\udc81c\U000e0041d\u2063e\ud83d\ude00"


@pytest.mark.parametrize("value", [HIDDEN, {HIDDEN: [HIDDEN]}, Pair(HIDDEN, {"deep": {HIDDEN}})])
def test_nul_surrogates_and_hidden_characters_are_never_in_a_result(value: object) -> None:
    """ME7, TO7, B26"""
    made = result.of_text(Outcome.OK, result.told(value))
    assert "abcde😀" in made.text
    assert made.stored == made.text
    assert "\\u0000" not in made.text


@pytest.mark.parametrize("key", sorted(CONTROL_KEYS))
def test_our_control_keys_are_never_in_a_result(key: str) -> None:
    """ME3"""
    value = {"token": "the host's", "rows": [{key: "secret-canary", "kept": {key: "secret-canary"}}]}
    expected = {"token": "the host's", "rows": [{"kept": {}}]}
    assert json.loads(result.told(value)) == expected
    assert json.loads(result.told(json.dumps(value))) == expected


def test_a_result_never_shows_its_text() -> None:
    """sec_K1"""
    assert "canary" not in repr(result.of_text(Outcome.OK, "secret-canary"))
