"""Others: Anthropic's and Google's own wire formats, through pydantic-ai's ``direct`` API.

The only module that imports pydantic-ai, and only when such an endpoint is opened (it takes seconds and 80 MB). Its streams are
asynchronous; the turn is not: each call runs an event loop of its own in the turn's thread, one step a pull, and :meth:`stop` cancels
the step from outside. What the library calls complete is not believed: without a finish reason from the server the answer broke off.
Retries, limits and the fallback are ours, so the library's are off.

What a server wants back with its calls (signatures of thinking) is the library's own record of the response, kept in
``Reply.reasoning`` under the endpoint's name, as ``body`` does it.

Never here: a redirect followed, the words of a library's error. Limits: idle is counted from byte to byte, first byte up to the
response's headers; each call opens a connection of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import ssl
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator
from typing import TYPE_CHECKING, TypeVar

from deskhand.core.values import Delta, Entry, Finish, ModelRequest, ReasoningDelta, Reply, Round, TextDelta, ToolCall, Usage
from deskhand.endpoint import Endpoint, Settings, body, calls, counting, refusals
from deskhand.endpoint.mending import Joiner, mended
from deskhand.errors import (
    ConfigurationError,
    EndpointBroken,
    EndpointDenied,
    EndpointError,
    EndpointFiltered,
    EndpointLimited,
    EndpointOverloaded,
    EndpointRejected,
    EndpointTimeout,
    EndpointUnreachable,
    TurnStopped,
)

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai import messages
    from pydantic_ai.models import Model, StreamedResponse

DEFAULT_BASE_URLS = {"anthropic": "https://api.anthropic.com", "google": "https://generativelanguage.googleapis.com"}

_ID = re.compile(r"[^a-zA-Z0-9_-]")
_FINISHES = {"length": Finish.LENGTH, "content_filter": Finish.FILTERED}
_MALFORMED = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"})
_tls = threading.local()

T = TypeVar("T")


def open_other(settings: Settings) -> Endpoint:
    """The endpoint for ``settings``. Raises ``ConfigurationError`` if the extra that it needs is not installed."""
    try:
        import pydantic_ai.direct

        if settings.provider == "anthropic":
            import pydantic_ai.models.anthropic
        else:
            import pydantic_ai.models.google  # noqa: F401
    except ImportError:
        raise ConfigurationError("ENDPOINTS", f"{settings.name!r} needs deskhand's extra {settings.provider!r}") from None
    return OtherEndpoint(settings)


class OtherEndpoint:
    """A model server that pydantic-ai knows."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def stream(self, request: ModelRequest) -> OtherStream:
        """A call that has not begun."""
        return OtherStream(self.settings, request)


