"""The click: one effect or none, and always the true outcome."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from deskhand import errors
from deskhand.confirmations import clicking, ends, reading
from deskhand.core.values import Outcome, Role, ToolCall
from deskhand.models import Confirmation, Message
from deskhand.testing import run_turn, scope_of, script, sign_in
from deskhand.turns import brief, loop, start
from deskhand.turns.asking import Cancel
from tests import make
from tests.confirmations.case import MAY, Case
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db


def test_a_click_does_the_change_once_and_later_clicks_hear_the_same(case: Case) -> None:
    """CO5, sec_C1, sec_C16, B45, B46."""
    card = case.propose()
    assert case.limit == 100
    assert [case.click(card), case.click(card), clicking.reject(case.scope, card.id)] == [Outcome.CONFIRMED] * 3
    assert case.limit == 500
    assert case.endings(card) == ["confirmed"]
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.user_id) == (str(case.customer.pk), case.user.pk)
    assert "assistant" in entry.change_message


def test_a_card_shows_before_and_after_and_every_argument(case: Case) -> None:
    """CO3."""
    shown = reading.card(case.scope, case.propose().id)
    assert shown["title"] == "Set the credit limit of Hansen Bygg"
    assert shown["changes"] == [{"field": "Credit limit", "before": "100.00", "after": "500"}]
    assert {"name": "customer", "value": str(case.customer.pk)} in shown["arguments"]  # type: ignore[operator]
    assert (shown["can_decide"], shown["outcome"]) == (True, None)


def test_no_is_stored_and_told_and_the_same_is_not_proposed_again_unasked(case: Case) -> None:
    """B39, B52, CO8."""
    card = case.propose()
    assert clicking.reject(case.scope, card.id) is Outcome.REJECTED
    assert case.click(card) is Outcome.REJECTED
    assert case.limit == 100
    ran = run_turn(
        case.user,
        "Now really",
        script(
            ToolCall("a", "set_credit_limit", f'{{"customer": {case.customer.pk}, "limit": "701"}}'),
            lambda request: _rejecting(case, "701"),
            "Fine.",
        ),
        session_ref=case.session_ref,
        conversation_id=case.ran.conversation_id,  # type: ignore[union-attr]
    )
    assert ran.outcomes == [Outcome.NEEDS_CONFIRMATION, Outcome.DENIED]
    assert "rejected" in ran.requests[2].rounds[1].results[0]


def _rejecting(case: Case, limit: str) -> ToolCall:
    newest = Confirmation.objects.filter(arguments__contains=f'"{limit}"').get()
    clicking.reject(case.scope, newest.id)
    return ToolCall("b", "set_credit_limit", f'{{"customer": {case.customer.pk}, "limit": "{limit}"}}')


def test_an_equal_proposal_while_one_waits_gives_no_second_card(case: Case) -> None:
    """CO8."""
    case.propose()
    case.propose()
    assert Confirmation.objects.count() == 1
    assert case.ran is not None
    assert case.ran.outcomes == [Outcome.DUPLICATE]


def test_at_most_three_cards_wait_in_a_conversation(case: Case) -> None:
    """CO8."""
    for limit in (1, 2, 3, 4):
        case.propose(ToolCall("c", "set_credit_limit", f'{{"customer": {case.customer.pk}, "limit": "{limit}"}}'))
    assert Confirmation.objects.count() == 3
    assert case.ran is not None
    assert case.ran.outcomes == [Outcome.DENIED]


def test_a_lapsed_card_is_never_carried_out(case: Case) -> None:
    """CO6, B42, sec_C5."""
    card = case.propose()
    Confirmation.objects.filter(id=card.id).update(expires_at=Now())
    card.refresh_from_db()
    assert case.click(card) is Outcome.EXPIRED
    assert (case.limit, case.endings(card)) == (100, ["expired"])


def test_another_users_card_does_not_exist_and_another_sessions_stays(case: Case) -> None:
    """CO6, sec_C7, sec_C8, CO10."""
    card = case.propose()
    with pytest.raises(errors.NotFound):
        clicking.confirm(scope_of(make.user(MAY)), card.id)
    with pytest.raises(errors.NotFound):
        clicking.confirm(case.scope, uuid.uuid4())
    with pytest.raises(errors.CardHeld) as held:
        clicking.confirm(scope_of(case.user, sign_in(case.user)), card.id)
    assert held.value.why == "other_session"
    with pytest.raises(errors.CardHeld):
        clicking.reject(scope_of(case.user, sign_in(case.user)), card.id)
    shown = reading.card(scope_of(case.user, sign_in(case.user)), card.id)
    assert (shown["can_decide"], shown["why_not"]) == (False, "other_session")
    assert case.click(card) is Outcome.CONFIRMED


@pytest.mark.parametrize("loss", ["permission", "inactive", "group"])
def test_rights_that_are_gone_at_the_click_end_the_card_for_good(loss: str) -> None:
    """SC2, sec_B5, sec_B13, B54."""
    user = make.user(["deskhand.use_assistant"])
    make.group("Clerks", MAY[1:], [user])
    case = Case(user)
    card = case.propose()
    scope = case.scope
    if loss == "inactive":
        User.objects.filter(pk=user.pk).update(is_active=False)
    elif loss == "group":
        user.groups.clear()
    else:
        Group.objects.get(name="Clerks").permissions.clear()
    assert clicking.confirm(scope, card.id) is Outcome.FAILED
    User.objects.filter(pk=user.pk).update(is_active=True)
    make.grant(user, MAY)
    assert case.click(card) is Outcome.FAILED
    assert (case.limit, case.endings(card)) == (100, ["failed"])


def test_a_card_of_another_role_is_dead(case: Case) -> None:
    """sec_B10."""
    make.group("Clerks", MAY, [case.user])
    make.group("Bosses", MAY, [case.user])
    case.session_ref = make.session(case.user, deskhand_role="Clerks")
    card = case.propose()
    store = Session.objects.get(session_key=case.session_ref)
    kept = store.get_decoded()
    kept["deskhand_role"] = "Bosses"
    Session.objects.filter(pk=store.pk).update(session_data=Session.objects.encode(kept))
    assert case.click(card) is Outcome.FAILED
    assert case.limit == 100


@pytest.mark.parametrize("change", ["value", "gone", "shown"])
def test_data_that_changed_is_never_overwritten(case: Case, change: str) -> None:
    """CO4, B55, sec_C12, sec_C14, sec_C15."""
    card = case.propose()
    if change == "gone":
        Customer.objects.filter(pk=case.customer.pk).delete()
    elif change == "value":
        Customer.objects.filter(pk=case.customer.pk).update(credit_limit=250)
    else:
        Customer.objects.filter(pk=case.customer.pk).update(name="Hansen Bygg AS")
    assert case.click(card) is Outcome.CHANGED
    assert case.endings(card) == ["changed"]
    assert not Customer.objects.filter(credit_limit=500).exists()


def test_an_edit_that_was_edited_back_counts_as_unchanged(case: Case) -> None:
    """B55: the rule is what the card shows."""
    card = case.propose()
    Customer.objects.filter(pk=case.customer.pk).update(credit_limit=250)
    Customer.objects.filter(pk=case.customer.pk).update(credit_limit=100)
    assert case.click(card) is Outcome.CONFIRMED


@pytest.mark.parametrize("column", ["arguments", "tool_name", "card", "print", "expires_at", "user_key"])
def test_a_row_that_was_altered_in_the_database_is_never_carried_out(case: Case, column: str) -> None:
    """CO2, B54."""
    card = case.propose()
    value: object = {
        "arguments": f'{{"customer":{case.customer.pk},"limit":"900"}}',
        "tool_name": "cancel_order",
        "card": {"title": "Nothing"},
        "print": "0" * 64,
        "expires_at": "2099-01-01T00:00:00Z",
        "user_key": "7",
    }[column]
    Confirmation.objects.filter(id=card.id).update(**{column: value})
    assert case.click(card) is Outcome.FAILED
    assert case.limit == 100


def test_an_effect_that_raises_is_undone_and_may_not_be_clicked_again(case: Case) -> None:
    """B35, sec_C28."""
    call = ToolCall("c", "set_credit_limit", f'{{"customer": {case.customer.pk}, "limit": "12345678901234"}}')
    card = case.propose(call)
    assert [case.click(card), case.click(card)] == [Outcome.FAILED] * 2
    shown = reading.card(case.scope, card.id)
    assert shown["outcome"] == "failed"
    assert "digits" in str(shown["reason"])
    assert case.limit == 100
    after = run_turn(
        case.user,
        "and now?",
        script("It failed."),
        session_ref=case.session_ref,
        conversation_id=case.ran.conversation_id,  # type: ignore[union-attr]
    )
    assert "[confirmation] failed: set_credit_limit" in [entry.content for entry in after.requests[0].entries]
    assert "digits" not in repr(after.requests)


def test_the_model_hears_waiting_and_then_the_end_and_never_a_result(case: Case) -> None:
    """HI3, HI4, B36, B59, sec_C30."""
    card = case.propose()
    assert case.ran is not None
    told = case.ran.requests[1].rounds[0].results[0]
    assert "not made" in told
    second = run_turn(
        case.user, "yes, do it", script("Click it."), session_ref=case.session_ref, conversation_id=case.ran.conversation_id
    )
    assert "[confirmation] waiting: set_credit_limit" in [entry.content for entry in second.requests[0].entries]
    assert case.limit == 100
    case.click(card)
    third = run_turn(case.user, "well?", script("Done."), session_ref=case.session_ref, conversation_id=case.ran.conversation_id)
    contents = [entry.content for entry in third.requests[0].entries]
    assert contents.count("[confirmation] done: set_credit_limit") == 1
    assert not any("waiting" in content for content in contents)


def test_an_outside_effect_gets_the_cards_id_and_runs_once(case: Case, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """CO7."""
    outbox = tmp_path / "outbox"  # type: ignore[operator]
    monkeypatch.setenv("DESKHAND_TEST_OUTBOX", str(outbox))
    card = case.propose(ToolCall("c", "send_reminder", '{"number": "A-1"}'))
    assert [case.click(card), case.click(card)] == [Outcome.CONFIRMED] * 2
    assert outbox.read_text() == f"{card.id} A-1\n"


def test_an_outside_effect_of_which_nothing_is_known_must_be_acknowledged_first(case: Case) -> None:
    """CO7."""
    call = ToolCall("c", "send_reminder", '{"number": "broken"}')
    card = case.propose(call)
    assert case.click(card) is Outcome.FAILED
    assert reading.card(case.scope, card.id)["must_acknowledge"] is True
    case.propose(call)
    assert case.ran is not None
    assert case.ran.outcomes == [Outcome.DENIED]
    clicking.acknowledge(case.scope, card.id)
    case.propose(call)
    assert case.ran.outcomes == [Outcome.NEEDS_CONFIRMATION]


def test_a_claim_whose_process_died_ends_as_unknown_and_is_never_run_again(case: Case) -> None:
    """CO7, HI5."""
    card = case.propose(ToolCall("c", "send_reminder", '{"number": "A-1"}'))
    Confirmation.objects.filter(id=card.id).update(claimed_at=Now(), claimed_by="")
    with pytest.raises(errors.CardHeld):
        case.click(card)
    Confirmation.objects.filter(id=card.id).update(claimed_at="2020-01-01T00:00:00Z")
    assert ends.sweep() == 1
    assert case.click(card) is Outcome.FAILED
    assert reading.card(case.scope, card.id)["must_acknowledge"] is True


def test_a_batch_is_one_card_with_every_row_and_a_result_for_each(case: Case) -> None:
    """CO8, sec_C26."""
    for number in ("A-1", "A-2", "A-3"):
        Order.objects.create(number=number, customer=case.customer)
    card = case.propose(ToolCall("c", "close_orders", '{"numbers": ["A-1", "A-2", "A-3"]}'))
    assert [item["title"] for item in card.card["items"]] == ["A-1", "A-2", "A-3"]
    assert case.click(card) is Outcome.CONFIRMED
    assert [each["is_done"] for each in reading.card(case.scope, card.id)["results"]] == [True] * 3  # type: ignore[attr-defined]


def test_a_batch_over_its_limit_is_never_proposed(case: Case) -> None:
    """sec_C26."""
    numbers = [f"A-{number}" for number in range(9)]
    for number in numbers:
        Order.objects.create(number=number, customer=case.customer)
    case.propose(ToolCall("c", "close_orders", f'{{"numbers": {str(numbers).replace(chr(39), chr(34))}}}'))
    assert case.ran is not None
    assert case.ran.outcomes == [Outcome.ERROR]
    assert "at most 5" in case.ran.requests[1].rounds[0].results[0]


def test_a_preview_that_finds_nothing_proposes_nothing(case: Case) -> None:
    """sec_D7."""
    case.propose(ToolCall("c", "set_credit_limit", '{"customer": 987654, "limit": "5"}'))
    assert case.ran is not None
    assert case.ran.outcomes == [Outcome.ERROR]
    assert not Confirmation.objects.exists()


def test_the_database_forbids_a_second_end_and_a_write_without_a_claim(case: Case) -> None:
    """ME4."""
    card = case.propose()
    with pytest.raises(IntegrityError), transaction.atomic():
        Confirmation.objects.filter(id=card.id).update(outcome="confirmed", ended_at=Now())
    case.click(card)
    end = Message.objects.get(confirmation=card, role=Role.NOTICE)
    end.pk, end.seq = None, end.seq + 1
    with pytest.raises(IntegrityError), transaction.atomic():
        end.save(force_insert=True)


def test_cards_of_a_session_that_is_over_end_as_failed(case: Case) -> None:
    """HI5, SC2, B40, sec_B8."""
    card = case.propose()
    Session.objects.filter(session_key=case.session_ref).delete()
    assert ends.settle(card.conversation_id) == 1
    card.refresh_from_db()
    assert (card.outcome, card.session_ref) == ("failed", "")


def test_regenerating_keeps_what_was_done_and_ends_what_waits(case: Case) -> None:
    """TU9."""
    card = case.propose()
    case.click(card)
    waiting = case.propose(ToolCall("c", "set_credit_limit", f'{{"customer": {case.customer.pk}, "limit": "900"}}'))
    assert case.ran is not None
    newest = case.ran.messages[0].seq
    asked = start.Asked("Do it", uuid.uuid4().hex, raw_replaces=newest)
    started = start.prepare(case.scope, case.ran.conversation_id, asked)
    model = script("Well.")
    list(loop.run(brief.gather(started.turn_id, endpoint=model), Cancel(), inline=True))
    waiting.refresh_from_db()
    assert waiting.outcome == "rejected"
    contents = [entry.content for entry in model.requests[0].entries]
    assert "[confirmation] done: set_credit_limit" in contents
    assert "[confirmation] cancelled: set_credit_limit" in contents
    assert contents.count("Do it") == 2
    assert started.message.replaces_seq == newest
    assert case.limit == 500


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_click_that_the_database_takes_back_at_any_statement_is_made_again_and_has_one_effect(state: str) -> None:
    """CO4, sec_J9."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite takes no transaction back")
    case = Case(make.user(MAY))
    fault, at, is_over = f"DO $$ BEGIN RAISE SQLSTATE '{state}'; END $$", 0, False
    while not is_over:
        at += 3
        card = case.call("raise_limit", customer=case.customer.pk, by="1")
        before, left = case.limit, [at]

        def fails(
            execute: Callable[..., object], sql: str, params: object, many: bool, context: object, left: list[int] = left
        ) -> object:
            # A rollback is never taken back.
            left[0] -= not sql.startswith(("ROLLBACK", "RELEASE"))
            return execute(fault, None, False, context) if left[0] == 0 else execute(sql, params, many, context)

        scope = case.scope
        with connection.execute_wrapper(fails):
            assert clicking.confirm(scope, card.id) is Outcome.CONFIRMED
        assert (case.limit, case.endings(card)) == (before + 1, ["confirmed"])
        is_over = left[0] > 0
    assert at > 15, "a click has more statements than that"


@pytest.mark.django_db(transaction=True)
def test_the_rows_of_a_card_are_locked_before_it_is_drawn_anew() -> None:
    """CO4."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite locks the whole database")
    case = Case(make.user(MAY))
    card = case.propose()
    scope = case.scope
    with CaptureQueriesContext(connection) as asked:
        clicking.confirm(scope, card.id)
    sqls = [each["sql"] for each in asked]
    locked = next(at for at, sql in enumerate(sqls) if "FOR UPDATE" in sql)
    assert "shop_customer" in sqls[locked]
    assert sqls[0:1] == ["BEGIN"] or "set_config" in sqls[0]
    claimed = next(at for at, sql in enumerate(sqls) if sql.startswith('UPDATE "deskhand_confirmation"'))
    drawn = next(at for at, sql in enumerate(sqls) if "shop_customer" in sql and at > locked)
    told = max(at for at, sql in enumerate(sqls) if sql.startswith("UPDATE") and "deskhand_conversation" in sql)
    assert claimed < locked < drawn < told
