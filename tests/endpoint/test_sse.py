"""Events from bytes cut anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskhand.endpoint import sse

RAW = (
    b': hello\r\n\r\nid: 1\nevent: message\ndata: {"a": "\xc5\xbd"}\n\ndata:{"b": 1}\rdata: {"c":\r\ndata: 2}\r\n\r\n'
    b'retry: 5\n\ndata:\n\n{"d": 4}\n\xef\xbb\xbfdata: x\ndata: [DONE]\n\ndata: {"late": 1}\n\n'
)


@given(st.sets(st.integers(0, len(RAW))))
def test_events_are_the_same_however_the_bytes_are_cut(cuts: set[int]) -> None:
    """B24"""
    events = sse.Events()
    found = []
    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(RAW)], strict=True):
        found += events.feed(RAW[begin:end])
    found += events.end()
    assert found == [{"a": "Ž"}, {"b": 1}, {"c": 2}, {"d": 4}]
    assert events.is_done
    assert events.failure is None


@pytest.mark.parametrize("raw", [b"data: 5\n\n", b"data: {oops}\n\n", b'data: {"a":\n\n', b"data: [1]\n\n", b'data: "\xff"\n\n'])
def test_what_is_no_object_is_a_failure_told_after_what_came_before(raw: bytes) -> None:
    """TU8"""
    events = sse.Events()
    assert events.feed(b'data: {"a": 1}\n\n' + raw + b'data: {"b": 1}\n\n') == [{"a": 1}]
    assert events.failure is not None


def test_deep_nesting_is_a_failure_and_never_a_crash() -> None:
    """sec L"""
    for deep in (b"[" * 200_000, b'{"a":' * 200_000):
        events = sse.Events()
        events.feed(b"data: " + deep + b"\n\n")
        assert events.failure is not None


def test_an_event_in_many_lines_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """sec L"""
    monkeypatch.setattr(sse, "LINE_BYTES", 100)
    events = sse.Events()
    events.feed(b"data: {\n" + b"data: x\n" * 200)
    assert events.failure is not None
