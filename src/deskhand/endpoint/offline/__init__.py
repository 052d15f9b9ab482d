"""The offline model: answers from the offered tools without a key, a network or a language model, and says that it is none (``EN3``).

It is there so that the demo and a host's first look cost nothing. The newest question is matched by words with the names and
descriptions of the offered tools (``choosing``), its names, numbers and dates become arguments (``filling``), and what the tool returned is put
into a table or a sentence (``answering``). A message that goes on from the last answer is read with what stands in it (``following``); a
name that is nearly right is put right by one more call (``correcting``). Equal requests give equal answers.

Never here: an argument that neither the question nor the last answer holds; a tool called twice in a turn with equal arguments; more than two calls in a
turn; a tool that writes, unless the text is an order whose verb is the tool's or stands in its description; a change told as made
before the window says so (``proposals``). Limits: English; one question or order, or two joined by "and".
"""

from __future__ import annotations

import datetime
import json
import re
import threading
from collections.abc import Iterator, Sequence

from deskhand import errors
from deskhand.core.values import Delta, Finish, ModelRequest, Reply, TextDelta, ToolCall, Usage
from deskhand.endpoint import Settings
from deskhand.endpoint.offline import answering, choosing, correcting, following, lists, offers, planning, proposals, words

PIECE_CHARS = 24
#: Titles of tools that a refusal names.
NEAREST = 4
_CONTEXT_DATE = re.compile(r"^date\W+(\d{4}-\d{2}-\d{2})", re.IGNORECASE | re.MULTILINE)

_HELP = re.compile(
    r"^\W*(?:help(?: me)?|what (?:else )?(?:can|do) (?:you|i) (?:do|ask|know)(?: you| here| for me| about)*|how can you help(?: me)?|what are you)\W*$",
    re.IGNORECASE,
)


class OfflineEndpoint:
    """A model that matches words. ``settings.parameters["delay_ms"]`` is the pause between two pieces of text, 0 if not given."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def stream(self, request: ModelRequest) -> OfflineStream:
        """The answer to the newest question, not begun."""
        delay = self.settings.parameters.get("delay_ms", 0)
        seconds = float(delay) / 1000 if isinstance(delay, int | float) else 0.0
        return OfflineStream(request, self.settings.model, seconds)


class OfflineStream:
    """One answer under way."""

    def __init__(self, request: ModelRequest, model: str, delay_seconds: float) -> None:
        self._request = request
        self._model = model
        self._delay_seconds = delay_seconds
        self._stopped = threading.Event()

    def __iter__(self) -> Iterator[Delta]:
        """Pieces of text, then the ``Reply``. Raises ``TurnStopped`` after :meth:`stop`."""
        text, calls = reply(self._request)
        for piece in pieces(text):
            if self._stopped.wait(self._delay_seconds):
                raise errors.TurnStopped
            yield TextDelta(piece)
        if self._stopped.is_set():
            raise errors.TurnStopped
        finish = Finish.TOOLS if calls else Finish.STOP
        said = len(text) + sum(len(call.arguments) for call in calls)
        read = len(self._request.system) + sum(len(entry.content) for entry in self._request.entries)
        usage = Usage(input_tokens=read // 4, output_tokens=said // 4, cost_micro_usd=0, is_estimated=True)
        yield Reply(text=text, reasoning="", calls=calls, finish=finish, usage=usage, model=self._model)

    def stop(self) -> None:
        """Ends the iteration at its next piece, also one that is waited for."""
        self._stopped.set()


def pieces(text: str) -> list[str]:
    """The text in pieces of some words, which together are the text."""
    found = []
    start = 0
    while start < len(text):
        end = start + PIECE_CHARS
        space = text.find(" ", end)
        end = len(text) if space < 0 else space + 1
        found.append(text[start:end])
        start = end
    return found


def reply(request: ModelRequest) -> tuple[str, tuple[ToolCall, ...]]:
    """Text and calls that answer the request: calls and no text, or text and no calls."""
    known = offers.read(request.tools)
    today = _today(request.system)
    text = planning.newest(request)[-1]
    if said := proposals.reply(text, request.entries, known) or _small_talk(text, known):
        return f"{said}\n\n{answering.SAYS_WHAT_IT_IS}", ()
    steps = planning.steps(request, known, today)
    if request.rounds:
        return _after_rounds(request, known, today, steps)
    calls: list[ToolCall] = []
    for step in steps[: planning.CALLS]:
        if step.tool is None:
            continue
        if (step.missing or step.unclear) and not calls:
            return _asks_back(step), ()
        made = json.dumps(step.arguments, ensure_ascii=False)
        if not step.missing and all((call.name, call.arguments) != (step.tool.spec.name, made) for call in calls):
            calls.append(ToolCall(id=f"offline-{len(calls) + 1}", name=step.tool.spec.name, arguments=made))
    if calls:
        return "", tuple(calls)
    is_more = following.asks_for_more(text) and planning.before(request, known) is not None
    said = "There are no more rows than those that you see above." if is_more else _nothing_fits(known, steps)
    return f"{said}\n\n{answering.SAYS_WHAT_IT_IS}", ()


def _after_rounds(
    request: ModelRequest, known: offers.Offers, today: datetime.date, steps: Sequence[planning.Step]
) -> tuple[str, tuple[ToolCall, ...]]:
    """The answer to what the tools gave; or one more call, where the only one was made with a name that is nearly right."""
    first = request.rounds[0]
    corrected = None
    if len(first.calls) == 1:
        corrected = correcting.correction(
            steps[0].question, known.named_as(first.calls[0].name), first.calls[0], first.results[0]
        )
        if corrected and corrected.call and len(request.rounds) == 1:
            return "", (corrected.call,)
    last = request.rounds[-1] if corrected and corrected.call else None
    shown = [last] if last else list(request.rounds)
    calls = [call for each in shown for call in each.calls]
    results = [result for each in shown for result in each.results]
    missed = [word for step in steps for word in step.missed]
    if corrected:
        missed = []
    whole = steps[-1].question if len(steps) == 1 else planning.whole(request, known, today)
    note = answering.about(corrected) if corrected else ""
    return answering.answer(whole, calls, results, missed, known, note), ()


def _today(system: str) -> datetime.date:
    """The date that the prompt names, else the clock's."""
    found = _CONTEXT_DATE.findall(system)
    try:
        return datetime.date.fromisoformat(found[-1])
    except (IndexError, ValueError):
        return datetime.datetime.now().astimezone().date()


