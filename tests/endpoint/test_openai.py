"""The reader of OpenAI-compatible streams, over real HTTP."""

from __future__ import annotations

import json

import pytest

from deskhand.core.values import Entry, Finish, ModelRequest, ReasoningDelta, Round, TextDelta, ToolCall, Usage
from deskhand.errors import (
    ContextTooLong,
    EndpointBroken,
    EndpointDenied,
    EndpointError,
    EndpointLimited,
    EndpointOverloaded,
    EndpointRejected,
)
from tests.endpoint.conftest import QUESTION, Server
from tests.provider import DONE, Reply, call, chunk, event, fragment, refuse, say, stream, usage

CZECH = "Žluťoučký 北京 🌍"


def test_an_answer_is_streamed_and_told_whole(server: Server) -> None:
    """TU8"""
    said = server.ask(say("Hello dear world", tokens=(7, 3)))
    assert said.text == said.reply.text == "Hello dear world"
    assert said.reply.finish is Finish.STOP
    assert said.reply.usage == Usage(7, None, 3, None)
    assert said.reply.model == "served"


def test_text_comes_while_the_server_still_writes(server: Server) -> None:
    """UI1, goal 3"""
    server.script(stream(chunk({"content": "Soon"}), "hang"))
    running = server.endpoint().stream(QUESTION)
    assert next(iter(running)) == TextDelta("Soon")
    running.stop()


def test_all_text_of_one_write_is_one_delta(server: Server) -> None:
    """bench 1"""
    many = b"".join(chunk({"content": f"{number} "}) for number in range(50))
    said = server.ask(stream(many + chunk(finish="stop") + DONE))
    assert [type(delta) for delta in said.deltas[:-1]] == [TextDelta]


def test_the_connection_is_used_again(server: Server) -> None:
    """bench 3"""
    server.script(say("One"))
    endpoint = server.endpoint()
    for _ in range(3):
        list(endpoint.stream(QUESTION))
    assert len({request.connection for request in server.requests()}) == 1


