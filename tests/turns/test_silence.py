"""What the log says of turns of which nobody gives a sign."""

from __future__ import annotations

import datetime
import logging
import threading

import pytest
from django.utils import timezone

from deskhand import scope as scopes
from deskhand.models import Turn
from deskhand.scope import Scope
from deskhand.testing import script
from deskhand.turns import lock, runner, silence
from deskhand.web.following import Follower
from tests import make
from tests.flows.steps import until
from tests.turns.threads import begin

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scope() -> Scope:
    return make.scope(["deskhand.use_assistant", "shop.view_order"])


def test_a_turn_that_waits_for_a_worker_is_told_of_once_and_not_before_its_time(
    scope: Scope, caplog: pytest.LogCaptureFixture
) -> None:
    """TU5, design 7."""
    held = begin(scope, text="canary").held
    lock.offer(held, lambda: None)
    follower = Follower(scope, held.turn_id, 0)
    with caplog.at_level(logging.WARNING, "deskhand.turns"):
        follower.fresh()
        assert caplog.text == ""
        Turn.objects.update(created_at=timezone.now() - datetime.timedelta(seconds=silence.SILENT_SECONDS))
        follower.fresh()
        follower.fresh()
    assert caplog.text.count(f"turn {held.turn_id} waits: no worker has taken it up") == 1
    assert "canary" not in caplog.text


def test_a_turn_that_runs_elsewhere_is_never_told_of(scope: Scope, caplog: pytest.LogCaptureFixture) -> None:
    """TU4: its model may think for as long as it likes."""
    started = begin(scope)
    Turn.objects.update(created_at=timezone.now() - datetime.timedelta(minutes=1))
    with caplog.at_level(logging.WARNING, "deskhand.turns"):
        assert Follower(scope, started.turn_id, 0).fresh() == []
    assert caplog.text == ""


def test_a_turn_of_a_process_whose_threads_give_no_sign_is_told_of_once(
    scope: Scope, settings: object, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """TU4: as under a server that lets no thread run (design 7). Here the keeper hangs in a host's function."""
    go_on = threading.Event()

    def hangs(session_ref: str, user: object) -> Scope | None:
        if threading.current_thread().name == "deskhand-keeper":
            go_on.wait(20)
        return scopes.session_scope(session_ref, user)  # type: ignore[arg-type]

    def answers(request: object) -> object:
        go_on.wait(20)
        return iter(())

    monkeypatch.setattr(silence, "SILENT_SECONDS", 0.2)
    settings.DESKHAND = {"SCOPE": hangs, "FLUSH_SECONDS": 0.02, "RIGHTS_SECONDS": 0.05}  # type: ignore[attr-defined]
    started = begin(scope, text="canary")
    follower = Follower(scope, started.turn_id, 0)
    try:
        runner.here().start(started.held, script(answers))  # type: ignore[arg-type]
        with caplog.at_level(logging.WARNING, "deskhand.turns"):
            until(lambda: follower.fresh() or "no sign" in caplog.text)
            follower.fresh()
        assert caplog.text.count(f"turn {started.turn_id}: no sign of this process's threads") == 1
        assert "canary" not in caplog.text
    finally:
        go_on.set()
        runner.stop()
