"""The panel by keyboard, by ear, by eye: WCAG 2.2 AA, themes, direction, motion."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Twin
from tests.browser.measures import CONTRAST, SMALL
from tests.browser.person import ask, finished
from tests.browser.watched import Watched

pytestmark = pytest.mark.browser


def test_everything_is_reached_by_keyboard_alone(browser_context: Watched) -> None:
    """UI4"""
    page = browser_context.page()
    page.get_by_role("button", name="Filter").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Open the assistant")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.type("hello")
    page.keyboard.press("Enter")
    finished(page)
    expect(page.locator("textarea")).to_be_focused()
    reached = []
    for _ in range(8):
        page.keyboard.press("Shift+Tab")
        reached.append(
            page.evaluate("""() => { let at = document.activeElement;
            while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
            return at.getAttribute('aria-label') || at.textContent.trim(); }""")
        )
    assert reached == [
        "Answer again",
        "Copy answer",
        "Edit",
        "Conversation",
        "Close the assistant",
        "Make the panel wider",
        "New conversation",
        "Conversations",
    ]
    page.get_by_role("button", name="Conversations").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Open the assistant")).to_be_focused()


def test_the_focus_is_never_taken_from_the_page_while_an_answer_comes(browser_context: Watched) -> None:
    """UI4"""
    page = browser_context.opened()
    ask(page, "Which orders are late?")
    page.get_by_role("button", name="Filter").focus()
    finished(page)
    expect(page.get_by_role("button", name="Filter")).to_be_focused()


def test_finished_sentences_are_announced_and_the_log_itself_is_silent(browser_context: Watched) -> None:
    """UI4"""
    page = browser_context.opened()
    ask(page, "echo: The first sentence. The second one! And the rest")
    finished(page)
    expect(page.get_by_role("log")).to_have_attribute("aria-live", "off")
    said = page.locator("[aria-live=polite] p").all_inner_texts()
    assert " ".join(said).startswith("The first sentence. The second one! And the rest")
    assert len(said) <= 4


def test_an_answer_that_was_stopped_is_never_called_complete(browser_context: Watched, twin: Twin) -> None:
    """UI4: nor is the next one's beginning left out"""
    twin.control(pieceMs=60)
    page = browser_context.opened()
    ask(page, "a long answer")
    said = page.locator("[aria-live=polite] p")
    expect(said.filter(has_text="Line 2")).to_have_count(1)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped here.")).to_be_visible()
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    expect(said.filter(has_text="complete")).to_have_count(0)
    ask(page, "a long answer")
    expect(said.filter(has_text="Line 1 of")).to_have_count(2)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_contrast_and_targets_have_size(chromium: Browser, twin: Twin, theme: str) -> None:
    """UI4: WCAG 1.4.3, and 44 px"""
    context = chromium.new_context(viewport={"width": 390, "height": 780}, color_scheme="light")
    watched = Watched(context, twin.address)
    page = watched.opened(f"?theme={theme}")
    twin.control(failStarts=1)
    ask(page, "Which orders are late?")
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.evaluate(CONTRAST) == []
    page.locator("textarea").press("Enter")
    finished(page)
    assert (page.evaluate(CONTRAST), page.evaluate(SMALL)) == ([], [])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Conversations").click()
    expect(page.locator("deskhand-conversations bdi")).to_have_count(1)
    assert (page.evaluate(CONTRAST), page.evaluate(SMALL)) == ([], [])
    context.close()


def test_the_panel_follows_the_pages_theme_when_it_changes(browser_context: Watched) -> None:
    """UI1"""
    page = browser_context.opened("?theme=light")
    panel = page.locator("deskhand-panel")
    expect(panel).to_have_attribute("theme", "light")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    expect(panel).to_have_attribute("theme", "dark")
    page.evaluate("document.documentElement.dataset.theme = 'auto'")
    page.emulate_media(color_scheme="dark")
    expect(panel).to_have_attribute("theme", "dark")
    page.emulate_media(color_scheme="light")
    expect(panel).to_have_attribute("theme", "light")


def test_a_right_to_left_page_has_the_panel_mirrored(browser_context: Watched) -> None:
    """UI4, B106"""
    page = browser_context.opened("?dir=rtl&locale=ar")
    box = page.get_by_role("complementary").bounding_box()
    assert box
    assert box["x"] == 0
    ask(page, "echo: English first.\n\nطلب PO-123 (x2)")
    finished(page)
    directions = page.locator(".answer p").evaluate_all("all => all.map((p) => getComputedStyle(p).direction)")
    assert directions == ["ltr", "rtl"]


def test_nothing_moves_for_who_asked_for_less_motion(browser_context: Watched) -> None:
    """UI4"""
    page = browser_context.opened()
    page.emulate_media(reduced_motion="reduce")
    ask(page, "a long answer")
    dot = page.locator(".phase .dot")
    expect(dot).to_be_visible()
    assert dot.evaluate("dot => getComputedStyle(dot).animationName") == "none"
