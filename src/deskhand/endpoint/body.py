"""Body: a model request in the words of an OpenAI-compatible server.

What servers refuse is not written: an empty text (``B31``), a call without its result or a result without its call (``B33``), a name or
arguments that a model made up and no schema allows (``B15``, ``B17``), a field that this server did not ask back (``B20``). Neighbours
of one role are one message: some chat templates demand that roles take turns.

What a server wants back with its own calls lies in ``Round.reasoning`` under the endpoint's name, so that a fallback never sends it to
another server. A text that is not of this form was written by hand and is taken as plain ``reasoning_content``.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping

import orjson

from deskhand.core import phrases
from deskhand.core.values import Entry, ModelRequest, Round, ToolCall, ToolSpec
from deskhand.endpoint import Settings, calls

_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_NO_RESULT = "(no result)"
_OURS = ("model", "messages", "tools", "stream")


def write(settings: Settings, request: ModelRequest) -> bytes:
    """The JSON body."""
    body: dict[str, object] = {"stream_options": {"include_usage": True}, **settings.parameters}
    for name in _OURS:
        body.pop(name, None)
    body = {name: value for name, value in body.items() if value is not None}
    body |= {"model": settings.model, "messages": messages(settings, request), "stream": True}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    return orjson.dumps(body, option=orjson.OPT_NON_STR_KEYS)


def messages(settings: Settings, request: ModelRequest) -> list[dict[str, object]]:
    """System text, window and earlier rounds, in this order."""
    written: list[dict[str, object]] = []
    if request.system.strip():
        written.append({"role": "system", "content": request.system})
    offered = {tool.name for tool in request.tools}
    for entry in merged(request.entries):
        written += _earlier_calls([name for name in entry.proposed_by if name in offered], len(written))
        written.append({"role": entry.role, "content": entry.content})
    for part in request.rounds:
        written += _round(settings, part)
    return written


def _earlier_calls(names: list[str], place: int) -> list[dict[str, object]]:
    """That an earlier turn called these tools: names alone, for a model that reads only "a card waits" says so and calls nothing."""
    if not names:
        return []
    # Nine letters and digits: Mistral's servers take no other id.
    ids = [f"past{place % 1000:03d}{number % 100:02d}" for number in range(len(names))]
    asked = [
        {"id": one, "type": "function", "function": {"name": name, "arguments": "{}"}}
        for one, name in zip(ids, names, strict=True)
    ]
    told: list[dict[str, object]] = [{"role": "tool", "tool_call_id": one, "content": phrases.PROPOSED_BEFORE} for one in ids]
    return [{"role": "assistant", "content": None, "tool_calls": asked}, *told]


def merged(entries: tuple[Entry, ...]) -> list[Entry]:
    """``entries`` without empty ones, neighbours of one role as one."""
    result: list[Entry] = []
    for entry in entries:
        if not entry.content.strip():
            continue
        if result and result[-1].role == entry.role:
            result[-1] = dataclasses.replace(result[-1], content=f"{result[-1].content}\n\n{entry.content}")
        else:
            result.append(entry)
    return result


def _round(settings: Settings, part: Round) -> list[dict[str, object]]:
    answer: dict[str, object] = {"role": "assistant", "content": part.text if part.text.strip() else None}
    if not part.calls:
        return [answer] if answer["content"] else []
    fields, extras = returned(settings, part.reasoning)
    answer |= fields
    asked: list[dict[str, object]] = []
    for call in part.calls:
        written: dict[str, object] = {
            "id": call.id,
            "type": "function",
            "function": {"name": name(call.name), "arguments": arguments(call.arguments)},
        }
        if call.id in extras:
            written["extra_content"] = extras[call.id]
        asked.append(written)
    answer["tool_calls"] = asked
    told: list[dict[str, object]] = [
        {"role": "tool", "tool_call_id": call.id, "content": result} for call, result in paired(part)
    ]
    return [answer, *told]


def paired(part: Round) -> list[tuple[ToolCall, str]]:
    """Each call with its result, in order; there is one for each, and none is empty."""
    results = [*part.results, *[""] * (len(part.calls) - len(part.results))]
    return [(call, result if result.strip() else _NO_RESULT) for call, result in zip(part.calls, results, strict=False)]


def name(raw: str) -> str:
    """``raw`` as a server accepts it in what is told back."""
    return _NAME.sub("_", raw)[:64] or "unknown"


def arguments(raw: str) -> str:
    """``raw`` if it is a JSON object; else an empty one: servers read what is told back, and break at half a text."""
    return raw if calls.is_object(raw) else "{}"


def _tool(tool: ToolSpec) -> dict[str, object]:
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters}}


def to_return(settings: Settings, fields: Mapping[str, str], extras: Mapping[str, object]) -> str:
    """``Reply.reasoning``: what this server wants back with its calls; empty if nothing."""
    if not fields and not extras:
        return ""
    return json.dumps({"endpoint": _origin(settings), "fields": dict(fields), "calls": dict(extras)})


def returned(settings: Settings, reasoning: str) -> tuple[dict[str, object], dict[str, object]]:
    """The message's fields and each call's extra, if they come from this server."""
    if not reasoning:
        return {}, {}
    try:
        value = json.loads(reasoning)
        if isinstance(value, dict) and "endpoint" in value:
            return (dict(value["fields"]), dict(value["calls"])) if value["endpoint"] == _origin(settings) else ({}, {})
    except (ValueError, KeyError, TypeError):
        pass
    return {"reasoning_content": reasoning}, {}


def _origin(settings: Settings) -> str:
    return f"{settings.provider} {settings.name} {settings.base_url}"
