"""The offline model: answers from the offered tools without a key, a network or a language model, and says that it is none (``EN3``).

It is there so that the demo and a host's first look cost nothing. The newest question is matched by words with the names and
descriptions of the offered tools (``choosing``), its names, numbers and dates become arguments (``filling``), and what the tool returned is put
into a table or a sentence (``answering``). Equal requests give equal answers.

Never here: an argument that the question does not hold; a tool called twice in a turn with equal arguments; more than two calls in a
turn; a tool that writes, unless the text is an order whose verb is the tool's or stands in its description; a change told as made
before the window says so (``proposals``). Limits: English; one question or order, or two joined by "and".
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
import threading
from collections.abc import Iterator, Sequence

from deskhand import errors
from deskhand.core.values import Delta, Finish, ModelRequest, Reply, TextDelta, ToolCall, Usage
from deskhand.endpoint import Settings
from deskhand.endpoint.offline import answering, choosing, filling, lists, offers, proposals, words
from deskhand.endpoint.offline import question as questions

CALLS = 2
PIECE_CHARS = 24
LISTED_TOOLS = 12
_CONTEXT_DATE = re.compile(r"^date\W+(\d{4}-\d{2}-\d{2})", re.IGNORECASE | re.MULTILINE)
_CONTEXT_PAGE = re.compile(r"^about the page\W+(.*)$", re.IGNORECASE | re.MULTILINE)
_REFERENCE = re.compile(r"\b[A-Z]{1,5}-?\d{2,}\b")
_JOINED = re.compile(
    rf"(?:;|\?|\.\s|,?\s+and\s+(?:also\s+)?(?=(?:show|list|what|which|who|how|when|give|tell|find|{'|'.join(sorted(lists.ACTING - lists.NOUNS | {'book'}))})\b))\s*",
    re.IGNORECASE,
)
_ASKS_BACK = "For “"
_FOLLOWS = re.compile(r"^\s*(and|or|what about|how about|only|just|also|same|those|these|then|no,|but)\b", re.IGNORECASE)


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
    if said := proposals.reply(_newest(request)[-1], request.entries):
        return f"{said}\n\n{answering.SAYS_WHAT_IT_IS}", ()
    asked = _asked(request, known, today)
    chosen = [(question, choosing.best(question, known)) for question in asked]
    if request.rounds:
        calls = [call for each in request.rounds for call in each.calls]
        results = [result for each in request.rounds for result in each.results]
        missed = [word for _, choice in chosen if choice for word in choice.missed]
        missed += [word for question, choice in chosen if choice for word in filling.denials_left_out(question, choice.tool)]
        writing = frozenset(tool.spec.name for tool in known.tools if tool.writes)
        whole = asked[-1] if len(asked) == 1 else _whole(request, known, today)
        return answering.answer(whole, calls, results, missed, writing), ()
    calls = []
    for question, choice in chosen[:CALLS]:
        if choice is None:
            continue
        arguments, missing = filling.fill(question, choice.tool, known)
        _fill_from_page(request.system, question, missing, arguments)
        if missing and not calls:
            return _asks_back(choice.tool, missing), ()
        made = json.dumps(arguments, ensure_ascii=False)
        if not missing and all((call.name, call.arguments) != (choice.tool.spec.name, made) for call in calls):
            calls.append(ToolCall(id=f"offline-{len(calls) + 1}", name=choice.tool.spec.name, arguments=made))
    return ("", tuple(calls)) if calls else (_nothing_fits(known, asked), ())


def _today(system: str) -> datetime.date:
    """The date that the prompt names, else the clock's."""
    found = _CONTEXT_DATE.findall(system)
    try:
        return datetime.date.fromisoformat(found[-1])
    except (IndexError, ValueError):
        return datetime.datetime.now().astimezone().date()


def _whole(request: ModelRequest, known: offers.Offers, today: datetime.date) -> questions.Question:
    return questions.read(_with_page(_newest(request)[-1], request.system), known, today)


