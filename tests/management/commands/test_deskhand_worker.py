"""The worker's command; that it runs turns is proved in ``tests/flows/test_workers.py``."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command


def test_a_worker_never_starts_where_turns_run_in_the_web_processes() -> None:
    """OP7: it would wait for ever for jobs that nobody defers."""
    with pytest.raises(CommandError, match="ENGINE"):
        call_command("deskhand_worker", skip_checks=True)
