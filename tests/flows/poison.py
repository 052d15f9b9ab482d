"""A host's hook that kills its process at certain words: what a message that crashes the server comes down to."""

from __future__ import annotations

import os
import signal

WORD = "POISON"


def redact(tool: object, result: str, scope: object) -> str:
    """``REDACT``: the result as it is, or the end of the process."""
    if WORD in result:
        os.kill(os.getpid(), signal.SIGKILL)
    return result
