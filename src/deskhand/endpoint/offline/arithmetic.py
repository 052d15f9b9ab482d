"""What an answer works out of a tool's numbers: an average, and two stretches of time side by side.

Only from what stands in the result, and only if it is whole: an average of a part is not told as one of all. Limits: two rows of
a list by months are compared, or the two years that more of them belong to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from deskhand.endpoint.offline import tables, words
from deskhand.endpoint.offline.question import Question
from deskhand.endpoint.offline.tables import Row

_AMOUNTS = words.stems("total sum amount value revenue sales turnover eur usd gbp price cost unpaid fee fine")
_PERIODS = words.stems("month year quarter week day date")
_COMPARING = frozenset(["compare", "compared", "comparing", "comparison", "versus", "vs", "difference"])
_MORE = frozenset(["more", "less", "better", "worse", "higher", "lower"])


def average(question: Question, facts: Mapping[str, object], rows: Sequence[Row], whole: object) -> str:
    """The average as a sentence, or that it can't be told from this."""
    per = _after_per(question)
    column = _amounts(rows)
    is_whole = whole is None or tables.number(whole) == len(rows)
    if per and any(per in words.stems_of_name(key) for key in tables.columns(rows)) and column and is_whole:
        return _mean(column, rows)
    asked = {word.stem for word in question.words}
    counts = [value for key, value in facts.items() if tables.number(value) and set(words.stems_of_name(key)) & asked - _AMOUNTS]
    count = tables.number(whole) or (tables.number(counts[0]) if counts else None)
    total = next((key for key in facts if set(words.stems_of_name(key)) & _AMOUNTS and tables.number(facts[key]) is not None), "")
    if count and total:
        amount = tables.number(facts[total]) or Decimal(0)
        return f"Average: **{amount / count:,.2f}** ({words.lowered(total)} {amount:,.2f}, divided by {count})"
    if column and rows and is_whole:
        return _mean(column, rows)
    return "I can't work out that average from what the tool gives."


def _mean(column: str, rows: Sequence[Row]) -> str:
    total = sum((tables.number(row.get(column)) or Decimal(0) for row in rows), Decimal(0))
    return f"Average of {words.lowered(column)}: **{total / len(rows):,.2f}** (over {len(rows)} rows)"


def _after_per(question: Question) -> str:
    plain = [word.text.lower() for word in question.words]
    for mark in ("per", "each", "every"):
        if mark in plain[:-1]:
            return question.words[plain.index(mark) + 1].stem
    return next((word.stem for word in question.words if word.text.lower() in {"monthly", "yearly", "weekly", "daily"}), "")


def _amounts(rows: Sequence[Row]) -> str:
    """The last column that holds an amount in every row."""
    fits = [
        key
        for key in tables.columns(rows)
        if set(words.stems_of_name(key)) & _AMOUNTS and all(tables.number(row.get(key)) is not None for row in rows)
    ]
    return fits[-1] if fits else ""


def _years(rows: Sequence[Row], period: str, column: str) -> list[Row]:
    """Months summed up to their years."""
    sums: dict[str, Decimal] = {}
    for row in rows:
        year = str(row.get(period))[:4]
        sums[year] = sums.get(year, Decimal(0)) + (tables.number(row.get(column)) or Decimal(0))
    return [{period: year, column: str(amount)} for year, amount in sorted(sums.items()) if year.isdecimal()]


def comparison(question: Question, rows: Sequence[Row]) -> str:
    """Two stretches of time side by side, if the question compares them; else empty."""
    said = {word.text.lower() for word in question.words}
    is_asked = bool(said & _COMPARING) or ("than" in said and bool(said & _MORE))
    keys = tables.columns(rows)
    column = _amounts(rows)
    if not (is_asked and len(rows) > 1 and column and set(words.stems_of_name(keys[0])) & _PERIODS):
        return ""
    rows = rows if len(rows) == 2 else _years(rows, keys[0], column)
    if len(rows) != 2:
        return ""
    first, last = rows
    before, after = (tables.number(row[column]) or Decimal(0) for row in (first, last))
    change = after - before
    share = f", {abs(change) / before * 100:.1f} %" if before else ""
    word = "more" if change > 0 else "less"
    step = f"{abs(change):,.2f}{share} {word}" if change else "the same"
    return (
        f"{words.label(column)}: **{tables.shown(first[keys[0]])}** {before:,.2f}, **{tables.shown(last[keys[0]])}** {after:,.2f}: "
        f"{step} in {tables.shown(last[keys[0]])}."
    )