class OtherStream:
    """One call through pydantic-ai."""

    def __init__(self, settings: Settings, request: ModelRequest) -> None:
        self._settings = settings
        self._request = request
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._step: asyncio.Task[object] | None = None
        self._is_stopped = False
        self._phase = "connect"
        self._ends = 0.0
        self._joiner = Joiner()
        self._shown: list[str] = []
        self._written: list[str] = []

    def stop(self) -> None:
        """End the call; see ``ReplyStream.stop``."""
        with self._lock:
            self._is_stopped = True
            if self._loop is not None and self._step is not None:
                self._loop.call_soon_threadsafe(self._step.cancel)

    def __iter__(self) -> Iterator[Delta]:
        """Deltas as they come, the ``Reply`` last."""
        self._ends = time.monotonic() + self._settings.waits.total
        loop = asyncio.new_event_loop()
        deltas = self._deltas()
        try:
            while (delta := self._run(loop, _next(deltas))) is not None:
                yield delta
        finally:
            with self._lock:
                self._step = self._loop = None
            with contextlib.suppress(BaseException):
                loop.run_until_complete(asyncio.wait_for(_closed(loop, deltas), 0.5))
            loop.close()

    def _run(self, loop: asyncio.AbstractEventLoop, coming: Coroutine[object, object, T]) -> T:
        """The next delta, within the limits. Raises errors of ours alone, without the library's behind them."""
        failure: Exception
        with self._lock:
            self._loop = loop
            self._step = step = loop.create_task(coming)
            if self._is_stopped:
                step.cancel()
        try:
            return loop.run_until_complete(asyncio.wait_for(step, max(0.0, self._ends - time.monotonic())))
        except asyncio.CancelledError:
            failure = TurnStopped()
        except TimeoutError:
            failure = EndpointTimeout("total")
        except EndpointError as error:
            failure = error
        except Exception as error:  # noqa: BLE001 - whatever a stranger's library raises
            failure = _translated(error, self._phase)
        raise TurnStopped() if self._is_stopped else failure

    async def _deltas(self) -> AsyncGenerator[Delta, None]:
        from pydantic_ai import direct
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        tools = [
            ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters))
            for tool in self._request.tools
        ]
        parameters = ModelRequestParameters(function_tools=tools)
        # the caller's parameters win over all but what is ours
        options = {"cache": True, **self._settings.parameters, "max_retries": 0}
        async with self._connections() as connections:
            model = _model(self._settings, connections)
            asked = direct.model_request_stream(
                model,
                _messages(self._settings, self._request),
                model_settings=options,  # type: ignore[arg-type]
                model_request_parameters=parameters,
                instrument=False,
            )
            async with asked as streamed:
                async for delta in self._read(streamed):
                    yield delta
                yield self._reply(streamed)

    def _connections(self) -> httpx2.AsyncClient:
        """Connections that keep to the limits: each phase of an exchange has its own, and a redirect is an answer like any other."""
        import httpx2

        waits = self._settings.waits

        async def asked(request: httpx2.Request) -> None:
            request.extensions["timeout"] = {
                "connect": waits.connect,
                "pool": waits.connect,
                "read": waits.first_byte,
                "write": waits.first_byte,
            }

        async def answered(response: httpx2.Response) -> None:
            self._phase = "idle"
            response.request.extensions["timeout"]["read"] = waits.idle

        if not hasattr(_tls, "context"):
            _tls.context = ssl.create_default_context()
        return httpx2.AsyncClient(
            verify=_tls.context,
            timeout=httpx2.Timeout(waits.total, connect=waits.connect),
            follow_redirects=False,
            event_hooks={"request": [asked], "response": [answered]},
        )

    async def _read(self, streamed: StreamedResponse) -> AsyncIterator[Delta]:
        from pydantic_ai import messages

        async for event in streamed:
            if isinstance(event, messages.PartStartEvent):
                part: object = event.part
            elif isinstance(event, messages.PartDeltaEvent):
                part = event.delta
            else:
                continue
            text = ""
            if isinstance(part, messages.TextPart):
                text = part.content
            elif isinstance(part, messages.TextPartDelta):
                text = part.content_delta
            elif isinstance(part, (messages.ThinkingPart, messages.ThinkingPartDelta)):
                self._written.append(getattr(part, "content", None) or getattr(part, "content_delta", None) or "")
                yield ReasoningDelta()
            text = self._joiner.feed(text)
            if text:
                self._shown.append(text)
                self._written.append(text)
                yield TextDelta(text)

    def _reply(self, streamed: StreamedResponse) -> Reply:
        raw = str((streamed.provider_details or {}).get("finish_reason") or "")
        if streamed.finish_reason is None and not raw:
            raise EndpointBroken("the stream ended early")
        if streamed.finish_reason == "error" and (raw not in _MALFORMED or self._shown):
            raise EndpointBroken("the server gave up")
        response = streamed.get()
        asked: tuple[ToolCall, ...] = ()
        finish = _FINISHES.get(streamed.finish_reason or "", Finish.STOP)
        if finish is not Finish.FILTERED and raw not in _MALFORMED:
            asked = _calls(response, self._request)
            if asked and finish is Finish.STOP:
                finish = Finish.TOOLS
        usage = counting.estimated(self._request, "".join(self._written), asked, _usage(streamed))
        return Reply("".join(self._shown), _to_return(self._settings, response, asked), asked, finish, usage, streamed.model_name)


async def _next(deltas: AsyncGenerator[Delta, None]) -> Delta | None:
    return await anext(deltas, None)


async def _closed(loop: asyncio.AbstractEventLoop, deltas: AsyncGenerator[Delta, None]) -> None:
    """Close the call and what the library left open of it, so that the connection ends now."""
    await deltas.aclose()
    await loop.shutdown_asyncgens()


def _model(settings: Settings, connections: httpx2.AsyncClient) -> Model:
    base_url = settings.base_url or DEFAULT_BASE_URLS[settings.provider]
    key = settings.api_key or "none"  # an empty one would be looked for in the environment
    if settings.provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(settings.model, provider=AnthropicProvider(api_key=key, base_url=base_url, http_client=connections))
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    return GoogleModel(settings.model, provider=GoogleProvider(api_key=key, base_url=base_url, http_client=connections))


def _messages(settings: Settings, request: ModelRequest) -> list[messages.ModelMessage]:
    from pydantic_ai import messages

    entries = body.merged(request.entries)
    if entries and entries[0].role != "user":
        entries.insert(0, Entry("user", "(what came before is left out)"))
    told: list[messages.ModelMessage] = []
    for entry in entries:
        if entry.role == "user":
            told.append(messages.ModelRequest([messages.UserPromptPart(entry.content)]))
        else:
            told.append(messages.ModelResponse([messages.TextPart(entry.content)]))
    for part in request.rounds:
        told += _round(settings, part)
    if request.system.strip():
        for message in told:
            if isinstance(message, messages.ModelRequest):
                message.instructions = request.system
    return told


