"""An answer in Markdown, made of what the tools returned and of what the question asks for.

The answer begins with what was looked up and with which arguments, so that a wrong guess is seen at once. Numbers come from the result
alone; what a result does not say is not said.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal

from deskhand.core import phrases
from deskhand.core.values import ToolCall
from deskhand.endpoint.offline import arithmetic, following, proposals, tables, words
from deskhand.endpoint.offline.correcting import Correction
from deskhand.endpoint.offline.offers import Offer, Offers
from deskhand.endpoint.offline.question import Question
from deskhand.endpoint.offline.tables import Row

SAYS_WHAT_IT_IS = "*Offline demo model: I match words, I do not understand them.*"
TEXT_CHARS = 1500
_COUNTS = ("count", "total_count", "number", "matches", "found")
_TOTALS = words.stems("total sum amount balance value revenue sales turnover price cost")
_QUANTITIES = words.stems("quantity stock copies units pieces amount available items seats places")
_MONEY = _TOTALS | words.stems("eur usd gbp unpaid debt credit limit fee fine")


@dataclasses.dataclass(frozen=True, slots=True)
class Told:
    """What one call returned, sorted."""

    #: Single values.
    facts: dict[str, object]
    #: Lists of rows by name; a bare list has the tool's name.
    lists: dict[str, list[Row]]
    #: What was no JSON object or list.
    text: str


def sort(result: str, tool_name: str) -> Told:
    """A tool's result sorted into facts, rows and text. Text after the JSON (that it was cut, say) is kept as text."""
    start = result.lstrip()
    try:
        value, end = json.JSONDecoder(parse_constant=str).raw_decode(start)
    except (ValueError, RecursionError):
        return Told({}, {}, result.strip()[:TEXT_CHARS])
    rest = start[end:].strip()[:TEXT_CHARS]
    if isinstance(value, list):
        if value and all(isinstance(row, dict) for row in value):
            return Told({}, {tool_name: value}, rest)
        if not value:
            return Told({}, {tool_name: []}, rest)
        return Told({}, {}, "\n".join(f"- {tables.shown(part)}" for part in value[: tables.ROWS]) + ("\n" + rest if rest else ""))
    if not isinstance(value, dict):
        return Told({"result": value} if value is not None else {}, {}, rest)
    lists: dict[str, list[Row]] = {}
    facts: dict[str, object] = {}
    for key, part in value.items():
        if isinstance(part, list) and all(isinstance(row, dict) for row in part):
            lists[key] = part
        elif isinstance(part, dict):
            facts.update({f"{key} {inner}": each for inner, each in part.items()})
        else:
            facts[key] = part
    return Told(facts, lists, rest)


def answer(
    question: Question,
    calls: Sequence[ToolCall],
    results: Sequence[str],
    missed: Sequence[str],
    known: Offers,
    note: str = "",
) -> str:
    """The whole answer to what was asked, from all calls of the turn; ``note`` stands below the first heading."""
    writing = {tool.spec.name for tool in known.tools if tool.writes}
    parts = []
    for call, result in zip(calls, results, strict=True):
        tool = known.named_as(call.name)
        top = heading(call, tool)
        said = proposals.of_call(call, result) if call.name in writing else _one(question, call, result, tool)
        if note and following.WHICH_ONE in note:
            said = ""
        parts += [part for part in (top, note, said) if part]
        note = ""
    if missed and not all(call.name in writing for call in calls):
        parts.append("Not taken into account: " + ", ".join(f"“{word}”" for word in missed) + ".")
    return "\n\n".join([*parts, SAYS_WHAT_IT_IS])


def about(corrected: Correction) -> str:
    """What was made of a name that is nobody's: which one was taken, or which there are."""
    if corrected.call is not None:
        return f"There is no “{corrected.asked}”; I took **{corrected.names[0]}**."
    listed = "\n".join(f"- {name}" for name in corrected.names)
    return f"There is no “{corrected.asked}”. {following.WHICH_ONE}\n\n{listed}"


def _one(question: Question, call: ToolCall, result: str, tool: Offer | None) -> str:
    if result.startswith(phrases.TOOL_ANSWERED):
        return following.SAID_INSTEAD + result.removeprefix(phrases.TOOL_ANSWERED).strip()[:TEXT_CHARS]
    told = sort(result, call.name)
    parts = []
    keys = _asked_keys(question, told.facts, set(words.stems_of_name(call.name)))
    main = next(iter(told.lists), "")
    rows = told.lists.get(main, [])
    said = _sentence(question, told, main, rows, keys)
    parts += [said] if said else []
    rest = {
        key: value
        for key, value in told.facts.items()
        if not (main and key in _COUNTS) and said != f"{words.label(key)}: **{tables.shown(value)}**"
    }
    is_said = len(rest) == 1 and tables.shown(next(iter(rest.values()))) in said
    if rest and not is_said:
        parts.append(tables.facts(rest, keys))
    for name, each in told.lists.items():
        if each:
            title = f"**{words.label(name)}**" if len(told.lists) > 1 else ""
            parts += [title] if title else []
            parts.append(tables.table(each))
            whole = tables.number(_fact(told.facts, _COUNTS)) if name == main else None
            if whole is not None and whole > len(each):
                parts.append(_part(call, tool, len(each), int(whole)))
    if not told.facts and not rows and main and not said:
        parts.append("Nothing was found.")
    parts += [told.text] if told.text else []
    return "\n\n".join(parts)


