"""``docs/rules.md`` and the tests agree on what is proven."""

from __future__ import annotations

import collections

from scripts import rules


def test_every_rule_stands_in_exactly_one_list() -> None:
    lists = rules.listed()
    assert tuple(lists) == (rules.PROVEN, rules.IN_PART, rules.NOT_YET)
    times = collections.Counter(code for lines in lists.values() for code in lines)
    assert times == dict.fromkeys(rules.CODES, 1)


def test_what_is_called_proven_is_named_by_a_test_and_what_is_not_is_never_named() -> None:
    assert rules.misplaced() == {}, "run make rules, look where it moved them, and commit the page"
