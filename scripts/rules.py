"""``docs/rules.md`` and what the tests name: the page's three lists, and moving a line that stands in the wrong one.

A test names a rule in a docstring or comment (``HI4``). What a test names can't stand under *Not proven yet*, and what none names can't
stand elsewhere; ``make rules`` moves such lines, to *In part* or back. That a rule is *Proven* is a judgement: that line is moved by hand.

House tests name rules of style and examples, so of them only those in ``_HOUSE`` count.
"""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

from scripts.environment import ROOT, say

PAGE = ROOT / "docs" / "rules.md"
PROVEN, IN_PART, NOT_YET = "Proven", "In part", "Not proven yet"
#: How many rules there are by the two letters they begin with, in the order of the page.
COUNTS = {
    "PR": 12,
    "HI": 11,
    "ME": 10,
    "TU": 9,
    "SC": 4,
    "TO": 11,
    "CO": 13,
    "AT": 5,
    "GU": 1,
    "LI": 3,
    "EN": 3,
    "UI": 6,
    "OP": 10,
}
CODES = [f"{letters}{number}" for letters, count in COUNTS.items() for number in range(1, count + 1)]
_HOUSE = ("test_log_watch.py", "test_settings_table.py", "test_tables.py", "test_wheel.py")
_CODE = re.compile(rf"\b(?:{'|'.join(COUNTS)})\d{{1,2}}\b")
_LINE = re.compile(r"^- `([A-Z]{2}\d+)` \S.{10,}$")


def listed() -> dict[str, dict[str, str]]:
    """The page's lists: title → rule → its whole line.

    Raises:
        ValueError: a line of a list is not a rule and a sentence.
    """
    found: dict[str, dict[str, str]] = {}
    for part in re.split(r"^## ", PAGE.read_text(), flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        found[title] = {}
        for line in body.splitlines():
            if line.startswith("- "):
                match = _LINE.match(line)
                if match is None:
                    raise ValueError(line)
                found[title][match[1]] = line
    return found


def named() -> set[str]:
    """The rules that a test's docstring, comment or other text names."""
    found: set[str] = set()
    for path in _tests():
        if path.suffix == ".ts":
            found.update(_CODE.findall(path.read_text()))
            continue
        for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                found.update(_CODE.findall(token.string))
    return found & set(CODES)


def _tests() -> list[Path]:
    python = [path for path in (ROOT / "tests").rglob("test_*.py") if path.parent.name != "house" or path.name in _HOUSE]
    return [*python, *(ROOT / "frontend" / "tests").rglob("*.test.ts")]


def misplaced() -> dict[str, str]:
    """Rules that stand in a list in which they can't, and the list they belong in."""
    by_tests = named()
    wrong = {}
    for title, lines in listed().items():
        for code in lines:
            if title == NOT_YET and code in by_tests:
                wrong[code] = IN_PART
            elif title != NOT_YET and code not in by_tests:
                wrong[code] = NOT_YET
    return wrong


def move() -> None:
    """Every line of the page stands where it can, in the order of the rules."""
    lists = listed()
    for code, title in misplaced().items():
        (line,) = (lines.pop(code) for lines in lists.values() if code in lines)
        lists[title][code] = line
        say(f"{code} → {title}")
    page = PAGE.read_text().split("## ")
    for number, part in enumerate(page[1:], 1):
        title = part.partition("\n")[0]
        words = [line for line in part.rstrip().splitlines() if not line.startswith("- ")]
        page[number] = "\n".join([*words, *(lists[title][code] for code in CODES if code in lists[title])]) + "\n\n"
    PAGE.write_text("## ".join(page).rstrip() + "\n")


if __name__ == "__main__":
    move()
