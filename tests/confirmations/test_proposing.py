"""Writing a proposal down: what waits, what was refused and what nobody knows is never proposed a second time."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from deskhand import processes
from deskhand.confirmations import clicking, ends
from deskhand.core.values import Outcome, Role, ToolCall
from deskhand.models import Confirmation, Conversation, Message
from deskhand.testing import run_turn, script, sign_in
from deskhand.turns import start
from tests.confirmations.case import Case

pytestmark = pytest.mark.django_db

REMIND = ToolCall("c", "send_reminder", '{"number": "broken"}')


def test_a_proposal_is_a_tool_row_that_points_to_its_card_and_to_the_call(case: Case) -> None:
    """ME4, CO2."""
    card = case.call("raise_limit", customer=case.customer.pk, by="5")
    assert case.ran is not None
    asked, row = case.ran.messages[1:3]
    assert (row.role, row.tool_outcome, row.confirmation_id) == (Role.TOOL, "needs_confirmation", card.id)
    assert (row.assistant_message_id, row.tool_call_id) == (asked.pk, "c1")
    assert (card.user_id, card.session_ref, card.acting_role) == (case.user.pk, case.session_ref, "")
    assert card.arguments == f'{{"by":"5","customer":{case.customer.pk}}}'


def test_what_nobody_knows_is_never_proposed_again_in_another_conversation_either(case: Case) -> None:
    """CO7."""
    card = case.propose(REMIND)
    assert case.click(card) is Outcome.FAILED
    elsewhere = run_turn(case.user, "Remind", script(REMIND, "No."), session_ref=case.session_ref)
    assert elsewhere.outcomes == [Outcome.DENIED]
    clicking.acknowledge(case.scope, card.id)
    again = run_turn(case.user, "Remind", script(REMIND, "Now."), session_ref=case.session_ref)
    assert again.outcomes == [Outcome.NEEDS_CONFIRMATION]


def test_what_can_not_be_looked_after_any_more_stands_in_nobodys_way(case: Case) -> None:
    """CO7, ME10: the card of a hidden conversation can't be acknowledged."""
    card = case.propose(REMIND)
    case.click(card)
    Conversation.objects.filter(id=card.conversation_id).update(hidden_at=Now())
    again = run_turn(case.user, "Remind", script(REMIND, "Now."), session_ref=case.session_ref)
    assert again.outcomes == [Outcome.NEEDS_CONFIRMATION]


def test_what_is_being_carried_out_is_never_proposed_again_though_its_time_is_over(case: Case) -> None:
    """CO7, CO8."""
    call = ToolCall("c", "send_reminder", '{"number": "A-1"}')
    card = case.propose(call)
    running = {"claimed_at": timezone.now(), "claimed_by": processes.mine(), "expires_at": "2020-01-01T00:00:00Z"}
    Confirmation.objects.filter(id=card.id).update(**running)
    case.propose(call)
    assert case.ran is not None
    assert (case.ran.outcomes, Confirmation.objects.count()) == ([Outcome.DUPLICATE], 1)


def test_an_equal_proposal_in_another_session_is_a_card_of_its_own(case: Case) -> None:
    """CO8, CO10: the first one can't be decided there."""
    case.call("raise_limit", customer=case.customer.pk, by="5")
    assert case.ran is not None
    case.session_ref = sign_in(case.user)
    case.call("raise_limit", customer=case.customer.pk, by="5")
    assert case.ran.outcomes == [Outcome.NEEDS_CONFIRMATION]
    assert Confirmation.objects.count() == 2


def test_the_end_of_a_card_is_in_the_journal_with_who_proposed_it(case: Case) -> None:
    """ME1, ME4."""
    card = case.call("raise_limit", customer=case.customer.pk, by="5")
    case.click(card)
    notice = Message.objects.get(confirmation=card, role=Role.NOTICE)
    assert (notice.tool_outcome, notice.tool_name, notice.actor) == ("confirmed", "raise_limit", str(case.user.pk))


def test_a_card_of_a_deleted_conversation_ends_as_rejected(case: Case) -> None:
    """ME10."""
    card = case.call("raise_limit", customer=case.customer.pk, by="5")
    start.hide(case.scope, card.conversation_id)
    assert case.endings(card) == ["rejected"]
    assert case.limit == 100


def test_a_card_of_a_deleted_account_ends_as_failed_and_its_journal_stays(case: Case) -> None:
    """HI5, ME1."""
    card = case.call("raise_limit", customer=case.customer.pk, by="5")
    case.user.delete()
    assert ends.settle(card.conversation_id) == 1
    assert case.endings(card) == ["failed"]
    assert case.limit == 100
