"""OpenAIEndpoint: a model server that speaks OpenAI's chat completions, read by ourselves.

Ours, because a client library costs 0.35 ms of CPU a token where this costs a few microseconds, and because the quirks of the many
servers of this kind decide whether a wrong tool runs. It runs blocking in the turn's thread; :meth:`OpenAIStream.stop` ends it from any
other within a second, in connect, first byte and stream alike.

Never here: a retry (``retry``), a redirect followed, a key in an error or a log. A connection is used again if the server let it.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator

from deskhand.core.values import Delta, ModelRequest
from deskhand.endpoint import Settings, body, refusals
from deskhand.endpoint.answer import Answer
from deskhand.endpoint.sse import LINE_BYTES, Events
from deskhand.endpoint.transport import Exchange
from deskhand.errors import EndpointBroken, EndpointTimeout, TurnStopped

#: Where an endpoint of this kind is if it has no address of its own.
DEFAULT_BASE_URL = "https://api.openai.com/v1"
#: How long usage and ``[DONE]`` are waited for after the finish reason.
FAREWELL_SECONDS = 3.0
#: Hosts that read the key from a header of their own.
_AZURE = (".openai.azure.com", ".cognitiveservices.azure.com")


class OpenAIEndpoint:
    """An OpenAI-compatible server and a model there."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.url = _address(settings.base_url or DEFAULT_BASE_URL)

    def stream(self, request: ModelRequest) -> OpenAIStream:
        """A call that has not begun."""
        return OpenAIStream(self, request)

    def headers(self) -> dict[str, str]:
        """Headers of a call, the key among them."""
        headers = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream",
            "Accept-Encoding": "identity",
            "User-Agent": "deskhand",
        }
        if self.settings.api_key:
            headers["Authorization"] = f"Bearer {self.settings.api_key}"
            if (urllib.parse.urlsplit(self.url).hostname or "").endswith(_AZURE):
                headers["api-key"] = self.settings.api_key
        return headers


def _address(base_url: str) -> str:
    split = urllib.parse.urlsplit(base_url)
    return split._replace(path=f"{split.path.rstrip('/')}/chat/completions", fragment="").geturl()


class OpenAIStream:
    """One call to an OpenAI-compatible server."""

    def __init__(self, endpoint: OpenAIEndpoint, request: ModelRequest) -> None:
        self._endpoint = endpoint
        self._request = request
        self._exchange = Exchange(endpoint.settings.waits)

    def stop(self) -> None:
        """End the call; see ``ReplyStream.stop``."""
        self._exchange.stop()

    def __iter__(self) -> Iterator[Delta]:
        """Deltas as they come, the ``Reply`` last."""
        exchange = self._exchange
        settings = self._endpoint.settings
        try:
            status, headers = exchange.post(self._endpoint.url, self._endpoint.headers(), body.write(settings, self._request))
            if not 200 <= status < 300:
                raise refusals.of_status(status, headers, self._read_all(refusals.BODY_BYTES))
            answer = Answer(settings, self._request)
            events = Events()
            if (headers.get("Content-Type") or "").lower().startswith("application/json"):
                answer.feed(events.feed(self._unstreamed()))
            yield from self._read(answer, events)
            yield from answer.finish()
            yield answer.reply(is_done=events.is_done)
            exchange.settle()
        finally:
            exchange.close()

    def _read(self, answer: Answer, events: Events) -> Iterator[Delta]:
        """All deltas until the stream's end. Raises what ended it early, after what came before."""
        exchange = self._exchange
        is_over = False
        while not is_over and not events.is_done:
            try:
                part = exchange.read()
            except (EndpointBroken, EndpointTimeout):
                answer.feed(events.end())
                yield from answer.take()
                if answer.is_finished and answer.failure is None:  # all that matters is here
                    return
                yield from answer.finish()
                raise
            is_over = not part
            answer.feed(events.feed(part) if part else events.end())
            yield from answer.take()
            if failure := answer.failure or events.failure:
                yield from answer.finish()
                raise failure
            if answer.is_finished:
                exchange.hurry(FAREWELL_SECONDS)
            if exchange.is_stopped:
                raise TurnStopped

    def _unstreamed(self) -> bytes:
        """A body that came as one JSON document (a server that does not stream, an error with status 200), as one event."""
        raw = self._read_all(LINE_BYTES).strip()
        if raw.startswith(b"{"):
            raw = b"data:" + raw.replace(b"\r", b" ").replace(b"\n", b" ")
        return raw + b"\n\n"

    def _read_all(self, limit_bytes: int) -> bytes:
        """The body's first ``limit_bytes``, or what came of them before it broke off."""
        parts: list[bytes] = []
        size = 0
        try:
            while size < limit_bytes and (part := self._exchange.read()):
                parts.append(part)
                size += len(part)
        except (EndpointBroken, EndpointTimeout):
            pass
        return b"".join(parts)[:limit_bytes]
