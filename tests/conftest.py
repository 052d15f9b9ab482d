"""Fixtures that every part of the suite may ask for."""

from __future__ import annotations

from collections.abc import Iterator

import hypothesis
import pytest

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