@pytest.mark.parametrize("cut", [0, 3])
def test_a_frame_end_that_comes_a_little_late_does_not_cost_the_connection(
    server: Server, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    """bench 3"""
    monkeypatch.setattr("deskhand.endpoint.transport.SETTLE_SECONDS", 5)
    end = b"0\r\n\r\n"
    steps = [
        *stream(chunk({"content": "One"}), chunk(finish="stop"), DONE).steps,
        ("raw", end[:cut]),
        ("pause", 0.05),
        ("raw", end[cut:]),
    ]
    server.script(Reply(steps, framing="open"))
    endpoint = server.endpoint()
    for _ in range(2):
        list(endpoint.stream(QUESTION))
    assert len({request.connection for request in server.requests()}) == 1


def test_the_key_goes_in_the_header_alone(server: Server) -> None:
    """B127"""
    server.ask(say("Hi"))
    (request,) = server.requests()
    assert request.headers["authorization"] == "Bearer sk-test-SECRET123"
    assert "SECRET123" not in request.path + json.dumps(request.body)


@pytest.mark.parametrize("framing", ["chunked", "length", "close"])
@pytest.mark.parametrize("line_end", [b"\n\n", b"\r\n\r\n", b"\r\r"])
def test_characters_and_line_ends_cut_anywhere_are_read_right(server: Server, framing: str, line_end: bytes) -> None:
    """B24"""
    raw = b"".join(
        b"data: " + json.dumps(value, ensure_ascii=False).encode() + line_end
        for value in (
            {"choices": [{"delta": {"content": CZECH}}]},
            {"choices": [{"delta": {"content": "!"}, "finish_reason": "stop"}]},
        )
    )
    said = server.ask(Reply([("bytes", raw + b"data: [DONE]" + line_end)], framing=framing))
    assert said.text == said.reply.text == CZECH + "!"


def test_halves_of_a_pair_are_joined_and_lone_ones_cut(server: Server) -> None:
    """B25"""
    said = server.ask(
        stream(
            event(b'{"choices":[{"delta":{"content":"\\ud83d"}}]}'),
            0.05,
            event(b'{"choices":[{"delta":{"content":"\\ude00 a\\udc81b"}}]}'),
            event(
                b'{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"t","arguments":"{\\"n\\": \\"x\\udc81\\"}"}}]}}]}'
            ),
            chunk(finish="tool_calls"),
            DONE,
        )
    )
    assert said.text == said.reply.text == "😀 ab"
    assert said.reply.calls[0].arguments == '{"n": "x"}'


def test_nul_never_leaves_the_reader(server: Server) -> None:
    """B26"""
    said = server.ask(stream(chunk({"content": "a\0b"}), chunk({"reasoning_content": "c\0d"}), chunk(finish="stop"), DONE))
    assert said.text == "ab"
    assert "\0" not in repr(said.reply)


def test_chunks_without_choices_are_passed_over_and_usage_is_kept(server: Server) -> None:
    """B7"""
    first = event({"choices": [], "prompt_filter_results": []})
    said = server.ask(stream(first, chunk({"content": "Text"}), chunk(finish="stop"), usage(11, 5), DONE))
    assert said.text == "Text"
    assert (said.reply.usage.input_tokens, said.reply.usage.output_tokens) == (11, 5)
    assert not said.reply.usage.is_estimated


# -- errors in the stream --------------------------------------------------------------------------------------------------------------


def test_an_error_instead_of_an_answer_is_no_empty_success(server: Server) -> None:
    """B8"""
    said = server.ask(stream(event({"error": {"message": "quota exceeded"}}), DONE))
    assert type(said.error) is EndpointBroken
    assert not said.deltas


def test_an_error_in_the_middle_keeps_the_text(server: Server) -> None:
    """B8"""
    error = event({"error": {"code": 502, "message": "upstream busy"}, "choices": []})
    said = server.ask(stream(chunk({"content": "Half "}), chunk({"content": "an "}), error, "close"))
    assert said.text == "Half an "
    assert type(said.error) is EndpointOverloaded


def test_an_error_that_is_a_plain_text_counts(server: Server) -> None:
    """B8"""
    assert type(server.ask(stream(event({"error": "BOOM"}))).error) is EndpointBroken


@pytest.mark.parametrize(
    "raw",
    [
        b'event: error\ndata: {"code": 500, "message": "x"}\n\n',
        b'error: {"code": 500, "message": "x"}\n\n',
        b'{"error": {"code": 500, "message": "x"}}\n',
        b'{"error": {"code": 500, "message": "x"}}',
        b'data: {"object": "error", "message": "x", "code": 500}\n\n',
    ],
)
def test_other_shapes_of_an_error_count_too(server: Server, raw: bytes) -> None:
    """B8"""
    assert type(server.ask(stream(raw)).error) is EndpointOverloaded


def test_nothing_a_server_said_stands_in_an_error(server: Server) -> None:
    """B127, sec K1"""
    for reply in (
        refuse(401, {"message": "Invalid key sk-test-SECRET123", "code": "SECRET123"}),
        refuse(500, "SECRET123"),
        refuse(302, None, Location="http://127.0.0.1:1/SECRET123"),
        stream(event({"error": "SECRET123"})),
        stream(b"data: SECRET123\n\n"),
        Reply([("send", b"SECRET123")], framing="length", headers={"Content-Encoding": "gzip"}),
    ):
        error = server.ask(reply).error
        assert error is not None
        seen: BaseException | None = error
        while seen is not None:
            assert "SECRET123" not in f"{seen} {seen!r} {vars(seen)}"
            seen = seen.__context__ or seen.__cause__


def test_a_redirect_is_not_followed(server: Server, provider: object) -> None:
    """K1: the key would go with it."""
    said = server.ask(refuse(307, None, Location=f"{server.provider.root}/elsewhere"))
    assert type(said.error) is EndpointRejected
    assert len(server.requests()) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (refuse(401), EndpointDenied),
        (refuse(403), EndpointDenied),
        (refuse(429), EndpointLimited),
        (refuse(400), EndpointRejected),
        (refuse(400, {"code": "context_length_exceeded"}), ContextTooLong),
        (refuse(413), ContextTooLong),
        (refuse(500), EndpointOverloaded),
        (refuse(503), EndpointOverloaded),
    ],
)
def test_a_status_becomes_its_error(server: Server, reply: Reply, kind: type[EndpointError]) -> None:
    """TU7"""
    said = server.ask(reply)
    assert type(said.error) is kind
    assert said.error.status == reply.status