def _newest(request: ModelRequest) -> list[str]:
    """What the person wrote, the newest last; set phrases about cards are none of it."""
    return [entry.content for entry in request.entries if entry.role == "user" and not proposals.is_card_line(entry)] or [""]


def _asked(request: ModelRequest, known: offers.Offers, today: datetime.date) -> list[questions.Question]:
    """The questions of the newest message; one that only goes on from the message before is read together with it."""
    said = [_with_page(text, request.system) for text in _newest(request)]
    newest = questions.read(said[-1], known, today)
    asked_back = _asked_back(request)
    if asked_back and newest.order not in lists.ACTING:
        whole = newest
        for text in said[-2 : -2 - asked_back : -1]:
            whole = _completed(whole, questions.read(text, known, today))
        return [whole]
    if len(said) > 1:
        content = [stem for stem in newest.stems if known.knows(stem)]
        if _FOLLOWS.search(said[-1]) or (len(newest.words) <= 6 and not content and (newest.names or newest.span)):
            return [_joined(newest, questions.read(said[-2], known, today))]
    if newest.passage:
        return [newest]
    parts = [part for part in _JOINED.split(said[-1]) if part.strip()]
    if len(parts) < 2:
        return [newest]
    each = [questions.read(part, known, today) for part in parts]
    chosen = [choosing.best(question, known) for question in each]
    chosen = [choice if 1.0 in question.stems.values() else None for question, choice in zip(each, chosen, strict=True)]
    tools = {choice.tool.spec.name for choice in chosen if choice}
    are_orders = all(choice is not None and choice.tool.writes for choice in chosen)
    if len(tools) < 2 and not are_orders:
        return [newest]
    kept = [question for question, choice in zip(each, chosen, strict=True) if choice]
    return [kept[0], *(_with_names(question, kept[0]) for question in kept[1:CALLS])]


def _asked_back(request: ModelRequest) -> int:
    """How many messages before the newest one were each answered with the question what else is needed."""
    count = 0
    for entry in reversed(request.entries[:-1]):
        if entry.role == "assistant":
            if not entry.content.startswith(_ASKS_BACK):
                break
            count += 1
    return min(count, len(_newest(request)) - 1)


def _completed(answer: questions.Question, before: questions.Question) -> questions.Question:
    """The question asked before with what the answer to our own question adds."""
    by = len(before.words)
    whole = _joined(answer, before)
    return dataclasses.replace(
        whole,
        text=before.text,
        names=before.names + _moved(answer.names, by),
        numbers=tuple((value, place + by) for value, place in answer.numbers) + before.numbers,
        wants=before.wants,
        subject=before.subject,
        order=before.order,
        has_object=before.has_object,
        passage=answer.passage or before.passage,
    )


def _joined(newest: questions.Question, before: questions.Question) -> questions.Question:
    """The newest question with what it leaves unsaid taken from the one before."""
    stems = {stem: weight * 0.5 for stem, weight in before.stems.items()} | newest.stems
    names = (
        newest.names
        if any(name.is_sure for name in newest.names)
        else _moved(before.names, 0) + _moved(newest.names, len(before.words))
    )
    moved = _moved(names, len(before.words)) if names is newest.names else names
    return questions.Question(
        text=newest.text,
        words=before.words + newest.words,
        names=moved,
        numbers=tuple((value, place + len(before.words)) for value, place in newest.numbers) or before.numbers,
        span=newest.span or before.span,
        stems=stems,
        denied=frozenset(place + len(before.words) for place in newest.denied),
        wants=newest.wants or before.wants,
        subject=newest.subject or before.subject,
        order=newest.order if not _FOLLOWS.search(newest.text) else "",
    )


def _moved(names: Sequence[questions.Name], by: int) -> tuple[questions.Name, ...]:
    return tuple(
        questions.Name(
            name.text, name.prefix, name.before, name.after, name.is_sure, range(name.places.start + by, name.places.stop + by)
        )
        for name in names
    )


