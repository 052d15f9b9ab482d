"""One call of a reading tool: it can't write, can't hang the turn, and can't talk through its faults (``TO6``, ``SC2``)."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import datetime
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone, translation

from deskhand.core.values import Outcome
from deskhand.scope import Scope
from deskhand.tools import Result, Tool, ToolError, resting, run, tool
from tests import make
from tests.shop import assistant
from tests.shop.models import Customer, Order
from tests.test_transactions import SLOW

real = pytest.mark.django_db(transaction=True)
nested = pytest.mark.django_db
#: Far over what any machine needs for these tools, and never waited for.
LONG = 30.0

variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="")


@pytest.fixture(autouse=True)
def rested() -> Iterator[None]:
    yield
    resting.current.forget()


def reads(function: Callable[..., object], seconds: float = LONG) -> Tool:
    return tool(permission="shop.view_order", reads=True, seconds=seconds)(function)


def ran(function: Callable[..., object], *, seconds: float = LONG, inline: bool = False, cancel=None, **arguments) -> Result:
    return run(reads(function, seconds), arguments, make.scope(), inline=inline, cancel=cancel)


def wait_for_threads() -> None:
    for thread in threading.enumerate():
        if thread.name == "deskhand-tool":
            thread.join(LONG)
            assert not thread.is_alive()


def in_both_ways(test: Callable[..., None]) -> Callable[..., None]:
    return real(pytest.mark.parametrize("inline", [False, True])(test))


@in_both_ways
def test_a_tool_answers_from_the_hosts_data(inline: bool) -> None:
    """TO1"""
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Ada"), note="fragile")
    scope = make.scope(["shop.view_order", "shop.view_customer"])
    answer = run(assistant.read_order, {"number": "A-1"}, scope, inline=inline)
    assert answer.outcome is Outcome.OK
    assert answer.text == '{"number": "A-1", "status": "open", "note": "fragile", "total": "0.00", "customer": "Ada"}'
    assert '"A-1"' in run(assistant.find_orders, {"status": "open"}, scope, inline=inline).text


@in_both_ways
def test_an_async_tool_reads_in_the_same_transaction(inline: bool) -> None:
    """TO1"""
    Customer.objects.create(name="Ada")
    assert run(assistant.count_customers, {}, make.scope(), inline=inline).text == "1 customers"

    async def writes() -> str:
        await Customer.objects.acreate(name="Bo")
        return "written"

    assert ran(writes, inline=inline).outcome is Outcome.ERROR
    assert Customer.objects.count() == 1


@in_both_ways
def test_a_reading_tool_never_writes(inline: bool) -> None:
    """TO6, sec_F1"""

    def inserts() -> str:
        Customer.objects.create(name="Ada")
        return "written"

    def inserts_in_a_block() -> str:
        with transaction.atomic():
            Customer.objects.create(name="Ada")
        return "written"

    for function in (inserts, inserts_in_a_block):
        answer = ran(function, inline=inline)
        assert answer.outcome is Outcome.ERROR
        assert answer.error in ("OperationalError", "InternalError")
    assert not Customer.objects.exists()
    Customer.objects.create(name="the next writer is free")


@nested
def test_inline_a_tool_sees_what_its_test_wrote_and_leaves_the_transaction_usable() -> None:
    """OP8"""
    Customer.objects.create(name="Ada")
    assert ran(lambda: Customer.objects.get().name, inline=True).text == "Ada"

    def breaks() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT no_such_column FROM shop_customer")

    assert ran(breaks, inline=True).outcome is Outcome.ERROR
    Customer.objects.create(name="Bo")
    assert Customer.objects.count() == 2


def test_a_writing_tool_is_never_run() -> None:
    """CO1, sec_F3"""
    for inline in (False, True):
        with pytest.raises(RuntimeError):
            run(assistant.cancel_order, {"number": "A-1"}, Scope, inline=inline)


@real
def test_a_statement_that_hangs_ends_at_the_limit_and_frees_the_database() -> None:
    """TO6, sec_F6"""

    def hangs() -> None:
        with connection.cursor() as cursor:
            cursor.execute(SLOW[connection.vendor])

    started = time.monotonic()
    answer = ran(hangs, seconds=0.2)
    assert (answer.outcome, answer.error, answer.size_chars) == (Outcome.TIMEOUT, "", 0)
    assert time.monotonic() - started < LONG / 2
    # The statement was cancelled at the database, so the thread has ended by itself.
    wait_for_threads()
    Customer.objects.create(name="Ada")


@real
def test_a_late_result_is_dropped_and_its_connection_closed() -> None:
    """TO6"""
    release = threading.Event()
    seen: list[object] = []

    def hangs() -> str:
        seen.append(connections["default"])
        assert Customer.objects.count() == 0
        release.wait(LONG)
        try:
            Customer.objects.count()
        except Exception as fault:
            seen.append(type(fault).__name__)
        return "late"

    answer = ran(hangs, seconds=0.2)
    assert answer.outcome is Outcome.TIMEOUT
    release.set()
    wait_for_threads()
    assert "late" not in answer.text
    assert seen[1] == "OperationalError"
    assert seen[0].connection is None


@real
def test_stop_ends_the_wait_at_once() -> None:
    """TU4, TO6"""
    cancel, release = threading.Event(), threading.Event()

    def hangs() -> None:
        cancel.set()
        release.wait(LONG)

    started = time.monotonic()
    assert ran(hangs, cancel=cancel).outcome is Outcome.STOPPED
    assert time.monotonic() - started < LONG / 2
    release.set()
    wait_for_threads()


@real
def test_a_turn_that_was_stopped_before_never_calls_the_tool() -> None:
    """TU4"""
    cancel = threading.Event()
    cancel.set()
    called: list[int] = []
    assert ran(lambda: called.append(1), cancel=cancel).outcome is Outcome.STOPPED
    assert called == []


@real
def test_three_hangs_send_the_tool_to_rest_and_a_stop_is_none() -> None:
    """TO6"""
    release, cancel = threading.Event(), threading.Event()

    def hangs() -> None:
        cancel.set()
        release.wait(LONG)

    for _ in range(resting.HANGS):
        ran(hangs, cancel=cancel, seconds=LONG)
        cancel.clear()
    assert not resting.current.is_resting("hangs")
    for _ in range(resting.HANGS):
        assert not resting.current.is_resting("hangs")
        ran(hangs, seconds=0.05)
    assert resting.current.is_resting("hangs")
    release.set()
    wait_for_threads()


class OwnBase(BaseException):
    """What no ``except Exception`` catches."""


def raises_value_error() -> None:
    raise ValueError("secret-canary")


def exits() -> None:
    sys.exit("secret-canary")


def is_cancelled() -> None:
    raise asyncio.CancelledError("secret-canary")


def raises_base() -> None:
    raise OwnBase("secret-canary")


@real
@pytest.mark.parametrize(
    ("function", "kind"),
    [(raises_value_error, "ValueError"), (exits, "SystemExit"), (is_cancelled, "CancelledError"), (raises_base, "OwnBase")],
)
def test_the_words_of_a_fault_never_reach_the_model_or_a_log(function, kind: str, caplog, capsys) -> None:
    """TO6, sec_F7, sec_K1"""
    caplog.set_level(logging.DEBUG)
    answer = ran(function)
    assert (answer.outcome, answer.error) == (Outcome.ERROR, kind)
    seen = caplog.text + "".join(capsys.readouterr()) + answer.text + answer.stored + repr(answer)
    assert "canary" not in seen
    assert kind in answer.text
    assert f"failed: {kind}" in caplog.text


@in_both_ways
def test_a_tools_own_words_reach_the_model(inline: bool) -> None:
    """TO6"""
    answer = run(assistant.read_order, {"number": "A-9"}, make.scope(), inline=inline)
    assert (answer.outcome, answer.error) == (Outcome.ERROR, "ToolError")
    assert "There is no order with that number." in answer.text


@real
def test_no_argument_and_no_result_is_ever_in_a_log(caplog) -> None:
    """sec_K1"""
    caplog.set_level(logging.DEBUG)
    Customer.objects.create(name="secret-canary")

    def find(name: str) -> str:
        return Customer.objects.get(name=name).name

    assert ran(find, name="secret-canary").text == "secret-canary"
    assert ran(find, name="secret-canary-2").outcome is Outcome.ERROR
    assert "canary" not in caplog.text


@in_both_ways
def test_the_tool_has_the_callers_language_zone_and_context(inline: bool) -> None:
    """HI3, OP10"""
    variable.set("tenant 7")
    with translation.override("de"), timezone.override(datetime.timezone(datetime.timedelta(hours=9))):
        seen = ran(lambda: [translation.get_language(), timezone.get_current_timezone_name(), variable.get()], inline=inline)
    assert seen.text == '["de", "UTC+09:00", "tenant 7"]'


@real
def test_the_hosts_surroundings_are_entered_in_the_tools_thread(settings) -> None:
    """OP10"""
    tenant = threading.local()
    left: list[str] = []

    @contextlib.contextmanager
    def around() -> Iterator[None]:
        tenant.name = "seven"
        yield
        left.append(tenant.name)

    settings.DESKHAND = {"AROUND_TURN": around}
    assert ran(lambda: tenant.name).text == "seven"
    assert left == ["seven"]


@real
def test_without_the_hosts_surroundings_the_tool_never_runs(settings) -> None:
    """OP10"""
    settings.DESKHAND = {"AROUND_TURN": raises_value_error}
    called: list[int] = []
    answer = ran(lambda: called.append(1))
    assert (answer.outcome, answer.error, called) == (Outcome.ERROR, "ValueError", [])


@real
def test_the_tool_runs_in_a_thread_that_is_none_of_the_callers() -> None:
    """TO6"""
    own = str(threading.get_ident())
    assert ran(lambda: threading.get_ident()).text != own
    assert ran(lambda: threading.get_ident(), inline=True).text == own


@real
def test_the_sites_limit_holds_where_a_tool_has_none_of_its_own(settings) -> None:
    """TO6"""
    settings.DESKHAND = {"TOOL_SECONDS": 0.05}
    release = threading.Event()
    hangs = tool(permission="shop.view_order", reads=True)(lambda: release.wait(LONG))
    assert run(hangs, {}, make.scope()).outcome is Outcome.TIMEOUT
    release.set()
    wait_for_threads()


@real
def test_on_postgresql_an_inline_tool_ends_at_its_limit_as_well() -> None:
    """TO6"""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no limit of its own")

    def hangs() -> None:
        with connection.cursor() as cursor:
            cursor.execute(SLOW["postgresql"])

    assert ran(hangs, seconds=0.1, inline=True).outcome is Outcome.TIMEOUT


@in_both_ways
def test_the_host_has_the_last_look_at_what_leaves(inline: bool, settings) -> None:
    """TO11"""
    asked: list[tuple[str, str]] = []

    def redact(name: str, words: str, scope: Scope) -> str:
        asked.append((name, words))
        return words.replace("Ada", "(name)")

    settings.DESKHAND = {"REDACT": redact}

    def greet() -> str:
        return "Ada is here"

    def fails() -> str:
        raise ToolError("Ada is away")

    answer = ran(greet, inline=inline)
    assert (answer.text, answer.stored, answer.size_chars) == ("(name) is here", "(name) is here", 11)
    assert "(name) is away" in ran(fails, inline=inline).text
    assert asked[0] == ("greet", "Ada is here")


@real
@pytest.mark.parametrize("hook", [raises_value_error, lambda *_: None, lambda *_: b"Ada", "no.such.hook"])
def test_a_fault_in_the_last_look_withholds_the_result(hook, settings, caplog) -> None:
    """TO11"""
    settings.DESKHAND = {"REDACT": hook}
    answer = ran(lambda: "Ada is here")
    assert (answer.outcome, answer.error) == (Outcome.ERROR, "redact")
    assert "Ada" not in answer.text + answer.stored + caplog.text


@real
def test_nul_from_the_database_or_a_tool_is_never_in_a_result() -> None:
    """B26"""
    answer = ran(lambda: {"note": "ab\x00cd"})
    assert answer.text == answer.stored == '{"note": "abcd"}'
