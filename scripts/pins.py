"""The pin files under ``requirements/``: made by ``uv pip compile`` from ``pyproject.toml``, each package with its hashes.

Each file's first line holds a print of what ``pyproject.toml`` asked for when it was made. So whether the files are up to date can be
told without a network and without ``uv``: a changed requirement changes the print. Versions move only when somebody says ``--upgrade``.

Never here: an address; neither the files nor this script name a package registry.

Called as ``python3 -m scripts.pins`` (writes), ``python3 -m scripts.pins --upgrade`` and ``python3 -m scripts.pins --check``.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tomllib

from scripts.environment import ROOT, Missing, say

_COMMON = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate", "--quiet"]
#: What each file is made from. The smaller ones take the versions of the first.
FILES = {
    "dev.txt": ["pyproject.toml", "--group", "dev"],
    "demo.txt": ["pyproject.toml", "--group", "demo", "-c", "requirements/dev.txt"],
    "build.txt": ["--group", "build", "-c", "requirements/dev.txt"],
    "pgserver.txt": ["--group", "pgserver", "-c", "requirements/dev.txt"],
}


def first_line() -> str:
    """What a pin file begins with that was made from ``pyproject.toml`` as it is now."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = [told["project"]["dependencies"], told["dependency-groups"]]
    made = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    return f"# Made by make pins from pyproject.toml as of {made[:16]}"


def stale() -> list[str]:
    """Names of the pin files that were made from another ``pyproject.toml``, or are not there."""
    wanted = first_line()
    paths = {name: ROOT / "requirements" / name for name in FILES}
    return [name for name, path in paths.items() if not path.exists() or path.read_text().partition("\n")[0] != wanted]


def write(*, upgrade: bool) -> None:
    """Makes all pin files anew; a version that stands in one stays unless ``upgrade`` or ``pyproject.toml`` says otherwise.

    Raises:
        Missing: there is no ``uv``.
    """
    if shutil.which("uv") is None:
        raise Missing("uv is needed to make pins: python3 -m pip install uv")
    for name, source in FILES.items():
        path = ROOT / "requirements" / name
        out = ["-o", str(path.relative_to(ROOT)), *(["--upgrade"] if upgrade else [])]
        subprocess.run(["uv", "pip", "compile", *source, *_COMMON, *out], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        path.write_text("\n".join([first_line(), *lines]) + "\n")


def main(arguments: list[str]) -> int:
    """Exit code of the command line."""
    if arguments != ["--check"]:
        try:
            write(upgrade="--upgrade" in arguments)
        except Missing as missing:
            say(str(missing))
            return 1
    names = stale()
    if names:
        say(f"Pins older than pyproject.toml: {', '.join(names)}. Run make pins and commit what it writes")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