# -- where a stream ends ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["close", "reset"])
def test_a_dropped_connection_is_never_a_whole_answer(server: Server, end: str) -> None:
    """B10"""
    said = server.ask(stream(chunk({"content": "Half "}), chunk({"content": "an"}), 0.05, end))
    assert said.text == "Half an"
    assert type(said.error) is EndpointBroken


@pytest.mark.parametrize("framing", ["chunked", "length", "close"])
def test_a_body_that_just_ends_is_never_a_whole_answer(server: Server, framing: str) -> None:
    """B10: HTTP ends as it should, the answer does not."""
    said = server.ask(Reply([("send", chunk({"content": "Half"}))], framing=framing))
    assert said.text == "Half"
    assert type(said.error) is EndpointBroken


@pytest.mark.parametrize("arguments", ['{"number": "A', '{"number": "A-1"}'])
def test_half_a_tool_call_never_leaves_as_a_call(server: Server, arguments: str) -> None:
    """B10: also when what came of it happens to be whole."""
    said = server.ask(stream(chunk({"tool_calls": [fragment("get_order", arguments, id="c", index=0)]}), "close"))
    assert type(said.error) is EndpointBroken
    assert not said.deltas


def test_a_finish_reason_is_enough_without_done(server: Server) -> None:
    """B10: the choice for servers that end so."""
    for end in ((), ("close",)):
        said = server.ask(stream(chunk({"content": "All"}), chunk(finish="stop"), *end))
        assert said.reply.text == "All"