def _part(call: ToolCall, tool: Offer | None, count: int, whole: int) -> str:
    """Which of all rows these are, and how to get at the next ones, if the tool has a way."""
    integers = {parameter.name: parameter for parameter in tool.parameters if parameter.kind == "integer"} if tool else {}
    given = {name: _given(call).get(name, parameter.default) for name, parameter in integers.items()}
    limit, page, offset = given.get("limit"), given.get("page"), given.get("offset")
    if isinstance(page, int) and page > 1:
        first = (page - 1) * limit if isinstance(limit, int) else whole - count
    else:
        first = offset if isinstance(offset, int) else 0
    if not integers.keys() & {"page", "offset"}:
        return f"The tool gave me the first {count} of {whole}."
    more = " Say “show more” for the next ones." if first + count < whole else ""
    return f"Rows {first + 1}–{first + count} of {whole}.{more}"


def _given(call: ToolCall) -> dict[str, object]:
    try:
        found = json.loads(call.arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def heading(call: ToolCall, tool: Offer | None) -> str:
    """What was looked up, and with which arguments. A message that goes on from the answer is read with it (``following``)."""
    arguments = _given(call)
    said = ", ".join(f"{words.lowered(key)}: {tables.shown(value)}" for key, value in arguments.items())
    return f"**{tool.title if tool else words.label(call.name)}**" + (f" ({said})" if said else "")


def _fact(facts: Mapping[str, object], keys: Sequence[str]) -> object:
    return next((facts[key] for key in keys if key in facts), None)


def _asked_keys(question: Question, facts: Mapping[str, object], named: set[str]) -> list[str]:
    """The facts that the question names, those with most of its words first; the words of the tool's name tell none from another."""
    asked = _asked(question) - named - {word.stem for word in question.words if word.is_stop}
    said = {word.stem for word in question.words}
    hits = {key: len(stems & asked) + len(stems & asked & said) for key in facts if (stems := set(words.stems_of_name(key)))}
    return sorted((key for key in hits if hits[key]), key=lambda key: -hits[key])


def _asked(question: Question) -> set[str]:
    """The question's words and those that stand for them."""
    stems = {word.stem for word in question.words}
    return stems | {other for stem in stems for other in words.ALIKE.get(stem, ())}


def _sentence(question: Question, told: Told, main: str, rows: Sequence[Row], keys: Sequence[str]) -> str:
    """The one line that answers, if the question asks for one thing."""
    whole = _fact(told.facts, _COUNTS)
    if question.wants == "average":
        return arithmetic.average(question, told.facts, rows, whole)
    if said := arithmetic.comparison(question, rows):
        return said
    if question.wants == "sum" and (said := _sum(question, told, rows, keys)):
        return said
    says_more = any(tables.number(value) is None and tables.shown(value) for value in told.facts.values())
    if main and not rows and not tables.number(whole) and not says_more:
        return f"Nothing was found: no {words.lowered(main)}."
    if question.wants == "count":
        return _count(question, told, main, rows, whole)
    if question.row >= 0 and rows and not question.wants:
        row = rows[question.row] if question.row < len(rows) else rows[-1]
        return f"Row {question.row + 1}: **{_title(row, '')}**" if row is not rows[-1] or question.row < len(rows) else ""
    if question.wants and rows:
        return _extreme(question, rows, whole)
    if main and whole is not None:
        return f"{whole} {_counted(main, whole)}."
    if not rows and keys:
        return f"{words.label(keys[0])}: **{tables.shown(told.facts[keys[0]])}**"
    return ""


def _count(question: Question, told: Told, main: str, rows: Sequence[Row], whole: object) -> str:
    counted = _after(question, ("many", "of"))
    noun = set(words.stems_of_name(main))
    if not (counted & noun):
        for key, value in told.facts.items():
            stems = set(words.stems_of_name(key))
            if tables.number(value) is not None and (stems & counted or (stems & _QUANTITIES and not stems & {"eur", "usd"})):
                return f"{words.label(key)}: **{tables.shown(value)}**"
        for key in tables.columns(rows):
            values = [tables.number(row.get(key)) for row in rows]
            stems = set(words.stems_of_name(key))
            wanted = stems & counted or (stems & _QUANTITIES and not counted & _asked_nouns(rows))
            if wanted and all(value is not None for value in values):
                return f"{words.label(key)}, all rows: **{sum((value or Decimal(0) for value in values), Decimal(0)):,}**"
    if main:
        number = len(rows) if whole is None else whole
        return f"**{number}** {_counted(main, number)}."
    first = next(((key, value) for key, value in told.facts.items() if tables.number(value) is not None), None)
    return f"{words.label(first[0])}: **{tables.shown(first[1])}**" if first else ""


def _counted(name: str, number: object) -> str:
    """The name of a list after a number: ``1 order``, ``2 orders``."""
    noun = words.lowered(name)
    return noun[:-1] if str(number) == "1" and noun.endswith("s") else noun


def _asked_nouns(rows: Sequence[Row]) -> set[str]:
    return {stem for key in tables.columns(rows) for stem in words.stems_of_name(key)}


def _after(question: Question, marks: tuple[str, ...]) -> set[str]:
    """Stems of the few words after "many" (or "number of"), and those that stand for them."""
    plain = [word.text.lower() for word in question.words]
    for mark in marks:
        if mark in plain:
            place = plain.index(mark)
            return {word.stem for word in question.words[place + 1 : place + 4] if not word.is_stop}
    return {word.stem for word in question.words if not word.is_stop}


def _sum(question: Question, told: Told, rows: Sequence[Row], keys: Sequence[str]) -> str:
    numbers = {key: value for key, value in told.facts.items() if tables.number(value) is not None and key not in _COUNTS}
    wanted = [key for key in keys if key in numbers and set(words.stems_of_name(key)) & _MONEY]
    wanted += [key for key in numbers if set(words.stems_of_name(key)) & _TOTALS]
    wanted += [key for key in numbers if set(words.stems_of_name(key)) & _MONEY]
    if wanted:
        return f"{words.label(wanted[0])}: **{tables.shown(numbers[wanted[0]])}**"
    asked = _asked(question)
    for key in tables.columns(rows):
        values = [tables.number(row.get(key)) for row in rows]
        stems = set(words.stems_of_name(key))
        if stems & asked & _MONEY or (stems & _TOTALS and len(rows) == 1):
            if len(rows) == 1:
                return f"{words.label(key)}: **{tables.shown(rows[0].get(key))}**"
            if "pric" not in stems and "cost" not in stems and all(value is not None for value in values):
                total = sum((value or Decimal(0) for value in values), Decimal(0))
                return f"{words.label(key)}, all rows shown: **{total:,.2f}**"
    return ""


def _extreme(question: Question, rows: Sequence[Row], whole: object) -> str:
    """The row that has the most or the least of what the question names, the newest or the oldest."""
    is_time = question.wants in {"latest", "oldest"}
    keys = [key for key in tables.columns(rows) if _is_column(rows, key, is_time)]
    if not keys:
        return ""
    asked = _asked(question)
    plain = {word.text.lower() for word in question.words}
    if plain & {"longest", "shortest"}:
        asked |= {words.stem("days"), words.stem("duration")}
    if plain & {"cheapest", "expensive"}:
        asked |= {words.stem("price"), words.stem("cost")}
    hits = {key: len(set(words.stems_of_name(key)) & asked) for key in keys}
    most = max(hits.values())
    candidates = [key for key in keys if hits[key] == most]
    key = candidates[0] if is_time else candidates[-1]
    filled = [row for row in rows if row.get(key) not in (None, "")]
    is_down = question.wants in {"highest", "latest"}
    ranked = sorted(filled, key=lambda row: str(row[key]) if is_time else tables.number(row[key]) or Decimal(0), reverse=is_down)
    if question.row >= len(ranked):
        return f"There are only {len(ranked)} rows."
    row = ranked[max(0, question.row)]
    part = (
        f" (of the {len(rows)} rows that I was given)"
        if (tables.number(whole) or 0) > len(rows) and row is not rows[max(0, question.row)]
        else ""
    )
    return f"**{_title(row, key)}**: {words.lowered(key)} {tables.shown(row[key])}{part}"


def _is_column(rows: Sequence[Row], key: str, is_time: bool) -> bool:
    values = [row.get(key) for row in rows if row.get(key) not in (None, "")]
    if is_time:
        return bool(values) and all(isinstance(value, str) and value[:4].isdigit() and value[4:5] == "-" for value in values)
    return bool(values) and all(tables.number(value) is not None for value in values)


def _title(row: Row, key: str) -> str:
    """What a row is called: its name, else its first text that is no number and no date."""
    for name in ("name", "title", "customer", "product"):
        if name in row and name != key and tables.shown(row[name]):
            first = next(iter(row.values()))
            return tables.shown(row[name]) if first == row[name] else f"{tables.shown(row[name])} ({tables.shown(first)})"
    texts = [
        tables.shown(value)
        for other, value in row.items()
        if other != key and tables.number(value) is None and tables.shown(value)
    ]
    return texts[0] if texts else tables.shown(row[key])
