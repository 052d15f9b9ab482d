"""The start's and the hiding's order, seen from what may come in between."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deskhand import conversations
from deskhand.core.values import Notice, TurnEnd
from deskhand.errors import BadInput, Busy, CrashedTooOften
from deskhand.models import AIRequest, Conversation, Message, Turn
from deskhand.scope import Scope
from deskhand.testing import scope_of
from deskhand.turns import closing, events, start
from tests import make

pytestmark = pytest.mark.django_db


def test_a_turn_that_starts_while_its_conversation_is_being_hidden_is_stopped_too() -> None:
    """ME10: the start came in after the conversation was read and before it was hidden."""
    scope = scope_of(make.user(["deskhand.use_assistant"]))
    conversation = conversations.create(scope.user).id
    came: list[uuid.UUID] = []

    def comes_between(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if sql.startswith("UPDATE") and "hidden_at" in sql and not came:
            came.append(conversation)
            came.append(start.prepare(scope, conversation, start.Asked("Hello", "k")).turn_id)
        return execute(sql, *rest)

    with connection.execute_wrapper(comes_between):
        start.hide(scope, conversation)
    assert Turn.objects.get().end == "stopped"
    kept = Conversation.objects.get()
    assert (kept.running_turn, kept.hidden_at is None) == (None, False)


def test_a_feed_that_never_heard_of_its_turns_end_is_not_read_any_more() -> None:
    """TU4: whoever follows asks the database then, and is told."""
    for is_told in (True, False):
        feed = events.open_feed(uuid.uuid4(), 1, uuid.uuid4())
        if is_told:
            feed.tell(events.done("answered", 1))
        events.leave_feed(feed.turn_id)
        assert events.feed(feed.turn_id) is (feed if is_told else None)


# --- a message that kills its process --------------------------------------------------------------------------------------------


@pytest.fixture
def scope() -> Scope:
    return scope_of(make.user(["deskhand.use_assistant"]))


def ends_as(scope: Scope, conversation: uuid.UUID, end: TurnEnd, text: str = "Poison", replaces: int | None = None) -> int:
    """The number of a message whose turn ended like this."""
    asked = start.Asked(text, uuid.uuid4().hex, raw_replaces=replaces)
    started = start.prepare(scope, conversation, asked)
    closing.close(started.turn_id, end, Notice.ERROR)
    return started.message.seq


def tried(scope: Scope, conversation: uuid.UUID, *ends: TurnEnd, text: str = "Poison") -> int:
    """So many tries of one message, each in the place of the one before; the number of the last."""
    last = None
    for end in ends:
        last = ends_as(scope, conversation, end, text, last)
    assert last is not None
    return last


DIED, RESTARTED, FAILED = TurnEnd.DIED, TurnEnd.RESTARTED, TurnEnd.FAILED


def again(scope: Scope, conversation: uuid.UUID, replaces: int | None, text: str = "Poison") -> uuid.UUID:
    return start.prepare(scope, conversation, start.Asked(text, uuid.uuid4().hex, raw_replaces=replaces)).turn_id


def test_a_message_whose_process_died_three_times_is_never_tried_again_and_nothing_is_written(scope: Scope) -> None:
    """TU5, sec_J14."""
    conversation = conversations.create(scope.user).id
    last = tried(scope, conversation, DIED, DIED, DIED)
    before = (Message.objects.count(), Turn.objects.count(), Conversation.objects.get().last_seq)
    for text in ("Poison", "Poi\x00son"):
        with pytest.raises(CrashedTooOften):
            again(scope, conversation, last, text)
    assert (Message.objects.count(), Turn.objects.count(), Conversation.objects.get().last_seq) == before
    assert Conversation.objects.get().running_turn is None


@pytest.mark.parametrize(
    "ends",
    [(DIED, DIED), (DIED, RESTARTED, DIED), (RESTARTED, RESTARTED, RESTARTED), (DIED, DIED, FAILED), (DIED, DIED, RESTARTED)],
)
def test_only_three_deaths_in_a_row_count(scope: Scope, ends: tuple[TurnEnd, ...]) -> None:
    """TU5: a deploy is no crash."""
    conversation = conversations.create(scope.user).id
    assert again(scope, conversation, tried(scope, conversation, *ends))


def test_other_words_another_message_and_another_person_are_free(scope: Scope) -> None:
    """TU5, sec_J14."""
    conversation = conversations.create(scope.user).id
    last = tried(scope, conversation, DIED, DIED, DIED)
    other = scope_of(make.user(["deskhand.use_assistant"]))
    elsewhere = conversations.create(other.user).id
    assert again(other, elsewhere, tried(other, elsewhere, DIED))
    last = ends_as(scope, conversation, DIED, "Reworded", last)
    # The chain was broken by the other words.
    assert ends_as(scope, conversation, DIED, "Poison", last)
    # Said anew it replaces nothing.
    assert again(scope, conversation, None)


def test_three_messages_of_equal_words_that_replaced_nothing_are_three_messages(scope: Scope) -> None:
    """TU5."""
    conversation = conversations.create(scope.user).id
    last = [ends_as(scope, conversation, DIED) for _ in range(3)][-1]
    assert again(scope, conversation, last)


def test_a_death_that_nobody_has_told_yet_counts_too(scope: Scope) -> None:
    """TU5: the process died a moment ago, and who asks again is the first to look."""
    conversation = conversations.create(scope.user).id
    last = tried(scope, conversation, DIED, DIED)
    started = start.prepare(scope, conversation, start.Asked("Poison", "k", raw_replaces=last))
    Turn.objects.filter(id=started.turn_id).update(lease_until=timezone.now())
    with pytest.raises(CrashedTooOften):
        again(scope, conversation, started.message.seq)
    assert Turn.objects.get(id=started.turn_id).end == DIED


def test_a_message_that_nobody_took_up_has_killed_nobody(scope: Scope) -> None:
    """TU5: workers that are down are no reason to refuse it when they are back."""
    conversation = conversations.create(scope.user).id
    last = tried(scope, conversation, DIED, DIED, DIED)
    Turn.objects.filter(message_seq=last).update(owner="", taken_at=None)
    assert again(scope, conversation, last)


def test_a_turn_of_the_version_before_counts_as_one_that_a_process_had_taken(scope: Scope) -> None:
    """TU5, ME9: side by side in a deploy. Its process died of it, and what its model used is not known, which is not nothing."""
    conversation = conversations.create(scope.user).id
    last = None
    for _ in range(3):
        started = start.prepare(scope, conversation, start.Asked("Poison", uuid.uuid4().hex, raw_replaces=last))
        last = started.message.seq
        Turn.objects.filter(id=started.turn_id).update(taken_at=None)
        assert closing.close(started.turn_id, DIED, Notice.DIED)
    assert AIRequest.objects.filter(status="died").count() == 3
    with pytest.raises(CrashedTooOften):
        again(scope, conversation, last)


def test_a_third_try_that_still_runs_is_busy_and_not_refused_for_good(scope: Scope) -> None:
    """TU1, TU5."""
    conversation = conversations.create(scope.user).id
    last = tried(scope, conversation, DIED, DIED)
    started = start.prepare(scope, conversation, start.Asked("Poison", "k", raw_replaces=last))
    with pytest.raises(Busy):
        again(scope, conversation, started.message.seq)


def test_the_same_key_of_a_retry_is_the_same_turn(scope: Scope) -> None:
    """TU1, B66: what it replaces is not the newest message any more, for it is that itself."""
    conversation = conversations.create(scope.user).id
    last = tried(scope, conversation, FAILED)
    asked = start.Asked("Poison", "k", raw_replaces=last)
    first = start.prepare(scope, conversation, asked)
    twice = start.prepare(scope, conversation, asked)
    assert (twice.turn_id, twice.is_over, twice.message.seq) == (first.turn_id, True, first.message.seq)
    with pytest.raises(BadInput):
        start.prepare(scope, conversation, start.Asked("Poison", "other", raw_replaces=last))


def test_asking_again_costs_the_same_however_often_it_was_asked(scope: Scope) -> None:
    """TU5: the sweep and one question more from the third time on, and nothing where nothing is replaced."""
    costs = {}
    for tries in (0, 1, 3, 6):
        conversation = conversations.create(scope.user).id
        last = tried(scope, conversation, *[FAILED] * tries) if tries else None
        with CaptureQueriesContext(connection) as captured:
            turn_id = again(scope, conversation, last)
        closing.close(turn_id, FAILED, Notice.ERROR)
        # The switches are read now and then, whatever is asked.
        costs[tries] = len(
            [each for each in captured if not {"SAVEPOINT", "deskhand_switch"} & set(re.findall(r"\w+", each["sql"]))]
        )
    assert [costs[tries] - costs[0] for tries in (1, 3, 6)] == [2, 2 + 2, 2 + 2]
