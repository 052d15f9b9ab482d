"""HTTP's chunks, taken apart."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskhand.endpoint.framing import Chunks
from deskhand.errors import EndpointBroken
from tests.endpoint.conftest import Server
from tests.provider import Reply, chunk


@pytest.mark.parametrize(
    "raw", [b"xyz\r\nabc\r\n", b"5\r\nabcdefgh\r\n", b"-1\r\n\r\n", b"\r\n\r\n", b"f" * 40 + b"\r\n", b"a" * 5000]
)
def test_wrong_framing_is_an_error(server: Server, raw: bytes) -> None:
    """TU8"""
    said = server.ask(Reply([("send", chunk({"content": "Well"})), ("raw", raw), ("pause", 0.02), ("close", None)]))
    assert type(said.error) is EndpointBroken


@given(st.sets(st.integers(0, 60)))
def test_content_is_the_same_however_it_is_cut(cuts: set[int]) -> None:
    """B24"""
    raw = b"5\r\nhello\r\n1;name=value\r\n \r\n00A\r\n0123456789\r\n0\r\n\r\n"
    chunks = Chunks()
    places = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    assert b"".join(chunks.feed(raw[begin:end]) for begin, end in itertools.pairwise(places)) == b"hello 0123456789"
    assert chunks.is_over
    assert chunks.is_clean


def test_trailers_are_no_part_of_the_next_answer() -> None:
    """TU8"""
    chunks = Chunks()
    assert chunks.feed(b"1\r\nx\r\n0\r\nTrailer: y\r\n\r\n") == b"x"
    assert chunks.is_over
    assert not chunks.is_clean
