"""What the tests of turns start from."""

from __future__ import annotations

from tests.append_only import journal_is_append_only
from tests.confirmations.conftest import odd

__all__ = ["journal_is_append_only", "odd"]
