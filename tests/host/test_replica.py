"""A replica that lags: ours is never read from it, and a click never takes it for what is true (``OP10``, ``CO4``)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connections, router

from deskhand import replicas
from deskhand.confirmations import clicking, reading
from deskhand.core.values import Outcome
from deskhand.models import Confirmation
from deskhand.scope import Scope
from deskhand.testing import Ran, ToolCall, run_turn, scope_of, script, sign_in
from tests.host import tenants
from tests.host.desk import Made, colleague
from tests.shop.models import Customer


@pytest.fixture
def scope(database: None) -> Iterator[Scope]:
    user = colleague("admin")
    with tenants.work_for(tenants.of(user)):
        yield scope_of(user, sign_in(user))


def ask(scope: Scope, *rounds: object) -> Ran:
    return run_turn(scope.user, "Do it", script(*rounds), session_ref=scope.session_ref)  # type: ignore[arg-type]


def limit(made: Made, alias: str) -> int:
    return int(Customer.objects.using(alias).get(pk=made.customer.pk).credit_limit)


def proposal(scope: Scope, made: Made) -> Confirmation:
    call = ToolCall("c1", "set_credit_limit", f'{{"customer": {made.customer.pk}, "limit": "500"}}')
    ran = ask(scope, call, "It waits.")
    assert ran.outcomes == [Outcome.NEEDS_CONFIRMATION]
    return Confirmation.objects.using("default").get(turn_ref=ran.turn_id)


def test_a_tool_reads_where_the_host_lets_it_and_our_own_rows_are_never_read_there(scope: Scope, made: Made) -> None:
    """OP10: the replica has none of our tables, so one look there would have been a fault."""
    type(made.order).objects.using("default").filter(pk=made.order.pk).update(status="closed")
    assert router.db_for_read(Confirmation) == "replica"
    ran = ask(scope, ToolCall("c1", "read_order", f'{{"number": "{made.order.number}"}}'), "Open.")
    # The host's own lag, as on its pages.
    assert '"open"' in ran.requests[1].rounds[0].results[0]
    assert ran.answer == "Open."


def test_a_change_that_the_replica_has_not_heard_of_is_never_overwritten(scope: Scope, made: Made) -> None:
    """CO4, sec_C4: read from the replica, the card would look the same as when it was drawn."""
    card = proposal(scope, made)
    Customer.objects.using("default").filter(pk=made.customer.pk).update(credit_limit=250)
    assert clicking.confirm(scope, card.id) is Outcome.CHANGED
    assert (limit(made, "default"), limit(made, "replica")) == (250, 100)


def test_a_click_is_carried_out_where_it_is_written(scope: Scope, made: Made) -> None:
    """OP10: the function's own reads too, which then see what they wrote."""
    card = proposal(scope, made)
    assert clicking.confirm(scope, card.id) is Outcome.CONFIRMED
    assert (limit(made, "default"), limit(made, "replica")) == (500, 100)
    assert reading.card(scope, card.id)["outcome"] == Outcome.CONFIRMED


def test_a_card_drawn_from_stale_data_does_nothing(scope: Scope, made: Made) -> None:
    """CO4: what lags at the proposal shows at the click."""
    Customer.objects.using("default").filter(pk=made.customer.pk).update(credit_limit=250)
    assert clicking.confirm(scope, proposal(scope, made).id) is Outcome.CHANGED
    assert limit(made, "default") == 250


def test_reads_go_back_to_the_replica_after_a_click(scope: Scope, made: Made) -> None:
    """OP10: the host's router is asked again, also after a click that failed, and a query that names its database goes there."""
    with replicas.avoided():
        assert router.db_for_read(Customer) == "default"
        with pytest.raises(ZeroDivisionError), replicas.avoided():
            raise ZeroDivisionError
        assert router.db_for_read(Customer) == "default"
        assert Customer.objects.using("replica").db == "replica"
    assert router.db_for_read(Customer) == "replica"
    assert connections["default"].in_atomic_block is False
