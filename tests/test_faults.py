"""Faults that are asked for: nothing without them, loud where they are misspelt, and every point is where the table says."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator

import pytest

from deskhand import faults
from tests.house import tree


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    faults.set_faults("")


def test_without_a_fault_a_point_does_nothing_and_costs_next_to_nothing() -> None:
    began = time.perf_counter()
    for _ in range(10_000):
        faults.point("click.claimed")
    assert time.perf_counter() - began < 1


def test_a_fault_happens_at_its_point_alone_and_at_its_time_alone() -> None:
    faults.set_faults("click.claimed=raise@2, click.asked=sleep:0.01")
    faults.point("click.begun")
    faults.point("click.asked")
    faults.point("click.claimed")
    with pytest.raises(faults.Injected):
        faults.point("click.claimed")
    faults.point("click.claimed")


def test_no_net_for_a_strangers_exceptions_catches_a_fault() -> None:
    assert not issubclass(faults.Injected, Exception)


@pytest.mark.parametrize("raw", ["click.claimed", "click.clamed=kill", "click.claimed=pause", "click.claimed=kill@0", "kill"])
def test_a_fault_that_is_misspelt_is_refused(raw: str) -> None:
    with pytest.raises(ValueError, match="not readable"):
        faults.read(raw)


def test_the_table_names_every_point_and_each_stands_in_the_code_once() -> None:
    table = re.findall(r"^``([a-z.]+)``", faults.__doc__ or "", re.MULTILINE)
    assert sorted(table) == sorted(faults.POINTS)
    placed = [
        node.args[0].value  # type: ignore[attr-defined]
        for path in tree.python("src")
        for node in ast.walk(tree.syntax(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "faults.point"
    ]
    assert sorted(placed) == sorted(faults.POINTS)
