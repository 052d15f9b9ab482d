"""``make race`` and ``make faults``: the tests of ``tests/faults`` at full size, on both databases, with their figures.

The suites run a little of both each time. In full, 2,000 cards are clicked eight times at once in four processes on PostgreSQL, every point at
which a process can die is met with twenty seeds, every point at which one can be stopped, told to end, or lose its database with four, and
every single statement, commit and write of the provider fails once; that takes an hour or two, so it is done by hand, and before a release.

``make faults only="stop deploy"`` runs only the tests whose file's name holds one of these words.
"""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from scripts import postgres
from scripts.environment import ROOT, Missing, developers, say

SEEDS = "20"
FOLDER = ROOT / "tests" / "faults"
_RACE = "test_cards_race.py"
#: Tests at once: most of their time is waiting.
_PROCESSES = ("-n", "2", "--dist", "loadfile")


def files(what: str, only: Iterable[str]) -> list[str]:
    """The files of tests that ``make race``, or ``make faults``, runs."""
    if what == "race":
        return [str(FOLDER / _RACE)]
    found = sorted(path for path in FOLDER.glob("test_*.py") if path.name != _RACE)
    words = list(only)
    return [str(path) for path in found if not words or any(word in path.name for word in words)]


def run(python: Path, what: str, only: list[str], address: str, report: Path) -> bool:
    """Whether these tests hold at full size on that database; SQLite for an empty ``address``."""
    environment = {**os.environ, "DESKHAND_RACE": "full", "DESKHAND_SEEDS": SEEDS, "DESKHAND_RACE_REPORT": str(report)}
    environment.pop("DESKHAND_TEST_POSTGRES", None)
    if address:
        environment["DESKHAND_TEST_POSTGRES"] = address
    begun = time.monotonic()
    parallel = _PROCESSES if what == "faults" else ()
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", *parallel, *files(what, only)]
    good = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0
    say(
        f"=== {what} on {'PostgreSQL' if address else 'SQLite'}: {'good' if good else 'FAILED'}, {time.monotonic() - begun:.0f} s ==="
    )
    return good


def table(report: Path) -> None:
    """Prints what was measured."""
    lines = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    for line in lines:
        if "race" in line:
            clicks = sum(line["statuses"].values())
            say(
                f"{line['database']:11} {line['race']:32} {line['cards']:5} cards {clicks:6} clicks {line['processes']} processes "
                f"{line['seconds']:7.1f} s  statuses {line['statuses']}  ends {line['ends']}"
            )
    _faults([line for line in lines if "act" in line])


def _faults(lines: list[Mapping[str, object]]) -> None:
    """A line for each kind of fault and database: how often, at how many points, and after how long the end was seen at the latest."""
    groups: dict[tuple[str, str], list[Mapping[str, object]]] = collections.defaultdict(list)
    for line in lines:
        groups[str(line["act"]), str(line["database"])].append(line)
    for (act, database), of_group in sorted(groups.items()):
        points = {line["point"] for line in of_group}
        seeds = {line["seed"] for line in of_group}
        seconds = sorted(float(str(line["seconds"])) for line in of_group)
        say(
            f"{act:28} {database:11} {len(points):4} points {len(seeds):3} seeds {len(of_group):6} times  "
            f"end seen after {seconds[len(seconds) // 2]:6.2f} s (median) {seconds[-1]:6.2f} s (most)"
        )


def main(what: str, only: list[str]) -> int:
    """Exit code of the command line."""
    try:
        python = developers()
        with tempfile.TemporaryDirectory() as folder, postgres.cluster(postgres.binaries_or_wheel(python)) as address:
            report = Path(folder) / "report"
            good = [run(python, what, only, database, report) for database in (address, "")]
            table(report)
    except Missing as missing:
        say(str(missing))
        return 1
    return 0 if all(good) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "race", sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
