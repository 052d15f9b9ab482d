"""A function becomes a tool (``TO1``, ``TO2``, ``TO4``)."""

from __future__ import annotations

import re
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from deskhand.scope import Scope
from deskhand.tools import model_name, tool


def test_schema_and_description_come_from_the_function() -> None:
    """TO1"""

    @tool(permission="shop.view_order", reads=True)
    def find_orders(status: Annotated[str, Field(description="open or paid")], scope: Scope, limit: int = 10) -> str:
        """Orders with this status.

        Newest first.
        """
        return ""

    assert find_orders.spec.name == "find_orders"
    assert find_orders.description == "Orders with this status.\n\nNewest first."
    assert find_orders.parameters == {
        "type": "object",
        "properties": {
            "status": {"type": "string", "description": "open or paid"},
            "limit": {"type": "integer", "default": 10},
        },
        "required": ["status"],
        "additionalProperties": False,
    }
    assert (find_orders.title, find_orders.writes, find_orders.seconds) == ("Find orders", False, None)


def test_the_scope_is_never_in_the_schema() -> None:
    """TO1"""

    @tool(permission="shop.view_order", reads=True)
    def whose(who: Annotated[Scope, "the person"]) -> str:
        """Whose."""
        return ""

    assert whose.parameters["properties"] == {}
    assert whose.signature.scope_parameter == "who"


def test_a_tool_that_says_nothing_writes() -> None:
    """TO2, sec_F3"""

    @tool
    def bare() -> str:
        """Bare."""
        return ""

    @tool(permission="shop.view_order")
    def named() -> str:
        """Named."""
        return ""

    assert bare.writes
    assert named.writes
    assert bare.permission == ""


def test_reads_and_writes_together_are_refused() -> None:
    """TO2"""
    with pytest.raises(TypeError):
        tool(permission="shop.view_order", reads=True, writes=True)


def without_annotation(number) -> str:
    return ""


def by_place(number: int, /) -> str:
    return ""


def any_number(*numbers: int) -> str:
    return ""


def any_names(**names: int) -> str:
    return ""


class Opaque:
    """No JSON stands for it."""


def opaque(thing: Opaque) -> str:
    return ""


@pytest.mark.parametrize("function", [without_annotation, by_place, any_number, any_names, opaque])
def test_a_parameter_that_a_model_could_not_give_is_refused_at_start(function) -> None:
    """TO1"""
    with pytest.raises(TypeError):
        tool(permission="shop.view_order", reads=True)(function)


def test_a_tool_is_still_the_hosts_own_function() -> None:
    """TO1"""

    @tool(permission="shop.view_order", reads=True)
    def double(number: int) -> int:
        """Twice the number."""
        return 2 * number

    assert double(4) == 8


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("find_orders", "find_orders"),
        ("shop.find-orders", "shop_find-orders"),
        ("shop: Bestellung für", "shop__Bestellung_f_r"),
        ("7days", "_7days"),
        ("", "_"),
    ],
)
def test_the_models_name_is_the_registered_one_as_far_as_it_can_be(name: str, expected: str) -> None:
    """TO4"""
    assert model_name(name) == expected


@given(st.text(max_size=200))
def test_every_name_becomes_one_that_every_provider_takes(name: str) -> None:
    """TO4"""
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", model_name(name))
    assert model_name(model_name(name)) == model_name(name)


def test_two_long_names_stay_two() -> None:
    """TO4"""
    assert model_name("x" * 80 + "a") != model_name("x" * 80 + "b")
