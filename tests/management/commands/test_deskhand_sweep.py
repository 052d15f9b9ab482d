"""The command that ends what nobody holds."""

from __future__ import annotations

import datetime
import io

import pytest
from django.core.management import call_command
from django.utils import timezone

from deskhand.confirmations import ends
from deskhand.core.values import Outcome
from deskhand.models import Confirmation, Event, Message, Turn
from deskhand.testing import run_turn, script
from tests.web.conftest import desk, ended, running, waiting_card

pytestmark = pytest.mark.django_db


def swept() -> list[str]:
    """What one run of the command prints."""
    told = io.StringIO()
    call_command("deskhand_sweep", stdout=told)
    return told.getvalue().splitlines()


def test_the_command_ends_turns_that_nobody_holds_cards_over_time_and_old_events_and_says_how_many() -> None:
    """OP4, TU5."""
    lost, alive = running(desk()), running(desk())
    Turn.objects.filter(id=lost.turn).update(lease_until=timezone.now())
    Confirmation.objects.filter(id=lost.card).update(expires_at=timezone.now())
    old = ended(desk())
    long_ago = timezone.now() - datetime.timedelta(hours=1)
    Turn.objects.filter(id=old.turn).update(ended_at=long_ago)
    Event.objects.create(turn_id=old.turn, number=1, told=[[1, "text", {"text": "x"}]])
    Event.objects.create(turn_id=alive.turn, number=1, told=[[1, "text", {"text": "x"}]])
    assert swept() == ["turns ended: 1", "cards ended: 1", "events removed: 1"]
    assert Turn.objects.get(id=lost.turn).end == "died"
    assert Message.objects.filter(turn_ref=lost.turn, role="notice").values_list("error", flat=True).get() == "died"
    assert Confirmation.objects.get(id=lost.card).outcome == Outcome.EXPIRED
    assert Turn.objects.get(id=alive.turn).end == ""
    assert list(Event.objects.values_list("turn_id", flat=True)) == [alive.turn]
    assert swept() == ["turns ended: 0", "cards ended: 0", "events removed: 0"]


def test_more_cards_than_one_look_takes_are_all_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """OP4."""
    monkeypatch.setattr(ends, "SWEEP_ROWS", 2)
    owner = desk()
    conversation = run_turn(owner.user, "Hello", script("Hello."), session_ref=owner.session_ref).conversation_id
    for _ in range(5):
        waiting_card(owner, conversation)
    Confirmation.objects.update(expires_at=timezone.now())
    assert swept()[1] == "cards ended: 5"
