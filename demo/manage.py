#!/usr/bin/env python
"""Django's command line for the demo."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Runs the command named in ``sys.argv`` with the demo's settings, from whatever folder it is called."""
    folder = Path(__file__).resolve().parent
    # Python put this folder first; the package ``demo`` is found from the folder above it.
    sys.path[0] = str(folder.parent)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "demo.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
