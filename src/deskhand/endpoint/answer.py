"""Answer: what the events of one OpenAI-compatible stream say, put together.

Fed event by event, asked once a socket read for what can be shown (all text of one read is one piece), and at the end for the reply.
Nothing in an event is trusted to have its shape: what has another is passed over, and an event that says "error" ends the answer
(``B8``) after what came before it was used.

When an answer is whole: a finish reason came, whether or not ``[DONE]`` follows it; or ``[DONE]`` came without one (old gateways), and
each call's arguments are whole JSON objects. Everything else broke off (``B10``), and no call of it leaves this room.

Limits: ``ANSWER_CHARS`` for text, thinking and arguments together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from deskhand.core.values import Delta, Finish, ModelRequest, ReasoningDelta, Reply, TextDelta, Usage
from deskhand.endpoint import Settings, body, calls, counting, refusals
from deskhand.endpoint.mending import Joiner, mended
from deskhand.endpoint.thinking import Thinking
from deskhand.errors import EndpointBroken, EndpointError

#: Most that one answer may hold.
ANSWER_CHARS = 4_000_000
_MODEL_CHARS = 200

_FINISHES = {
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
}
#: Finish reasons by which a server says that it failed.
_FAILURES = frozenset({"error", "abort", "insufficient_system_resource"})
#: Finish reasons by which it says that the model's call was no call (``B22``). Nothing of it is used; without text it is an empty answer.
_MALFORMED = frozenset({"malformed_function_call", "unexpected_tool_call"})


class Answer:
    """One answer under way."""

    def __init__(self, settings: Settings, request: ModelRequest) -> None:
        self._settings = settings
        self._request = request
        self._calls = calls.Calls(call.id for part in request.rounds for call in part.calls)
        self._thinking = Thinking()
        self._fresh: list[str] = []
        self._joiner = Joiner()
        self._is_thinking = False
        self._shown: list[str] = []
        self._written: list[str] = []
        self._reasoning: list[str] = []
        self._size = 0
        self._finish = ""
        self._usage: Usage | None = None
        self._model = ""
        #: What ended the answer early; to be raised after :meth:`take`.
        self.failure: EndpointError | None = None
        #: Whether an event of the answer itself came.
        self.has_begun = False

    @property
    def is_finished(self) -> bool:
        """A finish reason came; only usage may follow."""
        return bool(self._finish)

    @property
    def has_usage(self) -> bool:
        """The server has counted."""
        return self._usage is not None

    def feed(self, events: Iterable[Mapping[str, object]]) -> None:
        """Take the events of one read."""
        for event in events:
            choices = event.get("choices")
            if choices and isinstance(choices, list):
                self._choice(choices[0])
            usage = event.get("usage")
            if usage:
                self._usage = counting.read(usage) or self._usage
            if not self._model:
                model = event.get("model")
                if isinstance(model, str):
                    self._model = mended(model)[:_MODEL_CHARS]
            error = event.get("error")
            if error or event.get("object") == "error":
                self.failure = refusals.of_error(error if error else event, 200)
                return
        if self._size + self._calls.size_chars > ANSWER_CHARS:
            self.failure = EndpointBroken("an answer without end")

    def _choice(self, choice: object) -> None:
        if not isinstance(choice, dict) or choice.get("index") not in (0, None):
            return
        delta = choice.get("delta")
        if isinstance(delta, dict):
            self._delta(delta, is_whole=False)
        elif isinstance(message := choice.get("message"), dict):
            self._delta(message, is_whole=True)
        finish = choice.get("finish_reason")
        if finish and isinstance(finish, str):
            self._finish = finish.lower()
            if self._finish in _FAILURES and self.failure is None:
                self.failure = EndpointBroken("the server gave up")
        if choice.get("usage"):
            self._usage = counting.read(choice["usage"]) or self._usage

    def _delta(self, delta: Mapping[str, object], *, is_whole: bool) -> None:
        content = delta.get("content")
        if content:
            if isinstance(content, str):
                self._text(content)
            elif isinstance(content, list):
                self._parts(content)
        reasoning = delta.get("reasoning_content")
        if reasoning and isinstance(reasoning, str):
            self._thought(reasoning)
            self._reasoning.append(reasoning)
        elif isinstance(other := delta.get("reasoning"), str) and other:
            self._thought(other)
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            self._text(refusal)
        asked = delta.get("tool_calls")
        if asked and isinstance(asked, list):
            self.has_begun = True
            for fragment in asked:
                self._calls.feed(fragment, is_whole=is_whole)
        if isinstance(function := delta.get("function_call"), dict):  # what tool calls were before 2023
            self._calls.feed({"index": 0, "function": function})

    def _text(self, text: str) -> None:
        self._fresh.append(text)
        self._size += len(text)
        self.has_begun = True

    def _thought(self, text: str) -> None:
        self._is_thinking = True
        self._size += len(text)
        self._written.append(text)
        self.has_begun = True

    def _parts(self, content: list[object]) -> None:
        """Content in typed parts (Mistral)."""
        for part in content:
            if not isinstance(part, dict):
                continue
            if isinstance(text := part.get("text"), str):
                self._text(text)
            thinking = part.get("thinking")
            for inner in thinking if isinstance(thinking, list) else ():
                if isinstance(inner, dict) and isinstance(text := inner.get("text"), str):
                    self._thought(text)

    def take(self) -> list[Delta]:
        """What the events since the last call let be shown."""
        deltas: list[Delta] = []
        text = self._joined()
        shown = self._thinking.feed(text) if text else ""
        if self._is_thinking or (text and self._thinking.is_inside):
            deltas.append(ReasoningDelta())
            self._is_thinking = False
        if shown:
            self._shown.append(shown)
            deltas.append(TextDelta(shown))
        return deltas

    def _joined(self) -> str:
        """The fresh text in one piece."""
        if not self._fresh:
            return ""
        text = self._joiner.feed("".join(self._fresh))
        self._fresh.clear()
        if text:
            self._written.append(text)
        return text

    def finish(self) -> list[Delta]:
        """What was held back and turned out to be text."""
        rest = self._thinking.finish()
        if not rest:
            return []
        self._shown.append(rest)
        return [TextDelta(rest)]

    def reply(self, *, is_done: bool) -> Reply:
        """The whole answer. ``is_done``: the server said ``[DONE]``. Raises ``EndpointBroken`` if it broke off."""
        if not self._finish and not (is_done and self.has_begun and self._calls.are_objects()):
            raise EndpointBroken("the stream ended early" if self.has_begun else "an empty stream")
        if self._finish in _MALFORMED and self._shown:
            raise EndpointBroken("the model's call was malformed")
        finish = _FINISHES.get(self._finish, Finish.TOOLS if self._calls else Finish.STOP)
        asked = self._calls.whole()
        if asked is None:
            if finish is not Finish.LENGTH:
                raise EndpointBroken("a call without a name")
            asked = ()
        if finish is Finish.FILTERED or self._finish in _MALFORMED:
            asked = ()
        if finish is Finish.TOOLS and not asked:
            finish = Finish.STOP
        usage = counting.estimated(self._request, "".join(self._written), asked, self._usage)
        fields = {"reasoning_content": mended("".join(self._reasoning))} if self._reasoning else {}
        reasoning = body.to_return(self._settings, fields, self._calls.extras()) if asked else ""
        return Reply("".join(self._shown), reasoning, asked, finish, usage, self._model or self._settings.model)
