"""Days in an English text, on Wednesday 18 March 2026."""

from __future__ import annotations

import datetime

import pytest

from deskhand.endpoint.offline import dates

TODAY = datetime.date(2026, 3, 18)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on 2026-02-28", "2026-02-28", "2026-02-28"),
        ("on 28.2.2026", "2026-02-28", "2026-02-28"),
        ("on the 3rd of January 2025", "2025-01-03", "2025-01-03"),
        ("on March 5", "2026-03-05", "2026-03-05"),
        ("on 5 November", "2025-11-05", "2025-11-05"),
        ("in 2025-11", "2025-11-01", "2025-11-30"),
        ("in October", "2025-10-01", "2025-10-31"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("last March", "2025-03-01", "2025-03-31"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("today", "2026-03-18", "2026-03-18"),
        ("yesterday", "2026-03-17", "2026-03-17"),
        ("this week", "2026-03-16", "2026-03-22"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("from last month", "2026-02-01", "2026-02-28"),
        ("last quarter", "2025-10-01", "2025-12-31"),
        ("in the third quarter", "2026-07-01", "2026-09-30"),
        ("Q4 2025", "2025-10-01", "2025-12-31"),
        ("this year", "2026-01-01", "2026-12-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("in the last 30 days", "2026-02-16", "2026-03-18"),
        ("in the past three months", "2025-12-18", "2026-03-18"),
        ("since 1 March", "2026-03-01", None),
        ("after 2026-03-01", "2026-03-02", None),
        ("since the end of August", "2025-08-31", None),
        ("after the end of August", "2025-09-01", None),
        ("before March", None, "2026-02-28"),
        ("until yesterday", None, "2026-03-17"),
        ("between 2026-01-05 and 2026-01-09", "2026-01-05", "2026-01-09"),
        ("between 1 and 15 November", "2025-11-01", "2025-11-15"),
        ("from January to March", "2026-01-01", "2026-03-31"),
        ("September and October", "2025-09-01", "2025-10-31"),
    ],
)
def test_a_text_names_a_stretch_of_days(text: str, first: str | None, last: str | None) -> None:
    span, _ = dates.find(f"loans {text}, please", TODAY)
    assert span is not None
    assert [day and day.isoformat() for day in (span.first, span.last)] == [first, last]


@pytest.mark.parametrize(
    "text", ["may I see it", "BK-204", "2026-13-40", "the last 5 loans", "pipe 15 mm", "30 days overdue", "marching"]
)
def test_what_is_no_day_is_never_read_as_one(text: str) -> None:
    assert dates.find(text, TODAY) == (None, text)


def test_the_words_of_the_day_are_taken_out_of_the_text() -> None:
    assert dates.find("loans in October of Kos", TODAY)[1] == "loans in , of Kos"


@pytest.mark.parametrize(
    ("text", "span", "first", "last"),
    [
        ("the month before", ("2026-02-01", "2026-02-28"), "2026-01-01", "2026-01-31"),
        ("the two months before", ("2026-02-01", "2026-02-28"), "2025-12-01", "2025-12-31"),
        ("the year before that", ("2026-01-01", "2026-12-31"), "2025-01-01", "2025-12-31"),
        ("the year before", ("2026-02-01", "2026-02-28"), "2025-02-01", "2025-02-28"),
        ("the quarter before", ("2026-01-01", "2026-03-31"), "2025-10-01", "2025-12-31"),
        ("the month before", ("2026-01-01", "2026-12-31"), "2025-12-01", "2025-12-31"),
        ("the week before", ("2026-03-16", "2026-03-22"), "2026-03-09", "2026-03-15"),
        ("the day before", ("2026-03-01", "2026-03-01"), "2026-02-28", "2026-02-28"),
        ("the three months before", ("2025-12-18", "2026-03-18"), "2025-09-18", "2025-12-17"),
        ("the one before", ("2026-02-01", "2026-02-28"), "2026-01-01", "2026-01-31"),
        ("the month after", ("2026-01-01", "2026-01-31"), "2026-02-01", "2026-02-28"),
        ("the previous year", ("2026-01-01", "2026-12-31"), "2025-01-01", "2025-12-31"),
        ("the month before", None, "2026-02-01", "2026-02-28"),
    ],
)
def test_a_stretch_is_named_by_its_distance_from_another(text: str, span: tuple[str, str] | None, first: str, last: str) -> None:
    start = dates.Span(*map(datetime.date.fromisoformat, span)) if span else None
    moved, rest = dates.stepped(f"and {text}?", start, TODAY)
    assert moved is not None
    assert [str(moved.first), str(moved.last)] == [first, last]
    assert "before" not in rest


@pytest.mark.parametrize("text", ["before March", "one before", "last year", "the month of March"])
def test_what_names_no_distance_is_never_read_as_one(text: str) -> None:
    assert dates.stepped(text, None, TODAY)[0] is None
