"""Canonical JSON: one text for one value, and the print of it.

Why so: a proposal is stored, shown, signed and carried out; all four must mean the same (``CO2``, ``sec_C27``). The text can be read
back by the schema that the value was validated with.

The rule. Equal values of one declared type have one text, and values whose effect differs have two:

- objects with their keys sorted by code point, no spaces, characters as they are (not escaped to ASCII);
- ``int`` exactly, whatever its size; ``bool`` as ``true`` and ``false``, never as a number;
- ``float`` as the shortest text that reads back as the same float, always with a point or an exponent (``1000.0``), and ``-0.0``
  as ``0.0``. So ``1000``, ``1000.0``, ``"1000"`` and ``true`` are four texts;
- ``Decimal`` as a string without trailing zeros (``1.10`` and ``1.1`` are equal and read ``"1.1"``; 1000 reads ``"1E+3"``);
- ``date``, ``time`` and a naive ``datetime`` as ISO strings; an aware ``datetime`` in UTC; ``UUID`` as its string; an ``Enum`` as
  its value; a tuple as a list; a set as a list sorted by its members' texts.

Refused: NaN and infinities, a lone surrogate, lists and objects deeper than ``limits.JSON_DEPTH_LEVELS`` (``ValueError``); bytes, keys
that are no text, and every other type (``TypeError``). No message carries a value.

Limits: a string and a date of the same text are one text, so types must be known from elsewhere, as they are from a tool's schema;
an aware ``time`` keeps its offset, so two equal ones can differ.
"""

from __future__ import annotations

import datetime
import enum
import hashlib
import json
import math
import uuid
from collections.abc import Iterable
from decimal import Decimal

from deskhand.core import limits


def dumps(value: object) -> str:
    """The canonical text of ``value``. Raises ``ValueError`` or ``TypeError`` as the module says."""
    return _text(value, limits.JSON_DEPTH_LEVELS)


def fingerprint(value: object) -> str:
    """SHA-256 of :func:`dumps` in UTF-8, as 64 hex digits."""
    return hashlib.sha256(dumps(value).encode()).hexdigest()


def _text(value: object, levels: int) -> str:
    # An Enum is often a str or an int as well, a bool an int: the narrower one is asked first.
    if isinstance(value, enum.Enum):
        return _text(value.value, levels)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, dict | list | tuple | set | frozenset):
        if levels == 0:
            raise ValueError("nested too deeply")
        return _container(value, levels - 1)
    return _string(_scalar(value))


def _container(value: dict[object, object] | Iterable[object], levels: int) -> str:
    if not isinstance(value, dict):
        items = [_text(item, levels) for item in value]
        return "[" + ",".join(sorted(items) if isinstance(value, set | frozenset) else items) + "]"
    members: dict[str, object] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise TypeError(f"a key is of type {type(key).__name__}, not text")
        members[str.__str__(key)] = item
    return "{" + ",".join(f"{_string(key)}:{_text(members[key], levels)}" for key in sorted(members)) + "}"


def _string(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("a text holds half a surrogate pair") from None
    return json.dumps(str.__str__(value), ensure_ascii=False)


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("a number is not finite")
    return float.__repr__(value + 0.0)


def _scalar(value: object) -> str:
    if isinstance(value, datetime.datetime):
        return (value if value.utcoffset() is None else _in_utc(value)).isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no canonical text")


def _in_utc(value: datetime.datetime) -> datetime.datetime:
    try:
        return value.astimezone(datetime.UTC)
    except OverflowError:
        raise ValueError("a time is out of range") from None


def _decimal(value: Decimal) -> str:
    # Not Decimal.normalize: it rounds to the context's precision.
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise ValueError("a number is not finite")
    kept = "".join(map(str, digits)).rstrip("0")
    if not kept:
        return "0"
    return str(Decimal((sign, tuple(map(int, kept)), exponent + len(digits) - len(kept))))
