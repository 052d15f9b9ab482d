"""Watches every statement of a test for one that changes or removes a message: the journal is append-only (``ME1``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.db import connections
from django.db.backends.signals import connection_created

#: What empties the tables between two tests has no condition.
CHANGES = re.compile(r'\s*(UPDATE "deskhand_message"|DELETE FROM "deskhand_message" .*WHERE)', re.IGNORECASE | re.DOTALL)


def changes_a_message(sql: str) -> bool:
    """Whether this statement would change or remove a row of the journal."""
    return CHANGES.match(sql) is not None


@pytest.fixture(autouse=True)
def journal_is_append_only() -> Iterator[None]:
    """A test in which any thread changed or removed a message fails."""
    seen: list[str] = []

    def watch(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if changes_a_message(sql):
            seen.append(sql)
        return execute(sql, *rest)

    def connected(*, connection: object, **_: object) -> None:
        if watch not in connection.execute_wrappers:  # type: ignore[attr-defined]
            connection.execute_wrappers.append(watch)  # type: ignore[attr-defined]

    here = connections["default"]
    here.execute_wrappers.append(watch)
    connection_created.connect(connected)
    yield
    connection_created.disconnect(connected)
    here.execute_wrappers.remove(watch)
    assert seen == []
