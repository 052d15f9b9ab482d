"""ScriptedEndpoint: a model that says what a script says; for tests of hosts and of our own, and for the bench.

A script is a list of rounds, one for each model call: a text, a ``ToolCall`` or several, a whole ``Reply``, a list of deltas (a number
among them is a pause in seconds), an exception, or a function of the request that gives one of these. Texts come word by word, as a
model's do. ``requests`` keeps what the model was asked.

Never here: a network. A call after the script's end is a mistake in the test and raises ``RuntimeError``.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence

from deskhand.core.values import Delta, Finish, ModelRequest, Reply, TextDelta, ToolCall
from deskhand.endpoint import Settings, calls, counting
from deskhand.errors import TurnStopped

Step = str | ToolCall | Reply | BaseException | Sequence["ToolCall | Delta | float | BaseException"]
Round = Step | Callable[[ModelRequest], Step]

_WORDS = re.compile(r"\s*\S+\s*|\s+")


class ScriptedEndpoint:
    """Plays ``script``, whichever thread asks."""

    def __init__(self, script: Sequence[Round], settings: Settings | None = None) -> None:
        self.settings = settings or Settings(name="scripted", provider="scripted", model="scripted")
        self._rounds = list(script)
        self._lock = threading.Lock()
        #: Every request so far, oldest first.
        self.requests: list[ModelRequest] = []

    def stream(self, request: ModelRequest) -> ScriptedStream:
        """The script's next round; it is taken when the stream is iterated."""
        return ScriptedStream(self, request)

    def next_round(self, request: ModelRequest) -> Step:
        """Note the request and take the next round."""
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
        if number >= len(self._rounds):
            raise RuntimeError("the script is over")
        step = self._rounds[number]
        return step(request) if callable(step) else step


class ScriptedStream:
    """One round of a script."""

    def __init__(self, endpoint: ScriptedEndpoint, request: ModelRequest) -> None:
        self._endpoint = endpoint
        self._request = request
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End the round, in a pause too."""
        self._stopped.set()

    def __iter__(self) -> Iterator[Delta]:
        """The round's deltas, a ``Reply`` last."""
        self._pause(0)
        step = self._endpoint.next_round(self._request)
        texts: list[str] = []
        asked: list[ToolCall] = []
        for part in self._parts(step):
            if isinstance(part, BaseException):
                raise part
            if isinstance(part, ToolCall):
                asked.append(part)
            elif isinstance(part, (int, float)):
                self._pause(part)
            elif isinstance(part, Reply):
                yield part
                return
            else:
                if isinstance(part, TextDelta):
                    texts.append(part.text)
                yield part
            self._pause(0)
        yield self._reply("".join(texts), asked)

    @staticmethod
    def _parts(step: Step) -> Iterator[ToolCall | Delta | float | BaseException]:
        if isinstance(step, Reply):
            yield from map(TextDelta, _WORDS.findall(step.text))
            yield step
        elif isinstance(step, str):
            yield from map(TextDelta, _WORDS.findall(step))
        elif isinstance(step, (ToolCall, BaseException)):
            yield step
        else:
            yield from step

    def _reply(self, text: str, asked: list[ToolCall]) -> Reply:
        used = {call.id for part in self._request.rounds for call in part.calls}
        unique: list[ToolCall] = []
        for call in asked:
            unique.append(ToolCall(calls.unique_id(call.id, used), call.name, call.arguments))
            used.add(unique[-1].id)
        usage = counting.estimated(self._request, text, unique)
        finish = Finish.TOOLS if unique else Finish.STOP
        return Reply(text, "", tuple(unique), finish, usage, self._endpoint.settings.model)

    def _pause(self, seconds: float) -> None:
        if self._stopped.wait(seconds) if seconds else self._stopped.is_set():
            raise TurnStopped
