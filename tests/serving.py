"""Servers of their own process, for what one process can't show: ASGI, several processes on one database, a kill.

``Server.uvicorn(…)`` and ``Server.gunicorn(…)`` start the test project over the database of the test that runs, so that a test looks at
the same rows, and wait until it answers. A test that uses one must commit what it writes (``transactional_db``). Run as a module this
file is what the server loads: settings come from the environment, see ``settings_for``.

Limits: the database must exist and be migrated before a server starts (ask for ``django_db_setup``).
"""

from __future__ import annotations

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

import urllib3

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: Waits of a served project: short, so that tests are.
SHORT: Mapping[str, object] = {
    "FLUSH_SECONDS": 0.1,
    "RIGHTS_SECONDS": 0.5,
    "TURN_SECONDS": 60,
    "LEASE_SECONDS": 120,
    "GRACE_SECONDS": 0.5,
}


def settings_for(base_url: str, model: str, **more: object) -> dict[str, object]:
    """``DESKHAND`` of a server whose model is ``model`` at the provider process; ``more`` is laid over it."""
    endpoint = {"PROVIDER": "openai", "BASE_URL": base_url, "MODEL": model, "API_KEY": "sk-test", "FIRST_BYTE_SECONDS": 30}
    return {"ENDPOINTS": {"test": endpoint}, **SHORT, **more}


class Server:
    """A server process that answers."""

    def __init__(self, command: list[str], port: int, deskhand: Mapping[str, object], **settings: object) -> None:
        self.command, self.port = command, port
        self.url = f"http://127.0.0.1:{port}"
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]),
            "DJANGO_SETTINGS_MODULE": "tests.served_settings",
            "DESKHAND_TEST_SERVED": json.dumps({"DATABASE": database(), "DESKHAND": deskhand, "SETTINGS": settings}),
        }
        self.start()

    @classmethod
    def uvicorn(
        cls,
        deskhand: Mapping[str, object],
        app: str = "asgi",
        *,
        workers: int = 1,
        shutdown_seconds: int | None = 2,
        **settings: object,
    ) -> Server:
        """ASGI, one of the applications of ``tests.served``; ``settings`` are Django's. ``shutdown_seconds`` is how long it waits for
        open responses when it is told to end; ``None``: as long as they last."""
        port = free_port()
        more = [f"tests.served:{app}", "--host", "127.0.0.1", "--port", str(port), "--log-level", "warning"]
        if workers > 1:
            more += ["--workers", str(workers)]
        if shutdown_seconds is not None:
            more += ["--timeout-graceful-shutdown", str(shutdown_seconds)]
        return cls([sys.executable, "-m", "uvicorn", *more], port, deskhand, **settings)

    @classmethod
    def gunicorn(
        cls, deskhand: Mapping[str, object], *, threads: int = 8, shutdown_seconds: int = 2, **settings: object
    ) -> Server:
        """WSGI, one worker process with so many threads; one thread is gunicorn's plain worker. After ``shutdown_seconds`` a worker
        that was told to end is killed."""
        port = free_port()
        more = ["tests.served:wsgi", "-b", f"127.0.0.1:{port}", "-w", "1", "--threads", str(threads), "--log-level", "warning"]
        # Kept open for longer than a slow machine pauses: else a request may meet the moment at which its connection is closed.
        more += ["--keep-alive", "75", "--graceful-timeout", str(shutdown_seconds)]
        return cls([sys.executable, "-m", "gunicorn", *more], port, deskhand, **settings)

    @classmethod
    def runserver(cls, deskhand: Mapping[str, object], **settings: object) -> Server:
        """Django's own."""
        port = free_port()
        more = ["runserver", "--noreload", f"127.0.0.1:{port}"]
        return cls([sys.executable, "-m", "django", *more], port, deskhand, **settings)

    @classmethod
    def daphne(cls, deskhand: Mapping[str, object], **settings: object) -> Server:
        """ASGI of another make; the package must be installed."""
        port = free_port()
        more = ["-b", "127.0.0.1", "-p", str(port), "-v", "0", "tests.served:asgi"]
        return cls([sys.executable, "-m", "daphne", *more], port, deskhand, **settings)

    def start(self, seconds: float = 30) -> None:
        """It answers: after the constructor, and again after a kill."""
        self._run()
        ends = time.monotonic() + seconds
        while True:
            try:
                urllib3.request("GET", f"{self.url}/assistant/api/state", retries=False, timeout=5)
                return
            except urllib3.exceptions.HTTPError:
                if self.process.poll() is not None or time.monotonic() >= ends:
                    self.kill()
                    raise AssertionError(f"the server did not start: {self.log}") from None
                time.sleep(0.05)

    def _run(self) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the server
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=self._environment, stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True
        )

    @property
    def log(self) -> str:
        """What it said."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def terminate(self, seconds: float = 30) -> float:
        """The first process alone got SIGTERM, as from a service manager, and all are gone; after how many seconds.

        Raises:
            AssertionError: not in that time.
        """
        begun = time.monotonic()
        os.kill(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the server did not end: {self.log}") from None
        return time.monotonic() - begun

    def kill(self, number: int = signal.SIGKILL) -> None:
        """The signal has reached the server and all its processes, and it is gone."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(15)
                raise

    def close(self) -> None:
        """It is gone."""
        self.kill()
        self._log.close()


class Worker(Server):
    """A process that runs turns where ``ENGINE`` is procrastinate; it answers nobody."""

    def __init__(self, deskhand: Mapping[str, object], *command: str, **settings: object) -> None:
        """``command`` is that of ``manage.py``, ``deskhand_worker`` if none is given."""
        super().__init__([sys.executable, "-m", "django", *(command or ("deskhand_worker",))], 0, deskhand, **settings)

    def start(self, seconds: float = 30) -> None:
        """It has begun to start: turns wait for it."""
        self._run()

    @property
    def pid(self) -> int:
        """Of the process that runs turns."""
        return self.process.pid


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def database() -> dict[str, object]:
    """The test database, as the settings of another process name it."""
    from django.db import connection

    taken = ("ENGINE", "NAME", "HOST", "PORT", "USER", "OPTIONS")
    return {name: value for name, value in connection.settings_dict.items() if name in taken}
