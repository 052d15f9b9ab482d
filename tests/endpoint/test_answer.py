"""What the events of one stream say, put together; over real HTTP."""

from __future__ import annotations

import pytest

from deskhand.core.values import Finish, ReasoningDelta, TextDelta, ToolCall
from deskhand.errors import (
    EndpointBroken,
)
from tests.endpoint.conftest import Server
from tests.provider import DONE, chunk, event, fragment, say, stream


def test_done_is_enough_without_a_finish_reason_if_no_call_is_half(server: Server) -> None:
    """B10: the choice for old gateways."""
    assert server.ask(stream(chunk({"content": "All"}), DONE)).reply.text == "All"
    whole = server.ask(stream(chunk({"tool_calls": [fragment("t", '{"a": 1}', id="c", index=0)]}), DONE)).reply
    assert whole.calls == (ToolCall("c", "t", '{"a": 1}'),)
    half = server.ask(stream(chunk({"tool_calls": [fragment("t", '{"a": ', id="c", index=0)]}), DONE))
    assert type(half.error) is EndpointBroken


def test_an_empty_stream_is_an_error(server: Server) -> None:
    """B8"""
    assert type(server.ask(stream(DONE)).error) is EndpointBroken
    assert type(server.ask(stream()).error) is EndpointBroken


@pytest.mark.parametrize(
    "odd",
    [
        {"choices": "x"},
        {"choices": [None]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"content": 5, "tool_calls": "x", "reasoning_content": []}}]},
        {"choices": [{"delta": {"tool_calls": [None, 5, {}, {"function": "x"}, {"index": "x", "id": 5}]}}]},
        {"choices": [{"index": 1, "delta": {"content": "another choice"}}]},
        {"usage": [], "model": 5},
        {"usage": {"prompt_tokens": "x", "completion_tokens": -1}},
    ],
)
def test_a_shape_nobody_promised_is_passed_over(server: Server, odd: dict[str, object]) -> None:
    """TU8"""
    said = server.ask(stream(event(odd), chunk({"content": "Fine"}), chunk(finish="stop"), DONE))
    assert said.reply.text == "Fine"
    assert said.reply.calls == ()


def test_an_answer_without_end_is_ended(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """sec L"""
    monkeypatch.setattr("deskhand.endpoint.answer.ANSWER_CHARS", 1000)
    said = server.ask(stream(*[chunk({"content": "x" * 100})] * 20, chunk(finish="stop"), DONE))
    assert type(said.error) is EndpointBroken


def test_a_call_cut_by_the_output_limit_says_so(server: Server) -> None:
    """B12"""
    for arguments in ('{"note":"long tex', '{"id":5}'):
        chunks = [chunk({"tool_calls": [fragment("update_client", arguments, id="c", index=0)]}), chunk(finish="length"), DONE]
        reply = server.ask(stream(*chunks)).reply
        assert reply.finish is Finish.LENGTH
        assert reply.calls == (ToolCall("c", "update_client", arguments),)


def test_calls_are_calls_whatever_the_finish_reason_says(server: Server) -> None:
    """B14"""
    chunks = [chunk({"tool_calls": [fragment("get_order", '{"number":"A-1"}', id="c", index=0)]}), chunk(finish="stop"), DONE]
    reply = server.ask(stream(*chunks)).reply
    assert reply.finish is Finish.TOOLS
    assert reply.calls == (ToolCall("c", "get_order", '{"number":"A-1"}'),)


def test_a_withheld_answer_says_so_and_has_no_calls(server: Server) -> None:
    """TU7"""
    chunks = [
        chunk({"content": "I"}),
        chunk({"tool_calls": [fragment("t", "{}", id="c", index=0)]}),
        chunk(finish="content_filter"),
    ]
    reply = server.ask(stream(*chunks, DONE)).reply
    assert (reply.finish, reply.calls) == (Finish.FILTERED, ())


def test_a_server_that_gives_up_is_an_error(server: Server) -> None:
    """B8"""
    said = server.ask(stream(chunk({"content": "Half"}), chunk(finish="error"), DONE))
    assert said.text == "Half"
    assert type(said.error) is EndpointBroken


def test_inline_thinking_is_never_shown(server: Server) -> None:
    """B19"""
    said = server.ask(
        stream(*(part for text in ("<thi", "nk>secret</th", "ink>Ans", "wer") for part in (chunk({"content": text}), 0.02)),
               chunk(finish="stop"), DONE)
    )  # fmt: skip
    assert [delta.text for delta in said.deltas if isinstance(delta, TextDelta)] == ["Ans", "wer"]
    assert said.reply.text == "Answer"
    assert ReasoningDelta() in said.deltas


def test_a_tool_call_written_as_text_stays_text(server: Server) -> None:
    """B18"""
    text = '<tool_call>{"name":"cancel_order","arguments":{"id":9}}</tool_call>'
    reply = server.ask(say(text)).reply
    assert (reply.text, reply.calls, reply.finish) == (text, (), Finish.STOP)
