"""Replicas, and how a click avoids them (``OP10``).

A host's router may send reads to a copy of the database that lags. What a click compares and changes must be the data itself: stale rows
compared with stale rows would agree, and newer data be overwritten.

Never here: a router of the host's changed or left out; it is asked first where writes go, and that is the answer. Limits: a query that names
its database goes there.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.db import router

if TYPE_CHECKING:
    from django.db import models

_current = threading.local()


class _WhereWritten:
    """A router before the host's own: inside :func:`avoided`, what is read is read where it is written."""

    def db_for_read(self, model: type[models.Model], **hints: object) -> str | None:
        if not getattr(_current, "is_avoiding", False):
            return None
        # The host's own routers may read on their way to an answer, as they like.
        _current.is_avoiding = False
        try:
            return router.db_for_write(model, **hints)
        finally:
            _current.is_avoiding = True


_where_written = _WhereWritten()


@contextlib.contextmanager
def avoided() -> Iterator[None]:
    """While it lasts, this thread's reads go where the host's routers send writes, and not to a replica that lags."""
    if _where_written not in router.routers:
        router.routers.insert(0, _where_written)
    before = getattr(_current, "is_avoiding", False)
    _current.is_avoiding = True
    try:
        yield
    finally:
        _current.is_avoiding = before
