"""What a writing tool would do, in values: the host's preview function returns one, and the card is drawn from it.

A preview reads and never writes; it runs at the proposal and once more at the click, and what both show must be equal (``CO3``, ``CO4``).
It shows what would have effect: each field with its value before and after, what else is touched, and the rows on which it was based.
Never here: a word of the model's. Limits: whatever is a value is told as text in the user's language and the site's time zone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from django.db import models


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """One field's value before and after."""

    field: str
    before: object
    after: object


@dataclasses.dataclass(frozen=True, slots=True)
class Item:
    """One row of a batch."""

    title: str
    changes: Sequence[Change] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Preview:
    """What would happen."""

    #: What happens, in words: ``Cancel order A-1042``.
    title: str
    #: What the button says: ``Cancel order``. Empty: the tool's title.
    verb: str = ""
    #: To which object; its name, and the link to its admin page, are on the card.
    target: models.Model | None = None
    changes: Sequence[Change] = ()
    #: What else is touched: ``3 order lines are deleted``.
    touches: Sequence[str] = ()
    #: Rows of a batch, each with its changes.
    items: Sequence[Item] = ()
    #: The rows on which this was based, parents first. They are locked at the click, and the preview is made again.
    rows: Sequence[models.Model] = ()
    #: What else must be unchanged at the click without being shown (a row's version number).
    version: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Done:
    """How one row of a batch went: what a batch tool's function returns, one for each item."""

    title: str
    is_done: bool
    words: str = ""
