"""The database fails at the k-th statement or commit, for k = 1, 2, 3 … until a whole turn, or a click, ends clean.

After each fault nothing may be wrong that the checker knows of, the same message sent again is one message, and the next turn of the same
conversation is answered. In each run of the suite only every so many-th; all of them by ``make faults``.
"""

from __future__ import annotations

import contextlib
import itertools
import time
import uuid
from collections.abc import Iterator

import pytest
from django.db import Error, connection
from django.utils import timezone

from deskhand import conversations
from deskhand.confirmations import clicking
from deskhand.models import Confirmation, Conversation, Turn
from deskhand.scope import Scope
from deskhand.testing import ToolCall, scope_of, script
from deskhand.turns import closing, events, runner
from deskhand.turns.start import Asked, Started, prepare
from tests import make
from tests.faults import checker, figures
from tests.faults import desk as desks
from tests.faults.conftest import IS_FULL
from tests.faults.desk import MAY, Desk
from tests.faults.failing import KINDS, LOST, TAKEN_BACK, UNANSWERED, Failing
from tests.faults.witness import Heard
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db(transaction=True)

QUICK: dict[str, object] = {"FLUSH_SECONDS": 0.03, "RIGHTS_SECONDS": 0.1, "GRACE_SECONDS": 0.5, "LEASE_SECONDS": 60}
#: The k-th is followed by the k + STRIDE-th.
STRIDE = 1 if IS_FULL else 13
CLICK_STRIDE = 1 if IS_FULL else 5
#: How long a lasting fault lasts, in seconds, and after how many refusals it is over sooner.
LASTS_SECONDS, LASTS_TIMES = 1.0, 8


class Site:
    """A person, what they ask about, and what they were told."""

    def __init__(self) -> None:
        self.user = make.user(MAY)
        self.session_ref = make.session(self.user)
        self.customer = Customer.objects.create(name="Hansen Bygg", credit_limit=0)
        Order.objects.create(number="A-1", customer=self.customer)
        self.heard = Heard()

    @property
    def scope(self) -> Scope:
        return scope_of(self.user, self.session_ref)

    def asks(self, scope: Scope, conversation: Conversation, key: str, *, by: int = 5) -> Started | None:
        """The turn of this message runs; ``None``: the person was told that the database is away."""
        read = ToolCall("c1", "read_order", '{"number": "A-1"}')
        proposed = ToolCall("c2", "raise_limit", f'{{"customer": {self.customer.pk}, "by": "{by}"}}')
        try:
            started = prepare(scope, conversation.id, Asked("Raise it", key))
        except Error:
            return None
        self.heard.taken[str(started.turn_id)] = "Raise it"
        if not started.is_over:
            runner.here().start(started.held, script(read, proposed, "It waits."))
        return started

    def settles(self, conversation: Conversation) -> None:
        """No turn runs any more; one that nobody holds has ended as when its lease was over."""
        assert runner.here().settle(20), "the turn did not end"
        for turn in Turn.objects.filter(conversation=conversation):
            feed = events.feed(turn.id)
            if feed is not None:
                self.heard.reads(feed)
        Turn.objects.filter(conversation=conversation, ended_at__isnull=True).update(lease_until=timezone.now())
        closing.sweep()


@pytest.fixture
def site(settings: object) -> Iterator[Site]:
    settings.DESKHAND = QUICK  # type: ignore[attr-defined]
    yield Site()
    runner.stop()


def kinds() -> list[str]:
    return list(KINDS) if connection.vendor == "postgresql" else [LOST, UNANSWERED]


def first(kind: str, lasts: bool, stride: int) -> int:
    """Where the count begins: each kind of fault meets other statements where not all are met."""
    return 1 + (2 * KINDS.index(kind) + lasts) % stride


@pytest.mark.parametrize("lasts", [False, True])
@pytest.mark.parametrize("kind", kinds())
def test_a_database_that_fails_at_the_kth_statement_or_commit_of_a_turn_breaks_no_promise(
    site: Site, kind: str, lasts: bool
) -> None:
    """TU3, TU5, ME1, ME4, ME5; sec_J7, sec_J9: once, or for as long as it lasts."""
    # One that lasts takes longer.
    stride = STRIDE * 2 if lasts and not IS_FULL else STRIDE
    for at in itertools.count(first(kind, lasts, stride), stride):
        conversation, key, failing = conversations.create(site.user), uuid.uuid4().hex, Failing(at, kind, lasts=lasts)
        began, scope = time.monotonic(), site.scope
        with failing.everywhere():
            site.asks(scope, conversation, key, by=at)
            until_lifted = time.monotonic() + LASTS_SECONDS
            while lasts and failing.times < LASTS_TIMES and time.monotonic() < until_lifted and runner.here()._running:
                time.sleep(0.01)
            if lasts:
                failing.lift()
            assert runner.here().settle(20), f"at {at} the turn did not end"
        connection.close()
        site.settles(conversation)
        assert checker.wrong(site.heard) == [], f"at {at}"
        # The browser sends what was refused again, and the conversation goes on.
        again = site.asks(site.scope, conversation, key, by=at)
        site.settles(conversation)
        assert again is not None
        assert conversations.message(conversation.id, 1).content == "Raise it"
        assert Turn.objects.filter(conversation=conversation).count() == 1
        figures.record(f"database {kind}{' for a while' if lasts else ''}", f"statement {at}", 0, time.monotonic() - began)
        if not failing.times:
            break
    assert Turn.objects.get(id=again.turn_id).end == "answered"
    assert at > 20
    if kind == TAKEN_BACK and not lasts:
        assert not Turn.objects.exclude(end__in=["answered", "failed"]).exists()


@pytest.mark.parametrize("lasts", [False, True])
@pytest.mark.parametrize("kind", kinds())
@pytest.mark.parametrize("is_outside", [False, True])
def test_a_database_that_fails_at_the_kth_statement_or_commit_of_a_click_never_hides_or_doubles_its_effect(
    site: Site, outbox: object, monkeypatch: pytest.MonkeyPatch, kind: str, lasts: bool, is_outside: bool
) -> None:
    """CO4, CO5, CO7, ME4; sec_I11, sec_I12, sec_I13, sec_I14, sec_J7, sec_J9."""
    monkeypatch.setenv("DESKHAND_TEST_OUTBOX", str(outbox))
    desk, ended = Desk([]), set()
    for at in itertools.count(first(kind, lasts, CLICK_STRIDE), CLICK_STRIDE):
        card = desk.reminder(f"A-{at}") if is_outside else desk.cards(1)[0]
        scope, failing, told = scope_of(desk.user, desk.session_ref), Failing(at, kind, lasts=lasts), None
        with failing.everywhere(), contextlib.suppress(Error):
            told = clicking.confirm(scope, uuid.UUID(card))
        connection.close()
        # As after its process is gone, or long enough: what nobody carries out any more has its end.
        Confirmation.objects.filter(claimed_at__isnull=False, outcome=None).update(claimed_by="", claimed_at="2020-01-01T00:00Z")
        end = clicking.confirm(scope, uuid.UUID(card))
        assert told in (None, end), f"at {at}: told {told}, then {end}"
        assert checker.wrong(outbox=outbox) == [], f"at {at}"  # type: ignore[arg-type]
        if not is_outside and connection.vendor == "postgresql":
            # On SQLite the transaction goes on after a statement that failed: a preview, or an effect, that raised ends the card.
            assert (end, desks.raised(card)) == ("confirmed", 1), f"at {at}"
        ended.add(str(end))
        if not failing.times:
            break
    assert at > (5 if is_outside else 10)
    assert "confirmed" in ended
