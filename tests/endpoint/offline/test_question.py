"""What is no name, and what else a text says that used to be taken for one."""

from __future__ import annotations

import pytest

from tests.endpoint.offline.talk import Talk, calls_of


@pytest.mark.parametrize(
    "question",
    [
        "which loans have already been lost?",
        "which loans are actually fully lost?",
        "are loans commonly lost?",
        "most common lost loans",
        "loans that were lost together",
    ],
)
def test_a_word_that_says_how_or_when_is_never_a_name(question: str) -> None:
    assert calls_of(question) == [("search_loans", {"status": "lost"})]


def test_a_word_that_says_how_never_becomes_a_part_of_a_name() -> None:
    assert calls_of("loans of Kos fully lost") == [("search_loans", {"status": "lost", "member": "Kos"})]


def test_numbers_are_read_as_words_too() -> None:
    assert calls_of("how many overdue loans have had three reminders?") == [("overdue_loans", {"reminders": 3})]
    assert calls_of("overdue loans with one reminder") == [("overdue_loans", {"reminders": 1})]
    assert calls_of("overdue loans of this one") == [("overdue_loans", {})]


@pytest.mark.parametrize(
    ("adjective", "country"), [("German", "Germany"), ("Estonian", "Estonia"), ("British", "United Kingdom")]
)
def test_a_nationality_names_its_country(adjective: str, country: str) -> None:
    assert calls_of(f"which {adjective} member owes the most fines?") == [("fines_by_member", {"country": country})]


def test_a_short_word_passes_for_no_other_that_it_is_nearly_spelled_like() -> None:
    """ "Lot" is not "lost"."""
    assert calls_of("loans of a lot")[0][1].get("status") is None


def test_what_is_still_to_be_paid_is_what_is_owed() -> None:
    assert calls_of("does Mirela Kos still have something to pay?") == [("fines_by_member", {"member": "Mirela Kos"})]


def test_who_did_nothing_is_asked_of_the_tool_for_those_without() -> None:
    assert calls_of("which members have borrowed nothing in the last three months?") == [
        ("members_without_loans", {"since": "2025-12-18"})
    ]


@pytest.mark.parametrize(
    ("said", "answer"), [("hello", "Hello!"), ("Good morning!", "Hello!"), ("thanks a lot!", "You are welcome.")]
)
def test_a_greeting_and_a_thank_you_get_one_line_and_never_a_list(said: str, answer: str) -> None:
    talk = Talk()
    assert talk.say(said) == []
    assert talk.text.startswith(answer)
    assert "\n" not in talk.text


def test_what_can_be_asked_is_told_by_the_titles() -> None:
    talk = Talk()
    talk.say("what can you do?")
    assert talk.text == "I can look things up with: Loans, Late loans, Fines, Member, Fees, Quiet members, Book."


def test_a_refusal_names_a_few_titles_that_come_nearest() -> None:
    talk = Talk()
    assert talk.say("what is the forecast of overdue loans?") == []
    assert "either no tool does that, or your rights do not allow it" in talk.text
    assert "What comes nearest: Late loans" in talk.text
    assert talk.text.count(",") < 6


def test_an_answer_begins_with_the_tools_title_and_says_nothing_twice() -> None:
    talk = Talk()
    talk.say("how much do members owe in fines in total?")
    assert talk.text.startswith("**Fines**")
    assert talk.text.count("24.00") == 1


def test_what_is_counted_in_is_never_a_name() -> None:
    assert calls_of("how many boxes of loans does Mirela Kos have?") == [("search_loans", {"member": "Mirela Kos"})]
