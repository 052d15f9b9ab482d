"""``make screenshot``: pictures of the panel in the demo, by day, by night and on a phone, as the README shows them.

The demo runs on a database of its own in a temporary folder and on a free port, so nothing that somebody has tried there is seen, and
nothing of theirs is touched. The offline model answers.

Called as ``python -m scripts.screenshot`` in a development environment, which has Playwright.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from scripts.demo import MANAGE, prepare
from scripts.environment import ROOT, say
from scripts.suites import chromium

#: What is asked, one after the other: an answer with a table, and a change that waits as a card below it.
QUESTIONS = ("Show order A-4188", "Mark order A-4188 as shipped")
SIZE = ViewportSize(width=1600, height=1150)
PAGE = "/admin/wholesale/order/"
LOGIN, PASSWORD = "owner", "deskhand-demo"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
_START_SECONDS = 60
_ANSWER_MS = 60_000
_FADE_MS = 400


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The demo's address, served from a new database while the block runs."""
    with tempfile.TemporaryDirectory(prefix="deskhand-demo-") as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
        probe.close()
        environment = {**os.environ, "DEMO_SQLITE": str(Path(folder) / "demo.sqlite3")}
        prepare(Path(sys.executable), environment)
        server = subprocess.Popen([sys.executable, str(MANAGE), "runserver", "--noreload", address], env=environment)
        try:
            _wait(f"http://{address}/admin/login/")
            yield f"http://{address}"
        finally:
            server.terminate()
            server.wait()


def _wait(url: str) -> None:
    until = time.monotonic() + _START_SECONDS
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def ask(page: Page, base: str) -> None:
    """Signs in, opens the panel wide on the list of orders, asks, and comes back when the answers are whole and the card stands."""
    page.goto(f"{base}/admin/login/?next={PAGE}")
    page.fill("#id_username", LOGIN)
    page.fill("#id_password", PASSWORD)
    page.press("#id_password", "Enter")
    page.locator("deskhand-panel button.launcher").click()
    page.locator("deskhand-panel button.widths").click()
    for number, question in enumerate(QUESTIONS):
        page.locator("deskhand-composer textarea").fill(question)
        page.locator("deskhand-composer button.send").click()
        # The button to copy an answer comes when the answer is whole.
        page.locator("deskhand-transcript .copy").nth(number).wait_for(state="attached", timeout=_ANSWER_MS)
    # A card's buttons are pale until they may be pressed.
    page.locator("deskhand-card .verbs:not(.fresh)").wait_for(timeout=_ANSWER_MS)
    page.wait_for_timeout(_FADE_MS)


def shoot(page: Page) -> None:
    """The three pictures of the page as it stands."""
    page.screenshot(path=ROOT / "docs" / "panel.png")
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=ROOT / "docs" / "panel-dark.png")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("deskhand-transcript .newest").click()
    page.wait_for_timeout(_FADE_MS)
    page.screenshot(path=ROOT / "docs" / "panel-phone.png")


def main() -> int:
    """Exit code of the command line."""
    found = chromium()
    if found is None:
        say("No Chromium; install it: sudo apt-get install chromium")
        return 1
    with served() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=_FLAGS)
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        ask(page, base)
        shoot(page)
        browser.close()
    say("Written: docs/panel.png, docs/panel-dark.png, docs/panel-phone.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
