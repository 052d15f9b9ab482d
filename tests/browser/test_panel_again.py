"""Asking the last question anew: the answer again, or the question changed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Twin
from tests.browser.person import ask, finished, line, settled
from tests.browser.watched import Watched

pytestmark = pytest.mark.browser


def starts(twin: Twin) -> list[tuple[str, int | None]]:
    """What was asked: text, and in whose place."""
    return [(one["body"]["text"], one["body"].get("replaces")) for one in twin.requests("POST", "/turns")]


def test_answer_again_asks_the_same_in_the_same_place(browser_context: Watched, twin: Twin) -> None:
    """TU9, UI2"""
    page = browser_context.opened()
    ask(page, "hello")
    finished(page)
    ask(page, "echo: first")
    finished(page, 2)
    expect(page.get_by_role("button", name="Answer again")).to_have_count(1)
    page.get_by_role("button", name="Answer again").click()
    expect(page.locator(".user")).to_have_count(2)
    finished(page, 2)
    assert starts(twin) == [("hello", None), ("echo: first", None), ("echo: first", 3)]
    page.reload()
    finished(page, 2)
    expect(page.locator(".user")).to_have_text(["You: hello", "You: echo: first"])
    page.get_by_role("button", name="Answer again").click()
    finished(page, 2)
    assert starts(twin)[-1] == ("echo: first", 5)
    expect(page.locator(".user")).to_have_count(2)
    browser_context.expect_clean()


def test_the_last_question_is_changed_and_sent_in_its_place(browser_context: Watched, twin: Twin) -> None:
    """TU9, UI2"""
    page = browser_context.opened()
    ask(page, "echo: first")
    finished(page)
    page.locator("deskhand-composer textarea").fill("half a thought")
    page.get_by_role("button", name="Edit", exact=True).click()
    field = page.get_by_role("textbox", name="Edit your message")
    expect(field).to_be_focused()
    expect(field).to_have_value("echo: first")
    field.fill("echo: second")
    field.press("Shift+Enter")
    field.press("Backspace")
    field.press("Enter")
    finished(page)
    expect(page.locator(".answer")).to_have_text("second")
    expect(page.locator(".user")).to_have_text("You: echo: second")
    expect(page.locator("deskhand-composer textarea")).to_have_value("half a thought")
    assert starts(twin) == [("echo: first", None), ("echo: second", 1)]


def test_escape_lets_go_of_a_change_and_leaves_the_panel_open(browser_context: Watched, twin: Twin) -> None:
    """UI4"""
    page = browser_context.opened()
    ask(page, "echo: first")
    finished(page)
    page.get_by_role("button", name="Edit", exact=True).press("Enter")
    page.get_by_role("textbox", name="Edit your message").fill("something else")
    page.keyboard.press("Escape")
    expect(page.locator(".user")).to_have_text("You: echo: first")
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_focused()
    assert len(starts(twin)) == 1


def test_a_change_that_could_not_be_sent_stays_as_it_was_written(browser_context: Watched, twin: Twin) -> None:
    """TU9, B66: the same key goes with it when it is sent again"""
    page = browser_context.opened()
    ask(page, "echo: first")
    finished(page)
    page.get_by_role("button", name="Edit", exact=True).click()
    field = page.get_by_role("textbox", name="Edit your message")
    field.fill("echo: second")
    twin.control(failStarts=1)
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The server made a mistake")
    expect(field).to_have_value("echo: second")
    expect(page.locator(".answer")).to_have_text("first")
    twin.control(loseStarts=1)
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("could not be reached")
    expect(field).to_have_value("echo: second")
    field.press("Enter")
    finished(page)
    expect(page.locator(".answer")).to_have_text("second")
    keys = {one["body"]["key"] for one in twin.requests("POST", "/turns")}
    assert len(keys) == 2
    expect(page.locator(".user")).to_have_count(1)


def test_answer_again_whose_answer_was_lost_makes_one_turn(browser_context: Watched, twin: Twin) -> None:
    """B66"""
    page = browser_context.opened()
    ask(page, "echo: first")
    finished(page)
    twin.control(loseStarts=1)
    page.get_by_role("button", name="Answer again").click()
    expect(page.get_by_role("alert")).to_contain_text("could not be reached")
    page.get_by_role("button", name="Answer again").click()
    finished(page)
    assert len({one["body"]["key"] for one in twin.requests("POST", "/turns")}) == 2


def test_a_card_of_the_replaced_answer_stays_in_view_as_ended(browser_context: Watched, twin: Twin) -> None:
    """TU9"""
    page = browser_context.opened()
    ask(page, "propose")
    finished(page)
    settled(page)
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_text("What still waits for you in this answer ends as a no.")).to_be_visible()
    page.get_by_role("textbox", name="Edit your message").fill("echo: never mind")
    page.keyboard.press("Enter")
    finished(page)
    expect(page.locator("deskhand-card #standing")).to_have_text("You said no")
    expect(page.locator("deskhand-card button")).to_have_count(0)
    expect(page.locator(".user")).to_have_count(1)
    expect(page.locator(".answer")).to_have_text("never mind")
    page.reload()
    expect(page.locator("deskhand-card #standing")).to_have_text("You said no")


def test_nothing_is_asked_anew_while_a_turn_runs(browser_context: Watched) -> None:
    """TU1"""
    page = browser_context.opened()
    ask(page, "a long answer")
    expect(line(page, 1)).to_be_visible()
    expect(page.get_by_role("button", name="Answer again")).to_have_count(0)
    expect(page.get_by_role("button", name="Edit", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Answer again")).to_have_count(1)


def test_a_turn_that_ended_without_an_answer_can_be_asked_again(browser_context: Watched, twin: Twin) -> None:
    """TU7"""
    twin.control(conversations=[{"title": "Broken", "rows": [["user", "echo: hello"], ["notice", "It broke off."]]}])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name="Broken").first.click()
    page.get_by_role("button", name="Try again").click()
    finished(page)
    assert starts(twin) == [("echo: hello", 1)]
    expect(page.locator(".notice")).to_have_count(0)


def test_pages_on_which_all_was_replaced_are_passed_over(browser_context: Watched, twin: Twin) -> None:
    """TU9"""
    rows: list[object] = [["user", "the first"], ["assistant", "its answer"]]
    for number in range(3, 140, 2):
        rows.append({"role": "user", "content": f"try {number}", "replaces_seq": number - 2 if number > 3 else None})
        rows.append(["assistant", f"answer {number}"])
    twin.control(conversations=[{"title": "Many tries", "rows": rows}])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name="Many tries").first.click()
    expect(page.locator(".user")).to_have_text("You: try 139")
    page.get_by_role("button", name="Show earlier messages").click()
    expect(page.locator(".user")).to_have_text(["You: the first", "You: try 139"])
    expect(page.get_by_role("button", name="Show earlier messages")).to_have_count(0)


def test_a_draft_is_forgotten_if_the_account_is_another_whatever_its_name(browser_context: Watched) -> None:
    """UI2"""
    page = browser_context.opened()
    page.locator("textarea").fill("half a thought")
    page.reload()
    expect(page.locator("textarea")).to_have_value("half a thought")

    def another(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"user": {"name": "Practice", "key": "account-2"}})

    page.route("**/api/state", another)
    page.reload()
    page.locator(".provider").wait_for()
    expect(page.locator("textarea")).to_have_value("")
