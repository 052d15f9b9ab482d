from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from deskhand.core import limits

ENDING = "\n(cut)"


def test_a_text_that_fits_is_left_alone() -> None:
    assert limits.clip("abc", 3, ENDING) == "abc"


def test_a_text_that_does_not_fit_ends_with_the_ending_within_the_limit() -> None:
    assert limits.clip("abcdefghij", 9, ENDING) == "abc\n(cut)"


def test_a_text_cut_twice_carries_the_ending_once() -> None:
    """HI6."""
    once = limits.clip("a" * 50, 20, ENDING)
    assert limits.clip(once, 12, ENDING) == "a" * 6 + ENDING
    assert limits.clip("ab" + ENDING * 3 + "c" * 9, 8 + len(ENDING), ENDING).count(ENDING) == 1


def test_a_limit_too_small_for_the_ending_gives_the_ending_alone() -> None:
    """HI6."""
    assert limits.clip("abcdefghij", 2, ENDING) == ENDING
    assert limits.clip("abcdefghij", -5, ENDING) == ENDING


def test_an_empty_ending_just_cuts() -> None:
    assert limits.clip("abcdef", 2, "") == "ab"


@settings(max_examples=100, deadline=None)
@given(st.text("ab\n(cut)", max_size=40), st.integers(0, 50), st.sampled_from(["", "b", ENDING, "aa"]))
def test_what_is_clipped_never_passes_the_limit_and_clipping_again_changes_nothing(text: str, limit: int, ending: str) -> None:
    clipped = limits.clip(text, limit, ending)
    assert len(clipped) <= max(limit, len(ending))
    assert limits.clip(clipped, limit, ending) == clipped
    if len(text) > limit:
        assert clipped.endswith(ending)


def test_five_long_ones_get_equal_parts() -> None:
    """HI6."""
    assert limits.share([900] * 5, 1000) == [200] * 5


def test_what_a_short_one_leaves_over_is_divided_among_the_rest() -> None:
    """HI6."""
    assert limits.share([900, 10, 900], 110) == [50, 10, 50]
    assert limits.share([30, 10, 900], 110) == [30, 10, 70]


def test_nothing_to_share_is_shared_among_nobody() -> None:
    assert limits.share([], 100) == []
    assert limits.share([5, 5], -1) == [0, 0]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 300), max_size=8), st.integers(0, 1000))
def test_shares_never_pass_the_total_or_a_size_and_leave_nothing_unused(sizes: list[int], total: int) -> None:
    """HI6."""
    parts = limits.share(sizes, total)
    assert sum(parts) == min(total, sum(sizes))
    assert all(part <= size for part, size in zip(parts, sizes, strict=True))
    cut = [part for part, size in zip(parts, sizes, strict=True) if part < size]
    assert not cut or max(cut) - min(cut) <= 1
    assert not cut or max(parts) - min(cut) <= 1
