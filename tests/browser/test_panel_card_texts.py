"""What stands on a card, for the eye, the ear and a hostile hand: whole, as text, in order."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Twin
from tests.browser.measures import CONTRAST, SMALL
from tests.browser.person import CONFIRM, ask, finished, proposed, settled, standing
from tests.browser.watched import Watched

pytestmark = pytest.mark.browser


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


def test_a_screen_reader_finds_names_and_order(browser_context: Watched) -> None:
    """UI4"""
    page = proposed(browser_context)
    card = page.get_by_role("group", name="Waiting for you Change order PO-1204")
    expect(card).to_have_count(1)
    expect(card.get_by_role("button", name=CONFIRM)).to_have_accessible_description("Change order PO-1204")
    tree = card.aria_snapshot()
    order = [
        "Waiting for you",
        'heading "Change order PO-1204"',
        "Order PO-1204",
        "Status",
        "Before Late",
        "After Cancelled",
        "Also touched",
    ]
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
    ranges = [
        (0x20, 0x7E),
        (0x20, 0x7E),
        (0x01, 0x1F),
        (0x80, 0x24F),
        (0x590, 0x6FF),
        (0x2000, 0x206F),
        (0x4E00, 0x9FFF),
        (0x1F300, 0x1F6FF),
        (0xE000, 0xE0FF),
    ]
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


def test_every_text_of_a_hundred_random_cards_stands_in_the_page_as_the_server_sent_it(
    browser_context: Watched, twin: Twin
) -> None:
    """sec_C20, B50"""
    chance = random.Random(20)
    cards = [_card(chance) for _ in range(100)]
    twin.control(
        conversations=[{"title": "All", "rows": [{"card": card} for card in cards[half : half + 50]]} for half in (0, 50)]
    )
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


def test_a_right_that_is_gone_leaves_title_and_end_alone(browser_context: Watched, twin: Twin) -> None:
    """CO3"""
    card = {"tool": "", "title": "Change order PO-1", "outcome": "confirmed", "changes": [], "items": [], "arguments": []}
    twin.control(conversations=[{"title": "Gone", "rows": [{"card": card}]}])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name="Gone").first.click()
    expect(standing(page)).to_have_text("Done")
    expect(page.locator("deskhand-card summary")).to_have_count(0)
