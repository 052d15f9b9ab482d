"""The runner under faults: whatever fails at whatever statement, the turn ends, says so, and lets go."""

from __future__ import annotations

import contextlib
import itertools
import pathlib
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator

import pytest
from babel.messages import Catalog, mofile
from django.db import OperationalError, connection, connections
from django.utils import translation

from deskhand import conversations
from deskhand import scope as scopes
from deskhand.core import phrases
from deskhand.core.values import ModelRequest, Notice, TurnEnd
from deskhand.models import AIRequest, Event, Message, Turn
from deskhand.scope import Scope
from deskhand.testing import ToolCall, script
from deskhand.turns import closing, events, lock, runner
from deskhand.turns.start import Asked, prepare, start
from tests import make
from tests.canary import CANARY
from tests.turns.threads import QUICK, At, assert_sound, begin, in_threads

pytestmark = pytest.mark.django_db(transaction=True)


def read_order() -> ToolCall:
    return ToolCall("c1", "read_order", '{"number": "A-1"}')


def run(scope: Scope, conversation_id: uuid.UUID, *rounds: object) -> tuple[Turn, events.Feed]:
    """Start a turn in the runner's threads and wait for its end."""
    started = begin(scope, conversation_id)
    runner.here().start(started.held, script(*rounds))  # type: ignore[arg-type]
    feed = events.feed(started.turn_id)
    assert feed is not None
    assert runner.here().settle(10), "the turn did not end"
    return Turn.objects.get(id=started.turn_id), feed


def refuse(_: object) -> None:
    raise OperationalError


def terminate(connection: object) -> None:
    """The database ends this connection before it is used again."""
    pid = connection.connection.info.backend_pid  # type: ignore[attr-defined]
    other = connections["default"].copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    finally:
        other.close()


FAULTS = [refuse, *([terminate] if connection.vendor == "postgresql" else [])]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_database_that_fails_at_any_statement_of_a_turn_leaves_an_honest_end_and_nothing_half(
    scope: Scope, fault: Callable[[object], None]
) -> None:
    """sec_J7, TU3, TU5."""
    conversation_id = conversations.create(scope.user).id
    seen = set()
    for at in itertools.count():
        failing = At(at, fault)
        with in_threads("deskhand-turn", failing):
            turn, feed = run(scope, conversation_id, read_order(), "It is at the gate.")
        told = feed.after(0)
        assert [each.payload["end"] for each in told if each.kind == "done"] == [turn.end]
        assert_sound(conversation_id)
        rows = conversations.of_turn(turn.id)
        assert rows[0].content == "Hello"
        asked = [call for row in rows for call in row.tool_calls]
        assert len([row for row in rows if row.role == "tool"]) == len(asked)
        assert [row.error for row in rows if row.role == "notice"] == ([] if turn.end == TurnEnd.ANSWERED else ["error"])
        seen.add(turn.end)
        if not failing.has_done:
            break
    assert at > 10
    assert seen == {TurnEnd.FAILED, TurnEnd.ANSWERED}


def test_an_end_that_can_not_be_written_for_a_while_is_written_as_soon_as_it_can(scope: Scope) -> None:
    """sec_J7, TU5: long before the lease is over."""
    away = threading.Event()
    away.set()

    def refused(execute: Callable[..., object], *statement: object) -> object:
        if away.is_set():
            raise OperationalError
        return execute(*statement)

    started = begin(scope)
    with in_threads("deskhand-turn", refused), in_threads("deskhand-keeper", refused):
        runner.here().start(started.held, script("Never said."))
        feed = events.feed(started.turn_id)
        assert feed is not None
        assert not runner.here().settle(0.4)
        assert not feed.is_closed
        away.clear()
        assert runner.here().settle(5)
    assert feed.after(0)[-1].payload["end"] == "failed"
    assert Turn.objects.get(id=started.turn_id).end == TurnEnd.FAILED
    assert [row.role for row in assert_sound(started.held.conversation_id)] == ["user", "notice"]


