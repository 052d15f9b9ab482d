"""Python environments of the repository: one folder ``.venv-…`` a purpose, built from hashed pins.

An environment is built anew when its pins, its interpreter or the repository's place changed, and never otherwise: a stamp inside it
says what it was made of. It is built whole or not at all, since the stamp is written last.

Never here: a download of an interpreter, a package without a hash. Limits: packages come from wherever ``pip`` is set up to look.
Called by every other script, and from the ``Makefile`` as ``python3 -m scripts.environment`` to print a path.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Minor versions of Python 3 that deskhand supports, oldest first.
SUPPORTED = (11, 12, 13, 14)
#: From this one on the pins take the newest Django; below, the oldest supported.
FIRST_OF_NEWEST_DJANGO = 12
#: Says in one line what an interpreter is, and fails if it can't make an environment.
_ASK = "import ensurepip, sys, venv; print('%d %d' % sys.version_info[:2])"


class Missing(Exception):
    """Something that only the machine's owner can install is not there; the message is one line that says how."""


def supported_minor(python: str) -> int | None:
    """The minor version of an interpreter that runs, is supported and can make environments; else ``None``.

    A shim that exists but does not run (pyenv has them) is ``None`` too: it is run, not looked at.
    """
    try:
        done = subprocess.run([python, "-I", "-c", _ASK], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    parts = done.stdout.split()
    if done.returncode != 0 or len(parts) != 2 or parts[0] != "3":
        return None
    minor = int(parts[1])
    return minor if minor in SUPPORTED else None


def interpreters() -> dict[int, str]:
    """The interpreters that run here, by minor version. The one that runs this script goes before others of its version."""
    found: dict[int, str] = {}
    for python in _candidates():
        minor = supported_minor(python)
        if minor is not None:
            found.setdefault(minor, python)
    return found


def _candidates() -> list[str]:
    named = [f"python3.{minor}" for minor in SUPPORTED]
    places = [os.environ.get("PYENV_ROOT", ""), str(Path.home() / ".pyenv")]
    if shutil.which("pyenv"):
        done = subprocess.run(["pyenv", "root"], capture_output=True, text=True, check=False)
        places.insert(0, done.stdout.strip())
    paths = [sys.executable, *(shutil.which(name) or "" for name in ["python3", *named])]
    for place in filter(None, places):
        for name in named:
            paths += sorted(glob.glob(f"{place}/versions/*/bin/{name}"), reverse=True)
    return list(dict.fromkeys(path for path in paths if path))


def own_interpreter() -> str:
    """The interpreter that runs this script if it will do, else the newest other one.

    Raises:
        Missing: none will do.
    """
    if supported_minor(sys.executable) is not None:
        return sys.executable
    found = interpreters()
    if found:
        return found[max(found)]
    if sys.version_info >= (3, SUPPORTED[0]):
        raise Missing("This Python can't make environments. Install what is missing: sudo apt-get install python3-venv")
    raise Missing(f"Python 3.{SUPPORTED[0]} or newer is needed. Install it: sudo apt-get install python3 python3-venv")


def ensure(name: str, python: str, pins: list[str]) -> Path:
    """The environment ``.venv-<name>`` made of these pin files and of deskhand itself (editable); returns its interpreter's path.

    Takes about a minute the first time, a few milliseconds afterwards.

    Raises:
        subprocess.CalledProcessError: a package could not be installed.
    """
    folder = ROOT / f".venv-{name}"
    inside = folder / "bin" / "python"
    stamp = folder / "made-of"
    wanted = _print_of(python, pins)
    if inside.exists() and stamp.exists() and stamp.read_text() == wanted:
        return inside
    say(f"Building {folder.name} (about a minute, only when the pins change)")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    install(inside, pins)
    pip = [str(inside), "-m", "pip", "install", "-qq", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "-e", str(ROOT)], check=True, env=_pip_environment())
    stamp.write_text(wanted)
    return inside


def install(inside: Path, pins: list[str]) -> None:
    """Installs pin files into the environment whose interpreter this is; each package must have the hash that is written there."""
    files = [part for pin in pins for part in ("-r", str(ROOT / "requirements" / pin))]
    subprocess.run([str(inside), "-m", "pip", "install", "-qq", "--require-hashes", *files], check=True, env=_pip_environment())


def _pip_environment() -> dict[str, str]:
    return {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}


def _print_of(python: str, pins: list[str]) -> str:
    made = hashlib.sha256(f"{ROOT}\n{os.path.realpath(python)}\n".encode())
    for pin in pins:
        lines = (ROOT / "requirements" / pin).read_text().splitlines()
        made.update("\n".join(line for line in lines if not line.startswith("#")).encode())
    return made.hexdigest()


def developers() -> Path:
    """The interpreter of the environment in which checks run: the oldest supported Python of this machine, all development pins.

    Raises:
        Missing: no Python of this machine will do.
    """
    found = interpreters()
    if not found:
        own_interpreter()
    oldest = min(found)
    return ensure(f"test-3.{oldest}", found[oldest], ["dev.txt"])


def say(line: str) -> None:
    """Prints a line at once, so that it stands before what a child process prints next."""
    print(line, flush=True)


if __name__ == "__main__":
    try:
        # The path alone is the answer: make reads it. What is said while it is built goes beside it.
        with contextlib.redirect_stdout(sys.stderr):
            python = developers()
        say(str(python))
    except Missing as missing:
        sys.exit(str(missing))
