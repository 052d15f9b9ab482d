"""``make test``: every suite on the oldest pair of Python and Django, and on the newest one all but browser and house.

The oldest pair runs in full because hosts are slow to move; the newest shows what will break next. Where the oldest Python does not run,
the oldest that does takes its place. A suite that can't run says so and why; with ``CI=true`` that is a failure, since a suite that
silently stopped running proves nothing.

Tests run side by side, most with servers of their own, on as few as two cores. What fails so is run once more, alone, and the table says so: such
a test, or what it tests, still has to be looked at.

Each suite prints its time, and all stand in a table at the end. Called as ``python3 -m scripts.suites``, or with names of suites
(``core``, ``house``, ``sqlite``, ``postgres``, ``host``, ``host_pg``, ``browser``, ``frontend``) to run only those. ``host`` is a project
with settings of its own (``tests/host``), on SQLite and, as ``host_pg``, on PostgreSQL.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scripts import postgres
from scripts.environment import FIRST_OF_NEWEST_DJANGO, ROOT, SUPPORTED, Missing, ensure, interpreters, own_interpreter, say

#: Folders of ``tests/`` with a suite of their own; all others run on both databases.
_APART = ("core", "house", "browser", "host")
#: Suites on PostgreSQL, and those of the host project.
_ON_POSTGRES = ("postgres", "host_pg")
_OF_HOST = ("host", "host_pg")
#: Kills and races run on the oldest pair alone: they are about processes and databases, not about Django's newest names.
_OLDEST_ONLY = ("faults",)
#: What knows no database, or only that of the demo.
_ON_SQLITE_ALONE = ("endpoint", "demo")
#: On the newest pair what goes over HTTP runs on SQLite alone, too: what differs between the databases lies beneath it.
_ON_POSTGRES_OLDEST_ONLY = ("flows", "web")
#: Processes of pytest for the suites whose tests may run side by side. Most of the time they wait for other processes, so there are more than
#: the two cores on which this has to end in time.
_PROCESSES = ("-n", "3")
#: As above, for the suites in which each has a browser or a server of its own.
_FEWER_PROCESSES = ("-n", "2")
_SIDE_BY_SIDE = ("browser",)
_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: What pytest ends with.
_TESTS_FAILED, _NO_TESTS = 1, 5


@dataclasses.dataclass(frozen=True)
class Pair:
    """A Python and the Django that the pins give it."""

    minor: int
    python: Path
    #: Whether every suite runs on it.
    is_full: bool

    @property
    def name(self) -> str:
        """For people."""
        django = "6.1" if self.minor >= FIRST_OF_NEWEST_DJANGO else "5.2"
        return f"Python 3.{self.minor}, Django {django}"


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a suite ended."""

    name: str
    pair: str
    #: ``passed``, ``failed`` or ``skipped: <why>``.
    how: str
    seconds: float


def in_ci() -> bool:
    """Whether a suite that can't run is a failure."""
    return os.environ.get("CI", "").lower() == "true"


def chromium() -> str | None:
    """Path of a Chromium on this machine, or what ``DESKHAND_TEST_CHROMIUM`` names."""
    named = os.environ.get("DESKHAND_TEST_CHROMIUM")
    return named or next(filter(None, map(shutil.which, _CHROMIUMS)), None)


def pairs() -> list[Pair]:
    """The environments to test in, ready to use: the oldest first, then the newest if it is another one.

    Raises:
        Missing: no Python of this machine will do.
    """
    found = interpreters()
    if not found:
        own_interpreter()
    oldest, newest = min(found), max(found)
    return [
        Pair(minor, ensure(f"test-3.{minor}", found[minor], ["dev.txt"]), minor == oldest) for minor in sorted({oldest, newest})
    ]


def run(pair: Pair, name: str, address: str, folder: str) -> Ended:
    """Runs one suite to its end. ``address`` is that of PostgreSQL, ``folder`` one for the databases of SQLite."""
    say(f"\n=== {name} ({pair.name}) ===")
    begun = time.monotonic()
    how = _how(pair, name, address, folder)
    ended = Ended(name, pair.name, how, time.monotonic() - begun)
    say(f"=== {name} ({pair.name}): {ended.how}, {ended.seconds:.1f} s ===")
    return ended


