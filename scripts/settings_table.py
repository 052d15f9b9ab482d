"""``docs/settings.md``: the table of all settings, written from ``deskhand.config.Config``.

The code is the only list; this page can't say anything else, since ``--check`` fails as soon as it does. What stands above the first
marker of the page and below the second is written by hand.

Called as ``python -m scripts.settings_table`` in a development environment.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import get_type_hints

from scripts.environment import ROOT, say

PAGE = ROOT / "docs" / "settings.md"
_BEGIN = "<!-- table: made by make settings -->"
_END = "<!-- end of table -->"


def table() -> str:
    """The table in Markdown, one row a field of ``Config`` in its order."""
    from deskhand.config import Config

    rows = ["| key | default | kind | meaning |", "|---|---|---|---|"]
    hints = get_type_hints(Config)
    for field in dataclasses.fields(Config):
        default = field.default if field.default is not dataclasses.MISSING else {}
        meaning = str(field.metadata["doc"]).replace("|", "\\|")
        low = field.metadata.get("low")
        bound = "" if low is None else f" At least {low:g}."
        rows.append(f"| `{field.name.upper()}` | `{_shown(default)}` | {_kind(hints[field.name])} | {meaning}{bound} |")
    return "\n".join(rows)


def _shown(default: object) -> str:
    if isinstance(default, tuple):
        return str(list(default))
    return f"{default:_}" if isinstance(default, int) and not isinstance(default, bool) else repr(default)


def _kind(hint: object) -> str:
    words = str(hint)
    kinds = {
        "Callable": "function or dotted path",
        "Mapping": "dict",
        "tuple": "list of texts",
        "'str'": "text",
        "'int'": "whole number",
        "'float'": "number",
        "'bool'": "yes or no",
    }
    return next(kind for part, kind in kinds.items() if part in words)


def page() -> str:
    """The whole page as it should be."""
    above, _, rest = PAGE.read_text().partition(_BEGIN)
    below = rest.partition(_END)[2]
    return f"{above}{_BEGIN}\n{table()}\n{_END}{below}"


def main(arguments: list[str]) -> int:
    """Exit code of the command line."""
    wanted = page()
    if arguments != ["--check"]:
        PAGE.write_text(wanted)
    elif PAGE.read_text() != wanted:
        say("docs/settings.md is older than Config: run make settings and commit what it writes")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
