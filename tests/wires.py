"""Anthropic's and Google's wire formats, as replies of the provider process."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.provider import Reply, event


def anthropic_event(kind: str, **fields: object) -> bytes:
    """One event of Anthropic's stream."""
    return f"event: {kind}\n".encode() + event({"type": kind, **fields})


def anthropic_block(index: int, start: Mapping[str, object], *deltas: Mapping[str, object]) -> bytes:
    """A content block with its deltas."""
    return (
        anthropic_event("content_block_start", index=index, content_block=dict(start))
        + b"".join(anthropic_event("content_block_delta", index=index, delta=dict(delta)) for delta in deltas)
        + anthropic_event("content_block_stop", index=index)
    )


def anthropic_start(read: int = 10, **usage: int) -> bytes:
    """The event that opens a message."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "served", "content": [], "stop_reason": None,
               "stop_sequence": None, "usage": {"input_tokens": read, "output_tokens": 1, **usage}}  # fmt: skip
    return anthropic_event("message_start", message=message)


def anthropic_end(reason: str = "end_turn", written: int = 5) -> bytes:
    """The events that close one."""
    delta = {"stop_reason": reason, "stop_sequence": None}
    return anthropic_event("message_delta", delta=delta, usage={"output_tokens": written}) + anthropic_event("message_stop")


def anthropic_text(text: str, index: int = 0) -> bytes:
    """A block of text, word by word."""
    words = [{"type": "text_delta", "text": word} for word in text.split(" ")]
    words[1:] = [{"type": "text_delta", "text": f" {word['text']}"} for word in words[1:]]
    return anthropic_block(index, {"type": "text", "text": ""}, *words)


def anthropic(*parts: bytes, reason: str = "end_turn") -> Reply:
    """A whole message of these blocks."""
    return Reply([("send", part) for part in (anthropic_start(), *parts, anthropic_end(reason))])


def google(*chunks: Mapping[str, object]) -> Reply:
    """A stream of these responses."""
    return Reply([("send", b"data: " + json.dumps(chunk).encode() + b"\r\n\r\n") for chunk in chunks])


def google_parts(*parts: Mapping[str, object], reason: str | None = "STOP", **usage: int) -> dict[str, object]:
    """One response with these parts."""
    candidate: dict[str, object] = {"content": {"role": "model", "parts": [dict(part) for part in parts]}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    return {
        "candidates": [candidate],
        "usageMetadata": usage or {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
    }
