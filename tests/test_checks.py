"""What can't be meant so is said at start (``OP3``)."""

from __future__ import annotations

import sys

import pytest
from django.apps import apps
from django.core.checks import CheckMessage, run_checks
from django.db import connection, connections

from deskhand import checks
from deskhand.tools import tool
from tests.shop import assistant


def errors_at_start() -> list[CheckMessage]:
    return [message for message in run_checks(tags=["deskhand"]) if message.is_serious()]


def ids(found: list[CheckMessage]) -> list[str | None]:
    return [message.id for message in found]


@pytest.fixture
def extra_tools(monkeypatch: pytest.MonkeyPatch):
    """Two more tools in the shop's ``assistant`` module: one without permission, both with one name for the model."""

    @tool(reads=True, name="shop.secrets")
    def one() -> str:
        """One."""
        return ""

    @tool(permission="shop.view_order", reads=True, name="shop_secrets")
    def two() -> str:
        """Two."""
        return ""

    monkeypatch.setattr(assistant, "one", one, raising=False)
    monkeypatch.setattr(assistant, "two", two, raising=False)


@pytest.mark.django_db
def test_the_test_project_has_no_fault() -> None:
    """OP3"""
    assert errors_at_start() == []


@pytest.mark.django_db
def test_a_tool_without_permission_and_a_clash_are_named_at_start(extra_tools: None) -> None:
    """TO2, TO4"""
    found = errors_at_start()
    assert ids(found) == ["deskhand.E001", "deskhand.E002"]
    assert "'shop.secrets'" in found[0].msg
    assert "'shop_secrets'" in found[1].msg


def test_sessions_in_signed_cookies_are_refused(settings) -> None:
    """SC1"""
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
    assert ids(checks.check_sessions(None)) == ["deskhand.E003"]
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
    assert checks.check_sessions(None) == []


@pytest.mark.parametrize("vendor", ["mysql", "oracle", "microsoft"])
def test_other_databases_are_refused_with_a_sentence(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """OP10"""
    monkeypatch.setattr(connections["default"], "vendor", vendor)
    found = checks.check_database(None)
    assert ids(found) == ["deskhand.E004"]
    assert "PostgreSQL and SQLite" in found[0].msg


def test_an_unknown_setting_is_said_at_start_and_never_its_value(settings) -> None:
    """OP2"""
    settings.DESKHAND = {"HISTORI_CHARS": "secret-canary"}
    found = checks.check_settings(None)
    assert ids(found) == ["deskhand.E005"]
    assert "HISTORI_CHARS" in found[0].msg
    assert "canary" not in found[0].msg


@pytest.mark.django_db(transaction=True)
def test_sqlite_without_a_write_ahead_log_is_warned_about() -> None:
    """OP7"""
    if connection.vendor != "sqlite":
        assert checks.check_journal_mode(None, databases=["default"]) == []
        return

    def switch(mode: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA journal_mode = {mode}")

    try:
        switch("DELETE")
        assert ids(checks.check_journal_mode(None, databases=["default"])) == ["deskhand.W001"]
        assert checks.check_journal_mode(None, databases=None) == []
        switch("WAL")
        assert checks.check_journal_mode(None, databases=["default"]) == []
    finally:
        switch("DELETE")


@pytest.fixture
def workers(settings, monkeypatch: pytest.MonkeyPatch):
    """Turns run on workers, as they should: the app is installed, the database is PostgreSQL."""
    settings.DESKHAND = {"ENGINE": "procrastinate"}
    monkeypatch.setattr(connections["default"], "vendor", "postgresql")
    # Its app can't be set up twice in a process.
    monkeypatch.setattr(apps, "is_installed", {"procrastinate.contrib.django"}.__contains__)
    return settings


@pytest.mark.parametrize("engine", ["celery", "", "Threads"])
def test_a_place_for_turns_that_does_not_exist_is_refused(settings, engine: str) -> None:
    """OP2, OP7"""
    settings.DESKHAND = {"ENGINE": engine}
    assert ids(checks.check_settings(None)) == ["deskhand.E005"]
    assert checks.check_engine(None) == []


def test_workers_that_are_set_up_right_are_no_fault(workers) -> None:
    """OP7"""
    assert checks.check_engine(None) == []


def test_workers_without_procrastinate_are_named_at_start(workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """OP7"""
    monkeypatch.setitem(sys.modules, "procrastinate", None)
    found = checks.check_engine(None)
    assert ids(found) == ["deskhand.E007"]
    assert "'.[procrastinate]'" in str(found[0].hint)


def test_workers_whose_app_is_not_installed_are_named_at_start(workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """OP7"""
    monkeypatch.setattr(apps, "is_installed", {"procrastinate"}.__contains__)
    assert ids(checks.check_engine(None)) == ["deskhand.E008"]


def test_workers_on_another_database_than_postgresql_are_named_at_start(workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """OP7"""
    monkeypatch.setattr(connections["default"], "vendor", "sqlite")
    assert ids(checks.check_engine(None)) == ["deskhand.E009"]


def test_jobs_in_another_database_than_turns_are_named_at_start(workers) -> None:
    """OP7: they could not be written in one transaction."""
    workers.PROCRASTINATE_DATABASE_ALIAS = "jobs"
    found = checks.check_engine(None)
    assert ids(found) == ["deskhand.E010"]
    assert "'jobs'" in found[0].msg


def test_turns_in_threads_ask_nothing_of_procrastinate(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """OP7"""
    monkeypatch.setitem(sys.modules, "procrastinate", None)
    settings.PROCRASTINATE_DATABASE_ALIAS = "jobs"
    assert checks.check_engine(None) == []
