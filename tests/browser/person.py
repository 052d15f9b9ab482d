"""What a person does with the panel, as functions: ask, wait for the answer, find a line of it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def ask(page: Page, text: str) -> None:
    """Afterwards the text was written and Enter pressed."""
    page.locator("textarea").fill(text)
    page.locator("textarea").press("Enter")


def finished(page: Page, answers: int = 1) -> None:
    """Returns once so many answers stand there, stored, and no turn runs."""
    expect(page.locator(".copy")).to_have_count(answers, timeout=8_000)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


def line(page: Page, number: int) -> Locator:
    """A line of the twin's long answer, in the log (the live region says it too)."""
    return page.get_by_role("log").get_by_text(f"Line {number} of a long answer.", exact=True)


def settled(page: Page) -> None:
    """Returns once the buttons of all waiting cards may be pressed: they have stood for a while, and where they stand."""
    expect(page.locator("deskhand-card button:enabled").first).to_be_visible()
    expect(page.locator("deskhand-card .fresh")).to_have_count(0)
    page.wait_for_timeout(750)