def test_what_could_not_be_stored_at_one_tick_comes_with_the_next(scope: Scope) -> None:
    """TU4, sec_J7."""
    failing = At(0, refuse)
    started = begin(scope)
    feed = events.open_feed(started.turn_id, started.held.fence, started.held.conversation_id)
    feed.tell(events.Told(events.TEXT, {"text": "kept"}))
    with connection.execute_wrapper(failing), pytest.raises(OperationalError):
        events.store([feed])
    events.store([feed])
    events.store([feed])
    assert Event.objects.get(turn_id=started.turn_id).told == [[1, "text", {"text": "kept"}]]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_conversation_that_somebody_has_locked_holds_up_no_other(scope: Scope) -> None:
    """TU4."""
    stuck, other = begin(scope), begin(make.scope(["deskhand.use_assistant"]))
    feeds = [events.open_feed(each.turn_id, each.held.fence, each.held.conversation_id) for each in (stuck, other)]
    for feed in feeds:
        feed.tell(events.Told(events.TEXT, {"text": "x"}))
    locker = connections["default"].copy()
    try:
        locker.set_autocommit(False)
        with locker.cursor() as cursor:
            cursor.execute("SELECT 1 FROM deskhand_conversation WHERE id = %s FOR UPDATE", [stuck.held.conversation_id])
        events.store(feeds)
        assert list(Event.objects.values_list("turn_id", flat=True)) == [other.turn_id]
        locker.rollback()
    finally:
        locker.close()
    events.store(feeds)
    assert Event.objects.count() == 2


def raises() -> None:
    raise ValueError(CANARY)


def exits() -> None:
    sys.exit(CANARY)


class Unenterable:
    """A context manager that does this at its begin."""

    def __init__(self, what: Callable[[], None]) -> None:
        self.what = what

    def __call__(self) -> contextlib.AbstractContextManager[None]:
        @contextlib.contextmanager
        def around() -> Iterator[None]:
            self.what()
            yield

        return around()


@contextlib.contextmanager
def swallows() -> Iterator[None]:
    """A host's context manager that hides every fault."""
    with contextlib.suppress(BaseException):
        yield


@pytest.mark.parametrize("what", [raises, exits])
def test_a_host_whose_surroundings_fail_costs_the_turn_and_never_a_thread(
    scope: Scope, settings: object, what: Callable[[], None]
) -> None:
    """sec_J16, OP10."""
    conversation_id = conversations.create(scope.user).id
    settings.DESKHAND = {**QUICK, "RUNNER_THREADS": 1, "AROUND_TURN": Unenterable(what)}  # type: ignore[attr-defined]
    for _ in range(2):
        turn, feed = run(scope, conversation_id, "Never said.")
        assert (turn.end, feed.is_closed) == (TurnEnd.FAILED, True)
    settings.DESKHAND = {**QUICK, "RUNNER_THREADS": 1}  # type: ignore[attr-defined]
    assert run(scope, conversation_id, "Fine.")[0].end == TurnEnd.ANSWERED
    assert_sound(conversation_id)


def test_a_host_that_hides_every_fault_never_hides_the_end_of_a_turn(scope: Scope, settings: object) -> None:
    """sec_J16, TU3."""
    settings.DESKHAND = {**QUICK, "AROUND_TURN": swallows}  # type: ignore[attr-defined]
    conversation_id = conversations.create(scope.user).id
    turn, feed = run(scope, conversation_id, lambda request: raises())
    assert (turn.end, feed.is_closed) == (TurnEnd.FAILED, True)
    assert [row.error for row in assert_sound(conversation_id)][1:] == ["error"]


@pytest.mark.parametrize("what", [raises, exits])
def test_a_host_whose_scope_fails_while_the_model_speaks_ends_that_turn_and_no_other(
    scope: Scope, settings: object, what: Callable[[], None]
) -> None:
    """sec_J16, SC2: rights that can't be told are not rights."""
    is_broken = threading.Event()
    unlucky = scope.user_id

    def broken(session_ref: str, user: object) -> Scope | None:
        if is_broken.is_set() and user.pk == unlucky:  # type: ignore[attr-defined]
            what()
        return scopes.session_scope(session_ref, user)  # type: ignore[arg-type]

    settings.DESKHAND = {**QUICK, "SCOPE": broken}  # type: ignore[attr-defined]
    let_go = threading.Event()

    def holds(request: ModelRequest) -> str:
        is_broken.set()
        assert let_go.wait(10)
        return "Fine."

    lucky = make.scope(["deskhand.use_assistant"])
    other = begin(lucky)
    started = begin(scope)
    runner.here().start(other.held, script(holds))
    runner.here().start(started.held, script(holds))
    limit = time.monotonic() + 10
    while not Turn.objects.get(id=started.turn_id).end and time.monotonic() < limit:
        time.sleep(0.02)
    let_go.set()
    assert runner.here().settle(10)
    assert Turn.objects.get(id=started.turn_id).end == TurnEnd.FAILED
    assert Turn.objects.get(id=other.turn_id).end == TurnEnd.ANSWERED


