"""What a card shows, in plain values."""

from __future__ import annotations

import datetime
import enum
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskhand.core import cards

LONG = "Please deliver to the back door"


class Colour(enum.Enum):
    RED = "red"


class Word(enum.StrEnum):
    ONE = "one"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "—"),
        ("", "—"),
        (True, "true"),
        (1000, "1000"),
        (1000.0, "1000.0"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1.10"), "1.10"),
        (2**53 + 1, "9007199254740993"),
        (Colour.RED, "red"),
        (Word.ONE, "one"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("p\u0430y", "p\u0430⟨U+0430⟩y"),
        ("a\nb", "a\nb"),
    ],
)
def test_a_value_reads_as_what_it_is(value: object, words: str) -> None:
    """CO3, sec_C27."""
    assert cards.shown(value) == words
    assert type(cards.shown(value)) is str


@given(st.text())
def test_what_is_made_visible_once_stays_as_it_is(raw: str) -> None:
    """CO3."""
    once = cards.visible(raw)
    assert cards.visible(once) == once


def test_every_argument_is_listed_by_its_name_but_a_long_text_that_is_shown_word_for_word() -> None:
    """CO3, B50: a short value could stand elsewhere by chance."""
    listed = cards.arguments({"limit": 500, "note": LONG, "to": {"name": "Ada", "tags": ["x", "y"]}}, ["500", "Ada", LONG])
    assert listed == [
        {"name": "limit", "value": "500"},
        {"name": "to.name", "value": "Ada"},
        {"name": "to.tags 1", "value": "x"},
        {"name": "to.tags 2", "value": "y"},
    ]


def test_two_arguments_that_say_the_same_are_both_listed() -> None:
    """CO3: one of them is shown, nobody knows which."""
    assert len(cards.arguments({"note": LONG, "inner": LONG}, [LONG])) == 2


def test_a_text_that_is_a_part_of_another_is_listed() -> None:
    """CO3."""
    assert len(cards.arguments({"note": LONG}, [f"{LONG}, but not today"])) == 1


def test_nothing_an_empty_text_and_an_empty_list_never_read_alike() -> None:
    """CO3."""
    values = [None, "", "—", "true", True, [], "[]", {}, "{}", "null"]
    words = [each["value"] for each in cards.arguments({str(at): value for at, value in enumerate(values)})]
    assert len(set(words)) == len(values)


def test_a_set_reads_the_same_in_every_process() -> None:
    """CO4: else each click after a restart would find the data changed."""
    assert [each["value"] for each in cards.arguments({"tags": {"b", "a", "c"}})] == ["a", "b", "c"]


def test_the_print_is_another_one_for_another_card_row_or_version() -> None:
    """CO2, CO4."""
    first = cards.print_of({"title": "a"}, [["shop.order", "1"]], "")
    assert first == cards.print_of({"title": "a"}, [["shop.order", "1"]], "")
    others = [
        cards.print_of({"title": "b"}, [["shop.order", "1"]], ""),
        cards.print_of({"title": "a"}, [["shop.order", "2"]], ""),
        cards.print_of({"title": "a"}, [["shop.order", "1"]], "2"),
    ]
    assert len({first, *others}) == 4


def test_a_look_alike_with_a_number_that_is_not_its_own_is_never_taken_for_marked() -> None:
    """CO3: a Cyrillic a that says it is a Latin one."""
    assert cards.visible("p\u0430⟨U+0061⟩ypal") == "p\u0430⟨U+0430⟩⟨U+0061⟩ypal"
    assert cards.visible("p\u0430⟨U+0430⟩ypal") == "p\u0430⟨U+0430⟩ypal"
