"""What holds for every test of the repository."""

from __future__ import annotations

pytest_plugins = ["tests.log_watch"]
