"""A click on a card in a real Chromium: the deliberate one counts, once; whatever else presses a button does nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Twin
from tests.browser.person import CONFIRM, ask, finished, line, proposed, settled, standing, verdicts
from tests.browser.watched import Watched

pytestmark = pytest.mark.browser


def test_a_double_click_posts_once(browser_context: Watched, twin: Twin) -> None:
    """sec_C2, B46"""
    page = proposed(browser_context)
    twin.control(decideMs=200)
    page.get_by_role("button", name=CONFIRM).dblclick(delay=5)
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]


def test_a_script_never_presses_a_button(browser_context: Watched, twin: Twin) -> None:
    """sec_C32"""
    page = proposed(browser_context)
    page.get_by_role("button", name=CONFIRM).evaluate("""(button) => {
        button.click();
        button.dispatchEvent(new MouseEvent('click', {bubbles: true, composed: true, detail: 1}));
        button.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));
        button.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, composed: true}));
    }""")
    page.wait_for_timeout(200)
    expect(standing(page)).to_have_text("Waiting for you")
    assert verdicts(twin) == []


def test_a_click_within_700_ms_after_the_card_appeared_never_counts_and_says_why(browser_context: Watched, twin: Twin) -> None:
    """sec_C32: by the page's own clock, which stands still between the steps here, so that no machine is too slow"""
    twin.control(conversations=[{"title": "One", "rows": [{"card": {"title": "Change order", "verb": CONFIRM}}]}])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    page.locator("deskhand-conversations .open").wait_for()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.locator("deskhand-conversations .open").click()
    button = page.get_by_role("button", name=CONFIRM)
    for _ in range(100):
        page.clock.run_for(20)
        if button.count():
            break
    page.clock.run_for(600)
    box = button.bounding_box()
    assert box
    page.mouse.click(box["x"] + 20, box["y"] + 10)
    page.clock.run_for(20)
    expect(page.get_by_text("The card has only just come or moved.")).to_be_visible()
    button.focus()
    page.keyboard.press("Enter")
    assert verdicts(twin) == []
    page.clock.run_for(800)
    page.keyboard.press("Enter")
    for _ in range(100):
        page.clock.run_for(20)
        if standing(page).inner_text() == "Done":
            break
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]


def test_a_button_that_moves_under_the_pointer_never_acts(browser_context: Watched, twin: Twin) -> None:
    """sec_C32, UI4"""
    page = proposed(browser_context)
    button = page.get_by_role("button", name=CONFIRM)
    before = button.bounding_box()
    assert before
    # The last row grows: the card moves up by so much, and its first button comes to stand under a pointer that was below it.
    page.evaluate("""() => document.querySelector('deskhand-panel').shadowRoot.querySelector('deskhand-transcript')
        .shadowRoot.querySelector('.log').style.setProperty('padding-top', '140px')""")
    after = button.bounding_box()
    assert after
    assert after["y"] != before["y"]
    page.mouse.click(after["x"] + 20, after["y"] + 10)
    expect(page.get_by_text("The card has only just come or moved.")).to_be_visible()
    assert verdicts(twin) == []
    page.wait_for_timeout(750)
    page.mouse.click(after["x"] + 20, after["y"] + 10)
    expect(standing(page)).to_have_text("Done")


def test_enter_held_down_while_a_card_appears_never_confirms(browser_context: Watched, twin: Twin) -> None:
    """UI4, CO9"""
    page = browser_context.opened()
    page.locator("textarea").fill("propose")
    for _ in range(3):
        page.keyboard.down("Enter")
    finished(page)
    settled(page)
    expect(page.locator("textarea")).to_be_focused()
    page.get_by_role("button", name=CONFIRM).focus()
    for _ in range(5):
        page.keyboard.down("Enter")
    expect(standing(page)).to_have_text("Waiting for you")
    page.keyboard.up("Enter")
    assert verdicts(twin) == []
    page.keyboard.press("Enter")
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]


def test_yes_typed_never_confirms(browser_context: Watched, twin: Twin) -> None:
    """CO9, B37, sec_C18, B36: the chat goes on, the card waits"""
    page = proposed(browser_context)
    ask(page, "yes, do it")
    finished(page, 2)
    expect(standing(page)).to_have_text("Waiting for you")
    expect(page.get_by_role("button", name=CONFIRM)).to_be_enabled()
    assert verdicts(twin) == []


def test_the_card_holds_still_under_the_pointer_while_an_answer_streams(browser_context: Watched, twin: Twin) -> None:
    """UI4, CO8: a card can be decided while the chat goes on"""
    page = browser_context.opened()
    ask(page, "propose slowly")
    page.get_by_role("button", name=CONFIRM).hover()
    settled(page)
    before = page.get_by_role("button", name=CONFIRM).bounding_box()
    expect(page.get_by_text("Line 6.", exact=True).first).to_be_attached()
    assert page.get_by_role("button", name=CONFIRM).bounding_box() == before
    page.mouse.down()
    page.mouse.up()
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]


def test_a_pointer_on_a_card_holds_the_view_only_until_the_person_sends(browser_context: Watched) -> None:
    """UI4"""
    page = proposed(browser_context)
    page.get_by_role("button", name=CONFIRM).hover()
    ask(page, "long")
    expect(line(page, 40)).to_be_in_viewport()
    finished(page, 2)
    expect(page.locator(".user").last).to_be_in_viewport(ratio=1)


def test_the_focus_is_never_put_on_a_card_and_never_lost_by_deciding(browser_context: Watched) -> None:
    """UI4"""
    page = proposed(browser_context)
    expect(page.locator("textarea")).to_be_focused()
    page.get_by_role("button", name="Don’t").focus()
    page.keyboard.press("Space")
    expect(standing(page)).to_have_text("You said no")
    expect(page.locator("deskhand-card section")).to_be_focused()
