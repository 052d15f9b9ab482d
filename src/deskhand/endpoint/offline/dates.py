"""Days and stretches of days that an English text names, as pairs of dates.

A month without a year is the latest one that has begun. Pure: today is an argument. Limits: no clock times, no weekdays, no holidays.
"""

from __future__ import annotations

import calendar
import dataclasses
import datetime
import re

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10, "twelve": 12, "couple of": 2, "few": 3}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)?"
_PATTERNS = tuple(
    (name, re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE))
    for name, pattern in (
        ("iso", r"(\d{4})-(\d{2})-(\d{2})"),
        ("iso_month", r"(\d{4})-(\d{2})"),
        ("numeric", r"(\d{1,2})[./](\d{1,2})[./](\d{4})"),
        ("days", rf"(\d{{1,2}}) ?(?:and|to|until|-|–) ?(\d{{1,2}}) ({_MONTH})\.?(?:,? (\d{{4}}))?"),
        ("day_month", rf"{_ORDINAL}(?: of)? ({_MONTH})\.?(?:,? (\d{{4}}))?"),
        ("month_day", rf"({_MONTH})\.? {_ORDINAL}(?:,? (\d{{4}}))?(?! ?\d)"),
        ("edge", rf"(?:since|until|before|after) the (start|beginning|end) of ({_MONTH})\.?(?:,? (\d{{4}}))?"),
        ("month", rf"(?:(this|last|next) )?({_MONTH})\.?(?:,? (\d{{4}}))?"),
        ("quarter", r"q([1-4])(?: (\d{4}))?"),
        ("named_quarter", r"(first|second|third|fourth|1st|2nd|3rd|4th) quarter(?:(?: of)? (20\d\d))?"),
        ("day", r"(today|yesterday|tomorrow)"),
        ("several", rf"(?:last|past|previous) (\d{{1,3}}|{'|'.join(_NUMBERS)}) (day|week|month|year)s?"),
        ("ahead", rf"next (\d{{1,3}}|{'|'.join(_NUMBERS)}) (day|week|month|year)s?"),
        ("period", r"(this|last|past|previous|next|current) (week|month|quarter|year)"),
        ("year", r"(?:in|of|for|during|year|since|until|from|to|and|with|before|after|than) (20\d{2})"),
    )
)


@dataclasses.dataclass(frozen=True, slots=True)
class Span:
    """Days from ``first`` to ``last``, both included; ``None`` is an open end."""

    first: datetime.date | None
    last: datetime.date | None


def find(text: str, today: datetime.date) -> tuple[Span | None, str]:
    """The stretch of days that the text names, if it names one, and the text without the words that named it."""
    spans: list[tuple[int, int, Span]] = []
    for name, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            is_taken = any(start < match.end() and match.start() < end for start, end, _ in spans)
            if not is_taken and (span := _read(name, match, today)):
                spans.append((match.start(), match.end(), span))
    if not spans:
        return None, text
    spans.sort(key=lambda item: item[0])
    rest = text
    for start, end, _ in reversed(spans):
        rest = rest[:start] + "," + rest[end:]
    start, _, span = spans[0]
    if len(spans) > 1 and re.search(r"\b(between|from|since)\b", text[:start], re.IGNORECASE):
        return Span(span.first, spans[1][2].last), rest
    if len(spans) > 1 and span.first and spans[1][2].first:
        # "September and October", "2025 compared to 2026": what lies between belongs to it.
        both = sorted([span, spans[1][2]], key=lambda each: each.first or today)
        return Span(both[0].first, both[1].last), rest
    try:
        return _bounded(span, text[:start], text[start:]), rest
    except OverflowError:
        return span, rest


