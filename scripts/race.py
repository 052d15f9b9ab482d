"""``make race`` and ``make faults``: the tests of ``tests/faults`` at full size, on both databases, with their figures.

The suites run a little of both each time. In full, 2,000 cards are clicked eight times at once in four processes on PostgreSQL, and every
crash point is met with twenty seeds, which takes minutes; so it is done by hand, and before a release.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts import postgres
from scripts.environment import ROOT, Missing, developers, say

SEEDS = "20"
_TESTS = {"race": "tests/faults/test_cards_race.py", "faults": "tests/faults/test_cards_crash.py"}


def run(python: Path, what: str, address: str, report: Path) -> bool:
    """Whether these tests hold at full size on that database; SQLite for an empty ``address``."""
    environment = {**os.environ, "DESKHAND_RACE": "full", "DESKHAND_SEEDS": SEEDS, "DESKHAND_RACE_REPORT": str(report)}
    environment.pop("DESKHAND_TEST_POSTGRES", None)
    if address:
        environment["DESKHAND_TEST_POSTGRES"] = address
    begun = time.monotonic()
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", _TESTS[what]]
    good = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0
    say(
        f"=== {what} on {'PostgreSQL' if address else 'SQLite'}: {'good' if good else 'FAILED'}, {time.monotonic() - begun:.0f} s ==="
    )
    return good


def table(report: Path) -> None:
    """Prints what was measured."""
    for line in map(json.loads, report.read_text().splitlines() if report.exists() else ()):
        clicks = sum(line["statuses"].values())
        say(
            f"{line['database']:11} {line['race']:32} {line['cards']:5} cards {clicks:6} clicks {line['processes']} processes "
            f"{line['seconds']:7.1f} s  statuses {line['statuses']}  ends {line['ends']}"
        )


def main(what: str) -> int:
    """Exit code of the command line."""
    try:
        python = developers()
        with tempfile.TemporaryDirectory() as folder, postgres.cluster(postgres.binaries_or_wheel(python)) as address:
            report = Path(folder) / "report"
            good = [run(python, what, database, report) for database in (address, "")]
            table(report)
    except Missing as missing:
        say(str(missing))
        return 1
    return 0 if all(good) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "race"))
    except KeyboardInterrupt:
        sys.exit(130)
