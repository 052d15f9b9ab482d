"""A model request in the words of an OpenAI-compatible server."""

from __future__ import annotations

import dataclasses
import json

from deskhand.core.values import Entry, ModelRequest, Round, ToolCall, ToolSpec
from deskhand.endpoint import Settings, body

SETTINGS = Settings("here", "openai", "m", "http://model.test/v1", "sk-1")


def written(request: ModelRequest, settings: Settings = SETTINGS) -> dict[str, object]:
    """The body as the server reads it."""
    value = json.loads(body.write(settings, request))
    assert isinstance(value, dict)
    return value


def test_all_parts_stand_in_their_order() -> None:
    """EN2"""
    tool = ToolSpec("get_order", "An order.", {"type": "object"})
    call = ToolCall("a", "get_order", '{"number": "A-1"}')
    request = ModelRequest("Be short.", (Entry("user", "Hi"),), (Round("I look", "", (call,), ("here",)),), (tool,))
    assert written(request) == {
        "model": "m",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": "Be short."},
            {"role": "user", "content": "Hi"},
            {
                "role": "assistant",
                "content": "I look",
                "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "get_order", "arguments": '{"number": "A-1"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "a", "content": "here"},
        ],
        "tools": [
            {"type": "function", "function": {"name": "get_order", "description": "An order.", "parameters": {"type": "object"}}}
        ],
    }


def test_parameters_are_added_but_never_replace_what_is_ours() -> None:
    """EN1"""
    parameters = {"temperature": 0.5, "model": "x", "messages": [], "stream": False, "tools": [], "stream_options": None}
    value = written(ModelRequest("", (Entry("user", "Hi"),)), dataclasses.replace(SETTINGS, parameters=parameters))
    assert value == {"model": "m", "stream": True, "temperature": 0.5, "messages": [{"role": "user", "content": "Hi"}]}


def test_an_earlier_turns_cards_are_told_as_calls_by_name_alone() -> None:
    """HI2, B33: before its answer, each call with a result of ours and an id that every server takes"""
    entries = (Entry("user", "Ship A-1"), Entry("assistant", "A card waits.", ("ship", "note", "gone")), Entry("user", "And A-2"))
    tools = tuple(ToolSpec(name, "", {"type": "object"}) for name in ("ship", "note"))
    messages = written(ModelRequest("Be short.", entries, (), tools))["messages"]
    assert isinstance(messages, list)
    calls = messages[2]["tool_calls"]
    assert [(call["function"]["name"], call["function"]["arguments"]) for call in calls] == [("ship", "{}"), ("note", "{}")]
    assert all(len(call["id"]) == 9 and call["id"].isalnum() for call in calls)
    assert messages[3:5] == [{"role": "tool", "tool_call_id": call["id"], "content": "(proposed)"} for call in calls]
    assert messages[5:] == [{"role": "assistant", "content": "A card waits."}, {"role": "user", "content": "And A-2"}]


def test_a_tool_that_is_not_offered_any_more_is_never_told_as_called() -> None:
    """HI2, SC2: and a server that is offered no tools refuses a call in what it is told"""
    entries = (Entry("user", "Ship A-1"), Entry("assistant", "A card waits.", ("ship",)), Entry("user", "And A-2"))
    messages = written(ModelRequest("", entries))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]  # type: ignore[attr-defined]


def test_a_call_without_result_is_never_sent() -> None:
    """B33"""
    calls = (ToolCall("a", "t", "{}"), ToolCall("b", "t", "{}"))
    messages = written(ModelRequest("", (), (Round("", "", calls, ("one", "", "three")),)))["messages"]
    assert [(message["role"], message["content"]) for message in messages] == [  # type: ignore[attr-defined]
        ("assistant", None),
        ("tool", "one"),
        ("tool", "(no result)"),
    ]
    assert len(written(ModelRequest("", (), (Round("", "", calls, ()),)))["messages"]) == 3  # type: ignore[arg-type]


def test_what_another_endpoint_wants_back_is_never_sent() -> None:
    """B20"""
    ours = body.to_return(SETTINGS, {"reasoning_content": "I look"}, {"a": {"signed": True}})
    assert body.returned(SETTINGS, ours) == ({"reasoning_content": "I look"}, {"a": {"signed": True}})
    for changed in (dataclasses.replace(SETTINGS, name="there"), dataclasses.replace(SETTINGS, base_url="http://there/v1")):
        assert body.returned(changed, ours) == ({}, {})
    assert body.to_return(SETTINGS, {}, {}) == ""


def test_a_reasoning_written_by_hand_is_plain_text() -> None:
    """B20"""
    for text in ("I look", "5", "[]", '{"a": 1}'):
        assert body.returned(SETTINGS, text) == ({"reasoning_content": text}, {})