def _bounded(span: Span, text_before: str, text_from: str) -> Span:
    """The span as the word before it bounds it: "since", "after", "until", "before"."""
    before = text_before.rstrip().lower()
    first_word = text_from.split(" ")[0].lower()
    word = before.rsplit(" ", 1)[-1] if before else ""
    word = first_word if first_word in {"since", "until", "before", "after"} else word
    if word == "since" or (word == "from" and span.first == span.last):
        return Span(span.first, None)
    if word == "after" and span.last:
        return Span(span.last + datetime.timedelta(days=1), None)
    if word in {"until", "till", "by"}:
        return Span(None, span.last)
    if word == "before" and span.first:
        return Span(None, span.first - datetime.timedelta(days=1))
    return span


def _read(name: str, match: re.Match[str], today: datetime.date) -> Span | None:
    parts = [part.lower() if part else "" for part in match.groups()]
    if name == "month" and match.group().lower() == "may" and match.group() != "May":
        return None
    try:
        if name in {"iso", "numeric", "day_month", "month_day"}:
            day = _day(name, parts, today)
            return Span(day, day)
        if name == "days":
            last = _day("day_month", parts[1:], today)
            return Span(last.replace(day=int(parts[0])), last)
        if name == "iso_month":
            return _month(int(parts[0]), int(parts[1]))
        if name == "month":
            return _named_month(parts, today)
        if name == "edge":
            month = _named_month(["", *parts[1:]], today)
            edge = month.last if parts[0] == "end" else month.first
            return Span(edge, edge)
        if name in {"quarter", "named_quarter"}:
            parts[0] = {"f": "1", "s": "2", "t": "3"}.get(parts[0][0], parts[0][0]) if parts[0] != "fourth" else "4"
            first = datetime.date(int(parts[1] or today.year), int(parts[0]) * 3 - 2, 1)
            return Span(first, _month(first.year, first.month + 2).last)
        if name == "year":
            return Span(datetime.date(int(parts[0]), 1, 1), datetime.date(int(parts[0]), 12, 31))
    except ValueError:
        return None
    if name == "day":
        day = today + datetime.timedelta(days={"today": 0, "yesterday": -1, "tomorrow": 1}[parts[0]])
        return Span(day, day)
    if name in {"several", "ahead"}:
        count = int(parts[0]) if parts[0].isdigit() else _NUMBERS[parts[0]]
        days = count * {"day": 1, "week": 7, "month": 30, "year": 365}[parts[1]]
        if name == "ahead":
            return Span(today, today + datetime.timedelta(days=days))
        return Span(_back(today, count, parts[1]), today)
    return _period(parts[0], parts[1], today)


def _day(name: str, parts: list[str], today: datetime.date) -> datetime.date:
    if name == "iso":
        return datetime.date(int(parts[0]), int(parts[1]), int(parts[2]))
    if name == "numeric":
        return datetime.date(int(parts[2]), int(parts[1]), int(parts[0]))
    day, month = (parts[0], parts[1]) if name == "day_month" else (parts[1], parts[0])
    found = datetime.date(int(parts[2] or today.year), _MONTHS[month], int(day))
    return found.replace(year=found.year - 1) if not parts[2] and found > today + datetime.timedelta(days=31) else found


def _month(year: int, month: int) -> Span:
    return Span(datetime.date(year, month, 1), datetime.date(year, month, calendar.monthrange(year, month)[1]))


def _named_month(parts: list[str], today: datetime.date) -> Span:
    month = _MONTHS[parts[1]]
    year = int(parts[2]) if parts[2] else today.year - (month > today.month)
    if not parts[2] and parts[0] == "last" and month == today.month:
        year -= 1
    if not parts[2] and parts[0] == "next":
        year = today.year + (month <= today.month)
    return _month(year, month)


