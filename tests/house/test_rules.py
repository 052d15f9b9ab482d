"""``docs/rules.md`` and the tests agree on what is proven.

A rule stands in exactly one of three lists. *Proven* and *In part*: at least one test names it. *Not built yet*: no test does, so that
whoever builds it has to move it.
"""

from __future__ import annotations

import collections
import io
import re
import tokenize

import pytest

from tests.house import tree

#: How many rules each letter pair has.
RULES = {
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
LISTS = ("Proven", "In part", "Not built yet")
_CODE = re.compile(rf"\b(?:{'|'.join(RULES)})\d{{1,2}}\b")
_LINE = re.compile(r"^- `([A-Z]{2}\d+)` \S.{10,}$")


def _listed() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for part in re.split(r"^## ", (tree.ROOT / "docs" / "rules.md").read_text(), flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        lines = [line for line in body.splitlines() if line.startswith("- ")]
        assert all(_LINE.match(line) for line in lines), [line for line in lines if not _LINE.match(line)]
        found[title] = [line.split("`")[1] for line in lines]
    return found


def _named() -> set[str]:
    """The rules that a test's docstring or comment names. House tests name rules as examples and do not count, but for the logs' watch."""
    found: set[str] = set()
    for path in tree.python("tests", "demo"):
        counts = path.parent.name != "house" or path.name in (
            "test_log_watch.py",
            "test_tables.py",
            "test_settings_table.py",
            "test_wheel.py",
        )
        if path.name.startswith("test_") and counts:
            for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
                if token.type in (tokenize.STRING, tokenize.COMMENT):
                    found.update(_CODE.findall(token.string))
    for path in tree.files():
        if path.name.endswith((".test.ts", ".spec.ts")):
            found.update(_CODE.findall(path.read_text()))
    return found


def test_every_rule_stands_in_exactly_one_list() -> None:
    listed = _listed()
    assert tuple(listed) == LISTS
    times = collections.Counter(code for codes in listed.values() for code in codes)
    assert times == {f"{letters}{number}": 1 for letters, last in RULES.items() for number in range(1, last + 1)}


@pytest.mark.parametrize("title", LISTS[:2])
def test_a_rule_that_is_called_proven_is_named_by_a_test(title: str) -> None:
    assert sorted(set(_listed()[title]) - _named()) == []


def test_a_rule_that_is_not_built_is_never_named_by_a_test() -> None:
    built = sorted(set(_listed()["Not built yet"]) & _named())
    assert built == [], "tests name these by now: move them to another list of docs/rules.md"
