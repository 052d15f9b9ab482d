"""Calling the function that does the change: what it does badly is never told as done, and what failed leaves nothing behind."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry

from deskhand.core.values import Outcome
from tests import make
from tests.confirmations.case import ODD, Case
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["undo_itself", "swallow_a_fault"])
def test_work_that_was_rolled_back_without_a_word_is_never_told_as_done(odd: Case, name: str) -> None:
    """CO4: the outcome equals what is in the host's tables."""
    Order.objects.create(number="taken", customer=odd.customer)
    more = {"number": "taken"} if name == "swallow_a_fault" else {}
    card = odd.call(name, customer=odd.customer.pk, **more)
    assert odd.click(card) is Outcome.FAILED
    assert (odd.limit, odd.endings(card)) == (100, ["failed"])


def test_all_that_a_function_did_before_it_raised_is_undone_and_nothing_of_it_comes_later(
    odd: Case, django_capture_on_commit_callbacks: object
) -> None:
    """CO4, CO6; sec_C28."""
    with django_capture_on_commit_callbacks(execute=True) as later:  # type: ignore[operator]
        card = odd.call("write_then_raise", customer=odd.customer.pk)
        assert odd.click(card) is Outcome.FAILED
    assert later == []
    assert (odd.limit, Order.objects.count(), LogEntry.objects.count()) == (100, 0, 0)
    assert odd.click(card) is Outcome.FAILED
    assert str(odd.customer.pk) not in str(odd.shown(card)["reason"])


def test_results_that_are_no_texts_are_told_all_the_same(odd: Case) -> None:
    """CO8: a fault in telling could not undo what was done by then."""
    card = odd.call("number_titles", customer=odd.customer.pk)
    assert odd.click(card) is Outcome.CONFIRMED
    assert odd.limit == 1
    assert odd.shown(card)["results"] == [{"title": str(odd.customer.pk), "is_done": True, "words": "None"}]


def test_an_asynchronous_function_works_in_the_same_transaction(odd: Case) -> None:
    """TO1, CO4."""
    card = odd.call("wait_for_it", customer=odd.customer.pk)
    assert odd.click(card) is Outcome.CONFIRMED
    assert odd.limit == 1


def test_a_unique_value_that_was_taken_meanwhile_fails_in_words_and_the_chat_goes_on(odd: Case) -> None:
    """B35."""
    order = Order.objects.create(number="A-1", customer=odd.customer)
    card = odd.call("number_order", order=order.pk, number="A-2")
    Order.objects.create(number="A-2", customer=odd.customer)
    assert odd.click(card) is Outcome.FAILED
    order.refresh_from_db()
    assert (order.number, odd.endings(card)) == ("A-1", ["failed"])
    assert odd.shown(card)["reason"] == "It could not be done. Nothing was changed."
    ran = odd.say("and now?", "It failed.")
    assert ran.answer == "It failed."
    assert "[confirmation] failed: number_order" in [entry.content for entry in ran.requests[0].entries]


def test_what_calls_itself_by_a_row_that_is_gone_can_be_deleted(odd: Case) -> None:
    """CO4: the host's log names the object as the card does."""
    order = Order.objects.create(number="A-1", customer=odd.customer)
    card = odd.call("drop_customer", order=order.pk)
    assert odd.click(card) is Outcome.CONFIRMED
    assert not Customer.objects.exists()
    assert LogEntry.objects.get().object_repr == "Hansen Bygg"


def test_an_object_permission_that_nobody_grants_is_never_proposed() -> None:
    """SC2, sec_B5: Django's own backend knows no object permissions and answers no."""
    case = Case(make.user(ODD))
    case.call("guarded", customer=case.customer.pk)
    assert case.ran is not None
    assert case.ran.outcomes == [Outcome.DENIED]
