"""What a model gives as arguments is checked before anything runs (``TO5``, ``sec_F4``, ``B17``)."""

from __future__ import annotations

import datetime
import json
import traceback
from decimal import Decimal
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from deskhand.errors import InvalidArguments
from deskhand.scope import Scope
from deskhand.tools import arguments, tool


class Line(BaseModel):
    """A line of an order."""

    product: str
    count: int


@tool(permission="shop.view_order", reads=True)
def order(
    number: int,
    status: Literal["open", "paid"] = "open",
    note: str = "",
    since: datetime.date | None = None,
    total: Decimal | None = None,
    lines: list[Line] | None = None,
    scope: Scope | None = None,
) -> str:
    """Anything."""
    raise AssertionError("never called by a check")


@tool(permission="shop.view_order", reads=True)
def free(anything: dict[str, object]) -> str:
    """Takes any object."""
    return ""


def refused(raw: str) -> str:
    with pytest.raises(InvalidArguments) as caught:
        arguments(order, raw)
    return caught.value.reason


def test_arguments_come_typed_and_with_the_defaults() -> None:
    """TO5"""
    raw = '{"number": 7, "since": "2026-03-01", "total": "10.10", "lines": [{"product": "pen", "count": 2}]}'
    given_ = arguments(order, raw)
    assert given_["number"] == 7
    assert given_["since"] == datetime.date(2026, 3, 1)
    assert given_["total"] == Decimal("10.10")
    assert given_["lines"] == [Line(product="pen", count=2)]
    assert (given_["status"], given_["note"]) == ("open", "")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("{}", "number: Field required"),
        ('{"number": 1, "sure": true}', "sure: Extra inputs are not permitted"),
        ('{"number": "1"}', "number: Input should be a valid integer"),
        ('{"number": 1.0}', "number: Input should be a valid integer"),
        ('{"number": true}', "number: Input should be a valid integer"),
        ('{"number": 1, "status": "lost"}', "status: Input should be 'open' or 'paid'"),
        ('{"number": 1, "lines": [{"product": "pen", "count": "2"}]}', "lines.0.count: Input should be a valid integer"),
        ('{"number": 1, "since": "secret-canary"}', "since: not valid (date_parsing)"),
        ('{"number": 1, "total": "secret-canary"}', "total: not valid (decimal_parsing)"),
        ('{"number": 1, "number": 2}', "a key stands twice in one object"),
        ('{"number": 1, "num\\u0000ber": 2}', "a key stands twice in one object"),
        ('{"number": NaN}', "a number is not finite"),
        ('{"number": -Infinity}', "a number is not finite"),
        ("[]", "the arguments must be a JSON object"),
        ("null", "the arguments must be a JSON object"),
        ("42", "the arguments must be a JSON object"),
        ('"x"', "the arguments must be a JSON object"),
        ('{"number": 1', "the arguments are not valid JSON"),
        ("{'number': 1}", "the arguments are not valid JSON"),
        ('{"number": ' + "9" * 5000 + "}", "the arguments are not valid JSON"),
    ],
)
def test_what_does_not_fit_is_told_by_field_and_kind(raw: str, told: str) -> None:
    """TO5, sec_F4, B17"""
    assert refused(raw) == told


def test_a_text_of_a_megabyte_is_refused() -> None:
    """sec_F4"""
    assert refused(json.dumps({"number": 1, "note": "x" * 1_000_000})) == "the arguments are longer than 100000 characters"


@pytest.mark.parametrize("depth", [33, 200, 20_000])
@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}")])
def test_what_is_nested_deeper_than_anyone_needs_is_refused(depth: int, opens: str, closes: str) -> None:
    """sec_F4"""
    with pytest.raises(InvalidArguments) as caught:
        arguments(free, '{"anything": {"a":' + opens * depth + "1" + closes * depth + "}}")
    assert "deeper" in caught.value.reason or "longer" in caught.value.reason


def test_brackets_in_a_text_are_not_depth() -> None:
    """TO5"""
    assert arguments(free, json.dumps({"anything": {"a": '\\"' + "[{" * 100}}))["anything"]


def test_an_empty_text_is_a_call_without_arguments() -> None:
    """TO5"""
    assert refused("") == "number: Field required"


def test_nul_and_lone_surrogates_are_cut_before_the_check() -> None:
    """ME7, B26"""
    assert arguments(order, '{"number": 1, "note": "x\\u0000y\\udc81\\ud83d\\ude00"}')["note"] == "xy😀"
    assert arguments(order, '{"number": 1, "status": "op\\u0000en"}')["status"] == "open"


def test_many_faults_are_told_up_to_a_bound() -> None:
    """TO5"""
    told = refused(json.dumps({"number": 1, **{f"extra{place}" + "x" * 500: 1 for place in range(40)}}))
    assert told.endswith("and 30 more")
    assert len(told) < 1500


def test_the_scope_can_never_be_given_by_the_model() -> None:
    """TO1"""
    assert refused('{"number": 1, "scope": {"user_id": 1}}') == "scope: Extra inputs are not permitted"


@given(st.text(alphabet="canry-", min_size=12))
def test_a_value_is_never_in_the_exception(value: str) -> None:
    """sec_K1"""
    raw = json.dumps({"number": value, "status": value, "since": value, "total": [value], "lines": value})
    with pytest.raises(InvalidArguments) as caught:
        arguments(order, raw)
    seen = "".join(traceback.format_exception_only(caught.value)) + caught.value.reason
    assert value not in seen


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_no_json_at_all_breaks_the_check(value: object) -> None:
    """TO5"""
    try:
        found = arguments(free, json.dumps({"anything": value}))
    except InvalidArguments:
        return
    assert isinstance(found["anything"], dict)
