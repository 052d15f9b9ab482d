"""A deploy with a migration, while a turn is open and a card waits: rows of the version before are honoured or closed, and nothing is a 500."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from deskhand.models import Conversation, Turn
from deskhand.testing import ToolCall, run_turn, script
from deskhand.turns import events, runner
from tests import make
from tests.faults import checker
from tests.faults import desk as desks
from tests.faults.desk import Desk
from tests.faults.servers import Killable
from tests.faults.witness import Witness
from tests.flows.steps import texts
from tests.provider import Provider, say
from tests.turns.threads import begin

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE = "0002_proposals"


@pytest.fixture
def newest() -> Iterator[None]:
    """However a test ends, the tables are those of today afterwards."""
    yield
    call_command("migrate", "deskhand", verbosity=0)


def of_a_dead_process(turn: str) -> None:
    """The turn was run by a process of another machine, which was told to end for the deploy."""
    Turn.objects.filter(id=turn).update(owner="another-machine pid:[1] 1 1", lease_until=timezone.now())


def test_a_turn_and_a_card_of_the_version_before_outlive_the_migration(
    newest: None, killable: Killable, provider: Provider, settings: object
) -> None:
    """TU5, CO10; sec_J15."""
    desk = Desk([killable.url])
    (card,) = desk.cards(1)
    scope = make.scope(user=desk.user)
    open_turn = begin(scope)
    of_a_dead_process(str(open_turn.turn_id))
    events.forget_feeds()
    call_command("migrate", "deskhand", BEFORE, verbosity=0)
    call_command("migrate", "deskhand", verbosity=0)
    killable.arm("")
    assert desk.person.arrive()["running"] == []
    assert Turn.objects.get(id=open_turn.turn_id).end == "died"
    answer = desk.person.ask("POST", f"cards/{card}/confirm", {})
    assert (answer.status, answer.json["card"]["outcome"]) == (200, "confirmed")  # type: ignore[index]
    assert (desks.raised(card), desks.logged(card)) == (1, 1)
    witness = Witness(desk.person)
    provider.script(killable.model, [say("On we go.")])
    turn = witness.says(str(open_turn.held.conversation_id), "And now?")
    assert texts(witness.hears(turn)) == "On we go."
    assert checker.wrong(witness) == []


def test_code_of_the_version_before_may_still_write_after_the_migration(killable: Killable, provider: Provider) -> None:
    """sec_J15: old and new processes side by side; what the old one leaves behind is ended by the new one."""
    desk = Desk([killable.url])
    conversation = desk.person.converse()
    old = MigrationExecutor(connection).loader.project_state([("deskhand", BEFORE)]).apps
    turn, now = uuid.uuid4(), timezone.now()
    old.get_model("deskhand", "Conversation").objects.filter(id=conversation).update(running_turn=turn, fence=1, last_seq=1)
    old.get_model("deskhand", "Turn").objects.create(
        id=turn, conversation_id=conversation, user_id=desk.user.pk, client_key="k", message_seq=1, fence=1,
        lease_until=now - datetime.timedelta(seconds=1), owner="another-machine pid:[1] 1 1", session_ref=desk.session_ref,
    )  # fmt: skip
    old.get_model("deskhand", "Message").objects.create(
        conversation_id=conversation, seq=1, role="user", content="Hello", turn_ref=turn, actor=str(desk.user.pk)
    )
    killable.arm("")
    assert desk.person.arrive()["running"] == []
    assert [row["role"] for row in desk.person.messages(conversation)] == ["user", "notice"]
    assert Conversation.objects.get().running_turn is None
    # The old code goes on to write under its fence, and finds that it is gone.
    rows = old.get_model("deskhand", "Conversation").objects.filter(id=conversation, fence=1)
    assert rows.update(last_seq=2) == 0
    assert checker.wrong() == []


def test_an_answered_turn_of_the_version_before_is_read_as_it_was(newest: None) -> None:
    """sec_J15: the window and the journal."""
    user = make.user(["deskhand.use_assistant", "shop.view_order"])
    call = ToolCall("c1", "find_orders", "{}")
    ran = run_turn(user, "Which are open?", script(call, "None."))
    call_command("migrate", "deskhand", BEFORE, verbosity=0)
    call_command("migrate", "deskhand", verbosity=0)
    again = run_turn(user, "Sure?", script("Yes."), conversation_id=ran.conversation_id)
    assert [entry.content for entry in again.requests[0].entries][:2] == ["Which are open?", "None."]
    assert checker.wrong() == []
    runner.stop()
