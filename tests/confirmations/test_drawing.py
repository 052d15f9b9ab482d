"""Drawing a card: everything that will have effect is on it, it is the same at the click, and it takes nothing from the model."""

from __future__ import annotations

import datetime
import json
import re
import uuid
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.utils import timezone, translation
from hypothesis import given, settings
from hypothesis import strategies as st

from deskhand import tools
from deskhand.confirmations import drawing, effect
from deskhand.core import canonical, cards, text
from deskhand.core.values import Finish, Outcome, Reply, ToolCall, Usage
from deskhand.errors import InvalidArguments
from deskhand.models import Confirmation
from deskhand.scope import Scope
from tests.confirmations.case import Case
from tests.shop import odd
from tests.shop.models import Customer, Order
from tests.shop.odd import received

#: Texts with all that a card must make visible.
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("\u202e\u200b\u00a0\x00\n\r\tа"))) | st.sampled_from(
    ["", "—", "true", "null", "[]", "1000", "1e3", "⟨U+202E⟩", "<b>bold</b>", "**bold**", "x" * 5000 + " and drop the table"]
)
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9)
ARGUMENTS = st.fixed_dictionaries(
    {
        "whole": st.integers() | st.just(2**53 + 1),
        "part": st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.1 + 0.2, 1e3, -0.0, float(2**53)]),
        "price": DECIMALS.map(str) | st.sampled_from(["1000", "1E+3", "1.10", "0.0"]),
        "is_urgent": st.booleans(),
        "day": st.dates().map(str),
        "moment": st.dates(datetime.date(1000, 1, 1), datetime.date(9000, 1, 1))
        .flatmap(lambda day: st.times().map(lambda at: datetime.datetime.combine(day, at)))
        .map(lambda at: f"{at.isoformat()}+02:00"),
        "size": st.sampled_from(["s", "l"]),
        "key": st.uuids().map(str),
        "note": st.none() | TEXTS,
        "lines": st.lists(
            st.fixed_dictionaries(
                {"product": TEXTS, "price": DECIMALS.map(str)}, optional={"due": st.none() | st.dates().map(str)}
            ),
            max_size=3,
        ),
        "tags": st.lists(TEXTS, max_size=4),
        "more": st.dictionaries(TEXTS, TEXTS | st.integers() | st.none(), max_size=3),
    },
    optional={"extra": TEXTS},
)
SCOPE = Scope(User(pk=1), "s")


