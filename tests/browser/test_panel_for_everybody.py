"""The panel by keyboard, by ear, by eye: WCAG 2.2 AA, themes, direction, motion."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Twin, Watched
from tests.browser.person import ask, finished

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


CONTRAST = """() => {
  const parse = (value) => { const m = value.match(/[\\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; };
  const light = ([r, g, b]) => { const f = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const ground = (at) => { while (at) { if (at instanceof Element) { const c = parse(getComputedStyle(at).backgroundColor);
    if (c[3] === 1) return c; } at = at.parentNode ?? at.host; } return [255, 255, 255, 1]; };
  const poor = [];
  const walk = (root) => { for (const at of root.querySelectorAll('*')) {
    if (at.shadowRoot) walk(at.shadowRoot);
    const says = [...at.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!says || at.closest('.unseen') || !at.getClientRects().length || at.disabled) continue;
    const [a, b] = [light(parse(getComputedStyle(at).color)), light(ground(at))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(at.tagName + '.' + at.className + ' ' + ratio.toFixed(2));
  } };
  walk(document.querySelector('deskhand-panel').shadowRoot);
  return poor;
}"""

SMALL = """() => {
  const small = [];
  const walk = (root) => { for (const at of root.querySelectorAll('*')) {
    if (at.shadowRoot) walk(at.shadowRoot);
    if (!['BUTTON', 'INPUT', 'TEXTAREA'].includes(at.tagName)) continue;
    const { width, height } = at.getBoundingClientRect();
    if (width && (width < 44 || height < 44)) small.push(at.className + ' ' + width + 'x' + height);
  } };
  walk(document.querySelector('deskhand-panel').shadowRoot);
  return small;
}"""


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
