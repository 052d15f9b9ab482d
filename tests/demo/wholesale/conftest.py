"""A seeded demo database, and who asks."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings

TODAY = datetime.date(2026, 3, 18)
collect_ignore_glob = [] if settings.SETTINGS_MODULE == "demo.settings" else ["test_*.py"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The rows and logins that every test starts from: a smaller trade that ended on one fixed day."""
    from demo.wholesale.seed import fill, logins

    with django_db_blocker.unblock():
        fill.fill(TODAY, orders=900, customers=120)
        logins.make_logins()


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch, db: None) -> datetime.date:
    """The trade's last day is today for the tools as well."""
    from django.utils import timezone

    monkeypatch.setattr(timezone, "localdate", lambda value=None, zone=None: value.date() if value else TODAY)
    return TODAY


@pytest.fixture
def acting() -> Callable[[str], Any]:
    """Makes the scope of one of the demo's logins."""
    from django.contrib.auth import get_user_model

    from deskhand.scope import Scope

    return lambda login: Scope(get_user_model().objects.get(username=login), "session")
