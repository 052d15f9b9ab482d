"""Asking the provider process as an endpoint does."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable, Iterator, Sequence

import pytest

from deskhand.core.values import Delta, Entry, ModelRequest, Reply, TextDelta
from deskhand.endpoint import Settings, Waits
from deskhand.endpoint.openai import OpenAIEndpoint
from deskhand.errors import EndpointError
from tests import provider as wire

QUESTION = ModelRequest("Be short.", (Entry("user", "Hi"),))
#: Long enough for a slow machine wherever the test does not wait for it to pass.
WAITS = Waits(connect=10, first_byte=20, idle=20, total=60)


@dataclasses.dataclass
class Said:
    """What a stream gave."""

    deltas: list[Delta]
    error: EndpointError | None = None

    @property
    def text(self) -> str:
        """All that was shown."""
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))

    @property
    def reply(self) -> Reply:
        """The reply, which stands last and alone."""
        assert self.error is None, (self.error, self.error.detail)
        replies = [delta for delta in self.deltas if isinstance(delta, Reply)]
        assert len(replies) == 1
        assert self.deltas[-1] is replies[0]
        return replies[0]


def listen(stream: Iterator[Delta]) -> Said:
    """Everything that ``stream`` yields, and what ended it."""
    said = Said([])
    try:
        for delta in stream:
            said.deltas.append(delta)
    except EndpointError as error:
        said.error = error
    return said


class Server:
    """One model name at the provider process."""

    def __init__(self, provider: wire.Provider) -> None:
        self.provider = provider
        self.model = f"m{uuid.uuid4().hex}"

    def settings(self, **changes: object) -> Settings:
        """Settings of an endpoint that asks it."""
        settings = Settings("here", "openai", self.model, self.provider.base_url, "sk-test-SECRET123", waits=WAITS)
        return dataclasses.replace(settings, **changes)  # type: ignore[arg-type]

    def endpoint(self, **changes: object) -> OpenAIEndpoint:
        """An endpoint that asks it."""
        return OpenAIEndpoint(self.settings(**changes))

    def script(self, *replies: wire.Reply) -> None:
        """See ``Provider.script``."""
        self.provider.script(self.model, replies)

    def ask(self, *replies: wire.Reply, request: ModelRequest = QUESTION, **changes: object) -> Said:
        """Script these replies and ask once."""
        if replies:
            self.script(*replies)
        return listen(iter(self.endpoint(**changes).stream(request)))

    def requests(self) -> list[wire.Request]:
        """What it received."""
        return self.provider.requests(self.model)

    def bodies(self) -> list[dict[str, object]]:
        """The bodies that it received."""
        return [request.body for request in self.requests()]


@pytest.fixture
def server(provider: wire.Provider) -> Server:
    """A model of this test alone."""
    return Server(provider)


@pytest.fixture
def calls_of(server: Server) -> Callable[..., Sequence[tuple[str, str]]]:
    """Name and arguments of the calls that a stream of these fragments asks for; one chunk a fragment."""

    def ask(*fragments: dict[str, object], finish: str = "tool_calls") -> list[tuple[str, str]]:
        chunks = [wire.chunk({"tool_calls": [fragment]}) for fragment in fragments]
        reply = server.ask(wire.stream(*chunks, wire.chunk(finish=finish), wire.DONE)).reply
        assert len({call.id for call in reply.calls}) == len(reply.calls)
        return [(call.name, call.arguments) for call in reply.calls]

    return ask
