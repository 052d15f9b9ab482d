"""Confirmation cards in a real Chromium: their ends, in every tab and browser, after a reload, a lost connection, a while."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Twin
from tests.browser.person import CONFIRM, ask, finished, proposed, settled, shown_again, standing, verdicts
from tests.browser.watched import Watched

pytestmark = pytest.mark.browser


def test_confirming_posts_once_and_shows_the_servers_end(browser_context: Watched, twin: Twin) -> None:
    """CO5, sec_C1"""
    page = proposed(browser_context)
    twin.control(holdDecides=True)
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text("Being carried out…")
    expect(page.get_by_role("button", name=CONFIRM)).to_be_disabled()
    expect(page.get_by_role("button", name="Don’t")).to_be_disabled()
    twin.control(holdDecides=False)
    expect(standing(page)).to_have_text("Done")
    expect(page.locator("deskhand-card button")).to_have_count(0)
    assert verdicts(twin) == ["confirm"]
    assert [one["body"] for one in twin.requests("POST", "/confirm")] == [{}]
    page.reload()
    expect(standing(page)).to_have_text("Done")
    expect(page.locator(".notice")).to_have_count(0)
    browser_context.expect_clean()


def test_saying_no_is_one_click_and_says_that_nothing_was_changed(browser_context: Watched, twin: Twin) -> None:
    """B39, B53"""
    page = proposed(browser_context)
    page.get_by_role("button", name="Don’t").click()
    expect(standing(page)).to_have_text("You said no")
    expect(page.get_by_text("Nothing was changed.")).to_be_visible()
    ask(page, "hello")
    finished(page, 2)
    page.reload()
    finished(page, 2)
    expect(standing(page)).to_have_text("You said no")
    assert verdicts(twin) == ["reject"]


def test_a_card_that_the_chat_left_behind_is_found_again(browser_context: Watched, twin: Twin) -> None:
    """CO8: the chat goes on; the way back is the person's own press, and leads to the card and not to a button"""
    page = proposed(browser_context)
    expect(page.get_by_text("waits for you.", exact=False).and_(page.locator(".due span"))).to_have_count(0)
    twin.control(pieceMs=1)
    ask(page, "a long answer")
    finished(page, 2)
    expect(page.locator(".due")).to_contain_text("1 card above waits for you.")
    expect(page.get_by_role("button", name=CONFIRM)).not_to_be_in_viewport()
    page.get_by_role("button", name="Show", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Change order PO-1204")).to_be_in_viewport()
    expect(page.locator("deskhand-card section")).to_be_focused()
    page.keyboard.press("Enter")
    assert verdicts(twin) == []
    settled(page)
    page.get_by_role("button", name="Don’t").press("Enter")
    expect(standing(page)).to_have_text("You said no")
    expect(page.locator(".due")).to_have_count(0)


def test_stop_leaves_a_waiting_card_as_it_is(browser_context: Watched, twin: Twin) -> None:
    """B57"""
    page = browser_context.opened()
    ask(page, "propose slowly")
    expect(page.locator("deskhand-card")).to_be_visible()
    expect(page.get_by_text("Line 2.", exact=True).first).to_be_attached()
    page.get_by_role("button", name="Stop", exact=True).click()
    finished(page)
    page.reload()
    settled(page)
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]


def test_the_end_shows_at_once_in_every_tab_and_each_asks_the_server(browser_context: Watched, twin: Twin) -> None:
    """CO10, B46"""
    first = proposed(browser_context)
    second = shown_again(browser_context)
    second.get_by_role("button", name=CONFIRM).click()
    for page in (first, second):
        expect(standing(page)).to_have_text("Done", timeout=2_000)
        expect(page.locator("deskhand-card button")).to_have_count(0)
    assert verdicts(twin) == ["confirm"]
    browser_context.expect_clean()


