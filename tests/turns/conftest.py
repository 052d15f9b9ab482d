"""What the tests of turns start from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from deskhand.scope import Scope
from deskhand.turns import runner
from tests import make
from tests.append_only import journal_is_append_only
from tests.canary import CANARY
from tests.confirmations.conftest import odd
from tests.shop.models import Customer, Order
from tests.turns.threads import QUICK

__all__ = ["journal_is_append_only", "odd"]


@pytest.fixture
def scope(settings: object) -> Iterator[Scope]:
    settings.DESKHAND = QUICK  # type: ignore[attr-defined]
    Order.objects.create(number="A-1", customer=Customer.objects.create(name="Hansen"), note=CANARY)
    yield make.scope(["deskhand.use_assistant", "shop.view_order"])
    runner.stop()
