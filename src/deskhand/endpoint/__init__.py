"""The seam to the language model: one request in, a stream of deltas out.

Everything above this room speaks :class:`~deskhand.core.values.ModelRequest` and the values of ``values.Delta``; what a server's wire
looks like is known below it alone. Errors are ``errors.EndpointError`` and its kinds, whatever library or server raised.

Never here: a table, a setting read, a retry after the first byte, a tool that runs. Half a tool call never leaves this room as a call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Protocol

from deskhand.core.values import Delta, ModelRequest


@dataclasses.dataclass(frozen=True, slots=True)
class Waits:
    """How long a server may take, in seconds."""

    connect: float = 5.0
    first_byte: float = 60.0
    idle: float = 30.0
    total: float = 300.0


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """One configured model server and the model there."""

    #: Name in ``DESKHAND["ENDPOINTS"]``.
    name: str
    #: ``openai``, ``anthropic``, ``google``, ``offline`` or ``scripted``.
    provider: str
    model: str
    base_url: str = ""
    #: Never shown, never logged: it is left out of ``repr``.
    api_key: str = dataclasses.field(default="", repr=False)
    #: Added to each request's body as they are (temperature, max_tokens …).
    parameters: Mapping[str, object] = dataclasses.field(default_factory=dict)
    waits: Waits = Waits()
    #: Own prices, micro-USD per million tokens: ``input``, ``cached``, ``output``. Empty: the price data's.
    prices: Mapping[str, float] = dataclasses.field(default_factory=dict)


class ReplyStream(Protocol):
    """One model call under way."""

    def __iter__(self) -> Iterator[Delta]:
        """Deltas as they come; a ``Reply`` is the last one. Raises ``EndpointError``; ``TurnStopped`` after :meth:`stop`."""
        ...

    def stop(self) -> None:
        """From any thread, at any time, more than once: the iteration ends within a second and the connection is closed."""
        ...


class Endpoint(Protocol):
    """A model server that can be asked."""

    settings: Settings

    def stream(self, request: ModelRequest) -> ReplyStream:
        """A call that has not begun: the server is reached when the stream is iterated."""
        ...
