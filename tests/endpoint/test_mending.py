"""Text as servers send it, made fit to be kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deskhand.endpoint.mending import Joiner, mended


def test_pairs_are_joined_and_lone_halves_and_nul_cut() -> None:
    """B25, B26"""
    assert mended("\ud83d\ude00 a\udc81b\0c\ud83d") == "😀 abc"


@given(st.text(alphabet=["a", "Ž", "\ud83d", "\ude00", "\0", "😀"]), st.integers(0, 20))
def test_pieces_joined_are_the_whole_mended(text: str, cut: int) -> None:
    """B25"""
    joiner = Joiner()
    joined = joiner.feed(text[:cut]) + joiner.feed(text[cut:])
    assert joined == mended(text)
    joined.encode()
