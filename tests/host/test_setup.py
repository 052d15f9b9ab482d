"""The host project is set up as deskhand wants it, and its migrations fit (``OP3``, ``OP10``)."""

from __future__ import annotations

import io

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import connections

from deskhand import transactions
from deskhand.models import Conversation


def test_no_check_has_anything_to_say() -> None:
    """OP3: with both databases, one of which has none of our tables."""
    found = run_checks(databases=list(connections))
    # A site on SQLite would be told to keep a write-ahead log.
    assert [message.id for message in found if message.id != "deskhand.W001"] == []


def test_the_migrations_fit_an_account_with_a_uuid() -> None:
    """OP10: none is missing, none refers to another account model, and the column is what the account's key is."""
    call_command("makemigrations", check=True, dry_run=True, stdout=io.StringIO())
    column = Conversation._meta.get_field("user")
    assert column.db_type(connections["default"]) == column.target_field.rel_db_type(connections["default"])


def test_our_tables_are_where_the_router_writes_and_nowhere_else() -> None:
    """OP10"""
    assert transactions.own_alias() == "default"
    named = {alias: set(connections[alias].introspection.table_names()) for alias in connections}
    assert {"deskhand_turn", "deskhand_switch"} <= named["default"]
    assert {name for name in named["replica"] if name.startswith("deskhand")} == set()


@pytest.mark.parametrize(("vendor", "name"), [("mysql", "MySQL"), ("oracle", "Oracle"), ("mysql", "MariaDB")])
def test_a_router_that_sends_us_to_another_kind_of_database_is_told_so(
    vendor: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OP10: by its name, in a sentence, with a way out."""
    monkeypatch.setattr(connections["default"], "vendor", vendor)
    monkeypatch.setattr(type(connections["default"]), "display_name", name)
    (message,) = [found for found in run_checks(tags=["deskhand"]) if found.id == "deskhand.E004"]
    assert message.msg.startswith(f"deskhand does not run on {name}, ")
    assert "database router" in str(message.hint)
