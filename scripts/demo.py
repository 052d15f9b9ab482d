"""``make demo``: the demo's own environment, its database, filled once, and a server to try it on.

The database is ``demo/demo.sqlite3`` and stays until somebody deletes it; then the next start makes a new one.

Called as ``python3 -m scripts.demo [address:port]``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from scripts.environment import ROOT, Missing, ensure, own_interpreter, say

_MANAGE = ROOT / "demo" / "manage.py"


def prepare(python: Path, database: Path) -> None:
    """The demo's tables and, in a new database, its rows. A database whose filling failed is removed, so that the next start fills it.

    Raises:
        subprocess.CalledProcessError: a command of the demo failed.
    """
    environment = {**os.environ, "DEMO_SQLITE": str(database)}
    is_new = not database.exists()
    try:
        subprocess.run([str(python), str(_MANAGE), "migrate", "--verbosity", "0"], check=True, env=environment)
        if is_new:
            say("Filling the demo's database")
            subprocess.run([str(python), str(_MANAGE), "seed_demo"], check=True, env=environment)
    except BaseException:
        if is_new:
            for end in ("", "-wal", "-shm"):
                database.with_name(database.name + end).unlink(missing_ok=True)
        raise


def main(arguments: list[str]) -> int:
    """Exit code of the command line; does not come back before the server ended."""
    address = arguments[0] if arguments else "127.0.0.1:8000"
    try:
        python = ensure("demo", own_interpreter(), ["demo.txt", "build.txt"])
        prepare(python, ROOT / "demo" / "demo.sqlite3")
        say(f"\n  http://{address}/admin/\n")
        say("  Log in as (name and password are the same word):")
        for name, who in LOGINS.items():
            say(f"    {name:8} {who}")
        say("  Ctrl-C ends the server.\n")
        return subprocess.run([str(python), str(_MANAGE), "runserver", address], check=False).returncode
    except Missing as missing:
        say(str(missing))
        return 1
    except subprocess.CalledProcessError:
        say("The demo could not be prepared; what failed stands above.")
        return 1
    except KeyboardInterrupt:
        return 0


#: The demo's accounts.
LOGINS = {"owner": "may do everything"}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
