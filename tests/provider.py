"""A model provider for tests: a process of its own that speaks real HTTP, byte by byte as a script says.

``Provider.start()`` starts it; ``script(model, [reply, …])`` says how it answers requests for that model, one reply a request, the last
one again and again; ``requests(model)`` tells what it received. The model's name is taken from the body, or from the path (Google), so
that one process serves many tests at once. Replies are made with the functions here (``say``, ``call``, ``stream``, ``refuse``) or by
hand from a :class:`Reply`. ``strict(model, …)`` makes it refuse what real servers refuse.

Run as a script it is the server: it prints its port and ends when its standard input does. Standard library only.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Mapping, Sequence

# -- replies ---------------------------------------------------------------------------------------------------------------------------

#: ``("send", bytes)`` one write, ``("bytes", bytes)`` one write for each byte, ``("raw", bytes)`` a write outside the framing,
#: ``("pause", seconds)``, ``("close", None)`` end of the connection without the frame's end, ``("reset", None)`` a hard one,
#: ``("hang", None)`` silence until the other side is gone.
Step = tuple[str, object]


@dataclasses.dataclass(frozen=True)
class Reply:
    """How one request is answered."""

    steps: Sequence[Step] = ()
    status: int = 200
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    #: ``chunked``, ``open`` (chunked, its end left to a ``raw`` step), ``length`` or ``close`` (the body ends with the connection).
    framing: str = "chunked"
    #: Silence before the status line, in seconds; below zero: for ever.
    wait_seconds: float = 0.0

    def packed(self) -> dict[str, object]:
        """As JSON."""
        steps = [[kind, base64.b64encode(value).decode() if isinstance(value, bytes) else value] for kind, value in self.steps]
        return {**dataclasses.asdict(dataclasses.replace(self, steps=())), "headers": dict(self.headers), "steps": steps}


def event(value: object) -> bytes:
    """One server-sent event."""
    return b"data: " + (value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n\n"


DONE = b"data: [DONE]\n\n"


def chunk(delta: Mapping[str, object] | None = None, finish: str | None = None, **more: object) -> bytes:
    """One chunk of an OpenAI-compatible stream."""
    choice = {"index": 0, "delta": dict(delta or {}), "finish_reason": finish}
    return event({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "served", "choices": [choice], **more})


def fragment(
    name: str | None = None, arguments: str | None = None, *, id: str | None = None, index: int | None = None
) -> dict[str, object]:
    """One fragment of a tool call; what is ``None`` is left out."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {
        key: value
        for key, value in (("index", index), ("id", id), ("type", "function"), ("function", function))
        if value is not None
    }


