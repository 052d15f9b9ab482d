"""Settings of gunicorn for ``tests.faults.servers``: the next worker has the faults that the test wrote down, and no later one."""

from __future__ import annotations

import os
import pathlib


def post_fork(server: object, worker: object) -> None:
    """This worker's faults are those of the file, which is emptied."""
    from deskhand import faults

    plan = pathlib.Path(os.environ["DESKHAND_TEST_PLAN"])
    faults.set_faults(plan.read_text())
    plan.write_text("")
