"""Fixtures of the tests of cards."""

from __future__ import annotations

import pytest

from tests import make
from tests.confirmations.case import MAY, ODD, Case


@pytest.fixture
def case() -> Case:
    """Somebody who may change customers and orders."""
    return Case(make.user(MAY))


@pytest.fixture
def odd() -> Case:
    """Who may use the odd tools as well."""
    return Case(make.user(ODD))