def usage(read: int, written: int, **more: object) -> bytes:
    """The last chunk of a stream with ``include_usage``."""
    return event(
        {"choices": [], "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written, **more}}
    )


def stream(*writes: bytes | float | str) -> Reply:
    """A stream of these writes; a number is a pause, a word (``close``, ``reset``, ``hang``) such a step."""
    steps: list[Step] = []
    for write in writes:
        if isinstance(write, bytes):
            steps.append(("send", write))
        elif isinstance(write, str):
            steps.append((write, None))
        else:
            steps.append(("pause", write))
    return Reply(steps)


def say(text: str, *, tokens: tuple[int, int] = (100, 10)) -> Reply:
    """A whole answer, word by word."""
    words = re.findall(r"\s*\S+|\s+$", text)
    return stream(*(chunk({"content": word}) for word in words), chunk(finish="stop"), usage(*tokens), DONE)


def call(*calls: tuple[str, object], text: str = "", tokens: tuple[int, int] = (100, 10)) -> Reply:
    """An answer that asks for tools: ``call(("get_order", {"number": "A-1"}), …)``; arguments are a value or raw text."""
    said = [chunk({"content": text})] if text else []
    asked = [
        chunk({"tool_calls": [fragment(name, value if isinstance(value, str) else json.dumps(value), id=f"call_{at}", index=at)]})
        for at, (name, value) in enumerate(calls)
    ]
    return stream(*said, *asked, chunk(finish="tool_calls"), usage(*tokens), DONE)


def refuse(status: int, error: object = None, **headers: str) -> Reply:
    """An error instead of an answer; ``Retry_After="2"`` becomes a header."""
    body = json.dumps({"error": error if error is not None else {"message": "no"}}).encode()
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Reply([("send", body)], status, {"Content-Type": "application/json", **named}, "length")


# -- the client ------------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Request:
    """What the provider received."""

    path: str
    #: Names in lower case.
    headers: Mapping[str, str]
    body: dict[str, object]
    size_bytes: int
    #: Seconds on the provider's clock (differences count).
    at: float
    #: Whether the asking side closed the connection before the reply was over.
    was_closed: bool
    #: Number of the connection it came on.
    connection: int


class Provider:
    """Starts the process and talks to it."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self._process = process
        self.port = port
        self.root = f"http://127.0.0.1:{port}"
        #: Base URL of an OpenAI-compatible endpoint.
        self.base_url = f"{self.root}/v1"

    @classmethod
    def start(cls) -> Provider:
        """A running provider on a free port of 127.0.0.1."""
        command = [sys.executable, "-I", str(pathlib.Path(__file__).resolve())]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdout is not None
        return cls(process, int(process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def script(self, model: str, replies: Iterable[Reply]) -> None:
        """Answer requests for ``model`` with these, in order; forget what was received for it."""
        self._control({"do": "script", "model": model, "replies": [reply.packed() for reply in replies]})

    def strict(
        self, model: str, *, pairs: bool = True, empty_text: bool = True, most_bytes: int = 0, reasoning: bool = False
    ) -> None:
        """Refuse with 400: tool messages without their calls, empty texts, bodies over ``most_bytes``, calls without their reasoning."""
        rules = {"pairs": pairs, "empty_text": empty_text, "most_bytes": most_bytes, "reasoning": reasoning}
        self._control({"do": "strict", "model": model, "rules": rules})

    def requests(self, model: str) -> list[Request]:
        """What was received for ``model``, oldest first."""
        return [Request(**item) for item in json.loads(self._control({"do": "requests", "model": model}))]

    def wait_for(self, model: str, number: int, *, closed: bool = False, seconds: float = 5.0) -> list[Request]:
        """The requests, once there are ``number`` (and all of them closed early, with ``closed``)."""
        ends = time.monotonic() + seconds
        while True:
            received = self.requests(model)
            if len(received) >= number and (not closed or all(item.was_closed for item in received)):
                return received
            assert time.monotonic() < ends, f"{len(received)} requests after {seconds} s"
            time.sleep(0.01)

    def _control(self, order: object) -> bytes:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.root}/control", json.dumps(order).encode(), timeout=10) as response:
            answer: bytes = response.read()
        return answer


# -- the server ------------------------------------------------------------------------------------------------------------------------


class _Server:
    def __init__(self) -> None:
        self.replies: dict[str, list[dict[str, object]]] = {}
        self.rules: dict[str, dict[str, object]] = {}
        self.received: dict[str, list[dict[str, object]]] = {}
        self.connections = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            while await self.answer(reader, writer, number):
                pass
        with contextlib.suppress(Exception):
            writer.close()
            await writer.wait_closed()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> bool:
        """Read one request and answer it; whether the connection goes on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        _, path, _ = head[0].split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if name}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        if path == "/control":
            answer = json.dumps(self.control(json.loads(raw))).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(answer), answer))
            await writer.drain()
            return True
        body = json.loads(raw or b"{}")
        found = re.search(r"/models/([^/:]+):", path)
        model = found.group(1) if found else str(body.get("model", ""))
        record: dict[str, object] = {
            "path": path, "headers": headers, "body": body, "size_bytes": len(raw),
            "at": time.monotonic(), "was_closed": False, "connection": number,
        }  # fmt: skip
        self.received.setdefault(model, []).append(record)
        queue = self.replies.get(model) or [refuse(599, {"message": "no script"}).packed()]
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        fault = broken_rule(self.rules.get(model, {}), body, len(raw))
        if fault:
            reply = refuse(400, fault).packed()
        return await self.play(reply, reader, writer, record)

    def control(self, order: dict[str, object]) -> object:
        model = str(order["model"])
        if order["do"] == "requests":
            return self.received.get(model, [])
        if order["do"] == "strict":
            self.rules[model] = order["rules"]  # type: ignore[assignment]
        else:
            self.replies[model] = order["replies"]  # type: ignore[assignment]
            self.received[model] = []
            self.rules.pop(model, None)
        return None

    async def play(
        self, reply: dict[str, object], reader: asyncio.StreamReader, writer: asyncio.StreamWriter, record: dict[str, object]
    ) -> bool:
        """Send the reply; a peer that goes away meanwhile is noted."""
        playing = asyncio.ensure_future(_send(reply, writer))
        leaving = asyncio.ensure_future(reader.read(1))
        await asyncio.wait({playing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            # what follows on a kept connection is the next request: give the byte back
            goes_on = not playing.cancelled() and playing.exception() is None and playing.result()
            if playing.exception() is not None:
                record["was_closed"] = True
            if not goes_on:
                leaving.cancel()
                return False
            first = await leaving
            if not first:
                return False
            reader._buffer[:0] = first  # type: ignore[attr-defined]
            return True
        record["was_closed"] = True
        playing.cancel()
        return False


async def _send(reply: dict[str, object], writer: asyncio.StreamWriter) -> bool:
    wait = float(reply["wait_seconds"])  # type: ignore[arg-type]
    await asyncio.sleep(wait if wait >= 0 else 3600)
    framing = reply["framing"]
    steps = [(kind, base64.b64decode(value) if isinstance(value, str) else value) for kind, value in reply["steps"]]  # type: ignore[attr-defined]
    headers = {"Content-Type": "text/event-stream", "Server": "provider", **reply["headers"]}  # type: ignore[dict-item]
    if framing in ("chunked", "open"):
        headers["Transfer-Encoding"] = "chunked"
    elif framing == "length":
        headers.setdefault("Content-Length", str(sum(len(value) for kind, value in steps if kind in ("send", "bytes"))))
    else:
        headers["Connection"] = "close"
    head = f"HTTP/1.1 {reply['status']} Status\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
    writer.write(head.encode("latin-1"))

    def framed(part: bytes) -> bytes:
        return b"%x\r\n%b\r\n" % (len(part), part) if framing in ("chunked", "open") else part

    for kind, value in steps:
        if kind == "send":
            writer.write(framed(value))
        elif kind == "raw":
            writer.write(value)
        elif kind == "bytes":
            for at in range(len(value)):
                writer.write(framed(value[at : at + 1]))
                await asyncio.sleep(0)
        elif kind in ("pause", "hang"):
            await writer.drain()
            await asyncio.sleep(3600 if kind == "hang" else value)
        elif kind == "reset":
            await writer.drain()
            await asyncio.sleep(0.02)  # what was written is to arrive before
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        else:
            await writer.drain()
            return False
    if framing == "chunked":
        writer.write(b"0\r\n\r\n")
    await writer.drain()
    return framing != "close"


def broken_rule(rules: Mapping[str, object], body: Mapping[str, object], size_bytes: int) -> dict[str, object] | None:
    """The error object of a strict server for ``body``, or ``None``."""
    if rules.get("most_bytes") and size_bytes > int(str(rules["most_bytes"])):
        return {"message": "This model's maximum context length is exceeded.", "code": "context_length_exceeded"}
    messages = body.get("messages")
    open_calls: list[str] = []
    for message in messages if isinstance(messages, list) else ():
        content = message.get("content")
        texts = [content] if isinstance(content, str) else [part["text"] for part in content or () if "text" in part]
        if rules.get("empty_text") and any(not text.strip() for text in texts):
            return {"message": "text content blocks must be non-empty", "type": "invalid_request_error"}
        if rules.get("pairs"):
            if message["role"] == "tool":
                if message.get("tool_call_id") not in open_calls:
                    return {"message": "a tool message without its call", "type": "invalid_request_error"}
                open_calls.remove(message["tool_call_id"])
            elif open_calls:
                return {"message": "a call without its result", "type": "invalid_request_error"}
            open_calls += [asked["id"] for asked in message.get("tool_calls") or ()]
        if rules.get("reasoning") and message.get("tool_calls") and not message.get("reasoning_content"):
            return {"message": "reasoning_content is missing", "type": "invalid_request_error"}
    if rules.get("pairs") and open_calls:
        return {"message": "a call without its result", "type": "invalid_request_error"}
    return None


async def _main() -> None:
    listening = await asyncio.start_server(_Server().serve, "127.0.0.1", 0, limit=1 << 26)
    print(listening.sockets[0].getsockname()[1], flush=True)
    # the one that started us is gone when its end of the pipe is
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)
    os._exit(0)  # connections that hang are part of scripts


if __name__ == "__main__":
    asyncio.run(_main())
