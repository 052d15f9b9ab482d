"""Messages that go on from the last answer: its tool, its arguments and whom it spoke of, from its text alone."""

from __future__ import annotations

import pytest

from tests.endpoint.offline.talk import TOOLS, Talk, calls_of

FEBRUARY = {"since": "2026-02-01", "until": "2026-02-28"}


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("and the month before?", "2026-01-01", "2026-01-31"),
        ("what about the month before that?", "2026-01-01", "2026-01-31"),
        ("and a month later?", "2026-03-01", "2026-03-31"),
        ("what about August?", "2025-08-01", "2025-08-31"),
        ("and in 2024?", "2024-01-01", "2024-12-31"),
        ("and the year before?", "2025-02-01", "2025-02-28"),
        ("and the same month last year?", "2025-02-01", "2025-02-28"),
        ("last year?", "2025-01-01", "2025-12-31"),
    ],
)
def test_other_days_are_asked_of_the_same_tool(text: str, since: str, until: str) -> None:
    assert calls_of("what fees came in last month?", text) == [("fees_by_month", {"since": since, "until": until})]


def test_steps_back_are_counted_from_the_last_answer_and_not_from_today() -> None:
    said = ("what fees came in last month?", "and the month before?", "and the month before that?")
    assert calls_of(*said) == [("fees_by_month", {"since": "2025-12-01", "until": "2025-12-31"})]


def test_without_days_the_year_before_is_the_one_before_this() -> None:
    assert calls_of("show the fees", "and the year before?") == [
        ("fees_by_month", {"since": "2025-01-01", "until": "2025-12-31"})
    ]


def test_what_is_not_said_anew_stays() -> None:
    said = ("loans of Mirela Kos in February", "and the lost ones?")
    assert calls_of(*said) == [("search_loans", {"status": "lost", "member": "Mirela Kos", **FEBRUARY})]
    assert calls_of(*said, "what about Lind?") == [("search_loans", {"status": "lost", "member": "Lind", **FEBRUARY})]


def test_what_was_wanted_of_the_numbers_stays_wanted() -> None:
    talk = Talk()
    talk.say("how much money came in from fees last month?")
    assert "Total EUR: **5.00**" in talk.text
    talk.say("and the month before?")
    assert "Total EUR: **5.00**" in talk.text


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("when did they last borrow a book?", ("search_loans", {"member": "Mirela Kos"})),
        ("what is their phone number?", ("member_overview", {"member": "Mirela Kos"})),
        ("and their loans?", ("search_loans", {"member": "Mirela Kos"})),
        ("what is the phone of the member?", ("member_overview", {"member": "Mirela Kos"})),
    ],
)
def test_they_are_who_the_last_answer_put_first(text: str, call: tuple[str, dict[str, object]]) -> None:
    assert calls_of("who owes the most fines?", text) == [call]


def test_it_is_the_thing_whose_number_the_last_answer_gave() -> None:
    assert calls_of("loans of Ana Lind", "show it: which book is it?") == [("show_book", {"number": "BK-204"})]


def test_they_without_anybody_is_asked_back_and_never_answered_of_all() -> None:
    talk = Talk()
    talk.say("show the fees")
    assert talk.say("when did they last borrow a book?") == []
    assert "I don't know who “they” is" in talk.text
    assert talk.say("Ana Lind") == [("search_loans", {"member": "Ana Lind"})]


def test_their_in_a_question_that_names_somebody_points_to_nobody_else() -> None:
    assert calls_of("loans of Ana Lind", "which members owe their fines?") == [("fines_by_member", {})]


def test_another_question_leaves_the_last_ones_arguments_behind() -> None:
    assert calls_of("loans of Mirela Kos in February", "who owes the most fines?") == [("fines_by_member", {})]
    assert calls_of("loans of Mirela Kos in February", "loans of Ana Lind") == [("search_loans", {"member": "Ana Lind"})]


def test_a_name_alone_after_a_question_without_one_is_looked_up_for_itself() -> None:
    assert calls_of("show the fees", "Mirela Kos") == [("member_overview", {"member": "Mirela Kos"})]


def test_a_number_alone_takes_the_place_of_the_last_one() -> None:
    said = ("which overdue loans have two reminders?", "and only one?")
    assert calls_of(*said) == [("overdue_loans", {"reminders": 1})]


def test_the_one_somewhere_narrows_the_name_that_was_given() -> None:
    assert calls_of("loans of Kos", "the one in Tartu") == [("search_loans", {"member": "Kos Tartu"})]


def test_more_rows_are_asked_for_until_there_are_none() -> None:
    talk = Talk()
    talk.say("who owes the most fines?")
    assert "Rows 1–2 of 3. Say “show more”" in talk.text
    assert talk.say("show more") == [("fines_by_member", {"page": 2})]
    assert "Rows 3–3 of 3." in talk.text
    assert "show more" not in talk.text
    assert talk.say("more please") == []
    assert "no more rows" in talk.text


def test_a_tool_that_is_not_offered_any_more_never_goes_on() -> None:
    """``TO3``: the right to it may have gone since."""
    talk = Talk()
    talk.say("what fees came in last month?")
    talk.tools = tuple(tool for tool in TOOLS if tool.name != "fees_by_month")
    assert talk.say("and the month before?") == []


def test_two_stretches_of_days_are_never_answered_with_one_number() -> None:
    january, february = {"since": "2026-01-01", "until": "2026-01-31"}, FEBRUARY
    each = [("search_loans", {"member": "Ana Lind", **january}), ("search_loans", {"member": "Ana Lind", **february})]
    assert calls_of("did we have more loans of Ana Lind in January than in February?") == each
    assert calls_of("how many loans of Ana Lind in January? and how many in February?") == each


def test_what_sums_up_by_months_compares_them_in_one_call() -> None:
    said = "did we get more fees in February than in January?"
    assert calls_of(said) == [("fees_by_month", {"since": "2026-01-01", "until": "2026-02-28"})]


def test_the_next_row_of_a_ranking_is_told_from_the_same_call() -> None:
    talk = Talk()
    talk.say("who owes the most fines?")
    assert talk.say("And what's in second place?") == [("fines_by_member", {})]
    assert "**Mirela Kos Tartu**: unpaid EUR 8.00" in talk.text


def test_a_name_that_was_looked_up_in_vain_never_goes_on_into_the_next_call() -> None:
    talk = Talk()
    assert talk.say("what is the phone of Zoe Quist?") == [("member_overview", {"member": "Zoe Quist"})]
    assert talk.say("and their loans?") == []
    assert talk.say("loans of Ana Lind") == [("search_loans", {"member": "Ana Lind"})]
