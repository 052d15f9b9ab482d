"""Rows and facts as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from deskhand.endpoint.offline import words

COLUMNS = 8
ROWS = 50
CELL_CHARS = 90
_AMOUNT = re.compile(r"-?\d+\.\d{1,4}")

Row = Mapping[str, object]


def number(value: object) -> Decimal | None:
    """The value as a number, if it is one or is a text that is one."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return Decimal(str(value))
    if isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
        try:
            return Decimal(value)
        except InvalidOperation:
            return None
    return None


def shown(value: object) -> str:
    """A single value as a person reads it: amounts with thousands apart, yes and no, nothing for none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) or (isinstance(value, str) and _AMOUNT.fullmatch(value)):
        return f"{Decimal(str(value)):,.2f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{words.label(str(key))} {shown(part)}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(shown(part) for part in value)
    return re.sub(r"\s+", " ", str(value)).strip()


def cell(value: object) -> str:
    """A value inside a table: on one line, its pipes escaped, not too long."""
    text = shown(value)
    if len(text) > CELL_CHARS:
        text = text[: CELL_CHARS - 1].rstrip() + "…"
    return text.replace("\\", "\\\\").replace("|", "\\|")


def columns(rows: Sequence[Row]) -> list[str]:
    """The keys worth a column: those that say something in some row, in their order."""
    keys = dict.fromkeys(str(key) for row in rows for key in row)
    return [key for key in keys if any(shown(row.get(key)) for row in rows)][:COLUMNS]


def table(rows: Sequence[Row], keys: Sequence[str] = ()) -> str:
    """The first rows as a Markdown table, and a line that counts the rest."""
    keys = list(keys) or columns(rows)
    if not keys:
        return ""
    right = [all(number(row.get(key)) is not None or row.get(key) is None for row in rows) for key in keys]
    lines = [
        "| " + " | ".join(cell(words.label(key)) for key in keys) + " |",
        "|" + "|".join("---:" if is_right else "---" for is_right in right) + "|",
    ]
    lines += ["| " + " | ".join(cell(row.get(key)) for key in keys) + " |" for row in rows[:ROWS]]
    if len(rows) > ROWS:
        lines.append(f"\n… and {len(rows) - ROWS} more rows.")
    return "\n".join(lines)


def facts(pairs: Mapping[str, object], first: Sequence[str] = ()) -> str:
    """Single values as a list, those named in ``first`` before the rest."""
    keys = [*first, *(key for key in pairs if key not in first)]
    return "\n".join(f"- **{words.label(key)}:** {shown(pairs[key])}" for key in keys if shown(pairs.get(key)))