def test_what_another_tab_says_is_never_taken_for_an_outcome(browser_context: Watched, twin: Twin) -> None:
    """CO10"""
    page = proposed(browser_context)
    card = twin.requests("GET", "/messages")
    other = browser_context.page()
    other.evaluate(
        """(conversation) => {
        const bell = new BroadcastChannel('deskhand:/assistant/api/');
        for (const said of [conversation, {id: conversation, outcome: 'confirmed'}, 'confirmed', null]) bell.postMessage(said);
    }""",
        card[-1]["path"].split("/")[1],
    )
    page.wait_for_timeout(300)
    expect(standing(page)).to_have_text("Waiting for you")
    expect(page.get_by_role("button", name=CONFIRM)).to_be_enabled()


def test_confirm_in_one_tab_and_no_in_another_show_one_end(browser_context: Watched, twin: Twin) -> None:
    """CO5, B46"""
    first = proposed(browser_context)
    second = shown_again(browser_context)
    twin.control(holdDecides=True)
    first.get_by_role("button", name=CONFIRM).click()
    expect(standing(first)).to_have_text("Being carried out…")
    second.get_by_role("button", name="Don’t").click()
    expect(standing(second)).to_have_text("Being carried out…")
    twin.control(holdDecides=False)
    for page in (first, second):
        expect(standing(page)).to_have_text("Done")


def test_a_waiting_card_survives_a_reload(browser_context: Watched, twin: Twin) -> None:
    """B40, CO10"""
    page = proposed(browser_context)
    page.reload()
    settled(page)
    expect(page.locator("deskhand-card .value").first).to_have_text("Late")
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]


def test_a_card_whose_event_was_cut_off_is_there_all_the_same(browser_context: Watched, twin: Twin) -> None:
    """B40"""
    twin.control(cut=2, cutAfter=3)
    page = proposed(browser_context)
    expect(page.locator("deskhand-card")).to_have_count(1)
    expect(page.get_by_role("button", name=CONFIRM)).to_be_enabled()


def test_a_card_that_runs_out_while_one_looks_says_so_and_has_no_buttons(browser_context: Watched, twin: Twin) -> None:
    """B42, B44, sec_C5"""
    twin.control(cardSeconds=2)
    page = browser_context.opened()
    ask(page, "propose")
    expect(standing(page)).to_have_text("Ran out")
    expect(page.get_by_text("Nobody decided in time. Nothing was changed.")).to_be_visible()
    expect(page.locator("deskhand-card button")).to_have_count(0)
    assert verdicts(twin) == []


def test_in_another_browser_the_card_has_no_buttons_and_says_why(browser_context: Watched, chromium: Browser, twin: Twin) -> None:
    """CO10, B40, sec_C8"""
    page = proposed(browser_context)
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    other = Watched(context, twin.address).opened()
    other.get_by_role("button", name="Conversations").click()
    other.locator("deskhand-conversations .open").first.click()
    expect(standing(other)).to_have_text("Waiting in another browser")
    expect(other.get_by_text("It can be decided only there.")).to_be_visible()
    expect(other.locator("deskhand-card button")).to_have_count(0)
    expect(other.locator("deskhand-card .value").first).to_have_text("Late")
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(other)).to_have_text("Done", timeout=10_000)
    context.close()


def test_several_cards_are_decided_each_on_its_own_in_any_order(browser_context: Watched, twin: Twin) -> None:
    """CO8, B47"""
    page = proposed(browser_context, "propose three")
    cards = page.locator("deskhand-card")
    expect(cards).to_have_count(3)
    cards.nth(2).get_by_role("button", name="Don’t").click()
    expect(standing(page).nth(2)).to_have_text("You said no")
    settled(page)
    cards.nth(0).get_by_role("button", name=CONFIRM).scroll_into_view_if_needed()
    page.wait_for_timeout(750)
    cards.nth(0).get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text(["Done", "Waiting for you", "You said no"])
    assert sorted(verdicts(twin)) == ["confirm", "reject"]


