"""Writing is a real transaction whatever the host's options say; reading never writes (``TO6``, ``sec_F1``)."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import DatabaseError, NotSupportedError, OperationalError, connection, connections, transaction

from deskhand import transactions
from tests.shop.models import Customer

SLOW = {
    "postgresql": "SELECT pg_sleep(30)",
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i < 0",
}


def query(sql: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0]


def write_and_raise(name: str) -> None:
    with contextlib.suppress(ZeroDivisionError), transactions.writing():
        Customer.objects.create(name=name)
        raise ZeroDivisionError


def close_and_write() -> None:
    with transactions.reading(5), transaction.atomic():
        connection.close()
        Customer.objects.create(name="Ada")


def slow_until_cancelled() -> None:
    with transactions.reading(20) as reading:
        threading.Timer(0.2, reading.cancel).start()
        query(SLOW[connection.vendor])


def cancelled_before_its_first_statement() -> None:
    with transactions.reading(5) as reading:
        reading.cancel()
        Customer.objects.count()


@pytest.fixture
def host_mode(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """SQLite as a host may have set it up; nothing on PostgreSQL."""
    mode: str | None = request.param
    if connection.vendor != "sqlite":
        yield None
        return
    options = connection.settings_dict["OPTIONS"]
    connection.close()
    connection.settings_dict["OPTIONS"] = {**options, "transaction_mode": mode}
    connection.ensure_connection()
    yield mode
    connection.settings_dict["OPTIONS"] = options
    connection.close()


any_mode = pytest.mark.parametrize("host_mode", [None, "IMMEDIATE", "EXCLUSIVE"], indirect=True)
real = pytest.mark.django_db(transaction=True)
nested = pytest.mark.django_db


def guards() -> tuple[object, ...]:
    if connection.vendor == "sqlite":
        return connection.transaction_mode, query("PRAGMA query_only")
    names = ("transaction_read_only", "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    return tuple(query(f"SHOW {name}") for name in names)


@real
def test_what_was_written_is_committed_at_the_end() -> None:
    """CO4"""
    with transactions.writing() as alias:
        Customer.objects.using(alias).create(name="Ada")
    connection.close()
    assert Customer.objects.count() == 1


@real
def test_nothing_of_a_write_that_raised_is_kept() -> None:
    """CO4"""
    write_and_raise("Ada")
    assert not Customer.objects.exists()


@real
@any_mode
def test_on_sqlite_a_write_holds_the_lock_from_its_beginning(host_mode: str | None) -> None:
    """OP7"""
    if connection.vendor != "sqlite":
        pytest.skip("SQLite's own")
    seen: list[str] = []

    def other() -> None:
        try:
            with connections["default"].cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 0")
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("UPDATE shop_customer SET name = ''")
            seen.append("written")
        except OperationalError:
            seen.append("locked")
        finally:
            connections.close_all()

    with transactions.writing():
        assert connection.transaction_mode == host_mode
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert seen == ["locked"]


@real
def test_on_postgresql_a_write_waits_and_sleeps_for_a_bounded_time() -> None:
    """CO4"""
    if connection.vendor != "postgresql":
        pytest.skip("PostgreSQL's own")
    before = guards()
    with transactions.writing():
        assert guards() == ("off", "0", "5s", "5s")
    assert guards() == before


@real
def test_a_write_inside_another_transaction_is_a_loud_error() -> None:
    """CO4"""
    with transaction.atomic(), pytest.raises(RuntimeError), transactions.writing():
        pass
    with transactions.writing(), pytest.raises(RuntimeError), transactions.writing():
        pass
    with transaction.atomic(), transactions.writing(durable=False):
        Customer.objects.create(name="Ada")


@nested
def test_inside_the_transaction_of_a_test_a_write_is_a_savepoint() -> None:
    """OP8"""
    with transactions.writing():
        Customer.objects.create(name="Ada")
    write_and_raise("Bo")
    assert [row.name for row in Customer.objects.all()] == ["Ada"]


@real
@any_mode
def test_a_reading_never_writes(host_mode: str | None) -> None:
    """TO6, sec_F1"""
    before = guards()
    with pytest.raises(DatabaseError), transactions.reading(5):
        Customer.objects.create(name="Ada")
    assert guards() == before
    assert not Customer.objects.exists()


@real
@any_mode
def test_a_reading_never_writes_on_a_connection_that_it_opens_itself(host_mode: str | None) -> None:
    """TO6"""
    connection.close()
    with pytest.raises(DatabaseError), transactions.reading(5):
        Customer.objects.create(name="Ada")
    with pytest.raises(DatabaseError):
        close_and_write()
    assert not Customer.objects.exists()


@nested
def test_inside_a_transaction_a_reading_never_writes_and_leaves_it_usable() -> None:
    """TO6, OP8"""
    Customer.objects.create(name="Ada")
    before = guards()
    with transactions.reading(5):
        assert Customer.objects.count() == 1
    with pytest.raises(DatabaseError), transactions.reading(5):
        Customer.objects.create(name="Bo")
    assert guards() == before
    Customer.objects.create(name="Cy")
    assert Customer.objects.count() == 2


@real
def test_the_function_cannot_commit_or_turn_the_guard_off_on_postgresql() -> None:
    """TO6"""
    if connection.vendor != "postgresql":
        pytest.skip("PostgreSQL's own")
    with pytest.raises(DatabaseError), transactions.reading(5), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ WRITE")
    with pytest.raises(transaction.TransactionManagementError), transactions.reading(5):
        transaction.commit()


@pytest.fixture
def other(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """A second database, in which the host keeps customers, too."""
    connections.databases["other"] = {
        **connections.databases["default"],
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(tmp_path / "other.sqlite3"),
        "OPTIONS": {"transaction_mode": "IMMEDIATE"},
    }
    wrapper = connections["other"]
    # Django's test case forbids connections to a database that was not there when it began.
    wrapper.ensure_connection = lambda: wrapper.connect() if wrapper.connection is None else None
    with wrapper.schema_editor() as editor:
        editor.create_model(Customer)
    wrapper.close()
    yield "other"
    wrapper.close()
    del connections["other"]
    del connections.databases["other"]


def test_each_other_database_is_read_only_as_well_and_opened_at_its_first_use(other: str) -> None:
    """TO6"""
    with transactions.reading(5):
        assert connections[other].connection is None
        assert Customer.objects.using(other).count() == 0
        with pytest.raises(DatabaseError):
            Customer.objects.using(other).create(name="Ada")
    Customer.objects.using(other).create(name="Ada")
    assert Customer.objects.using(other).count() == 1


def test_a_database_that_cannot_be_kept_from_writing_is_never_read(other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """TO6"""
    monkeypatch.setattr(connections[other], "vendor", "mysql")
    with transactions.reading(5):
        for _ in range(2):
            with pytest.raises(NotSupportedError):
                Customer.objects.using(other).count()
        assert Customer.objects.count() == 0


@real
@any_mode
def test_after_a_reading_the_connection_writes_as_before(host_mode: str | None) -> None:
    """TO6"""
    with contextlib.suppress(ZeroDivisionError), transactions.reading(5):
        assert Customer.objects.count() == 0
        raise ZeroDivisionError
    with transaction.atomic():
        Customer.objects.create(name="Ada")
    assert Customer.objects.count() == 1


@real
def test_nested_blocks_of_the_function_work() -> None:
    """TO6"""
    Customer.objects.create(name="Ada")
    with transactions.reading(5), transaction.atomic(), transaction.atomic():
        assert Customer.objects.count() == 1


@real
@pytest.mark.parametrize("in_block", [False, True])
def test_a_statement_is_cancelled_at_the_database(in_block: bool) -> None:
    """TO6"""
    with contextlib.ExitStack() as stack:
        if in_block:
            stack.enter_context(transaction.atomic())
        started = time.monotonic()
        with pytest.raises(OperationalError):
            slow_until_cancelled()
        assert time.monotonic() - started < 15
        assert Customer.objects.count() == 0


@real
def test_after_a_cancel_every_later_statement_is_refused() -> None:
    """TO6"""
    with transactions.reading(5) as reading:
        assert Customer.objects.count() == 0
        reading.cancel()
        with pytest.raises(OperationalError):
            Customer.objects.count()
    assert Customer.objects.count() == 0


@real
def test_a_cancelled_reading_opens_no_connection() -> None:
    """TO6"""
    connection.close()
    with pytest.raises(OperationalError):
        cancelled_before_its_first_statement()


@real
def test_a_cancel_after_the_end_never_touches_the_connection() -> None:
    """TO6"""
    with transactions.reading(5) as reading:
        assert Customer.objects.count() == 0
    reading.cancel()
    assert Customer.objects.count() == 0


@real
def test_on_postgresql_a_statement_ends_at_the_limit_by_itself() -> None:
    """TO6"""
    if connection.vendor != "postgresql":
        pytest.skip("PostgreSQL's own")
    with pytest.raises(OperationalError), transactions.reading(0.1):
        query(SLOW["postgresql"])


@real
def test_release_closes_what_is_free_and_keeps_what_is_in_a_transaction() -> None:
    """OP7"""
    query("SELECT 1")
    transactions.release()
    assert connection.connection is None
    with transaction.atomic():
        transactions.release()
        assert Customer.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_threads_of_turns_use_the_database_a_few_at_a_time_and_others_as_they_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """OP7: a phase inside another one takes no second place, and holds no connection after."""
    monkeypatch.setattr(transactions, "PHASES", 3)
    transactions._places.cache_clear()
    inside, most, held = [], [], []

    def turn() -> None:
        transactions.bound()
        for _ in range(3):
            with transactions.phase():
                inside.append(1)
                most.append(len(inside))
                transactions.written(lambda alias: _one(alias))
                time.sleep(0.01)
                inside.pop()
            held.append(connections["default"].connection)

    threads = [threading.Thread(target=turn) for _ in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    transactions._places.cache_clear()
    assert len(held) == 36
    assert set(held) == {None}
    assert max(most) == 3
    with transactions.phase():
        _one("default")
    assert connections["default"].connection is not None


def _one(alias: str) -> None:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT 1")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets a transaction sleep")
def test_a_write_that_slept_for_too_long_is_known_by_its_fault_and_nothing_of_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """TU5, sec_J13: a process that was stopped in the middle of a write."""
    monkeypatch.setattr(transactions, "IDLE_SECONDS", 0.05)

    def sleeps(_: str) -> None:
        Customer.objects.create(name="Ada")
        time.sleep(0.5)
        Customer.objects.create(name="Grace")

    with pytest.raises(DatabaseError) as caught:
        transactions.written(sleeps)
    assert transactions.slept(caught.value)
    connection.close()
    assert Customer.objects.count() == 0
    assert not transactions.slept(OperationalError())
