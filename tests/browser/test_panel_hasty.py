"""The panel and a person who writes before the server has said who is signed in: no word is lost, and an Enter counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Twin
from tests.browser.person import ask, finished
from tests.browser.watched import Watched

pytestmark = pytest.mark.browser


def held_back(page: Page) -> Callable[[], None]:
    """From the next page on the panel's first question stays without an answer, until what comes back is called."""
    held: list[Route] = []
    page.route("**/api/state", lambda route: held.append(route))

    def let_go() -> None:
        for route in held:
            route.continue_()
        page.unroute("**/api/state")

    return let_go


def written(page: Page, text: str) -> None:
    """The page is loaded anew, and the text stands in the field, which is there at once."""
    page.reload()
    page.locator("textarea").fill(text)
    expect(page.locator(".provider")).to_have_count(0)


def test_what_is_written_before_the_panel_has_begun_never_leaves_the_field(browser_context: Watched, twin: Twin) -> None:
    """B66: the conversation of this tab opens under it."""
    page = browser_context.opened()
    ask(page, "Which orders are late?")
    finished(page)
    let_go = held_back(page)
    written(page, "echo: and invoices?")
    let_go()
    expect(page.locator(".user")).to_contain_text("Which orders are late?")
    expect(page.locator("textarea")).to_have_value("echo: and invoices?")
    assert len(twin.requests("POST", "/turns")) == 1
    # It is that conversation's from now on, and no other's.
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("textarea")).to_have_value("")


def test_an_enter_before_the_panel_has_begun_sends_once_it_has(browser_context: Watched, twin: Twin) -> None:
    """B66"""
    page = browser_context.opened()
    ask(page, "Which orders are late?")
    finished(page)
    let_go = held_back(page)
    written(page, "echo: and invoices?")
    page.locator("textarea").press("Enter")
    let_go()
    finished(page, 2)
    expect(page.locator(".user").last).to_contain_text("and invoices?")
    expect(page.locator("textarea")).to_have_value("")
    assert len(twin.requests("POST", "/turns")) == 2


def test_an_early_text_stands_behind_one_that_waited_there_and_is_not_sent_with_it(browser_context: Watched, twin: Twin) -> None:
    """B66: the person has not seen what both together say."""
    page = browser_context.opened()
    ask(page, "Which orders are late?")
    finished(page)
    page.locator("textarea").fill("what I left")
    let_go = held_back(page)
    written(page, "what I add")
    page.locator("textarea").press("Enter")
    let_go()
    expect(page.locator("textarea")).to_have_value("what I left\nwhat I add")
    expect(page.locator(".provider")).to_be_visible()
    assert len(twin.requests("POST", "/turns")) == 1
