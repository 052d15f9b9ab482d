"""Results: what a tool returned becomes text, for the model and for the journal.

A tool may return what is at hand: text, dict, list, dataclass, pydantic model, model instance, queryset, numbers, dates. All but text
becomes JSON. Rows are limited and the rest is counted; what is cut says so (``TO7``, ``B29``).

Never in a text from here: NUL, a lone surrogate, an invisible character that can carry orders, one of our control keys, a
password hash. Limits: what a tool puts into text by itself is its own business; a text that is JSON is searched for control keys.

Called in the tool's own thread and transaction: a queryset is read here, within the tool's time limit.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import itertools
import json
import math
import uuid
from collections.abc import Iterable, Iterator, Mapping

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models
from django.utils.functional import Promise
from pydantic import BaseModel

from deskhand import config
from deskhand.core import limits, text
from deskhand.core.values import CONTROL_KEYS, Outcome

#: Rows of a queryset, or entries of an iterator, that are told.
ROWS = 50
#: How deep values may lie in each other; what is deeper is told by its kind.
DEPTH = 12


@dataclasses.dataclass(frozen=True, slots=True)
class Result:
    """How a call ended, and what is told of it."""

    outcome: Outcome
    #: For the model.
    text: str = dataclasses.field(repr=False)
    #: For the journal.
    stored: str = dataclasses.field(repr=False)
    #: Kind of the fault; empty if there was none. Never anybody's words.
    error: str = ""
    #: Length of what the tool returned, in characters, before anything was cut.
    size_chars: int = 0


def of_text(outcome: Outcome, words: str, *, error: str = "", size_chars: int | None = None) -> Result:
    """A result whose text is cleaned, then cut for the model and for the journal, with a line that says so."""
    words = clean(words)
    size = len(words) if size_chars is None else size_chars
    settings = config.get()
    return Result(
        outcome=outcome,
        text=_cut(words, settings.tool_result_model_chars, size),
        stored=_cut(words, settings.tool_result_stored_chars, size),
        error=error,
        size_chars=size,
    )


def clean(words: str) -> str:
    """The text without NUL, lone surrogates and invisible characters that can carry orders."""
    return text.without_hidden(text.clean(words))


def told(value: object) -> str:
    """What a tool returned, as text. Reads querysets; costs two statements for one that has more rows than are told."""
    if isinstance(value, str | Promise):
        return _without_control_keys(str(value))
    return json.dumps(_plain(value, DEPTH), ensure_ascii=False)


def _cut(words: str, limit_chars: int, size_chars: int) -> str:
    return limits.clip(words, limit_chars, f"\n[cut: this is only a part of {size_chars} characters]")


def _without_control_keys(words: str) -> str:
    if not any(key in words for key in CONTROL_KEYS):
        return words
    try:
        value = json.loads(words)
    except (ValueError, RecursionError):
        return words
    return json.dumps(_plain(value, DEPTH), ensure_ascii=False)


def _plain(value: object, depth: int) -> object:
    """The value in what JSON knows."""
    simple = _simple(value)
    if simple is not _NOT_SIMPLE:
        return simple
    if depth == 0:
        return f"({type(value).__name__})"
    if isinstance(value, models.Model):
        return _object(_columns(value), depth)
    if isinstance(value, BaseModel):
        return _object(((name, getattr(value, name)) for name in type(value).model_fields), depth)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _object(((field.name, getattr(value, field.name)) for field in dataclasses.fields(value)), depth)
    if isinstance(value, Mapping):
        return _object(((str(key), part) for key, part in value.items()), depth)
    if isinstance(value, models.QuerySet):
        return _rows(value, depth)
    if isinstance(value, models.Manager):
        return _rows(value.all(), depth)
    if isinstance(value, Iterator):
        return _first_of(value, depth)
    if isinstance(value, Iterable):
        return [_plain(part, depth - 1) for part in value]
    return clean(str(value))


_NOT_SIMPLE = object()


def _simple(value: object) -> object:
    """Single values; ``_NOT_SIMPLE`` for what holds others."""
    if isinstance(value, enum.Enum):
        return _simple(value.value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str | Promise | decimal.Decimal | uuid.UUID | datetime.timedelta):
        # Before JSON makes an escape of it, which no later cleaning would find.
        return clean(str(value))
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return f"({len(value)} bytes)"
    return _NOT_SIMPLE


def _object(pairs: Iterable[tuple[str, object]], depth: int) -> dict[str, object]:
    cleaned = ((clean(key), part) for key, part in pairs)
    return {key: _plain(part, depth - 1) for key, part in cleaned if key not in CONTROL_KEYS}


def _columns(row: models.Model) -> Iterator[tuple[str, object]]:
    """The row's own columns as they were loaded; a foreign key is the other row's key. Never a password."""
    deferred = row.get_deferred_fields()
    for field in row._meta.concrete_fields:
        if field.attname in deferred or (field.name == "password" and isinstance(row, AbstractBaseUser)):
            continue
        value = getattr(row, field.attname)
        yield field.attname, str(value) if isinstance(field, models.FileField) else value


def _rows(rows: models.QuerySet[models.Model], depth: int) -> object:
    shown: list[object] = list(rows[: ROWS + 1])
    if len(shown) <= ROWS:
        return [_plain(row, depth - 1) for row in shown]
    return _part([_plain(row, depth - 1) for row in shown[:ROWS]], f"{rows.count()} rows")


def _first_of(entries: Iterator[object], depth: int) -> object:
    shown = list(itertools.islice(entries, ROWS + 1))
    plain = [_plain(entry, depth - 1) for entry in shown[:ROWS]]
    return plain if len(shown) <= ROWS else _part(plain, "more rows than were counted")


def _part(rows: list[object], whole: str) -> dict[str, object]:
    return {"rows": rows, "note": f"This is only a part: the first {ROWS} of {whole}."}
