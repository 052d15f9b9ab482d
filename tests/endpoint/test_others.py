"""Anthropic and Google through pydantic-ai, in their own wire formats over real HTTP."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import threading
import time

import pytest

from deskhand.core.values import Entry, Finish, ModelRequest, ReasoningDelta, Round, ToolCall, ToolSpec
from deskhand.endpoint import Waits
from deskhand.endpoint.others import open_other
from deskhand.errors import (
    ContextTooLong,
    EndpointBroken,
    EndpointDenied,
    EndpointError,
    EndpointLimited,
    EndpointOverloaded,
    EndpointRejected,
    EndpointTimeout,
    EndpointUnreachable,
    TurnStopped,
)
from tests.endpoint.conftest import QUESTION, WAITS, Said, Server, listen
from tests.provider import Reply, refuse
from tests.wires import anthropic, anthropic_block, anthropic_event, anthropic_start, anthropic_text, google, google_parts

ORDERS = ToolSpec("get_order", "An order.", {"type": "object", "properties": {"number": {"type": "string"}}})
SOURCE = pathlib.Path(__file__).parents[2] / "src"
BOTH = pytest.mark.parametrize("provider_name", ["anthropic", "google"])


def ask(server: Server, name: str, *replies: Reply, request: ModelRequest = QUESTION, **changes: object) -> Said:
    """Ask the provider process in the wire format of ``name``."""
    server.script(*replies)
    settings = server.settings(**{"provider": name, "base_url": server.provider.root, **changes})
    return listen(iter(open_other(settings).stream(request)))


def whole(name: str, text: str) -> Reply:
    """A whole answer in the wire format of ``name``."""
    return anthropic(anthropic_text(text)) if name == "anthropic" else google(google_parts({"text": text}))


def begun(name: str, reply: Reply) -> Reply:
    """``reply`` after the first words of an answer, if it has any steps."""
    if not reply.steps:
        return reply
    words = [("send", anthropic_start() + anthropic_text("Well"))]
    return Reply([*(words if name == "anthropic" else google(google_parts({"text": "Well"}, reason=None)).steps), *reply.steps])


@BOTH
def test_an_answer_is_streamed_and_told_whole(server: Server, provider_name: str) -> None:
    """EN2"""
    said = ask(server, provider_name, whole(provider_name, "Hello dear world"))
    assert said.text == said.reply.text == "Hello dear world"
    assert said.reply.finish is Finish.STOP
    assert (said.reply.usage.input_tokens, said.reply.usage.output_tokens, said.reply.usage.is_estimated) == (10, 5, False)


@BOTH
def test_characters_cut_anywhere_are_read_right(server: Server, provider_name: str) -> None:
    """B24"""
    text = "Žluťoučký 北京 🌍"
    raw = b"".join(part for _, part in whole(provider_name, text).steps)  # type: ignore[misc]
    assert ask(server, provider_name, Reply([("bytes", raw)])).text == text


@BOTH
def test_nul_never_leaves_the_reader(server: Server, provider_name: str) -> None:
    """B26"""
    assert ask(server, provider_name, whole(provider_name, "a\0b")).text == "ab"


def test_halves_of_a_pair_are_joined_and_lone_ones_cut(server: Server) -> None:
    """B25"""
    deltas = [{"type": "text_delta", "text": text} for text in ("\ud83d", "\ude00 a\udc81b")]
    assert ask(server, "anthropic", anthropic(anthropic_block(0, {"type": "text", "text": ""}, *deltas))).reply.text == "😀 ab"
    said = ask(server, "google", google(google_parts({"text": "\ud83d"}, reason=None), google_parts({"text": "\ude00 a\udc81b"})))
    assert said.reply.text == "😀 ab"


def test_a_call_without_arguments_has_an_empty_object(server: Server) -> None:
    """B1 (3)"""
    block = anthropic_block(0, {"type": "tool_use", "id": "toolu_1", "name": "list_warehouses", "input": {}})
    reply = ask(server, "anthropic", anthropic(block, reason="tool_use")).reply
    assert reply.calls == (ToolCall("toolu_1", "list_warehouses", "{}"),)
    assert reply.finish is Finish.TOOLS
    reply = ask(server, "google", google(google_parts({"functionCall": {"name": "list_warehouses"}}))).reply
    assert [(call.name, call.arguments) for call in reply.calls] == [("list_warehouses", "{}")]


def test_a_call_cut_by_the_output_limit_says_so(server: Server) -> None:
    """B12"""
    block = anthropic_block(
        0, {"type": "tool_use", "id": "t", "name": "a", "input": {}}, {"type": "input_json_delta", "partial_json": '{"n": "lo'}
    )
    reply = ask(server, "anthropic", anthropic(block, reason="max_tokens")).reply
    assert (reply.finish, reply.calls[0].arguments) == (Finish.LENGTH, '{"n": "lo')


@BOTH
def test_a_stream_that_just_ends_is_never_a_whole_answer(server: Server, provider_name: str) -> None:
    """B10"""
    if provider_name == "anthropic":
        half = {"type": "input_json_delta", "partial_json": '{"number": "A'}
        parts = [
            anthropic_start(),
            anthropic_text("Half"),
            anthropic_block(1, {"type": "tool_use", "id": "t", "name": "a", "input": {}}, half),
        ]
        steps = [("send", part) for part in parts]
    else:
        steps = list(google(google_parts({"text": "Half"}, reason=None)).steps)
    for end in ((), (("close", None),)):
        said = ask(server, provider_name, Reply([*steps, *end]))
        assert said.text == "Half"
        assert type(said.error) is EndpointBroken


def test_an_error_in_the_middle_keeps_the_text(server: Server) -> None:
    """B8"""
    error = anthropic_event("error", error={"type": "overloaded_error", "message": "SECRET123"})
    said = ask(server, "anthropic", Reply([("send", anthropic_start() + anthropic_text("Half") + error)]))
    assert said.text == "Half"
    assert type(said.error) is EndpointOverloaded


def test_a_malformed_call_is_an_empty_answer_with_its_usage(server: Server) -> None:
    """B22"""
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 7, "totalTokenCount": 107}
    malformed = {"candidates": [{"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL"}], "usageMetadata": usage}
    reply = ask(server, "google", google(malformed)).reply
    assert (reply.text, reply.calls, reply.finish) == ("", (), Finish.STOP)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (100, 7)
    said = ask(server, "google", google(google_parts({"text": "Well"}, reason=None), malformed))
    assert said.text == "Well"
    assert type(said.error) is EndpointBroken


def test_a_withheld_answer_says_so(server: Server) -> None:
    """B22"""
    usage = {"promptTokenCount": 100, "totalTokenCount": 100}
    for value in (
        {"candidates": [{"finishReason": "SAFETY"}], "usageMetadata": usage},
        {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage},
    ):
        reply = ask(server, "google", google(value)).reply
        assert (reply.finish, reply.text) == (Finish.FILTERED, "")
        assert reply.usage.input_tokens == 100
    assert ask(server, "anthropic", anthropic(reason="refusal")).reply.finish is Finish.FILTERED


def test_thinking_counts_as_output(server: Server) -> None:
    """B110"""
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 20, "thoughtsTokenCount": 300, "totalTokenCount": 420}
    used = ask(server, "google", google(google_parts({"text": "Hi"}, **usage))).reply.usage
    assert (used.input_tokens, used.output_tokens, used.reasoning_tokens) == (100, 320, 300)


def test_cached_tokens_are_part_of_the_input(server: Server) -> None:
    """B108"""
    start = anthropic_start(200, cache_read_input_tokens=800, cache_creation_input_tokens=0)
    end = anthropic().steps[-1]
    used = ask(server, "anthropic", Reply([("send", start), ("send", anthropic_text("Hi")), end])).reply.usage
    assert (used.input_tokens, used.cached_tokens) == (1000, 800)


def test_no_empty_text_is_sent(server: Server) -> None:
    """B31"""
    request = ModelRequest(
        "Be short.",
        (Entry("user", "one"), Entry("assistant", " "), Entry("user", "two")),
        (Round("", "", (ToolCall("a", "get_order", ""),), ("",)),),
    )
    server.script(anthropic(anthropic_text("Hi")))
    server.provider.strict(server.model, pairs=False)
    said = listen(iter(open_other(server.settings(provider="anthropic", base_url=server.provider.root)).stream(request)))
    assert said.reply.text == "Hi"


@BOTH
def test_calls_and_results_are_told_back_in_pairs(server: Server, provider_name: str) -> None:
    """B33, B17, B5"""
    made = (ToolCall("functions.a:0", "get_order", '{"number": "A-1"}'), ToolCall("b", "get order!", "[1]"))
    request = ModelRequest("Be short.", QUESTION.entries, (Round("Wait", "", made, ("first", "second")),), (ORDERS,))
    assert ask(server, provider_name, whole(provider_name, "Hi"), request=request).reply.text == "Hi"
    (body,) = server.bodies()
    if provider_name == "anthropic":
        asked, results = body["messages"][1]["content"][-2:], body["messages"][2]["content"]  # type: ignore[index]
        assert [call["input"] for call in asked] == [{"number": "A-1"}, {}]
        assert [call["id"] for call in asked] == [result["tool_use_id"] for result in results]
        assert [call["name"] for call in asked] == ["get_order", "get_order_"]
    else:
        asked = [part["functionCall"] for part in body["contents"][1]["parts"] if "functionCall" in part]  # type: ignore[index]
        results = [part["functionResponse"] for part in body["contents"][2]["parts"]]  # type: ignore[index]
        assert [call["name"] for call in asked] == [result["name"] for result in results] == ["get_order", "get_order_"]
    assert "first" in json.dumps(results[0])
    assert "Be short." in json.dumps(body)


def test_signed_thinking_goes_back_with_its_calls_and_to_nobody_else(server: Server) -> None:
    """B20"""
    thinking = anthropic_block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "I look"},
        {"type": "signature_delta", "signature": "c2ln"},
    )
    call = anthropic_block(1, {"type": "tool_use", "id": "toolu_1", "name": "get_order", "input": {}})
    said = ask(server, "anthropic", anthropic(thinking, call, reason="tool_use"))
    assert ReasoningDelta() in said.deltas
    assert said.text == ""
    told = ModelRequest("", QUESTION.entries, (Round("", said.reply.reasoning, said.reply.calls, ("it",)),), (ORDERS,))
    ask(server, "anthropic", anthropic(anthropic_text("Hi")), request=told)
    assert server.bodies()[0]["messages"][1]["content"][0] == {"type": "thinking", "thinking": "I look", "signature": "c2ln"}  # type: ignore[index]
    other = Server(server.provider)
    ask(other, "google", google(google_parts({"text": "Hi"})), request=told)
    assert "I look" not in json.dumps(other.bodies())


def test_a_signed_call_goes_back_with_its_signature(server: Server) -> None:
    """B20"""
    call = {"functionCall": {"name": "get_order", "args": {"number": "A-1"}}, "thoughtSignature": "c2ln"}
    reply = ask(server, "google", google(google_parts(call))).reply
    told = ModelRequest("", QUESTION.entries, (Round("", reply.reasoning, reply.calls, ("it",)),), (ORDERS,))
    ask(server, "google", google(google_parts({"text": "Hi"})), request=told)
    assert server.bodies()[0]["contents"][1]["parts"][0]["thoughtSignature"] == "c2ln"  # type: ignore[index]


@BOTH
@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, EndpointDenied), (429, EndpointLimited), (400, EndpointRejected), (500, EndpointOverloaded), (307, EndpointError)],
)
def test_a_status_becomes_its_error_asked_once_and_without_words(
    server: Server, provider_name: str, status: int, kind: type[EndpointError]
) -> None:
    """TU7, B28, B127: retries are ours, and a redirect would take the key with it."""
    where = {"Location": f"{server.provider.root}/models/{server.model}:SECRET123"} if status == 307 else {}
    error = {"type": "x", "message": "SECRET123", "status": "SECRET123", "code": status}
    said = ask(server, provider_name, refuse(status, error, Retry_After="7", **where))
    assert isinstance(said.error, kind)
    assert len(server.requests()) == 1
    if status == 429:
        assert said.error.retry_after_seconds == 7
    seen: BaseException | None = said.error
    while seen is not None:
        assert "SECRET123" not in f"{seen} {seen!r} {vars(seen)}"
        seen = seen.__context__ or seen.__cause__


def test_a_conversation_too_long_says_so(server: Server) -> None:
    """B29"""
    error = {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}
    assert type(ask(server, "anthropic", refuse(400, error)).error) is ContextTooLong


@BOTH
def test_a_server_that_is_not_there(server: Server, provider_name: str) -> None:
    """TU7"""
    said = ask(server, provider_name, base_url="http://127.0.0.1:9")
    assert type(said.error) is EndpointUnreachable


@BOTH
@pytest.mark.parametrize(
    ("phase", "waits", "reply"),
    [
        ("first_byte", Waits(10, 0.1, 20, 60), Reply(wait_seconds=-1)),
        ("idle", Waits(10, 20, 0.1, 60), Reply([("hang", None)])),
        ("total", Waits(10, 20, 20, 0.3), Reply([("pause", 0.1), ("send", b"\n")] * 50)),
    ],
)
def test_each_wait_has_its_end(server: Server, provider_name: str, phase: str, waits: Waits, reply: Reply) -> None:
    """TU7, J3"""
    said = ask(server, provider_name, begun(provider_name, reply), waits=waits)
    assert isinstance(said.error, EndpointTimeout)
    assert said.error.phase == phase


@BOTH
@pytest.mark.parametrize("reply", [Reply(wait_seconds=-1), Reply([("hang", None)])])
def test_stop_ends_it_at_once_and_closes_the_connection(server: Server, provider_name: str, reply: Reply) -> None:
    """TU4, B60"""
    server.script(begun(provider_name, reply))
    running = open_other(server.settings(provider=provider_name, base_url=server.provider.root, waits=WAITS)).stream(QUESTION)

    def stop() -> None:
        server.provider.wait_for(server.model, 1)
        running.stop()
        running.stop()

    threading.Thread(target=stop).start()
    with pytest.raises(TurnStopped):
        list(running)
    began = time.monotonic()
    server.provider.wait_for(server.model, 1, closed=True)
    assert time.monotonic() - began < 2


def test_the_library_is_loaded_for_such_an_endpoint_alone() -> None:
    """goal 8"""
    code = (
        "import sys; from deskhand.endpoint import Settings, opening, retry, scripted, others;"
        "opening.open(Settings('a', 'openai', 'm', 'http://x/v1'));"
        "print([name for name in ('pydantic_ai', 'anthropic', 'httpx2', 'genai_prices') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(SOURCE)}
    )
    assert ran.stdout.strip() == "[]"
