"""Names of processes that stay true after the process is gone: who runs a turn, who carries out an outside effect.

A name is made of the machine's boot id, the PID namespace, the pid and its start time, so that a dead owner is known at once by any
process of the same machine, and never mistaken for a later one with the same pid. Never here: a signal to a process. Limits: on systems
without ``/proc`` names are empty and nobody is ever known to be dead.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path


@functools.cache
def name_of(pid: int) -> str:
    """The name of this process of this machine, empty where the system does not tell."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace = os.readlink("/proc/self/ns/pid")
        started = _stat(pid)[19]
    except (OSError, IndexError):
        return ""
    return f"{boot} {namespace} {pid} {started}"


def mine() -> str:
    """The name of the running process, empty where the system does not tell."""
    return name_of(os.getpid())


def is_dead(name: str) -> bool:
    """Whether this process is known to be gone: it ran on this machine, in this PID namespace, and does not any more."""
    parts, own = name.rsplit(" ", 2), mine().rsplit(" ", 2)
    if len(parts) != 3 or len(own) != 3 or parts[0] != own[0] or not parts[1].isdigit():
        return False
    try:
        os.kill(int(parts[1]), 0)
        fields = _stat(int(parts[1]))
    except ProcessLookupError:
        return True
    except OSError:
        # Another account's process, and /proc may hide those: it lives, or lived a moment ago.
        return False
    return fields[19] != parts[2] or fields[0] == "Z"


def _stat(pid: int) -> list[str]:
    """Fields of ``/proc/<pid>/stat`` after the command's name: state first, start time the twentieth."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