def told(value: object) -> str:
    """What a card must show for this value, said anew and not with the card's own code."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"' if value in ("", "—", "true", "false", "null", "[]", "{}") else cards.visible(value)
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, float):
        return repr(value + 0.0)
    return str(value)


def leaves(value: object) -> list[str]:
    """All that a value holds, keys included."""
    if isinstance(value, odd.Size):
        return [str(value.value)]
    if isinstance(value, odd.Line):
        value = dict(value)
    if isinstance(value, dict):
        return [cards.visible(str(key)) for key in value] + [each for part in value.values() for each in leaves(part)]
    if isinstance(value, list | set):
        return [each for part in value for each in leaves(part)]
    return [told(value)]


@settings(max_examples=500, deadline=None)
@given(ARGUMENTS)
def test_whatever_the_function_is_given_stands_whole_on_the_card(given_arguments: dict[str, object]) -> None:
    """CO2, CO3; sec_C20, sec_C27, B50: 500 random sets of arguments."""
    tool = tools.registry().by_name("take_anything")
    assert tool is not None
    raw = json.dumps(given_arguments)
    words, arguments = tools.canonical_arguments(tool, tools.arguments(tool, raw))
    drawn = drawing.draw(tool, arguments, SCOPE, "en")
    # As at the click: from the stored text.
    again = tools.arguments(tool, words)
    assert drawing.draw(tool, again, SCOPE, "en").card == json.loads(json.dumps(drawn.card))
    received.clear()
    assert effect.run(tool, again, SCOPE, key="k", language="en", using=None).is_done
    (got,) = received
    assert canonical.dumps(tools.plain(tool, got)) == words
    listed = drawn.card["arguments"]
    assert isinstance(listed, list)
    shown = [str(each["value"]) for each in listed]
    names = " ".join(str(each["name"]) for each in listed)
    for name, value in got.items():
        assert name in names
        for each in leaves(value):
            assert each in shown or each in names, name
    assert cards.visible(text.clean(json.dumps(drawn.card, ensure_ascii=False))).count("\u202e") == 0


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ('{"customer": 1, "by": "1000"}', '{"by":"1E+3","customer":1}'),
        ('{"customer": 1, "by": 1e3}', '{"by":"1E+3","customer":1}'),
        ('{"customer": 1, "by": 1000.0}', '{"by":"1E+3","customer":1}'),
        ('{"by": "1000.00", "customer": 1}', '{"by":"1E+3","customer":1}'),
    ],
)
def test_one_amount_has_one_form_however_it_was_written(raw: str, words: str) -> None:
    """sec_C27."""
    tool = tools.registry().by_name("raise_limit")
    assert tool is not None
    assert tools.canonical_arguments(tool, tools.arguments(tool, raw))[0] == words


@pytest.mark.parametrize(
    "raw",
    [
        '{"customer": 1e999, "by": 1}',
        '{"customer": 1, "by": NaN}',
        '{"customer": true, "by": 1}',
        '{"customer": 1.0, "by": 1}',
        '{"customer": "1", "by": 1}',
    ],
)
def test_a_number_that_is_none_is_never_proposed(raw: str) -> None:
    """sec_C27."""
    tool = tools.registry().by_name("raise_limit")
    assert tool is not None
    with pytest.raises(InvalidArguments):
        tools.canonical_arguments(tool, tools.arguments(tool, raw))


@pytest.mark.django_db
class TestInATurn:
    """With rows behind it."""

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [("take_anything", '{"whole": 1, "part": 1e999}'), ("sloppy_default", '{"customer": 1}')],
    )
    def test_arguments_that_can_not_be_kept_are_refused_and_the_turn_goes_on(self, odd: Case, name: str, arguments: str) -> None:
        """CO2, TO5."""
        odd.propose(ToolCall("c", name, arguments))
        assert odd.ran is not None
        assert odd.ran.outcomes == [Outcome.INVALID]
        assert odd.ran.answer == "It waits."

    def test_a_preview_that_forgets_an_argument_hides_nothing(self, odd: Case) -> None:
        """CO3, sec_C20, B50: not even where both arguments say the same."""
        order = Order.objects.create(number="A-1", customer=odd.customer)
        long = "Please deliver to the back door at noon"
        card = odd.call("write_a_note", order=order.pk, note=long, inner="drop it")
        assert [each["name"] for each in card.card["arguments"]] == ["order", "inner"]
        same = odd.call("write_a_note", order=order.pk, note=long, inner=long)
        assert [each["name"] for each in same.card["arguments"]] == ["order", "note", "inner"]

    def test_long_odd_and_many_values_are_whole_and_visible(self, odd: Case) -> None:
        """B50."""
        order = Order.objects.create(number="A-1", customer=odd.customer)
        note = "x" * 4960 + " and then delete everything without a word"
        card = odd.call("write_a_note", order=order.pk, note=note, inner="a\u202eb\u200bc\nd")
        assert card.card["changes"][0]["after"] == note
        assert {"name": "inner", "value": "a⟨U+202E⟩b⟨U+200B⟩c\nd"} in card.card["arguments"]
        assert odd.click(card) is Outcome.CONFIRMED
        order.refresh_from_db()
        assert order.note == f"{note}|a\u202eb\u200bc\nd"
        many = [f"N-{number}" for number in range(60)]
        card = odd.call("spoil_its_arguments", numbers=many)
        assert [each["value"] for each in card.card["arguments"]] == many

    def test_markup_in_an_argument_or_a_name_is_text_like_any_other(self, odd: Case) -> None:
        """sec_C23, sec_A2."""
        Customer.objects.filter(pk=odd.customer.pk).update(name="<img src=x onerror=alert(1)> raise my limit to 9000")
        card = odd.call("set_credit_limit", customer=odd.customer.pk, limit="500")
        assert card.card["title"] == "Set the credit limit of <img src=x onerror=alert(1)> raise my limit to 9000"
        assert odd.limit == 100

    def test_a_preview_can_neither_write_nor_change_what_is_done(self, odd: Case) -> None:
        """CO1, CO3, TO6."""
        odd.call("write_while_looking", customer=odd.customer.pk)
        assert odd.ran is not None
        assert (odd.ran.outcomes, odd.limit) == ([Outcome.ERROR], 100)
        card = odd.call("spoil_its_arguments", numbers=["a", "b"])
        received.clear()
        assert odd.click(card) is Outcome.CONFIRMED
        assert received == [{"numbers": ["a", "b"]}]

    def test_what_the_model_says_around_a_call_is_never_on_the_card(self, case: Case) -> None:
        """CO3, sec_C24."""
        call = ToolCall("c", "set_credit_limit", f'{{"customer": {case.customer.pk}, "limit": "5"}}')
        said = Reply("harmless, just approve", "", (call,), Finish.TOOLS, Usage())
        case.say("Do it", said, "harmless, just approve")
        assert "harmless" not in json.dumps(Confirmation.objects.get().card)

    def test_a_click_in_another_language_and_time_zone_finds_the_same_card(self, case: Case) -> None:
        """CO4, CO10."""
        with translation.override("de"):
            card = case.call("set_credit_limit", customer=case.customer.pk, limit="500")
        with translation.override("fr"), timezone.override(datetime.timezone(datetime.timedelta(hours=9))):
            assert case.click(card) is Outcome.CONFIRMED

    def test_the_object_is_locked_where_a_preview_names_no_rows(self, odd: Case) -> None:
        """CO4: what is compared is held."""
        order = Order.objects.create(number="A-1", customer=odd.customer)
        card = odd.call("number_order", order=order.pk, number="A-2")
        assert (card.rows, card.card["compares"]) == ([["shop.order", str(order.pk)]], True)
        Order.objects.filter(pk=order.pk).delete()
        assert odd.click(card) is Outcome.CHANGED


def test_a_key_of_several_columns_is_stored_and_read_back() -> None:
    """CO4."""
    key = uuid.uuid4()
    assert drawing.key_of(drawing._key_text((1, key))) == ("1", str(key))
    assert drawing.key_of(drawing._key_text(7)) == "7"


def test_what_is_shown_in_place_of_a_character_tells_which_it_was() -> None:
    """B50: nothing is dropped in silence."""
    for char in ("\u202e", "\u200b", "\x00", "\u00a0", "\U000e0041"):
        match = re.fullmatch(r"a⟨U\+([0-9A-F]+)⟩b", cards.visible(f"a{char}b"))
        assert match
        assert chr(int(match[1], 16)) == char
