"""Fixtures of the tests of turns."""

from __future__ import annotations

from tests.append_only import journal_is_append_only

__all__ = ["journal_is_append_only"]
