"""The panel in a real Chromium in both admin sites of the host: from the host's own login to a change that is done (``OP10``, ``UI1``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.browser.conftest import Watched, chromium, database_beside_playwright
from tests.browser.person import ask, settled, standing
from tests.browser.real import answered
from tests.host.desk import PASSWORD, PREFIX, Host, Made, colleague
from tests.provider import call, say
from tests.shop.models import Customer

__all__ = ["chromium", "database_beside_playwright"]
pytestmark = pytest.mark.browser


@pytest.fixture
def host_here(host: Callable[[str], Host]) -> Host:
    return host("uvicorn")


@pytest.fixture
def watched(chromium: Browser, host_here: Host) -> Iterator[Watched]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    made = Watched(context, f"{host_here.address}/en")

    def note(said: ConsoleMessage) -> None:
        # Chromium asks the server's root for an icon, which is not this site's.
        if said.type in ("error", "warning") and not said.location["url"].endswith("/favicon.ico"):
            made.errors.append(f"{said.text} {said.location['url']}")

    context.on("console", note)
    yield made
    context.close()


def signed_in(watched: Watched, site: str, email: str) -> Page:
    """The site's first page, by its own login."""
    page = watched.page(f"{site}/")
    expect(page.locator("form input[name=username]")).to_be_visible()
    expect(page.locator("deskhand-panel")).to_have_count(0)
    page.locator("input[name=username]").fill(email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("form").locator("button, input[type=submit]").first.click()
    expect(page.locator("deskhand-panel")).to_have_count(1)
    return page


@pytest.mark.parametrize("site", ["admin", "backoffice"])
def test_from_login_to_a_change_that_is_done_and_is_there_after_a_reload(
    watched: Watched, host_here: Host, made: Made, site: str
) -> None:
    """UI1, OP10: nothing in the console, nothing from elsewhere, every address under prefix and language."""
    asked: list[str] = []
    watched.context.on("request", lambda request: asked.append(request.url))
    page = signed_in(watched, site, colleague(site).email)
    host_here.model.plays(
        call(("read_order", {"number": made.order.number}), ("set_credit_limit", {"customer": made.customer.pk, "limit": "500"})),
        say("A card waits for you."),
    )
    page.get_by_role("button", name="Open the assistant").click()
    page.locator(".provider").wait_for()
    ask(page, "Raise the limit of Hansen")
    answered(page, "A card waits for you.", seconds=20)
    link = page.locator("deskhand-card a").first
    expect(link).to_have_attribute("href", f"{PREFIX}/en/{site}/shop/customer/{made.customer.pk}/change/")
    settled(page)
    page.locator("deskhand-card").get_by_role("button", name="Set limit").click()
    expect(standing(page)).to_contain_text("Done")
    page.reload()
    answered(page, "A card waits for you.")
    expect(standing(page)).to_contain_text("Done")
    assert Customer.objects.using("default").get(pk=made.customer.pk).credit_limit == 500
    watched.expect_clean()
    api = [url for url in asked if "/api/" in url]
    assert api
    assert all(url.startswith(f"{host_here.address}/en/assistant/api/") for url in api)