def _how(pair: Pair, name: str, address: str, folder: str) -> str:
    if name == "frontend":
        if not (ROOT / "frontend").is_dir():
            return "skipped: there is no folder frontend/"
        command = [str(pair.python), "-m", "scripts.frontend", "test"]
        return _word(subprocess.run(command, cwd=ROOT, check=False).returncode)
    environment = {**os.environ, "DESKHAND_TEST_SQLITE_DIR": folder, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("DESKHAND_TEST_POSTGRES", None)
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    cache = tempfile.mkdtemp(prefix=f"{name}-", dir=folder)
    command = [str(pair.python), "-m", "pytest", "-o", f"cache_dir={cache}"]
    beside: tuple[str, ...] = ()
    folder_name = "host" if name in _OF_HOST else name
    if folder_name in _APART:
        if not (ROOT / "tests" / folder_name).is_dir():
            return f"skipped: there is no folder tests/{folder_name}/"
        command.append(f"tests/{folder_name}")
        beside = _FEWER_PROCESSES if folder_name in _SIDE_BY_SIDE else ()
    else:
        left_out = (*_APART, *(() if pair.is_full else _OLDEST_ONLY))
        if name == "postgres":
            left_out += (*_ON_SQLITE_ALONE, *(() if pair.is_full else _ON_POSTGRES_OLDEST_ONLY))
        command += ["tests", *(f"--ignore=tests/{other}" for other in left_out)]
        beside = _PROCESSES
    if name in _OF_HOST:
        environment["DJANGO_SETTINGS_MODULE"] = "tests.host.settings"
    if name in _ON_POSTGRES:
        environment["DESKHAND_TEST_POSTGRES"] = address
    if name == "browser" or (name in _OF_HOST and chromium()):
        found = chromium()
        if found is None:
            return "skipped: no Chromium; install it: sudo apt-get install chromium"
        environment["DESKHAND_TEST_CHROMIUM"] = found
    code = subprocess.run([*command, *beside], cwd=ROOT, env=environment, check=False).returncode
    if code != _TESTS_FAILED or not (beside or folder_name == "host"):
        return _word(code)
    say(f"--- {name}: what failed beside other tests is run once more, alone ---")
    again = subprocess.run(
        [*command, "--last-failed", "--last-failed-no-failures", "none"], cwd=ROOT, env=environment, check=False
    )
    return "passed (some only alone)" if again.returncode == 0 else "failed"


def _word(code: int) -> str:
    if code == _NO_TESTS:
        return "skipped: it holds no test yet"
    return "passed" if code == 0 else "failed"


def plan(ready: list[Pair], only: list[str]) -> Iterator[tuple[Pair, str]]:
    """What runs where, in order."""
    full = ("core", "house", "sqlite", "postgres", "host", "host_pg", "browser", "frontend")
    for index, pair in enumerate(ready):
        names = full if index == 0 else ("core", "sqlite", "postgres", "host")
        yield from ((pair, name) for name in names if not only or name in only)


def missing_pairs(ready: list[Pair]) -> list[Ended]:
    """A line for each end of the supported range that did not run here."""
    minors = [pair.minor for pair in ready]
    lines = []
    if min(minors) != SUPPORTED[0]:
        lines.append(Ended("all", f"Python 3.{SUPPORTED[0]}, Django 5.2", f"skipped: no Python 3.{SUPPORTED[0]} here", 0.0))
    if max(minors) < FIRST_OF_NEWEST_DJANGO:
        why = f"skipped: no Python 3.{FIRST_OF_NEWEST_DJANGO} or newer here"
        lines.append(Ended("all", "the newest, Django 6.1", why, 0.0))
    return lines


def summary(results: list[Ended]) -> int:
    """Prints the table; the exit code of the whole run."""
    say("\nSuites")
    for ended in results:
        say(f"  {ended.name:9} {ended.pair:25} {ended.seconds:6.1f} s  {ended.how}")
    say(f"  {'together':35} {sum(ended.seconds for ended in results):6.1f} s")
    skipped = [ended for ended in results if ended.how.startswith("skipped")]
    failed = [ended for ended in results if ended.how == "failed"]
    if skipped and in_ci():
        say("CI=true: what did not run counts as failed")
    return 1 if failed or (skipped and in_ci()) else 0


def main(only: list[str]) -> int:
    """Exit code of the command line."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="deskhand-sqlite-")
    try:
        ready = pairs()
        steps = list(plan(ready, only))
        if any(name in _ON_POSTGRES for _, name in steps):
            with postgres.cluster(postgres.binaries_or_wheel(ready[0].python)) as address:
                results = [run(pair, name, address, folder) for pair, name in steps]
        else:
            results = [run(pair, name, "", folder) for pair, name in steps]
    except Missing as missing:
        say(str(missing))
        return 1
    except KeyboardInterrupt:
        say("\nStopped.")
        return 130
    except subprocess.CalledProcessError as fault:
        say(f"This command failed: {fault.cmd if isinstance(fault.cmd, str) else ' '.join(map(str, fault.cmd))}")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return summary([*results, *([] if only else missing_pairs(ready))])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