def bytes_() -> object:
    return b"bytes"


def nul() -> str:
    return "a\x00b \udc81"


@pytest.mark.parametrize("hook", [raises, exits, bytes_, nul])
def test_a_hook_that_misbehaves_costs_its_part_and_nothing_else(scope: Scope, settings: object, hook: object) -> None:
    """sec_J16, PR4, PR8, PR10."""
    settings.DESKHAND = {**QUICK, "PROMPT_ADDENDUM": hook, "PAGE_CONTEXT": lambda path, scope: hook()}  # type: ignore[attr-defined, operator]
    conversation_id = conversations.create(scope.user).id
    started = prepare(scope, conversation_id, Asked("Hello", uuid.uuid4().hex, "/admin/"))
    model = script("Fine.")
    runner.here().start(started.held, model)
    assert runner.here().settle(10)
    assert Turn.objects.get(id=started.turn_id).end == TurnEnd.ANSWERED
    assert "\x00" not in model.requests[0].system
    model.requests[0].system.encode()


def test_a_hook_that_hangs_holds_its_own_request_and_the_locks_no_longer_than_the_lease(scope: Scope, settings: object) -> None:
    """sec_J16, PR9."""
    let_go, asked = threading.Event(), []

    def hangs() -> str:
        asked.append(1)
        if len(asked) == 1:
            assert let_go.wait(10)
        return "late"

    settings.DESKHAND = {**QUICK, "LEASE_SECONDS": 0.3, "PROMPT_ADDENDUM": hangs}  # type: ignore[attr-defined]
    conversation_id = conversations.create(scope.user).id
    late: list[object] = []

    def first() -> None:
        late.append(start(scope, conversation_id, Asked("one", uuid.uuid4().hex)))
        connections.close_all()

    thread = threading.Thread(target=first)
    thread.start()
    limit = time.monotonic() + 5
    while not asked and time.monotonic() < limit:
        time.sleep(0.01)
    time.sleep(0.4)
    settings.DESKHAND = {**QUICK, "PROMPT_ADDENDUM": hangs}  # type: ignore[attr-defined]
    turn, _ = run(scope, conversation_id, "Fine.")
    assert turn.end == TurnEnd.ANSWERED
    let_go.set()
    thread.join(10)
    assert late[0].is_over  # type: ignore[attr-defined]
    assert Turn.objects.get(id=late[0].turn_id).end == TurnEnd.DIED  # type: ignore[attr-defined]
    assert not Turn.objects.filter(addendum="late", id=late[0].turn_id).exists()  # type: ignore[attr-defined]
    assert_sound(conversation_id)


