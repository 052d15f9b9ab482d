from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskhand.core import flag

# Made of what markers are made of, so that whole, broken and doubled ones are frequent.
PIECES = st.sampled_from(
    ["⟦", "⟧", "⟦off_purpose:", "⟦off_purpose: x⟧", "⟦off_purpose:⟧", " ", "\n", "a", "off_purpose:", "⟦off", "\u2003"]
)
ANSWERS = st.lists(PIECES, max_size=12).map("".join)


def oracle(whole: str) -> tuple[str, tuple[str, ...]]:
    """What a marker is, said once more as a pattern over the whole text."""
    found = re.search(r"(?:⟦off_purpose:[^⟦⟧]*⟧\s*)+\Z", whole)
    if not found:
        return whole, ()
    return whole[: found.start()], tuple(reason.strip() for reason in re.findall(r"⟦off_purpose:([^⟦⟧]*)⟧", found.group()))


@pytest.mark.parametrize(
    ("whole", "shown", "reasons"),
    [
        ("No.⟦off_purpose: a poem⟧", "No.", ("a poem",)),
        ("No. ⟦off_purpose: a poem⟧ \n\t", "No. ", ("a poem",)),
        ("No.⟦off_purpose: a⟧\n⟦off_purpose:b⟧⟦off_purpose:⟧", "No.", ("a", "b", "")),
        ("⟦off_purpose: a⟧", "", ("a",)),
        ("x ⟦off_purpose: a⟧ y", "x ⟦off_purpose: a⟧ y", ()),
        ("x ⟦off_purpose: a⟧ y⟦off_purpose: b⟧", "x ⟦off_purpose: a⟧ y", ("b",)),
        ("x⟦off_purpose: a⟧ ⟦off_purpose: b", "x⟦off_purpose: a⟧ ⟦off_purpose: b", ()),
        ("x⟦off_purpose: a⟦off_purpose: b⟧", "x⟦off_purpose: a", ("b",)),
        ("⟦⟦off_purpose: a⟧", "⟦", ("a",)),
        ("⟦off_purpose: a⟧⟧", "⟦off_purpose: a⟧⟧", ()),
        ("x⟦off", "x⟦off", ()),
        ("f⟦x⟧ = 1 ", "f⟦x⟧ = 1 ", ()),
        ("", "", ()),
    ],
)
def test_the_closing_markers_go_and_every_other_one_is_text(whole: str, shown: str, reasons: tuple[str, ...]) -> None:
    """TU6, PR3."""
    assert flag.cut(whole) == (shown, reasons)


def test_a_reason_is_one_line_of_at_most_200_characters() -> None:
    """TU6, ME7."""
    assert flag.cut("⟦off_purpose: a\nb\x00c ⟧")[1] == ("a bc",)
    assert flag.cut(f"⟦off_purpose: {'x' * 300}⟧") == ("", ("x" * 200,))


@settings(max_examples=200, deadline=None)
@given(ANSWERS)
def test_cutting_takes_exactly_what_the_pattern_of_a_marker_says(whole: str) -> None:
    """TU6."""
    assert flag.cut(whole) == oracle(whole)


@settings(max_examples=200, deadline=None)
@given(ANSWERS, st.data())
def test_every_way_to_split_shows_the_same_as_the_whole(whole: str, data: st.DataObject) -> None:
    """TU6."""
    places = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=10)))
    cutter = flag.Cutter()
    shown = "".join(cutter.feed(whole[a:b]) for a, b in zip([0, *places], [*places, len(whole)], strict=True)) + cutter.finish()
    assert (shown, cutter.reasons) == oracle(whole)


@settings(max_examples=100, deadline=None)
@given(ANSWERS)
def test_what_was_shown_is_never_taken_back_and_nothing_is_held_without_need(whole: str) -> None:
    """TU6: held back only while it can still become a closing marker."""
    cutter = flag.Cutter()
    shown = ""
    for place, character in enumerate(whole, start=1):
        shown += cutter.feed(character)
        held = whole[len(shown) : place]
        assert whole.startswith(shown)
        assert held == "" or any(
            re.fullmatch(r"(⟦off_purpose:[^⟦⟧]*⟧\s*)+", held + rest) for rest in ("", "⟦off_purpose:⟧"[_begun(held) :], "⟧")
        )


def _begun(held: str) -> int:
    """How many characters of an opening stand at the end of ``held``."""
    return next(n for n in range(len("⟦off_purpose:"), -1, -1) if held.endswith("⟦off_purpose:"[:n]))


def test_reasons_are_not_known_before_the_end() -> None:
    """TU6."""
    cutter = flag.Cutter()
    assert cutter.feed("No.⟦off_purpose: a⟧") == "No."
    assert not cutter.reasons
    assert cutter.finish() == ""
    assert list(cutter.reasons) == ["a"]
    assert cutter.finish() == ""
    assert list(cutter.reasons) == ["a"]


@pytest.mark.parametrize("piece", ["⟦", "⟦off_purpose:⟧", "⟦off_purpose: ", "⟦off_purpose:⟧ x", "⟧ "])
@pytest.mark.parametrize("at_once", [True, False])
def test_a_long_text_of_brackets_costs_no_more_than_its_length(piece: str, at_once: bool) -> None:
    """TU6. Quadratic work would take minutes."""
    whole = piece * (100_000 // len(piece))
    cutter = flag.Cutter()
    begun = time.monotonic()
    for delta in [whole] if at_once else whole:
        cutter.feed(delta)
    cutter.finish()
    assert time.monotonic() - begun < 20
