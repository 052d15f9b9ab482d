"""``make demo``: the demo's own environment, its database, filled once, and a server to try it on.

The database is ``demo/demo.sqlite3`` and stays until somebody deletes it; the demo's own command fills it if it is empty and prints the
logins. The same steps, on another database and port, serve ``scripts.screenshot``.

Called as ``python3 -m scripts.demo [[address:]port]``.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from scripts.environment import ROOT, Missing, ensure, own_interpreter, say

MANAGE = ROOT / "demo" / "manage.py"


def prepare(python: Path, environment: dict[str, str]) -> None:
    """The demo's tables, logins and rows are there; nothing is added to a database that has rows.

    Raises:
        subprocess.CalledProcessError: a command of the demo failed.
    """
    for command in (["migrate", "--verbosity", "0"], ["seed_demo"]):
        subprocess.run([str(python), str(MANAGE), *command], check=True, env=environment)


def is_taken(address: str) -> bool:
    """Whether somebody listens there already; not known, so no, of what is no ``host:port``."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=1):
            return True
    except (OSError, ValueError, OverflowError):
        return False


def main(arguments: list[str]) -> int:
    """Does not come back if all goes well; else the exit code."""
    address = arguments[0] if arguments else "127.0.0.1:8000"
    if address.isdecimal():
        address = f"127.0.0.1:{address}"
    environment = dict(os.environ)
    if is_taken(address):
        say(f"Something listens on {address} already. Another port: make demo at=8001")
        return 1
    try:
        python = ensure("demo", own_interpreter(), ["demo.txt", "build.txt"])
        say("Preparing the demo; its logins:")
        prepare(python, environment)
        say(f"\n  http://{address}/admin/      (Ctrl-C ends the server)\n")
        # The server takes this process's place, so that whoever ends the one ends the other.
        os.execve(python, [str(python), str(MANAGE), "runserver", address], environment)
    except Missing as missing:
        say(str(missing))
        return 1
    except subprocess.CalledProcessError:
        say("The demo could not be prepared; what failed stands above.")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