def test_a_start_that_fails_after_its_claim_never_keeps_the_locks(scope: Scope, settings: object) -> None:
    """TU1, sec_J7."""
    settings.DESKHAND = {**QUICK, "PROMPT_ADDENDUM": lambda: "words"}  # type: ignore[attr-defined]
    conversation_id = conversations.create(scope.user).id

    def refused(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if "addendum" in sql and sql.startswith("UPDATE") and "words" in str(rest[0]):
            raise OperationalError
        return execute(sql, *rest)

    with connection.execute_wrapper(refused), pytest.raises(OperationalError):
        begin(scope, conversation_id)
    assert Turn.objects.get().end == TurnEnd.FAILED
    assert [row.role for row in assert_sound(conversation_id)] == ["user", "notice"]
    assert run(scope, conversation_id, "Fine.")[0].end == TurnEnd.ANSWERED


def test_a_second_turn_never_waits_for_the_first_while_there_are_threads(scope: Scope) -> None:
    """One idle thread and two starts at once."""
    run(scope, conversations.create(scope.user).id, "An idle thread is left.")
    together = threading.Barrier(2)

    def meets(request: ModelRequest) -> str:
        together.wait(5)
        return "Met."

    two = [begin(each) for each in (scope, make.scope(["deskhand.use_assistant"]))]
    for each in two:
        runner.here().start(each.held, script(meets))
    assert runner.here().settle(10)
    assert {Turn.objects.get(id=each.turn_id).end for each in two} == {TurnEnd.ANSWERED}


def test_more_turns_than_threads_wait_their_place_and_one_that_is_stopped_while_it_waits_asks_nothing(
    scope: Scope, settings: object
) -> None:
    """TU4, LI2."""
    settings.DESKHAND = {**QUICK, "RUNNER_THREADS": 1}  # type: ignore[attr-defined]
    let_go = threading.Event()

    def holds(request: ModelRequest) -> str:
        assert let_go.wait(10)
        return "Fine."

    first, second, third = (begin(each) for each in (scope, *(make.scope(["deskhand.use_assistant"]) for _ in range(2))))
    waiting = script("Never said.")
    runner.here().start(first.held, script(holds))
    runner.here().start(second.held, waiting)
    runner.here().start(third.held, script("Third."))
    assert closing.close(second.turn_id, TurnEnd.STOPPED, Notice.STOPPED)
    let_go.set()
    assert runner.here().settle(10)
    assert waiting.requests == []
    assert AIRequest.objects.filter(turn_ref=second.turn_id).count() == 0
    assert [Turn.objects.get(id=each.turn_id).end for each in (first, second, third)] == ["answered", "stopped", "answered"]


def test_a_turn_that_was_stopped_from_another_process_is_given_up_here_soon(scope: Scope) -> None:
    """TU4, B60."""
    started = begin(scope)
    runner.here().start(started.held, script(lambda request: ["Once ", 30.0, "upon"]))  # type: ignore[list-item, return-value]
    feed = events.feed(started.turn_id)
    assert feed is not None
    # As another process does it: without this one's feed and ledger.
    lost = events.told._feeds.pop(started.turn_id)
    assert closing.close(started.turn_id, TurnEnd.STOPPED, Notice.STOPPED)
    events.told._feeds[started.turn_id] = lost
    assert runner.here().settle(4)
    assert feed.after(0)[-1].payload["end"] == "stopped"


def test_a_follower_whose_event_loop_is_closed_never_ends_the_turn(scope: Scope) -> None:
    """TU4."""
    started = begin(scope)
    feed = events.open_feed(started.turn_id, started.held.fence, started.held.conversation_id)

    def closed() -> None:
        raise RuntimeError("Event loop is closed")

    with feed.listening(closed):
        feed.tell(events.Told(events.TEXT, {"text": "x"}))
    assert feed.seal().text == "x"


def test_text_of_a_message_that_was_stored_is_never_stored_twice(scope: Scope) -> None:
    """TU5, B65: the process ended between the message's row and the news of it."""
    for is_here in (True, False):
        started = begin(scope)
        feed = events.open_feed(started.turn_id, started.held.fence, started.held.conversation_id)
        feed.tell(events.Told(events.TEXT, {"text": "Let me look."}))
        events.store([feed])
        row = conversations.full(
            role="assistant", content="Let me look.", ending="complete",
            tool_calls=[{"id": "a", "name": "read_order", "arguments": "{}"}],
        )  # fmt: skip
        lock.journal(started.held, [row])
        if not is_here:
            events.forget_feeds()
        assert closing.close(started.turn_id, TurnEnd.DIED, Notice.DIED)
        rows = [(each.role, each.content or each.tool_outcome) for each in assert_sound(started.held.conversation_id)]
        assert rows[:3] == [("user", "Hello"), ("assistant", "Let me look."), ("tool", "stopped")]
        assert [role for role, _ in rows[3:]] == ["notice"]


def test_the_words_of_a_notice_are_in_the_turns_language_whoever_writes_it(
    scope: Scope, settings: object, tmp_path: pathlib.Path
) -> None:
    """HI3."""
    with translation.override(None):
        english = phrases.notice(Notice.DIED)
    catalog = Catalog(locale="de")
    catalog.add(english, "Verstorben.")
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        mofile.write_mo(file, catalog)
    settings.LOCALE_PATHS = [str(tmp_path)]  # type: ignore[attr-defined]
    conversation_id = conversations.create(scope.user).id
    started = prepare(scope, conversation_id, Asked("Hallo", uuid.uuid4().hex, None, "de-AT"))
    with translation.override("en"):
        closing.close(started.turn_id, TurnEnd.DIED, Notice.DIED)
    assert Message.objects.get(role="notice").content == "Verstorben."