def _round(settings: Settings, part: Round) -> list[messages.ModelMessage]:
    from pydantic_ai import messages

    before = _returned(settings, part.reasoning)
    recorded = list(before.parts) if before else []
    made = [item for item in recorded if isinstance(item, messages.ToolCallPart)]
    parts: list[messages.ModelResponsePart] = [item for item in recorded if isinstance(item, messages.ThinkingPart)]
    if part.text.strip():
        parts.append(messages.TextPart(part.text))
    for number, call in enumerate(part.calls):
        asked = messages.ToolCallPart(body.name(call.name), body.arguments(call.arguments), tool_call_id=_id(call.id))
        if number < len(made):  # what signs the call
            asked.provider_name, asked.provider_details = made[number].provider_name, made[number].provider_details
        parts.append(asked)
    if not parts:
        return []
    response = messages.ModelResponse(parts)
    if before:
        response.provider_name, response.provider_url = before.provider_name, before.provider_url
        response.model_name = before.model_name
    results = [
        messages.ToolReturnPart(body.name(call.name), result, tool_call_id=_id(call.id)) for call, result in body.paired(part)
    ]
    return [response, messages.ModelRequest(results)] if results else [response]


def _id(call_id: str) -> str:
    return _ID.sub("_", call_id)


def _calls(response: messages.ModelResponse, request: ModelRequest) -> tuple[ToolCall, ...]:
    from pydantic_ai import messages

    used = {call.id for part in request.rounds for call in part.calls}
    made: list[ToolCall] = []
    for part in response.parts:
        if isinstance(part, messages.ToolCallPart):
            raw = part.args if isinstance(part.args, str) else json.dumps(part.args or {})
            call_id = calls.unique_id(part.tool_call_id, used)
            used.add(call_id)
            made.append(ToolCall(call_id, mended(part.tool_name)[: calls.NAME_CHARS], mended(raw) if raw.strip() else "{}"))
    return tuple(made)


def _to_return(settings: Settings, response: messages.ModelResponse, asked: tuple[ToolCall, ...]) -> str:
    """The library's record of the response, if something in it signs its thinking or its calls."""
    from pydantic_ai import messages

    signs = any(
        isinstance(part, messages.ThinkingPart) or (isinstance(part, messages.ToolCallPart) and part.provider_details)
        for part in response.parts
    )
    if not asked or not signs:
        return ""
    record = messages.ModelMessagesTypeAdapter.dump_json([response]).decode("utf-8", "replace")
    return body.to_return(settings, {"record": record}, {})


def _returned(settings: Settings, reasoning: str) -> messages.ModelResponse | None:
    from pydantic_ai import messages

    fields, _ = body.returned(settings, reasoning)
    record = fields.get("record")
    if not isinstance(record, str):
        return None
    (response,) = messages.ModelMessagesTypeAdapter.validate_json(record)
    return response if isinstance(response, messages.ModelResponse) else None


def _usage(streamed: StreamedResponse) -> Usage | None:
    used = streamed.usage
    if not used.input_tokens and not used.output_tokens:
        return None
    details = used.details or {}
    reasoning = details.get("thoughts_tokens") or details.get("reasoning_tokens") or details.get("thinking_tokens")
    return Usage(used.input_tokens, used.cache_read_tokens or 0, used.output_tokens, reasoning)


def _translated(error: Exception, phase: str) -> EndpointError:
    """Our error for the library's; its words are looked at and left behind."""
    from pydantic_ai import exceptions

    found: EndpointError
    if isinstance(error, exceptions.ModelHTTPError):
        inner = error.body.get("error", error.body) if isinstance(error.body, dict) else error.body
        return refusals.of_error(inner, error.status_code, error.retry_after)
    if isinstance(error, exceptions.ModelTimeoutError):
        return EndpointTimeout("connect" if error.phase in ("connect", "pool") else "idle" if phase == "idle" else "first_byte")
    if isinstance(error, exceptions.ModelConnectionError):
        return EndpointBroken("connection lost") if phase == "idle" else EndpointUnreachable("no connection")
    if isinstance(error, exceptions.ModelQuotaExceededError):
        found = EndpointLimited("no credit left")
        found.may_retry = False
        return found
    for kind, ours in (
        (exceptions.ContentFilterError, EndpointFiltered),
        (exceptions.ModelRateLimitError, EndpointLimited),
        (exceptions.ModelUnavailableError, EndpointOverloaded),
        (exceptions.ModelServerError, EndpointOverloaded),
        (exceptions.ModelAuthenticationError, EndpointDenied),
        (exceptions.ModelRequestRejectedError, EndpointRejected),
        (exceptions.UserError, EndpointRejected),
    ):
        if isinstance(error, kind):
            return ours("an error in the stream" if phase == "idle" else "not accepted")
    return EndpointBroken("the answer could not be read")
