"""Names as people type them."""

from __future__ import annotations

import pytest

from demo.wholesale import lookup
from demo.wholesale.models import Customer, Product
from deskhand.tools import ToolError


def _found(asked: str) -> set[str]:
    keys = lookup.matching(Customer.objects.all(), asked, "customer")
    return set(Customer.objects.filter(pk__in=keys).values_list("name", flat=True))


@pytest.fixture(autouse=True)
def firms(today: object) -> None:
    for number, name in enumerate(["Иванов Строй ООД 7", "陈氏五金行上海", "Αγγελοπούλου Κατασκευές", "شركة النور للتجارة"]):
        Customer.objects.create(number=f"C-9{number}", name=name, country="Norway", customer_since="2020-01-01")


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("HANSEN", "Hansén VVS AB"),
        ("hansen vvs", "Hansén VVS AB"),
        ("Sonner", "Hansen & Sønner"),
        ("ИВАНОВ строй 7", "Иванов Строй ООД 7"),
        ("αγγελοπουλου", "Αγγελοπούλου Κατασκευές"),
        ("五金行上", "陈氏五金行上海"),
        ("النور للتجارة", "شركة النور للتجارة"),
        ("Ivanov Stroy", "Иванов Строй ООД 7"),
        ("c-92", "Αγγελοπούλου Κατασκευές"),
    ],
)
def test_case_accents_and_parts_of_a_name_make_no_difference(asked: str, name: str) -> None:
    assert name in _found(asked)


def test_a_whole_name_finds_that_firm_alone() -> None:
    assert _found("Hansen Bygg AS") == {"Hansen Bygg AS"}


def test_a_mistyped_name_gets_the_nearest_ones_told() -> None:
    with pytest.raises(ToolError, match="Hansen Elektro AS"):
        _found("Hannsen Elektro")


def test_a_name_like_no_other_gets_none_told() -> None:
    with pytest.raises(ToolError) as raised:
        _found("Qqqqq")
    assert "Similar" not in raised.value.message


def test_a_plural_finds_the_product() -> None:
    keys = lookup.matching(Product.objects.all(), "LED bulbs", "product")
    assert {product.name[:8] for product in Product.objects.filter(pk__in=keys)} == {"LED bulb"}


@pytest.mark.parametrize("asked", ["22mm copper pipe", "copper pipe 22 mm", "pipe 22mm, copper", "Copper pipes 22mm"])
def test_the_order_of_words_and_a_glued_unit_make_no_difference(asked: str) -> None:
    keys = lookup.matching(Product.objects.all(), asked, "product")
    assert [product.name for product in Product.objects.filter(pk__in=keys)] == ["Copper pipe 22 mm"]


def test_a_number_never_stands_for_a_longer_one() -> None:
    with pytest.raises(ToolError, match="Copper pipe"):
        lookup.matching(Product.objects.all(), "copper pipe 2 mm", "product")


def test_a_greek_firm_spelled_in_latin_letters_is_told_as_a_near_name() -> None:
    with pytest.raises(ToolError, match="Αγγελοπούλου Κατασκευές"):
        _found("Angelopoulou Kataskeves")