@pytest.mark.parametrize(
    ("end", "head", "words"),
    [
        ("changed", "Data changed meanwhile", "Nothing was done."),
        ("failed", "Did not work", "The number is taken."),
    ],
)
def test_each_end_has_words_of_its_own(browser_context: Watched, twin: Twin, end: str, head: str, words: str) -> None:
    """B35, B44, B55, CO6"""
    page = proposed(browser_context)
    twin.control(cardEnd=end, cardReason="The number is taken." if end == "failed" else "")
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text(head)
    expect(page.locator("deskhand-card .why")).to_contain_text(words)
    expect(page.locator("deskhand-card button")).to_have_count(0)


def test_an_unknown_end_is_to_be_acknowledged(browser_context: Watched, twin: Twin) -> None:
    """CO7"""
    page = proposed(browser_context, "propose outside")
    expect(page.get_by_text("acts outside this back office")).to_be_visible()
    twin.control(cardEnd="unknown")
    page.get_by_role("button", name="Send reminder").click()
    expect(standing(page)).to_have_text("Not known whether it happened")
    expect(page.locator(".past .value").first).to_be_visible()
    page.reload()
    settled(page)
    page.get_by_role("button", name="I have checked").click()
    expect(standing(page)).to_have_text("Did not work")
    expect(page.locator("deskhand-card button")).to_have_count(0)
    assert verdicts(twin) == ["confirm", "acknowledge"]


def test_a_lost_answer_to_a_click_is_asked_about_and_never_guessed(browser_context: Watched, twin: Twin) -> None:
    """B66, CO5"""
    page = proposed(browser_context)
    twin.control(loseDecides=1, deafLooks=2)
    page.get_by_role("button", name=CONFIRM).click()
    expect(page.get_by_text("Whether your click arrived is not known")).to_be_visible()
    expect(page.get_by_role("button", name=CONFIRM)).to_be_disabled()
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]


def test_a_click_that_never_arrived_can_be_made_again(browser_context: Watched, twin: Twin) -> None:
    """B66"""
    page = proposed(browser_context)
    twin.control(dropDecides=1)
    page.get_by_role("button", name=CONFIRM).click()
    expect(page.get_by_text("The server has not carried it out so far. Decide again.")).to_be_visible()
    settled(page)
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text("Done")


def test_a_batch_shows_its_count_and_every_row_by_keyboard(browser_context: Watched, twin: Twin) -> None:
    """CO8, sec_C26"""
    page = proposed(browser_context, "propose batch")
    rows = page.locator(".items li")
    expect(page.get_by_text("60 rows")).to_be_visible()
    expect(rows.first).not_to_be_visible()
    page.locator(".items summary").focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(60)
    expect(rows.last).to_contain_text("SKU-159")
    page.wait_for_timeout(750)
    page.get_by_role("button", name="Set 60 prices").click()
    expect(page.get_by_text("57 done, 3 not done")).to_be_visible()
    results = page.locator(".results li")
    expect(results).to_have_count(60)
    expect(results.first).to_contain_text("This price is fixed by contract.")
    assert verdicts(twin) == ["confirm"]


def test_no_card_is_asked_about_once_all_have_ended(browser_context: Watched, twin: Twin) -> None:
    """CO10, design 7: no traffic of an idle panel"""
    page = proposed(browser_context)
    page.get_by_role("button", name="Don’t").click()
    expect(standing(page)).to_have_text("You said no")
    page.wait_for_timeout(300)
    before = len(twin.requests("GET"))
    page.wait_for_timeout(1_500)
    assert len(twin.requests("GET")) == before


def test_this_browsers_clock_never_ends_a_card(browser_context: Watched, twin: Twin) -> None:
    """CO2, B42: the server's clock decides; a browser whose clock ran ahead asks, and goes on waiting if it is told so"""
    twin.control(conversations=[{"title": "One", "rows": [{"card": {"title": "Change order", "verb": CONFIRM}}]}])
    page = browser_context.opened()
    page.clock.install()
    page.get_by_role("button", name="Conversations").click()
    page.locator("deskhand-conversations .open").click()
    settled(page)
    page.clock.fast_forward("16:00")
    expect(page.locator("deskhand-card .left")).to_have_text("15 minutes left")
    expect(standing(page)).to_have_text("Waiting for you")
    settled(page)
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]