def _back(today: datetime.date, count: int, unit: str) -> datetime.date:
    if unit in {"day", "week"}:
        return today - datetime.timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    last_day = calendar.monthrange(months // 12, months % 12 + 1)[1]
    return datetime.date(months // 12, months % 12 + 1, min(today.day, last_day))


def _period(which: str, unit: str, today: datetime.date) -> Span:
    step = {"this": 0, "current": 0, "next": 1}.get(which, -1)
    if unit == "week":
        monday = today - datetime.timedelta(days=today.weekday()) + datetime.timedelta(days=7 * step)
        return Span(monday, monday + datetime.timedelta(days=6))
    length = {"month": 1, "quarter": 3, "year": 12}[unit]
    month = today.year * 12 + (today.month - 1) // length * length + step * length
    end = month + length - 1
    return Span(datetime.date(month // 12, month % 12 + 1, 1), _month(end // 12, end % 12 + 1).last)


_UNIT = "day|week|month|quarter|year"
_STEPS = re.compile(
    rf"\b(?:(?:in |for )?(?:the|a|an|one)(?: (?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)}))? (?P<unit>{_UNIT})s? (?P<way>before|earlier|after|later)"
    rf"|(?:in |for )?the (?P<side>previous|preceding|prior|following) (?P<unit2>{_UNIT})"
    r"|(?:in |for )?the one (?P<way2>before|after)"
    rf"|(?:in |for )?the same (?:{_UNIT}|period|time) (?P<year>last year|a year (?:ago|earlier|before)|the year before))(?: that| then| it)?\b",
    re.IGNORECASE,
)


def stepped(text: str, span: Span | None, today: datetime.date) -> tuple[Span | None, str]:
    """The stretch that the text names by its distance from ``span`` ("the month before"), and the text without those words.

    ``None`` if it names none. Without a span, and for one with an open end, the distance is that from the stretch that holds today.
    """
    match = _STEPS.search(text)
    if match is None:
        return None, text
    found = match.groupdict()
    way = found["way"] or found["side"] or found["way2"] or "before"
    is_back = way.lower() in {"before", "earlier", "previous", "preceding", "prior"}
    unit = "year" if found["year"] else (found["unit"] or found["unit2"] or "").lower()
    said = (found["count"] or "1").lower()
    count = int(said) if said.isdigit() else _NUMBERS[said]
    try:
        moved = _moved(_closed(span, unit or "month", today), unit, -count if is_back else count)
    except (ValueError, OverflowError):
        return None, text
    return moved, text[: match.start()] + " " + text[match.end() :]


def _closed(span: Span | None, unit: str, today: datetime.date) -> tuple[datetime.date, datetime.date]:
    if span and span.first and span.last and span.first <= span.last:
        return span.first, span.last
    around = Span(today, today) if unit == "day" else _period("this", unit, today)
    return around.first or today, around.last or today


def _moved(span: tuple[datetime.date, datetime.date], unit: str, count: int) -> Span:
    """The stretch so many units away: whole months stay whole; one that is longer than the unit is left for its neighbour."""
    first, last = span
    months = last.year * 12 + last.month - first.year * 12 - first.month + 1
    is_whole = first.day == 1 and last == _month(last.year, last.month).last
    length = {"month": 1, "quarter": 3, "year": 12}.get(unit, months if is_whole else 0)
    if not unit and not is_whole:
        unit, count = "day", count * ((last - first).days + 1)
    if is_whole and length and months <= length:
        return Span(_on(first, length * count), _month_of(_on(first, length * count + months - 1)))
    if unit in {"day", "week"} and (last - first).days < (7 if unit == "week" else 1) * abs(count):
        step = datetime.timedelta(days=(7 if unit == "week" else 1) * count)
        return Span(first + step, last + step)
    if count < 0:
        start = first - datetime.timedelta(days=7 * -count if unit == "week" else -count) if unit in {"day", "week"} else None
        return Span(start or _on(first, length * count), first - datetime.timedelta(days=1))
    end = last + datetime.timedelta(days=7 * count if unit == "week" else count) if unit in {"day", "week"} else None
    return Span(last + datetime.timedelta(days=1), end or _on(last, length * count))


def _on(day: datetime.date, months: int) -> datetime.date:
    """The day so many months on, or the last one of its month."""
    whole = day.year * 12 + day.month - 1 + months
    return datetime.date(whole // 12, whole % 12 + 1, min(day.day, calendar.monthrange(whole // 12, whole % 12 + 1)[1]))


def _month_of(day: datetime.date) -> datetime.date:
    last = _month(day.year, day.month).last
    return last if last else day
