"""A batch changes the rows that its card showed, whatever came in between."""

from __future__ import annotations

import datetime
import json
import threading
from collections.abc import Callable, Iterator

import pytest
from django.core.checks import run_checks
from django.db import connection, connections

from deskhand.confirmations import clicking, reading
from deskhand.core.values import Outcome, ToolCall
from deskhand.models import Confirmation
from deskhand.scope import Scope
from deskhand.testing import run_turn, scope_of, script
from deskhand.tools import Change, Done, Item, LockedRows, Preview, registry, tool
from tests import make
from tests.shop import assistant
from tests.shop.models import Customer, Order

MAY = ["deskhand.use_assistant", "shop.view_order", "shop.change_order"]
#: What happens right after the preview has read its rows: filled by a test for the click alone.
meanwhile: list[Callable[[], object]] = []


@tool(permission="shop.change_order", writes=True, rows=5)
def close_all(
    locked: LockedRows, status: str = "open", remark: str | None = None, dry: bool = False, day: datetime.date | None = None
) -> list[Done]:
    """Closes all orders of a status."""
    orders = locked.of(Order)
    done = [Done(order.number, True, "closed") for order in orders.order_by("pk")]
    orders.update(status="closed")
    return done


@close_all.preview
def _card(who: Scope, status: str) -> Preview:
    rows = list(Order.objects.filter(status=status).order_by("pk"))
    for step in meanwhile:
        step()
    return Preview(
        title=f"{who.full_name} closes {len(rows)} orders",
        items=[Item(row.number, [Change("Status", row.status, "closed")]) for row in rows],
        rows=rows,
    )


@pytest.fixture
def customer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Customer]:
    """A customer with two open orders, and the batch among the shop's tools."""
    monkeypatch.setattr(assistant, "close_all", close_all, raising=False)
    registry.cache_clear()
    row = Customer.objects.create(name="Hansen Bygg")
    for number in ("A-1", "A-2"):
        Order.objects.create(number=number, customer=row)
    yield row
    meanwhile.clear()
    registry.cache_clear()


def proposed(**arguments: object) -> tuple[Scope, Confirmation]:
    user = make.user(MAY)
    session_ref = make.session(user)
    run_turn(user, "Do it", script(ToolCall("c1", "close_all", json.dumps(arguments)), "It waits."), session_ref=session_ref)
    return scope_of(user, session_ref), Confirmation.objects.get()


def statuses() -> dict[str, str]:
    return dict(Order.objects.values_list("number", "status"))


@pytest.mark.django_db
def test_a_batch_changes_what_its_card_named(customer: Customer) -> None:
    """CO4."""
    scope, card = proposed()
    assert clicking.confirm(scope, card.id) is Outcome.CONFIRMED
    assert statuses() == {"A-1": "closed", "A-2": "closed"}
    assert [each["title"] for each in reading.card(scope, card.id)["results"]] == ["A-1", "A-2"]  # type: ignore[attr-defined]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="on SQLite nobody else writes while the click does")
@pytest.mark.django_db(transaction=True)
def test_a_row_that_came_after_the_card_was_compared_is_never_changed(customer: Customer) -> None:
    """CO3, CO4: another transaction adds an open order, and commits, while the click is at work."""
    scope, card = proposed()

    def add() -> None:
        Order.objects.create(number="A-3", customer=customer)
        connections.close_all()

    def elsewhere() -> None:
        thread = threading.Thread(target=add)
        thread.start()
        thread.join()

    meanwhile.append(elsewhere)
    assert clicking.confirm(scope, card.id) is Outcome.CONFIRMED
    assert statuses() == {"A-1": "closed", "A-2": "closed", "A-3": "open"}


@pytest.mark.django_db
def test_a_row_that_came_before_the_click_ends_the_card_as_changed(customer: Customer) -> None:
    """CO4."""
    scope, card = proposed()
    Order.objects.create(number="A-3", customer=customer)
    assert clicking.confirm(scope, card.id) is Outcome.CHANGED
    assert set(statuses().values()) == {"open"}


@pytest.mark.django_db
def test_a_preview_may_ask_for_the_scope_though_its_tool_does_not(customer: Customer) -> None:
    scope, card = proposed()
    assert card.card["title"] == f"{scope.full_name} closes 2 orders"


@pytest.mark.django_db
def test_a_card_lists_a_default_that_has_effect_and_none_that_is_nothing(customer: Customer) -> None:
    """CO3."""
    _, card = proposed()
    assert card.card["arguments"] == [{"name": "status", "value": "open"}, {"name": "dry", "value": "false"}]


@pytest.mark.django_db
def test_a_batch_without_a_preview_is_named_at_start(customer: Customer, monkeypatch: pytest.MonkeyPatch) -> None:
    """OP3"""
    monkeypatch.setattr(
        assistant, "close_all", tool(permission="shop.change_order", writes=True)(close_all.function), raising=False
    )
    registry.cache_clear()
    assert "deskhand.E006" in [message.id for message in run_checks(tags=["deskhand"])]


@pytest.mark.parametrize("how", [{"reads": True}, {"writes": True, "outside": True}])
def test_rows_are_never_handed_to_what_can_not_hold_them(how: dict[str, bool]) -> None:
    """CO7"""

    def change(locked: LockedRows) -> None:
        """Changes."""

    with pytest.raises(TypeError, match="locked for a change"):
        tool(permission="shop.change_order", **how)(change)


def test_a_preview_never_takes_an_argument_for_the_scope() -> None:
    @tool(permission="shop.change_order", writes=True)
    def change(scope: str) -> None:
        """Changes."""

    def card(scope: Scope) -> Preview:
        return Preview("")

    with pytest.raises(TypeError, match="no scope"):
        change.preview(card)
