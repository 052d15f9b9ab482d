"""What a person does with the panel, as functions: ask, wait for the answer, find a line of it, have a change proposed."""

from __future__ import annotations

import time

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Twin
from tests.browser.watched import Watched

#: What the twin's usual card has on its button.
CONFIRM = "Change order"


def ask(page: Page, text: str) -> None:
    """Afterwards the text was written and Enter pressed."""
    page.locator("textarea").fill(text)
    page.locator("textarea").press("Enter")


def finished(page: Page, answers: int = 1) -> None:
    """Returns once so many answers stand there, stored, and no turn runs."""
    expect(page.locator(".copy")).to_have_count(answers, timeout=8_000)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


def try_now(page: Page) -> None:
    """The button of a lost connection was pressed, if the panel was not back by itself just then (it tries again without being asked)."""
    page.get_by_role("button", name="Try now").evaluate_all("buttons => buttons.forEach((button) => button.click())")


def line(page: Page, number: int) -> Locator:
    """A line of the twin's long answer, in the log (the live region says it too)."""
    return page.get_by_role("log").get_by_text(f"Line {number} of a long answer.", exact=True)


def settled(page: Page) -> None:
    """Returns once the buttons of all waiting cards may be pressed: they have stood for a while, and where they stand."""
    button = page.locator("deskhand-card button:enabled").first
    expect(button).to_be_visible()
    expect(page.locator("deskhand-card .fresh")).to_have_count(0)
    # On a busy machine the log may still be scrolled a while after the cards were drawn.
    stands, since = button.bounding_box(), time.monotonic()
    while time.monotonic() - since < 0.75:
        page.wait_for_timeout(50)
        if (now := button.bounding_box()) != stands:
            stands, since = now, time.monotonic()


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
