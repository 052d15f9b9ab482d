"""Pages that were left open: while another account signs in, while the panel is closed or the conversation deleted in another tab.

What needs accounts is against the real server, the rest against the twin.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from deskhand.models import Conversation, Message
from tests import make
from tests.browser.conftest import Twin
from tests.browser.person import ask, finished, line
from tests.browser.real import MAY, Desk, answered
from tests.browser.watched import Watched
from tests.provider import say

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AWAY = "The server could not be reached."
#: A browser that refuses to remember anything.
REFUSES = (
    "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {get() { throw new Error(); }});"
)


def test_what_was_written_under_one_account_is_never_sent_in_the_name_of_the_next(desk: Desk) -> None:
    """SC3"""
    page = desk.opened()
    page.locator("textarea").fill("A secret of Ada's")
    desk.sign_in(make.user(MAY, first_name="Eva"))
    page.locator("textarea").press("Enter")
    expect(page.locator("textarea")).to_have_value("")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert not Message.objects.exists()
    assert not Conversation.objects.exists()


def test_a_page_of_one_account_never_lists_what_belongs_to_the_next(desk: Desk) -> None:
    """SC3: nor keeps what the first one looked for"""
    desk.model.plays(say("Answered."), say("Answered."))
    first = desk.opened()
    ask(first, "A secret of Ada's")
    answered(first, "Answered.")
    first.get_by_role("button", name="Conversations").click()
    first.get_by_role("searchbox").fill("secret")
    desk.sign_in(make.user(MAY, first_name="Eva"))
    second = desk.opened()
    expect(first.get_by_role("searchbox")).to_have_value("")
    ask(second, "A word of Eva's")
    answered(second, "Answered.")
    expect(first.locator("deskhand-conversations .open")).to_have_count(1)
    expect(first.locator("deskhand-conversations .open")).to_contain_text("A word of Eva's")
    first.get_by_role("button", name="Back to the conversation").click()
    expect(first.get_by_text("A secret of Ada's")).to_have_count(0)


def said_and_taken_back(watched: Watched, page: Page) -> None:
    """The network goes and comes: what is said of it goes by itself, and the text that was written is still there."""
    watched.context.set_offline(True)
    ask(page, "hello")
    expect(page.get_by_role("alert")).to_contain_text(AWAY)
    watched.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0, timeout=10_000)
    expect(page.locator("textarea")).to_have_value("hello")


def test_a_tab_looks_for_itself_though_the_panel_was_closed_in_another(browser_context: Watched, twin: Twin) -> None:
    """UI6"""
    page = browser_context.opened()
    browser_context.opened().get_by_role("button", name="Close the assistant").click()
    said_and_taken_back(browser_context, page)


def test_a_browser_that_refuses_storage_hears_of_the_servers_return_all_the_same(browser_context: Watched, twin: Twin) -> None:
    """UI6"""
    browser_context.context.add_init_script(REFUSES)
    said_and_taken_back(browser_context, browser_context.opened())


def shown_in(page: Page) -> Page:
    """The newest conversation is opened in that tab."""
    page.get_by_role("button", name="Conversations").click()
    page.locator("deskhand-conversations .open").first.click()
    return page


def deleted_in(page: Page) -> None:
    """Afterwards the newest conversation was deleted in that tab."""
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name=re.compile("^Delete")).first.click()
    expect(page.get_by_role("button", name=re.compile("^Undo"))).to_be_visible()


def test_a_conversation_that_was_deleted_in_one_tab_leaves_the_other_and_what_was_being_written_stays(
    browser_context: Watched, twin: Twin
) -> None:
    """ME10: and it comes back to the lists if that is undone"""
    first = browser_context.opened()
    ask(first, "hello")
    finished(first)
    second = shown_in(browser_context.opened())
    expect(second.locator(".answer")).to_be_visible()
    first.locator("textarea").fill("half a thought")
    deleted_in(second)
    expect(first.get_by_role("alert")).to_contain_text("This conversation is not there any more.")
    expect(first.locator(".answer")).to_have_count(0)
    expect(first.locator("textarea")).to_have_value("half a thought")
    first.get_by_role("button", name="Conversations").click()
    expect(first.locator("deskhand-conversations .open")).to_have_count(0)
    second.get_by_role("button", name=re.compile("^Undo")).click()
    expect(first.locator("deskhand-conversations .open")).to_have_count(1)
    second.get_by_role("button", name="Back to the conversation").click()
    expect(second.get_by_role("alert")).to_have_count(0)


def test_an_answer_under_way_leaves_every_tab_when_its_conversation_is_deleted_in_one(
    browser_context: Watched, twin: Twin
) -> None:
    """ME10, B70: the tab that deleted it is told nothing that it knows"""
    twin.control(pieceMs=60)
    first = browser_context.opened()
    ask(first, "a long answer")
    expect(line(first, 1)).to_be_visible()
    second = shown_in(browser_context.opened())
    expect(line(second, 1)).to_be_visible()
    deleted_in(second)
    expect(first.get_by_role("alert")).to_contain_text("This conversation is not there any more.")
    expect(first.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    second.get_by_role("button", name="Back to the conversation").click()
    for page in (first, second):
        expect(page.locator(".answer")).to_have_count(0)
    expect(second.get_by_role("alert")).to_have_count(0)
    browser_context.expect_clean()


def test_a_list_that_could_not_be_fetched_comes_by_itself_when_the_network_is_back(browser_context: Watched, twin: Twin) -> None:
    """UI6"""
    twin.control(conversations=[{"title": "An old one"}])
    page = browser_context.opened()
    browser_context.context.set_offline(True)
    page.get_by_role("button", name="Conversations").click()
    expect(page.get_by_role("alert")).to_contain_text(AWAY)
    browser_context.context.set_offline(False)
    expect(page.locator("deskhand-conversations .open")).to_have_text(re.compile("An old one"))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_404_of_somebody_in_between_never_takes_a_conversation_out_of_sight(browser_context: Watched, twin: Twin) -> None:
    """UI6: as of a proxy whose server is being replaced"""
    page = browser_context.opened()
    ask(page, "hello")
    finished(page)
    page.route("**/api/conversations/**", lambda route: route.fulfill(status=404, content_type="text/html", body="<h1>None</h1>"))
    ask(page, "hello again")
    expect(page.get_by_role("alert")).to_contain_text("Your text is still here.")
    with page.expect_response("**/messages**"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".answer")).to_be_visible()
    page.unroute("**/api/conversations/**")
    page.locator("textarea").press("Enter")
    finished(page, 2)
