"""Which tools exist, and who may be offered which (``TO1``, ``TO3``, ``TO4``)."""

from __future__ import annotations

import pytest

from deskhand.tools import Registry, registry, resting, tool
from tests import make
from tests.shop import assistant


@pytest.fixture(autouse=True)
def rested():
    yield
    resting.current.forget()


def test_tools_are_found_in_the_assistant_modules_of_installed_apps() -> None:
    """TO1"""
    assert {"find_orders", "read_order", "count_customers", "cancel_order"} <= {tool.name for tool in registry().all()}
    assert registry().by_model_name("find_orders") is registry().by_name("find_orders") is assistant.find_orders


@pytest.mark.django_db
def test_only_what_the_scope_may_use_is_offered() -> None:
    """TO3"""
    names = [tool.name for tool in registry().offered(make.scope(["shop.view_order"]))]
    assert names == ["find_orders", "read_order"]
    assert [spec.name for spec in registry().specs(make.scope(["shop.view_customer"]))] == ["count_customers"]
    assert registry().offered(make.scope()) == ()


@pytest.mark.django_db
def test_a_writing_tool_is_offered_to_who_may_use_it() -> None:
    """CO1: it will be proposed, never run."""
    assert assistant.cancel_order in registry().offered(make.scope(["shop.change_order"]))
    assert assistant.cancel_order not in registry().offered(make.scope(["shop.view_order"]))


@pytest.mark.django_db
def test_a_tool_without_a_permission_is_offered_to_nobody() -> None:
    """TO2"""

    @tool(reads=True)
    def loose() -> str:
        """Loose."""
        return ""

    assert Registry([loose]).offered(make.scope(user=make.user(is_superuser=True))) == ()


@pytest.mark.django_db
def test_a_tool_that_rests_is_not_offered() -> None:
    """TO6"""
    scope = make.scope(["shop.view_order"])
    for _ in range(resting.HANGS):
        resting.current.note_hang("find_orders")
    assert [tool.name for tool in registry().offered(scope)] == ["read_order"]


@pytest.mark.django_db
def test_offering_many_tools_costs_no_more_than_the_first_question(django_assert_max_num_queries) -> None:
    """SC2"""
    scope = make.scope(["shop.view_order"])
    many = Registry(
        tool(permission="shop.view_order", reads=True, name=f"find_{place}")(assistant.find_orders.function)
        for place in range(40)
    )
    with django_assert_max_num_queries(2):
        assert len(many.offered(scope)) == 40


@pytest.mark.parametrize("name", ["", "Find_orders", "find-orders", "find_orders ", "confirm", "cancel order"])
def test_a_name_that_is_not_exactly_a_tools_is_no_tool(name: str) -> None:
    """B15, sec_A15, sec_A17"""
    assert registry().by_model_name(name) is None


def test_two_tools_with_one_name_for_the_model_are_refused() -> None:
    """TO4"""

    @tool(permission="shop.view_order", reads=True, name="shop.orders")
    def one() -> str:
        """One."""
        return ""

    @tool(permission="shop.view_order", reads=True, name="shop_orders")
    def two() -> str:
        """Two."""
        return ""

    with pytest.raises(ValueError, match="shop_orders"):
        Registry([one, two])
