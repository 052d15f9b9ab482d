"""The ends of cards: the true one, once, and who is at it is left alone."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction
from django.utils import timezone

from deskhand import errors, processes, transactions
from deskhand.confirmations import clicking, ends
from deskhand.core.values import Outcome, ToolCall
from deskhand.models import Confirmation
from tests import make
from tests.confirmations.case import MAY, Case


@pytest.mark.django_db
def test_a_no_after_its_time_is_told_as_expired(case: Case) -> None:
    """CO6."""
    card = case.propose()
    Confirmation.objects.filter(id=card.id).update(expires_at="2020-01-01T00:00:00Z")
    assert clicking.reject(case.scope, card.id) is Outcome.EXPIRED
    assert case.endings(card) == ["expired"]


@pytest.mark.django_db
def test_an_end_of_a_card_that_has_ended_changes_nothing(case: Case) -> None:
    """CO6, ME4: final is final."""
    card = case.propose()
    case.click(card)
    for outcome in (Outcome.REJECTED, Outcome.EXPIRED, Outcome.FAILED, Outcome.CHANGED):
        assert not ends.end(card, outcome)
        assert not ends.end(card, outcome, is_claimed=True)
    assert case.endings(card) == ["confirmed"]


@pytest.mark.django_db
def test_the_second_click_on_a_lost_outside_effect_ends_it_as_not_known(case: Case) -> None:
    """CO7, sec_I12: not only a sweep does."""
    card = case.propose(ToolCall("c", "send_reminder", '{"number": "A-1"}'))
    dead = processes.mine().rsplit(" ", 2)[0] + " 1 1"
    Confirmation.objects.filter(id=card.id).update(claimed_at=timezone.now(), claimed_by=processes.mine())
    with pytest.raises(errors.CardHeld):
        case.click(card)
    Confirmation.objects.filter(id=card.id).update(claimed_by=dead)
    assert case.click(card) is Outcome.FAILED
    assert case.shown(card)["must_acknowledge"] is True


@pytest.mark.django_db
def test_an_outside_effect_that_was_taken_for_lost_stays_so_and_its_click_hears_it(
    odd: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CO6, CO7: it ended later than anybody waited."""
    card = odd.call("sweep_while_it_runs", number="A-1")
    monkeypatch.setattr(ends, "LOST_SECONDS", -1)
    assert odd.click(card) is Outcome.FAILED
    assert (odd.endings(card), odd.shown(card)["must_acknowledge"]) == (["failed"], True)


@pytest.mark.django_db(transaction=True)
def test_a_card_that_is_being_decided_is_left_to_its_click(monkeypatch: pytest.MonkeyPatch) -> None:
    """CO4, HI5: a start, a delete and a second click wait a bounded time, and none of them fails."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: nobody gets as far")
    monkeypatch.setattr(transactions, "LOCK_SECONDS", 0.2)
    case = Case(make.user(MAY))
    card = case.propose()
    Confirmation.objects.filter(id=card.id).update(expires_at="2020-01-01T00:00:00Z")
    holds, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Confirmation.objects.select_for_update().get(id=card.id)
            holds.set()
            let_go.wait(20)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert holds.wait(10)
        assert ends.settle(card.conversation_id) == 0
        assert ends.reject_open(card.conversation_id) == 0
        with pytest.raises(errors.CardHeld) as held:
            clicking.reject(case.scope, card.id)
        assert held.value.why == "in_progress"
        assert holder.is_alive()
    finally:
        let_go.set()
        holder.join(20)
    assert ends.settle(card.conversation_id) == 1
