"""All rows of deskhand's tables and of the test shop's, as values that can be compared: what is equal before and after was not written to."""

from __future__ import annotations

import time

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import models


def rows() -> dict[str, list[dict[str, object]]]:
    """Table → its rows, in the order of their keys."""
    tables: list[type[models.Model]] = [
        *apps.get_app_config("deskhand").get_models(),
        *apps.get_app_config("shop").get_models(),
        LogEntry,
    ]
    return {table._meta.label: list(table._default_manager.order_by("pk").values()) for table in tables}


def quiet_rows(seconds: float = 0.3) -> dict[str, list[dict[str, object]]]:
    """As :func:`rows`, once they have stood still for so long: a tick may store what a turn told a moment after its end."""
    while True:
        before = rows()
        time.sleep(seconds)
        if rows() == before:
            return before