def _small_talk(text: str, known: offers.Offers) -> str:
    """The answer to a greeting, a thank you, or the question what can be asked; else empty."""
    said = [word.text.lower() for word in words.split(text)]
    if not said or len(said) > lists.SHORT:
        return ""
    if _HELP.match(text):
        titles = {writes: ", ".join(tool.title for tool in known.tools if tool.writes == writes) for writes in (False, True)}
        looks = f"I can look things up with: {titles[False] or 'nothing'}."
        return f"{looks} I can propose changes with: {titles[True]}." if titles[True] else looks
    if set(said) <= lists.THANKING | lists.GREETING:
        return (
            "You are welcome."
            if set(said) & lists.THANKED
            else "Hello! Ask me something, or “what can you do?”."
            if set(said) & lists.GREETED
            else ""
        )
    return ""


def _asks_back(step: planning.Step) -> str:
    assert step.tool is not None
    title = f"{planning.ASKS_BACK}{step.tool.title}”"
    if step.unclear:
        is_pronoun = step.unclear in lists.PRONOUNS
        asks = f"{title} I don't know who “{step.unclear}” is. Whom do you mean?"
        asks = asks if is_pronoun else f"{title} I need another name: there is no “{step.unclear}”. Which do you mean?"
    else:
        named = " and ".join(f"the {words.lowered(parameter.name)}" for parameter in step.missing)
        choices = [str(choice) for parameter in step.missing for choice in parameter.choices]
        listed = f" One of: {', '.join(choices)}." if choices else ""
        asks = f"{title} I need {named}. Which do you mean?{listed}"
    return f"{asks}\n\n{answering.SAYS_WHAT_IT_IS}"


def _nothing_fits(known: offers.Offers, steps: Sequence[planning.Step]) -> str:
    if not known.tools:
        return "No tool is offered to me here, so there is nothing I can look up."
    asked = [step.question for step in steps]
    unseen = [word for question in asked for word in choosing.unseen(question, known)]
    if unseen:
        named = " and ".join(f"“{word}”" for word in dict.fromkeys(unseen))
        why = f"Nothing that I may use here speaks of {named}"
    elif any(question.order in lists.ACTING - lists.NOUNS for question in asked):
        why = "I can't propose that"
    else:
        why = "I can't look that up"
    near = [tool.title for question in asked for tool in choosing.nearest(question, known, NEAREST)]
    titles = ", ".join(list(dict.fromkeys(near))[:NEAREST])
    nearest = f" What comes nearest: {titles}." if titles else ""
    is_near = not unseen and any(choosing.is_near(question, known) for question in asked)
    because = (
        "I can't match all that you say with one of my tools"
        if is_near
        else "either no tool does that, or your rights do not allow it"
    )
    return f"{why}: {because}.{nearest} Ask “what can you do?” for all that I can use."
