"""Confirmation cards in a real Chromium: what a person sees and presses, and what must never press itself."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Twin, Watched
from tests.browser.person import ask, finished, settled
from tests.browser.test_panel_for_everybody import CONTRAST, SMALL

pytestmark = pytest.mark.browser

CONFIRM = "Change order"


def proposed(watched: Watched, text: str = "propose") -> Page:
    """A page on which the answer is there and its cards may be pressed."""
    page = watched.opened()
    ask(page, text)
    finished(page)
    settled(page)
    return page


def standing(page: Page) -> Locator:
    """How the cards stand, in words."""
    return page.locator("deskhand-card #standing")


def verdicts(twin: Twin) -> list[str]:
    """What was said to cards, in order: the last word of each address."""
    posts = [one["path"].split("/") for one in twin.requests("POST")]
    return [path[2] for path in posts if path[0] == "cards"]


def shown_again(watched: Watched, title: str = "propose") -> Page:
    """Another tab with that conversation in it."""
    page = watched.opened()
    page.get_by_role("button", name="Conversations").click()
    page.locator("deskhand-conversations .open", has_text=title).first.click()
    expect(page.locator("deskhand-card").first).to_be_visible()
    settled(page)
    return page


def test_a_card_shows_what_would_happen_with_its_verb_and_nothing_of_the_models(browser_context: Watched) -> None:
    """CO3, sec_C24, B59"""
    page = proposed(browser_context)
    card = page.locator("deskhand-card")
    expect(card.get_by_role("heading", name="Change order PO-1204")).to_be_visible()
    expect(card.get_by_role("link")).to_have_attribute("href", "/admin/shop/order/1204/change/")
    expect(card.locator(".changes dt")).to_have_text(["Status", "Due", "Note"])
    expect(card.locator(".before .value").first).to_have_text("Late")
    expect(card.locator(".after .value").first).to_have_text("Cancelled")
    expect(card.locator(".touches li")).to_have_count(2)
    expect(card.get_by_role("button")).to_have_text([CONFIRM, "Don’t"])
    expect(card.locator(".left")).to_have_text("15 minutes left")
    expect(card).not_to_contain_text("harmless")
    words = page.locator(".assistant")
    expect(words).to_contain_text("The assistant’s words")
    expect(words).to_contain_text("It is harmless, just approve it.")
    browser_context.expect_clean()


def test_confirming_posts_once_and_shows_the_servers_end(browser_context: Watched, twin: Twin) -> None:
    """CO5, sec_C1"""
    page = proposed(browser_context)
    twin.control(decideMs=300)
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text("Being carried out…")
    expect(page.get_by_role("button", name=CONFIRM)).to_be_disabled()
    expect(page.get_by_role("button", name="Don’t")).to_be_disabled()
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
    other.evaluate("""(conversation) => {
        const bell = new BroadcastChannel('deskhand:/assistant/api/');
        for (const said of [conversation, {id: conversation, outcome: 'confirmed'}, 'confirmed', null]) bell.postMessage(said);
    }""", card[-1]["path"].split("/")[1])
    page.wait_for_timeout(300)
    expect(standing(page)).to_have_text("Waiting for you")
    expect(page.get_by_role("button", name=CONFIRM)).to_be_enabled()


def test_confirm_in_one_tab_and_no_in_another_show_one_end(browser_context: Watched, twin: Twin) -> None:
    """CO5, B46"""
    first = proposed(browser_context)
    second = shown_again(browser_context)
    twin.control(decideMs=1_500)
    first.get_by_role("button", name=CONFIRM).click()
    expect(standing(first)).to_have_text("Being carried out…")
    second.get_by_role("button", name="Don’t").click()
    expect(standing(second)).to_have_text("Being carried out…")
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
    expect(page.locator("deskhand-card .left")).to_contain_text("left")
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


def test_the_focus_is_never_put_on_a_card_and_never_lost_by_deciding(browser_context: Watched) -> None:
    """UI4"""
    page = proposed(browser_context)
    expect(page.locator("textarea")).to_be_focused()
    page.get_by_role("button", name="Don’t").focus()
    page.keyboard.press("Space")
    expect(standing(page)).to_have_text("You said no")
    expect(page.locator("deskhand-card section")).to_be_focused()


def test_a_screen_reader_finds_names_and_order(browser_context: Watched) -> None:
    """UI4"""
    page = proposed(browser_context)
    card = page.get_by_role("group", name="Waiting for you Change order PO-1204")
    expect(card).to_have_count(1)
    expect(card.get_by_role("button", name=CONFIRM)).to_have_accessible_description("Change order PO-1204")
    tree = card.aria_snapshot()
    order = ["Waiting for you", 'heading "Change order PO-1204"', "Order PO-1204", "Status", "Before Late", "After Cancelled", "Also touched"]
    places = [tree.index(part) for part in [*order, f'button "{CONFIRM}"', 'button "Don’t"']]
    assert places == sorted(places)
    expect(page.locator(".unseen[aria-live] p", has_text="A card waits for you: Change order PO-1204")).to_have_count(1)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("end", ["", "confirmed", "unknown", "failed"])
def test_cards_have_contrast_and_targets_have_size(chromium: Browser, twin: Twin, theme: str, end: str) -> None:
    """UI4: WCAG 1.4.3, and 44 px"""
    context = chromium.new_context(viewport={"width": 360, "height": 780}, color_scheme="light")
    page = Watched(context, twin.address).opened(f"?theme={theme}")
    twin.control(cardEnd=end, cardReason="The number is taken.")
    ask(page, "propose batch")
    finished(page)
    settled(page)
    if end:
        page.get_by_role("button", name="Set 60 prices").click()
        expect(standing(page)).not_to_have_text("Waiting for you")
        expect(standing(page)).not_to_have_text("Being carried out…")
    page.wait_for_timeout(1_000)
    assert (page.evaluate(CONTRAST), page.evaluate(SMALL)) == ([], [])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_hostile_text_stays_text_whole_and_breaks_no_policy(browser_context: Watched) -> None:
    """sec_C23, B50, B106"""
    page = proposed(browser_context, "propose hostile")
    card = page.locator("deskhand-card")
    expect(card.locator("h3")).to_contain_text("<img src=x onerror=alert(1)> **Done** [approved](javascript:alert(1))")
    expect(card.locator("a")).to_have_count(0)
    expect(card.get_by_role("button").first).to_have_text("<i>Change</i> ⟨U+202E⟩")
    card.locator("summary").click()
    expect(card.locator(".arguments .value")).to_contain_text("And then delete everything.")
    for name in ("script", "img", "i", "b"):
        assert card.locator(name).count() == 0
    whole = card.evaluate("card => [...card.shadowRoot.querySelectorAll('.value')].every(at => at.scrollWidth <= at.clientWidth)")
    assert whole
    browser_context.expect_clean()


#: What is drawn of a card, read back from its nodes, in the card's own shape.
READ = """(host) => {
  const root = host.shadowRoot;
  const text = (at) => at ? at.textContent : null;
  const value = (at) => at.classList.contains('none') ? '' : at.textContent;
  const changes = (list) => list ? [...list.children].map((row) => ({field: text(row.querySelector('dt')),
    before: value(row.querySelector('.before .value')), after: value(row.querySelector('.after .value'))})) : [];
  const body = root.querySelector('.body');
  return {
    title: text(root.querySelector('#title')),
    verb: text(root.querySelector('.verbs .main span')),
    object: text(root.querySelector('.object > *')),
    changes: changes(body.querySelector(':scope > .changes')),
    touches: [...root.querySelectorAll('.touches li span')].map(text),
    items: [...root.querySelectorAll('.items > ol > li')].map((item) => ({title: text(item.querySelector('.name')),
      changes: changes(item.querySelector('.changes'))})),
    arguments: [...root.querySelectorAll('.arguments > div')].map((row) => ({name: text(row.querySelector('dt')),
      value: value(row.querySelector('.value'))})),
  };
}"""


def _text(chance: random.Random) -> str:
    """Any characters at all that JSON and the server let through: markup, right-to-left, marks, emoji, controls, and none."""
    ranges = [(0x20, 0x7E), (0x20, 0x7E), (0x01, 0x1F), (0x80, 0x24F), (0x590, 0x6FF), (0x2000, 0x206F), (0x4E00, 0x9FFF), (0x1F300, 0x1F6FF), (0xE000, 0xE0FF)]
    pieces = ["<b>", "</section>", "&amp;", "${x}", "<!--", "\r\n", "\t", "  ", "{{x}}", "“", "lit$1$", "<?lit$"]
    made = []
    for _ in range(chance.choice([0, 1, 3, 12, 60])):
        start, end = chance.choice(ranges)
        made.append(chance.choice(pieces) if chance.random() < 0.15 else chr(chance.randint(start, end)))
    return "".join(made)


def _card(chance: random.Random) -> dict[str, Any]:
    def changes(most: int) -> list[dict[str, str]]:
        return [{"field": _text(chance), "before": _text(chance), "after": _text(chance)} for _ in range(chance.randint(0, most))]

    return {
        "tool": "Change",
        "title": "t" + _text(chance),
        "verb": "v" + _text(chance),
        "object": {"name": "o" + _text(chance), "url": chance.choice([None, "/admin/x/1/", "javascript:alert(1)"])},
        "changes": changes(4),
        "touches": [_text(chance) for _ in range(chance.randint(0, 3))],
        "items": [{"title": _text(chance), "changes": changes(2)} for _ in range(chance.randint(0, 4))],
        "arguments": [{"name": _text(chance), "value": _text(chance)} for _ in range(chance.randint(0, 3))],
    }


def test_every_text_of_a_hundred_random_cards_stands_in_the_page_as_the_server_sent_it(browser_context: Watched, twin: Twin) -> None:
    """sec_C20, B50"""
    chance = random.Random(20)
    cards = [_card(chance) for _ in range(100)]
    twin.control(conversations=[{"title": "All", "rows": [{"card": card} for card in cards[half : half + 50]]} for half in (0, 50)])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    drawn: list[dict[str, Any]] = []
    for index in (1, 0):
        page.locator("deskhand-conversations .open").nth(index).click()
        expect(page.locator("deskhand-card")).to_have_count(50)
        drawn += [page.locator("deskhand-card").nth(place).evaluate(READ) for place in range(50)]
        page.get_by_role("button", name="Conversations").click()
    for card, seen in zip(cards, drawn, strict=True):
        sent = {name: text for name, text in card.items() if name != "tool"} | {"object": card["object"]["name"]}
        assert seen == sent
    browser_context.expect_clean()


def test_no_card_is_asked_about_once_all_have_ended(browser_context: Watched, twin: Twin) -> None:
    """CO10, design 7: no traffic of an idle panel"""
    page = proposed(browser_context)
    page.get_by_role("button", name="Don’t").click()
    expect(standing(page)).to_have_text("You said no")
    page.wait_for_timeout(300)
    before = len(twin.requests("GET"))
    page.wait_for_timeout(1_500)
    assert len(twin.requests("GET")) == before


def test_a_right_that_is_gone_leaves_title_and_end_alone(browser_context: Watched, twin: Twin) -> None:
    """CO3"""
    card = {"tool": "", "title": "Change order PO-1", "outcome": "confirmed", "changes": [], "items": [], "arguments": []}
    twin.control(conversations=[{"title": "Gone", "rows": [{"card": card}]}])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name="Gone").first.click()
    expect(standing(page)).to_have_text("Done")
    expect(page.locator("deskhand-card summary")).to_have_count(0)
