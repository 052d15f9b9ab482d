"""``make check``: what can be said about the code without running it. All checks run, also after one failed; a table stands at the end.

Called as ``python3 -m scripts.checks``; with names, only those run. No check changes a file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from scripts.environment import ROOT, Missing, developers, say

_TEMPLATES = ("src/deskhand/templates", "demo/templates")


def commands(python: Path) -> dict[str, list[str]]:
    """The checks by name, in the order in which they run: quick ones first."""
    tool = python.parent
    templates = [folder for folder in _TEMPLATES if (ROOT / folder).is_dir()]
    found = {
        "lint": [str(tool / "ruff"), "check", "."],
        "format": [str(tool / "ruff"), "format", "--check", "."],
        "pins": [str(python), "-m", "scripts.pins", "--check"],
        "settings": [str(python), "-m", "scripts.settings_table", "--check"],
        "imports": [str(tool / "lint-imports"), "--no-cache"],
        "migrations": [str(python), "-m", "django", "makemigrations", "--check", "--dry-run"],
        "templates": [str(tool / "djlint"), "--check", "--lint", "--quiet", *templates],
        "types": [str(tool / "mypy"), "src", "scripts"],
        "panel lint": [str(python), "-m", "scripts.frontend", "lint"],
        "panel build": [str(python), "-m", "scripts.frontend", "current"],
    }
    if not templates:
        del found["templates"]
    if not (ROOT / "frontend").is_dir():
        del found["panel lint"], found["panel build"]
    return found


def main(only: list[str]) -> int:
    """Exit code of the command line."""
    try:
        python = developers()
    except Missing as missing:
        say(str(missing))
        return 1
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    ended: list[tuple[str, bool, float]] = []
    for name, command in commands(python).items():
        if only and name not in only:
            continue
        say(f"--- {name}")
        begun = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
        ended.append((name, done.returncode == 0, time.monotonic() - begun))
    say("\nChecks")
    for name, is_good, seconds in ended:
        say(f"  {name:12} {seconds:6.1f} s  {'good' if is_good else 'FAILED'}")
    return 0 if all(is_good for _, is_good, _ in ended) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
