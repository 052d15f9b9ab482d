"""Settings of gunicorn for ``tests.faults.servers``: a worker's faults are what the test wrote down.

The file holds a line for each worker that is to fail: the one that runs is told by a signal to take the first line, each that is forked
after it takes the next one, and whoever finds none has no faults.
"""

from __future__ import annotations

import os
import pathlib
import signal

#: Sent to a worker: take the next line. Gunicorn has no use for it.
TAKE = signal.SIGRTMIN


def post_fork(server: object, worker: object) -> None:
    """This worker's faults are those of the file's first line, which is taken out; and so each time it is told."""
    from deskhand import transactions

    transactions.IDLE_SECONDS = float(os.environ.get("DESKHAND_TEST_IDLE_SECONDS", transactions.IDLE_SECONDS))
    signal.signal(TAKE, lambda *_: take())
    take()


def take() -> None:
    """From now on this process has the faults of the file's first line and no others, and nothing of the last test's rows in memory."""
    from django.contrib.contenttypes.models import ContentType

    from deskhand import faults

    # Between two tests all tables are emptied, and the content types get other numbers.
    ContentType.objects.clear_cache()
    plan = pathlib.Path(os.environ["DESKHAND_TEST_PLAN"])
    first, _, rest = plan.read_text().partition("\n")
    faults.set_faults(first)
    plan.write_text(rest)
