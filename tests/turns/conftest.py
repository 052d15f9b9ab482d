"""Fixtures of the tests of turns."""

from __future__ import annotations

from tests.confirmations.conftest import odd

__all__ = ["odd"]
