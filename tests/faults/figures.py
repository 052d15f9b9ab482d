"""Figures for ``make faults``: a line for each fault that was met, in the file that ``DESKHAND_RACE_REPORT`` names."""

from __future__ import annotations

import json
import os

from django.db import connection


def record(act: str, point: str, seed: int, seconds: float) -> None:
    """This was done at this point, and the end was seen after so many seconds. Nothing without that file."""
    path = os.environ.get("DESKHAND_RACE_REPORT")
    if path:
        line = {"act": act, "point": point, "seed": seed, "seconds": round(seconds, 3), "database": connection.vendor}
        with open(path, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")