def test_a_server_that_stays_silent_after_its_finish_reason_is_not_waited_for_long(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TU7"""
    monkeypatch.setattr("deskhand.endpoint.openai.FAREWELL_SECONDS", 0.1)
    assert server.ask(stream(chunk({"content": "All"}), chunk(finish="stop"), "hang")).reply.text == "All"


def test_a_server_that_does_not_stream_is_read_too(server: Server) -> None:
    """TU8"""
    message = {"role": "assistant", "content": "Two  spaces", "tool_calls": [fragment("a", "{}"), fragment("a", "{}")]}
    value = {
        "choices": [{"message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4},
    }
    raw = json.dumps(value, indent=2).encode()
    said = server.ask(Reply([("send", raw)], headers={"Content-Type": "application/json"}, framing="length"))
    assert said.text == "Two  spaces"
    assert [made.name for made in said.reply.calls] == ["a", "a"]
    assert len({made.id for made in said.reply.calls}) == 2


def test_an_event_that_is_no_object_breaks_the_answer(server: Server) -> None:
    """TU8"""
    for raw in (b"data: [1]\n\n", b"data: null\n\n", b"data: {oops\n\n"):
        said = server.ask(stream(chunk({"content": "Before"}), raw, chunk({"content": "after"}), chunk(finish="stop"), DONE))
        assert said.text == "Before"
        assert type(said.error) is EndpointBroken


def test_a_line_without_end_is_ended(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """sec L"""
    monkeypatch.setattr("deskhand.endpoint.sse.LINE_BYTES", 1000)
    said = server.ask(stream(b"data: " + b"x" * 500, 0.01, b"x" * 600, 0.01, b"x" * 600))
    assert type(said.error) is EndpointBroken


# -- what ends an answer ---------------------------------------------------------------------------------------------------------------


# -- text that is not the answer -------------------------------------------------------------------------------------------------------


def test_reasoning_goes_back_with_the_calls_to_the_server_that_sent_it(server: Server, provider: object) -> None:
    """B20"""
    first = stream(chunk({"reasoning_content": "I "}), chunk({"reasoning_content": "look"}),
                   chunk({"tool_calls": [fragment("get_order", "{}", id="c", index=0)]}), chunk(finish="tool_calls"), DONE)  # fmt: skip
    server.script(first, say("Done"))
    server.provider.strict(server.model, reasoning=True)
    endpoint = server.endpoint()
    *deltas, reply = endpoint.stream(QUESTION)
    assert ReasoningDelta() in deltas
    assert TextDelta not in {type(delta) for delta in deltas}
    told = ModelRequest("", QUESTION.entries, (Round(reply.text, reply.reasoning, reply.calls, ("the order",)),))  # type: ignore[union-attr]
    *_, second = endpoint.stream(told)
    assert second.text == "Done"  # type: ignore[union-attr]
    assert server.bodies()[1]["messages"][1]["reasoning_content"] == "I look"  # type: ignore[index]

    other = Server(server.provider)
    other.ask(say("Hi"), request=told, name="another")
    assert "reasoning_content" not in json.dumps(other.bodies())


def test_signatures_go_back_with_their_calls(server: Server) -> None:
    """B20: Google's OpenAI-compatible door."""
    extra = {"google": {"thought_signature": "abc"}}
    asked = {**fragment("get_order", "{}", id="c", index=0), "extra_content": extra}
    server.script(stream(chunk({"tool_calls": [asked]}), chunk(finish="tool_calls"), DONE), say("Done"))
    *_, reply = server.endpoint().stream(QUESTION)
    told = ModelRequest("", QUESTION.entries, (Round("", reply.reasoning, reply.calls, ("the order",)),))  # type: ignore[union-attr]
    list(server.endpoint().stream(told))
    assert server.bodies()[1]["messages"][1]["tool_calls"][0]["extra_content"] == extra  # type: ignore[index]


# -- what it sends ---------------------------------------------------------------------------------------------------------------------


def test_a_strict_server_accepts_what_is_told_back(server: Server) -> None:
    """B5, B15, B17, B31, B33"""
    made = (ToolCall("a", "get order!", '{"q'), ToolCall("b", "get_order", "[]"), ToolCall("c", "", "{}"))
    request = ModelRequest(
        "  ",
        (Entry("user", "one"), Entry("assistant", " "), Entry("user", "two"), Entry("assistant", "")),
        (Round("", "", made, ("first", "")), Round("Well", "", (), ())),
    )
    server.script(say("Hi"))
    server.provider.strict(server.model)
    assert server.ask(request=request).reply.text == "Hi"
    messages = server.bodies()[0]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "tool", "assistant"]  # type: ignore[attr-defined]
    assert messages[0]["content"] == "one\n\ntwo"  # type: ignore[index]
    assert [message["tool_call_id"] for message in messages[2:5]] == ["a", "b", "c"]  # type: ignore[index]


def test_ids_that_a_server_repeats_are_told_apart(server: Server) -> None:
    """B5"""
    first = server.ask(call(("get_order", {"id": 1}))).reply
    told = ModelRequest("", QUESTION.entries, (Round("", "", first.calls, ("one",)),))
    second = server.ask(call(("get_order", {"id": 2})), request=told).reply
    assert first.calls[0].id == "call_0"
    assert second.calls[0].id != "call_0"
    same = stream(
        *(chunk({"tool_calls": [fragment("t", f'{{"n": {n}}}', id="x", index=n)]}) for n in (0, 1)), chunk(finish="stop")
    )
    assert len({made.id for made in server.ask(same).reply.calls}) == 2
