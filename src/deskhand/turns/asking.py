"""One call of the language model: its text as it comes, and at the end what it asked for and what it used.

The off-purpose marker is cut off before anything is told (``TU6``). Every call leaves a usage row, also one that failed or was stopped:
while it is under way, the turn's ledger can say what it has used so far.
Never here: a database; a tool. Limits: retries are the endpoint room's.
"""

from __future__ import annotations

import dataclasses
import logging
import threading
import time
from collections.abc import Generator

from deskhand import faults, usage
from deskhand.core import flag, text
from deskhand.core.values import ModelRequest, ReasoningDelta, Reply, TextDelta, Usage, Waiting
from deskhand.endpoint import ReplyStream, counting, retry
from deskhand.errors import EndpointBroken, EndpointError
from deskhand.models import AIRequest
from deskhand.turns import events
from deskhand.turns.brief import Brief
from deskhand.turns.events import Told

logger = logging.getLogger("deskhand.turns")


class Cancel:
    """Tells a turn's thread to give up, from any other thread."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self._lock = threading.Lock()
        self._stream: ReplyStream | None = None

    def stop(self) -> None:
        """Whatever the turn waits for, it stops waiting."""
        self.event.set()
        with self._lock:
            stream = self._stream
        if stream is not None:
            stream.stop()

    def watch(self, stream: ReplyStream | None) -> None:
        """This is the model call that :meth:`stop` has to end."""
        with self._lock:
            self._stream = stream
        if stream is not None and self.event.is_set():
            stream.stop()


@dataclasses.dataclass(frozen=True, slots=True)
class Asked:
    """What came of one model call."""

    #: ``None`` if it failed.
    reply: Reply | None
    #: The text as it was told: cleaned, the marker cut off.
    text: str
    call: AIRequest
    #: Reasons of off-purpose markers that were cut off.
    flags: tuple[str, ...] = ()
    error: EndpointError | None = None


def ask(brief: Brief, request: ModelRequest, cancel: Cancel, ledger: usage.Ledger) -> Generator[Told, None, Asked]:
    """Ask the model and tell its text as it comes. The call is in the ledger from its begin on.

    Raises:
        TurnStopped: ``cancel`` was told to stop.
    """
    stream = retry.stream(brief.endpoint, brief.fallback, request, cancel.event)
    cutter = flag.Cutter()
    told: list[str] = []
    clock = _Clock()
    call = _Call(brief, request, stream, clock, told)
    ledger.begin(call.row)
    cancel.watch(stream)
    reply: Reply | None = None
    error: EndpointError | None = None
    thinks = False
    try:
        for delta in stream:
            if clock.first_ms is None:
                faults.point("model.answering")
            match delta:
                case TextDelta(text=piece):
                    clock.first()
                    thinks = False
                    shown = cutter.feed(text.clean(piece))
                    if shown:
                        faults.point("model.writing")
                        told.append(shown)
                        yield Told(events.TEXT, {"text": shown})
                case ReasoningDelta():
                    clock.first()
                    if not thinks:
                        thinks = True
                        yield Told(events.THINKING, {})
                case Waiting(seconds=seconds):
                    yield Told(events.WAITING, {"seconds": round(seconds, 1)})
                case Reply():
                    reply = delta
    except EndpointError as failed:
        error = failed
    finally:
        cancel.watch(None)
    rest = cutter.finish()
    if rest:
        told.append(rest)
        yield Told(events.TEXT, {"text": rest})
    if reply is None and error is None:
        error = EndpointBroken("the stream ended without a reply")
    faults.point("model.ended")
    written = "".join(told)
    if error is not None:
        # Words of ours alone: what the server said could hold the question or the key.
        logger.warning("endpoint %s, %s: %s", stream.endpoint.settings.name, error.code, error.detail)
    row = call.row(reply, error)
    ledger.end(row)
    return Asked(reply, written, row, cutter.reasons, error)


class _Clock:
    def __init__(self) -> None:
        self._started = time.monotonic()
        self.first_ms: int | None = None

    def first(self) -> None:
        if self.first_ms is None:
            self.first_ms = self.passed_ms()

    def passed_ms(self) -> int:
        return int((time.monotonic() - self._started) * 1000)


@dataclasses.dataclass(frozen=True, slots=True)
class _Call:
    """A call and what is known of it so far."""

    brief: Brief
    request: ModelRequest
    stream: retry.RetriedStream
    clock: _Clock
    told: list[str]

    def row(self, reply: Reply | None = None, error: EndpointError | None = None) -> AIRequest:
        """Its usage row; without an end, as if it were stopped now."""
        held = self.brief.held
        status = "ok" if reply is not None else error.code if error is not None else "stopped"
        if reply is not None:
            used = reply.usage
        elif self.clock.first_ms is None:
            # Nothing came: nothing is known to have been used.
            used = Usage()
        else:
            used = counting.estimated(self.request, "".join(self.told))
        return usage.row(
            usage.Spender(held.user_key, held.conversation_id, held.turn_id),
            # The fallback's, if it was the one that answered.
            self.stream.endpoint.settings,
            used,
            status=status,
            model=reply.model if reply else "",
            latency_ms=self.clock.passed_ms(),
            first_token_ms=self.clock.first_ms,
        )
