"""The panel behind a real nginx that keeps a stream in its buffers: it goes over to polls by itself, and the answer is there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.person import ask
from tests.browser.real import Desk, answered, slowly
from tests.flows.conftest import Model
from tests.nginx import PROGRAM, Nginx
from tests.provider import Provider, say
from tests.serving import Server, settings_for

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(PROGRAM is None, reason="no nginx on this machine"),
]


@pytest.fixture
def desk(django_db_setup: None, provider: Provider, chromium: Browser) -> Iterator[Desk]:
    """Somebody whose browser reaches the server through an nginx that keeps what it is sent."""
    model = Model(provider)
    server = Server.uvicorn(settings_for(provider.base_url, model.name), app="pages")
    nginx = Nginx([server.port], "proxy_ignore_headers X-Accel-Buffering;")
    server.url = nginx.url
    made = Desk.of(server, model, chromium)
    yield made
    made.close()
    nginx.close()
    server.close()


def test_an_answer_that_a_proxy_holds_back_comes_by_polls(desk: Desk) -> None:
    """UI6, B132"""
    desk.model.plays(slowly("Half of ", "an answer"), say("A whole one."))
    page = desk.opened()
    ask(page, "Tell me")
    # The proxy gives nothing of a stream that has not ended: what is seen was polled.
    expect(page.locator(".assistant")).to_contain_text("Half of an answer", timeout=15_000)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped here.")).to_be_visible()
    ask(page, "Again")
    answered(page, "A whole one.")
    desk.watched.expect_clean()
