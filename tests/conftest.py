"""Fixtures that every part of the suite may ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import hypothesis
import pytest

from deskhand import switches
from deskhand.turns import mirror, runner
from tests.provider import Provider

# a slow machine is no failure
hypothesis.settings.register_profile("deskhand", deadline=None)
hypothesis.settings.load_profile("deskhand")


@pytest.fixture(scope="session")
def provider() -> Iterator[Provider]:
    """The provider process: one a session, so one a worker under xdist. Tests use model names of their own in it."""
    running = Provider.start()
    yield running
    running.close()


@pytest.fixture(autouse=True)
def nobody_sweeps_after_the_test() -> Iterator[None]:
    """The keeper that a test's request or turn has started ends with it, and touches no other test's rows."""
    yield
    runner.abandon()


@pytest.fixture
def switch() -> Iterator[Callable[[str], None]]:
    """Switches a tool off (``""``: the assistant); after the test this process knows nothing of it."""
    yield lambda tool: switches.switch_off(tool, "the test") and None
    switches.forget()


def pytest_sessionfinish() -> None:
    """Turns that tests left behind are given up, so that the process does not wait for them at its end: their database is gone."""
    runner.abandon()
    mirror.stop()
