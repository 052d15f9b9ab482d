"""Servers to kill and to race: one whose worker fails where a test says, and several over one database.

The project is loaded once, in gunicorn's first process; a worker that dies is forked anew within a moment, which is what a restart is to
a database. Limits: the first process lives on; a machine that goes down is the database's own business.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import sys
import tempfile
import time
from collections.abc import Mapping

import urllib3

from deskhand.faults import VARIABLE
from tests.faults.gunicorn_conf import TAKE
from tests.flows.steps import until
from tests.serving import Server, free_port


class Killable(Server):
    """A server whose worker can be made to die at a point of the code."""

    @classmethod
    def fresh(cls, deskhand: Mapping[str, object], **settings: object) -> Killable:
        """It answers."""
        port = free_port()
        command = [sys.executable, "-m", "gunicorn", "tests.served:wsgi", "-b", f"127.0.0.1:{port}", "-w", "1", "--threads", "8"]
        command += ["--preload", "-c", "python:tests.faults.gunicorn_conf", "--log-level", "warning", "--graceful-timeout", "2"]
        # Stopped is not dead: gunicorn is to leave a worker alone that does not answer.
        command += ["--timeout", "600", "--keep-alive", "75"]
        handle, name = tempfile.mkstemp(prefix="deskhand-plan-")
        os.close(handle)
        os.environ["DESKHAND_TEST_PLAN"] = name
        os.environ.pop(VARIABLE, None)
        made = cls(command, port, deskhand, **settings)
        made.plan = pathlib.Path(name)
        return made

    plan: pathlib.Path
    #: Name of its model at the provider process.
    model: str = ""

    def worker(self) -> int:
        """The pid of the process that answers; 0 while there is none."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[-1]) if children else 0

    def arm(self, faults: str, *next_ones: str) -> int:
        """The worker has these faults and no others, and those that are forked after it the next ones; its pid."""
        plan = "".join(f"{each}\n" for each in (faults, *next_ones))
        self.plan.write_text(plan)
        worker = self.worker()
        os.kill(worker, TAKE)
        until(lambda: self.plan.read_text() != plan)
        return worker

    def died(self, worker: int, seconds: float = 20) -> float:
        """That worker is gone of itself; when that was seen, by the monotonic clock, and another one answers."""
        until(lambda: self.worker() != worker, seconds)
        seen = time.monotonic()
        until(lambda: self.worker() not in (0, worker) and self._answers(), seconds)
        return seen

    def stopped(self, worker: int, seconds: float = 20) -> None:
        """That worker has been stopped, as by SIGSTOP."""
        until(lambda: self.is_stopped(worker), seconds)

    def is_stopped(self, worker: int) -> bool:
        """Whether it is stopped at this moment."""
        return _state(worker) == "T"

    def renew(self, old: int, signal_number: int = signal.SIGKILL) -> int:
        """That worker is gone and another one answers; its pid."""
        if old:
            with contextlib.suppress(ProcessLookupError):
                os.kill(old, signal_number)
        ends = time.monotonic() + 30
        while time.monotonic() < ends:
            now = self.worker()
            if now and now != old and self._answers():
                return now
            time.sleep(0.02)
        raise AssertionError(f"no new worker: {self.log}")

    def _answers(self) -> bool:
        try:
            urllib3.request("GET", f"{self.url}/assistant/api/state", retries=False, timeout=5)
        except urllib3.exceptions.HTTPError:
            return False
        return True

    def close(self) -> None:
        """It is gone."""
        super().close()
        self.plan.unlink(missing_ok=True)


def _state(pid: int) -> str:
    """What the system says that this process does: ``T`` is stopped."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""
