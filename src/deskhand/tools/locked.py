"""The rows that a card was drawn from, handed to the function that changes them: those and no others.

A function that asks "all products of this category" once more, after the card was compared, may get a row that came in between: on
PostgreSQL another transaction's insert is seen by the next statement, and no lock on the rows that were there keeps it out. So a batch
takes a parameter annotated with :class:`LockedRows` and changes what that gives.

Never here: a row that the card did not name, or that is not locked. Limits: they are the rows of the preview's ``rows``; one that a preview
forgets to name is not among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


class LockedRows:
    """The rows of a card, locked until the click's transaction ends. A tool's parameter with this annotation gets them at the click."""

    def __init__(self, keys: Sequence[Sequence[str]], using: str | None = None) -> None:
        """``keys``: pairs of model label and primary key, such as ``("shop.order", "7")``."""
        self._keys = [(label, key) for label, key in keys]
        self._using = using

    def of(self, model: type[Row]) -> models.QuerySet[Row]:
        """Those of them that are this model's, in no order; to be read and changed as any queryset."""
        keys = [key for label, key in self._keys if label == model._meta.label_lower]
        return model._base_manager.using(self._using).filter(pk__in=keys)
