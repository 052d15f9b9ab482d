"""The seam to the language model: one request in, a stream of deltas out.

Everything above this room speaks :class:`~deskhand.core.values.ModelRequest` and the values of ``values.Delta``; what a server's wire
looks like is known below it alone. Errors are ``errors.EndpointError`` and its kinds, whatever library or server raised.

Never here: a table, a setting read, a retry after the first byte, a tool that runs. Half a tool call never leaves this room as a call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from deskhand.core.values import Delta, ModelRequest, Waits
from deskhand.core.values import EndpointSettings as Settings

__all__ = ["Endpoint", "ReplyStream", "Settings", "Waits"]


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