def _with_names(question: questions.Question, first: questions.Question) -> questions.Question:
    return question if any(name.is_sure for name in question.names) else _joined_names(question, first)


def _joined_names(question: questions.Question, first: questions.Question) -> questions.Question:
    """The question with the names of the one before it ("Hansen's notes and what they owe")."""
    base = len(question.words)
    extra = tuple(word for name in first.names if name.is_sure for word in first.words[name.places.start : name.places.stop])
    names = []
    for name in first.names:
        if name.is_sure:
            length = len(name.places)
            names.append(questions.Name(name.text, name.prefix, name.before, "", True, range(base, base + length)))
            base += length
    return questions.Question(
        question.text,
        question.words + extra,
        question.names + tuple(names),
        question.numbers,
        question.span or first.span,
        question.stems,
        question.denied,
        question.wants,
        question.subject,
        question.order,
        question.has_object,
        question.passage,
    )


def _with_page(text: str, system: str) -> str:
    """The text with the number of the thing whose page is open put after "this customer", if that page is a customer's."""
    page = _page(system)
    reference = _REFERENCE.search(page)
    kind = re.search(r"\bthis (\w+)", text, re.IGNORECASE)
    if reference is None or kind is None or kind.group(1).lower() not in page.lower().split():
        return text
    return f"{text[: kind.end()]} {reference.group()}{text[kind.end() :]}"


def _page(system: str) -> str:
    """What the prompt says about the open page."""
    pages = _CONTEXT_PAGE.findall(system)
    return pages[-1].strip(' "') if pages else ""


def _fill_from_page(
    system: str, question: questions.Question, missing: list[offers.Parameter], arguments: dict[str, object]
) -> None:
    """ "This customer" is the one whose page is open: its number stands in the prompt's line about the page."""
    reference = _REFERENCE.search(_page(system))
    if reference and question.says("this", "here", "it", "its", "their", "they") and missing and missing[0].kind == "text":
        arguments[missing.pop(0).name] = reference.group()


def _asks_back(tool: offers.Offer, missing: Sequence[offers.Parameter]) -> str:
    named = " and ".join(f"the {words.lowered(parameter.name)}" for parameter in missing)
    choices = [str(choice) for parameter in missing for choice in parameter.choices]
    listed = f" One of: {', '.join(choices)}." if choices else ""
    return f"{_ASKS_BACK}{words.label(tool.spec.name)}” I need {named}. Which do you mean?{listed}\n\n{answering.SAYS_WHAT_IT_IS}"


def _nothing_fits(known: offers.Offers, asked: Sequence[questions.Question]) -> str:
    if not known.tools:
        return f"No tool is offered to me here, so there is nothing I can look up.\n\n{answering.SAYS_WHAT_IT_IS}"
    lines = []
    for tool in known.tools[:LISTED_TOOLS]:
        first = " ".join(tool.spec.description.strip().split("\n\n")[0].split()).split(". ")[0].rstrip(".")
        lines.append(f"- **{words.label(tool.spec.name)}**" + (f": {first}" if first else ""))
    if len(known.tools) > LISTED_TOOLS:
        lines.append(f"- … and {len(known.tools) - LISTED_TOOLS} more")
    listed = "\n".join(lines)
    unseen = [word for question in asked for word in choosing.unseen(question, known)]
    if unseen:
        named = " and ".join(f"“{word}”" for word in dict.fromkeys(unseen))
        why = f"None of the tools that you may use here knows of {named}: with your rights I can't see or change that."
    elif any(question.order in lists.ACTING - lists.NOUNS for question in asked):
        why = "None of the tools that you may use here can do this: with your rights I can't propose it."
    else:
        why = "None of the tools that you may use here fits this question."
    return f"{why} I can use:\n\n{listed}\n\n{answering.SAYS_WHAT_IT_IS}"
