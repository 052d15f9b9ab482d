"""What a call used, as the server says or as we estimate it."""

from __future__ import annotations

import pytest

from deskhand.core.values import Entry, ModelRequest, ToolCall, Usage
from deskhand.endpoint.counting import estimated, read
from tests.endpoint.conftest import Server
from tests.provider import DONE, chunk, event, stream


def openai(read_tokens: int, written: int, **more: object) -> dict[str, object]:
    """A usage object."""
    return {"prompt_tokens": read_tokens, "completion_tokens": written, **more}


@pytest.mark.parametrize(
    ("raw", "usage"),
    [
        (openai(11, 5), Usage(11, None, 5)),
        (openai(1000, 100, prompt_tokens_details={"cached_tokens": 800}), Usage(1000, 800, 100)),
        (openai(1000, 100, prompt_cache_hit_tokens=800), Usage(1000, 800, 100)),
        (openai(1000, 100, completion_tokens_details={"reasoning_tokens": 60}), Usage(1000, None, 100, 60)),
        (openai(100, 20, total_tokens=420), Usage(100, None, 320, 300)),
        (openai(200, 5, prompt_tokens_details={"cached_tokens": 800}), Usage(1000, 800, 5)),
        (openai(1, 1, cost=0.00001234), Usage(1, None, 1, None, 13)),
        (openai(1, 1, cost={"total": 1}, prompt_tokens_details=None, completion_tokens_details=[]), Usage(1, None, 1)),
        (openai(1, 1, cost=float("nan"), prompt_tokens_details={"cached_tokens": True}), Usage(1, None, 1)),
    ],
)
def test_each_shape_is_read(raw: object, usage: Usage) -> None:
    """B108, B110"""
    assert read(raw) == usage


@pytest.mark.parametrize("raw", [None, {}, [], "x", openai(0, 0), {"prompt_tokens": "5"}, {"prompt_tokens": -5}])
def test_what_says_nothing_is_never_a_zero(raw: object) -> None:
    """B119"""
    assert read(raw) is None


@pytest.mark.parametrize("value", [None, {"prompt_tokens": 0, "completion_tokens": 0}])
def test_a_server_that_does_not_count_is_estimated(server: Server, value: object) -> None:
    """B119"""
    used = server.ask(
        stream(event({"choices": [], "usage": value}), chunk({"content": "12345678"}), chunk(finish="stop"), DONE)
    ).reply.usage
    assert used.is_estimated
    assert used.output_tokens == 2
    assert used.input_tokens is not None
    assert used.input_tokens > 0


def test_usage_repeated_in_each_chunk_is_never_summed(server: Server) -> None:
    """B119"""
    chunks = [chunk({"content": "x"}, usage=openai(10, number)) for number in (1, 2, 3)]
    used = server.ask(stream(*chunks, chunk(finish="stop"), DONE)).reply.usage
    assert (used.input_tokens, used.output_tokens) == (10, 3)


def test_an_estimate_counts_what_was_sent_and_written() -> None:
    """B112"""
    request = ModelRequest("x" * 40, (Entry("user", "y" * 40),))
    used = estimated(request, "z" * 39, [ToolCall("id", "name", "12345678")])
    assert used == Usage(20, None, 13, None, None, is_estimated=True)
    assert estimated(request, known=Usage(7)) == Usage(7, None, 0, None, None, is_estimated=True)
    assert estimated(request, known=Usage(7, None, 3)) == Usage(7, None, 3)
