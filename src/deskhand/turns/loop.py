"""The loop of one turn, as a plain generator of events: ask, tell what came, run tools, ask again, answer.

Whoever pulls it decides where events go: a list in a test, a feed in a server. It ends with an answer, a cap, a failure or the loss of
its rights, and each end is a row and a notice that the person sees (``TU3``). What it writes it writes under the turn's fence.

Never here: a call whose answer was cut is never run (``B12``); text is never read as a call (``B18``). Limits: Stop, the wall clock and
the watch over rights while the model is silent are the runner's.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Generator, Iterator

from deskhand import conversations, faults, switches, usage
from deskhand.confirmations import reading
from deskhand.core import phrases
from deskhand.core.values import Ending, Finish, ModelRequest, Notice, Outcome, Role, Round, ToolCall, TurnEnd
from deskhand.errors import (
    ContextTooLong,
    EndpointDenied,
    EndpointError,
    EndpointFiltered,
    EndpointLimited,
    EndpointRejected,
    EndpointTimeout,
    TurnStopped,
)
from deskhand.models import Message
from deskhand.scope import Scope
from deskhand.tools import registry
from deskhand.turns import asking, calls, events, lock
from deskhand.turns.asking import Asked, Cancel
from deskhand.turns.brief import Brief
from deskhand.turns.events import Told

_FAULTS: tuple[tuple[type[EndpointError], Notice], ...] = (
    (ContextTooLong, Notice.CONTEXT_TOO_LONG),
    (EndpointDenied, Notice.ENDPOINT_DENIED),
    (EndpointLimited, Notice.ENDPOINT_LIMITED),
    (EndpointTimeout, Notice.ENDPOINT_TIMEOUT),
    (EndpointFiltered, Notice.FILTERED),
    # Behind its own kinds: repeating it is no use, and the reason is in the settings or the tools.
    (EndpointRejected, Notice.ENDPOINT_REJECTED),
)

#: Rounds in a row that only repeat an open proposal, after which the turn ends.
_REPEATS = 2


def run(brief: Brief, cancel: Cancel, *, inline: bool = False) -> Iterator[Told]:
    """Run the turn to its end; its last event is ``done``. ``inline`` runs tools in this thread (tests).

    Raises:
        FenceLost: somebody else ended the turn.
        TurnStopped: ``cancel`` was told to stop.
    """
    return _Turn(brief, cancel, inline).run()


class _Turn:
    """The state of one running turn."""

    def __init__(self, brief: Brief, cancel: Cancel, inline: bool) -> None:
        self.brief = brief
        self.cancel = cancel
        self.inline = inline
        self.rounds: list[Round] = []
        self.ledger = usage.open_ledger(brief.held.turn_id)
        self.told = 0
        self.calls_made = 0
        self.ends_at = time.monotonic() + brief.seconds

    def run(self) -> Iterator[Told]:
        for told in self._run():
            self.told += 1
            yield told

    def _run(self) -> Generator[Told, None, None]:
        scope = self.brief.scope
        if scope is None or not calls.is_usable(scope, self.brief.held):
            yield from self._end(TurnEnd.REFUSED, notice=Notice.RIGHTS)
            return
        for _ in range(self.brief.rounds):
            if self.cancel.event.is_set():
                raise TurnStopped
            if switches.ASSISTANT in switches.off():
                yield from self._end(TurnEnd.REFUSED, notice=Notice.OFF)
                return
            asked = yield from asking.ask(self.brief, self._request(scope), self.cancel, self.ledger)
            if asked.reply is None or not asked.reply.calls:
                yield from self._answer(asked)
                return
            try:
                scope = yield from self._calls(asked, asked.reply.calls)
            except calls.RightsGone:
                yield from self._end(TurnEnd.REFUSED, notice=Notice.RIGHTS)
                return
            if self.calls_made > self.brief.calls:
                yield from self._end(TurnEnd.CAPPED, notice=Notice.CALLS)
                return
            if self._repeats():
                yield from self._end(TurnEnd.CAPPED, notice=Notice.REPEATED)
                return
            if time.monotonic() >= self.ends_at:
                yield from self._end(TurnEnd.CAPPED, notice=Notice.TIME)
                return
        yield from self._end(TurnEnd.CAPPED, notice=Notice.ROUNDS)

    def _repeats(self) -> bool:
        """Whether the last rounds did nothing but propose again what waits: small models go on so until the cap, at minutes a turn."""
        last = self.rounds[-_REPEATS:]
        return len(last) == _REPEATS and all(told == phrases.STILL_WAITING for each in last for told in each.results)

    def _request(self, scope: Scope) -> ModelRequest:
        # Offered anew for each call, and told anew: what the person may do, and know, can have changed since the last one; so can what
        # an administrator has switched off.
        return ModelRequest(
            system=self.brief.system,
            entries=self.brief.entries,
            rounds=tuple(
                dataclasses.replace(
                    each, results=tuple(calls.told(*pair, scope) for pair in zip(each.calls, each.results, strict=True))
                )
                for each in self.rounds
            ),
            tools=tuple(tool.spec for tool in registry().offered(scope, switches.off())),
            locale=self.brief.language,
        )

    # --- calls -----------------------------------------------------------------------------------------------------------------

    def _calls(self, asked: Asked, made: tuple[ToolCall, ...]) -> Generator[Told, None, Scope]:
        assert asked.reply is not None
        assistant = self._assistant(asked, Ending.COMPLETE, made)
        # Before any of them runs: what was asked for is in the journal even if this process dies in the middle.
        lock.journal(self.brief.held, [assistant])
        faults.point("call.kept")
        yield _message(assistant)
        if asked.reply.finish in (Finish.LENGTH, Finish.FILTERED):
            results = yield from self._not_run(assistant, made, Outcome.TRUNCATED)
            scope = None
        else:
            scope, results = yield from self._run_each(assistant, made, calls.now(self.brief.held))
        self.rounds.append(Round(asked.text, asked.reply.reasoning, made, tuple(results)))
        return scope if scope is not None else calls.rights(self.brief.held)

    def _run_each(
        self, assistant: Message, made: tuple[ToolCall, ...], now: Scope | None
    ) -> Generator[Told, None, tuple[Scope | None, list[str]]]:
        results: list[str] = []
        for place, call in enumerate(made):
            if now is None or self.calls_made >= self.brief.calls:
                return now, results + (yield from self._not_run(assistant, made[place:], Outcome.STOPPED))
            self.calls_made += 1
            title = conversations.title_of_tool(call.name)
            yield Told(events.TOOL, {"call": self.calls_made, "title": title, "state": "running", "summary": ""})
            answered = calls.answer(call, self.brief, now, self.cancel, assistant_message_id=assistant.pk, inline=self.inline)
            if self.cancel.event.is_set():
                raise TurnStopped
            faults.point("call.returned")
            now = answered.scope
            if not answered.is_stored:
                answered.row.assistant_message_id = assistant.pk
                lock.journal(self.brief.held, [answered.row])
            faults.point("call.answered")
            results.append(answered.text)
            yield Told(events.TOOL, {"call": self.calls_made, **_state(call, answered)})
            yield _message(answered.row, now)
        return now, results

    def _not_run(self, assistant: Message, made: tuple[ToolCall, ...], outcome: Outcome) -> Generator[Told, None, list[str]]:
        """Calls that are not made at all, however many there are: their rows are stored together (``ME5``)."""
        answers = [calls.not_run(call, outcome) for call in made]
        for answered in answers:
            answered.row.assistant_message_id = assistant.pk
        lock.journal(self.brief.held, [answered.row for answered in answers])
        for call, answered in zip(made, answers, strict=True):
            self.calls_made += 1
            yield Told(events.TOOL, {"call": self.calls_made, **_state(call, answered)})
            yield _message(answered.row)
        return [answered.text for answered in answers]

    # --- ends ------------------------------------------------------------------------------------------------------------------

    def _answer(self, asked: Asked) -> Generator[Told, None, None]:
        """The answer that closes the turn, or what is left of one."""
        reply = asked.reply
        if reply is None:
            assert asked.error is not None
            notice = next((notice for kind, notice in _FAULTS if isinstance(asked.error, kind)), Notice.ENDPOINT)
            yield from self._end(TurnEnd.FAILED, asked, Ending.INCOMPLETE, notice)
        elif reply.finish == Finish.LENGTH:
            yield from self._end(TurnEnd.ANSWERED, asked, Ending.INCOMPLETE, Notice.CUT)
        elif reply.finish == Finish.FILTERED:
            yield from self._end(TurnEnd.FAILED, asked, Ending.INCOMPLETE, Notice.FILTERED)
        elif not asked.text.strip():
            notice = Notice.OFF_PURPOSE if asked.flags else Notice.EMPTY
            yield from self._end(TurnEnd.ANSWERED, asked, Ending.COMPLETE, notice)
        else:
            yield from self._end(TurnEnd.ANSWERED, asked, Ending.COMPLETE)

    def _end(
        self, end: TurnEnd, asked: Asked | None = None, ending: Ending = Ending.COMPLETE, notice: Notice | None = None
    ) -> Generator[Told, None, None]:
        messages: list[Message] = []
        if asked is not None and asked.text.strip():
            messages.append(self._assistant(asked, ending, ()))
        if notice is not None:
            messages.append(conversations.full(role=Role.NOTICE.value, content=phrases.notice(notice), error=notice.value))
        last = self.told + len(messages) + 1
        last_seq = lock.finish(self.brief.held, end, messages, self.ledger.rows(), last)
        faults.point("end.kept")
        usage.close_ledger(self.brief.held.turn_id)
        for message in messages:
            yield _message(message)
        yield events.done(end, last_seq)

    def _assistant(self, asked: Asked, ending: Ending, made: tuple[ToolCall, ...]) -> Message:
        call = asked.call
        message = conversations.full(
            role=Role.ASSISTANT.value,
            content=asked.text,
            tool_calls=[{"id": each.id, "name": each.name, "arguments": each.arguments} for each in made],
            ending=ending.value,
            model=call.model,
            input_tokens=call.input_tokens,
            output_tokens=call.output_tokens,
            cost_micro_usd=call.cost_micro_usd,
            latency_ms=call.latency_ms,
        )
        message.ai_request_id = call.pk
        return message


def _message(message: Message, scope: Scope | None = None) -> Told:
    shown = conversations.shown(message)
    if message.confirmation_id is not None and scope is not None:
        shown["card"] = reading.card(scope, message.confirmation_id)
    return Told(events.MESSAGE, shown)


def _state(call: ToolCall, answered: calls.Answered) -> dict[str, object]:
    size = len(answered.row.tool_result)
    return {
        "title": conversations.title_of_tool(call.name),
        "state": answered.outcome.value,
        "summary": phrases.tool_summary(answered.outcome, size, answered.row.error),
    }
