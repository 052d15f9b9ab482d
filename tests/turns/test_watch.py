"""A host's function that never answers, and what it is kept from taking with it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import Permission, User

from deskhand import scope as scopes
from deskhand.core.values import ModelRequest, TurnEnd
from deskhand.models import Turn
from deskhand.scope import Scope
from deskhand.testing import script
from deskhand.turns import runner, watch
from tests import make
from tests.flows.steps import until
from tests.turns.threads import QUICK, assert_sound, begin

pytestmark = pytest.mark.django_db(transaction=True)


class Host:
    """A host that never comes back for one account, in the threads of ours that watch."""

    def __init__(self) -> None:
        self.unlucky: object = None
        self.hangs = threading.Event()
        self.let_go = threading.Event()

    def waits(self, user_id: object) -> None:
        if self.hangs.is_set() and user_id == self.unlucky and threading.current_thread().name != "deskhand-turn":
            assert self.let_go.wait(20)

    def scope(self, session_ref: str, user: User) -> Scope | None:
        """``SCOPE``."""
        self.waits(user.pk)
        return scopes.session_scope(session_ref, user)

    @contextlib.contextmanager
    def around(self, facts: dict[str, object]) -> Iterator[None]:
        """``AROUND_TURN``."""
        self.waits(facts["user_id"])
        yield


@pytest.fixture
def host() -> Iterator[Host]:
    made = Host()
    yield made
    made.let_go.set()


def running(scope: Scope, let_go: threading.Event) -> object:
    """A turn whose model is silent until it is let go."""

    def silent(request: ModelRequest) -> str:
        assert let_go.wait(20)
        return "Fine."

    started = begin(scope)
    runner.here().start(started.held, script(silent))
    return started.turn_id


def end_of(turn_id: object) -> str:
    return Turn.objects.get(id=turn_id).end


@pytest.mark.parametrize("hook", ["SCOPE", "AROUND_TURN"])
def test_a_host_that_never_answers_for_one_turn_costs_no_other_its_lease_its_events_or_the_look_at_its_rights(
    scope: Scope, settings: object, monkeypatch: pytest.MonkeyPatch, host: Host, hook: str
) -> None:
    """TU1, SC2, OP10: and that turn is ended as failed, for rights that can't be told are none."""
    monkeypatch.setattr(watch, "LATE_SECONDS", 0.2)
    monkeypatch.setattr(watch, "HANGS_SECONDS", 1.0)
    called: Callable[..., object] = host.scope if hook == "SCOPE" else host.around
    settings.DESKHAND = {**QUICK, "LEASE_SECONDS": 1.5, hook: called}  # type: ignore[attr-defined]
    host.unlucky = scope.user_id
    first, gone, last = scope, make.scope(["deskhand.use_assistant"]), make.scope(["deskhand.use_assistant"])
    let_go = threading.Event()
    stuck, loses, stays = (running(each, let_go) for each in (first, gone, last))
    until(lambda: all(Turn.objects.get(id=each).taken_at for each in (stuck, loses, stays)))
    host.hangs.set()
    until(lambda: end_of(stuck) != "")
    # Its lease would be over by now, had nobody renewed it.
    before = Turn.objects.get(id=stays).lease_until
    until(lambda: Turn.objects.get(id=stays).lease_until > before)
    User.objects.get(pk=gone.user_id).user_permissions.remove(Permission.objects.get(codename="use_assistant"))
    until(lambda: end_of(loses) != "")
    let_go.set()
    until(lambda: end_of(stays) != "")
    assert [end_of(each) for each in (stuck, loses, stays)] == [TurnEnd.FAILED, TurnEnd.REFUSED, TurnEnd.ANSWERED]
    for turn in Turn.objects.all():
        assert_sound(turn.conversation_id)


def test_a_host_that_is_slow_for_a_while_costs_nobody_anything(
    scope: Scope, settings: object, monkeypatch: pytest.MonkeyPatch, host: Host
) -> None:
    """SC2: and the thread that waited is gone."""
    monkeypatch.setattr(watch, "LATE_SECONDS", 0.1)
    settings.DESKHAND = {**QUICK, "SCOPE": host.scope}  # type: ignore[attr-defined]
    host.unlucky = scope.user_id
    let_go = threading.Event()
    somebody_else = make.scope(["deskhand.use_assistant"])
    turn_id = running(scope, let_go)
    host.hangs.set()
    other = running(somebody_else, let_go)
    until(lambda: [each.name for each in threading.enumerate()].count("deskhand-rights") >= 2)
    host.hangs.clear()
    host.let_go.set()
    until(lambda: [each.name for each in threading.enumerate()].count("deskhand-rights") == 1)
    let_go.set()
    assert runner.here().settle(10)
    assert [end_of(each) for each in (turn_id, other)] == [TurnEnd.ANSWERED] * 2
