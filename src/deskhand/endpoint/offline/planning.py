"""Which calls a message asks for: the tool of each question in it, the arguments, and what is missing.

Computed anew in every round of a turn from the same window, with the same end. The newest message is read with what the last answer
leaves (``following``); without one, with the message before it (``joining``). Never here: a call, or a word of the answer.
"""

from __future__ import annotations

import dataclasses
import datetime
import re

from deskhand.core.values import ModelRequest
from deskhand.endpoint.offline import choosing, filling, following, joining, lists, proposals, words
from deskhand.endpoint.offline import question as questions
from deskhand.endpoint.offline.offers import Offer, Offers, Parameter
from deskhand.endpoint.offline.question import Question

CALLS = 2
#: How an answer begins that asks for what is missing.
ASKS_BACK = "For “"
_CONTEXT_PAGE = re.compile(r"^about the page\W+(.*)$", re.IGNORECASE | re.MULTILINE)
_REFERENCE = re.compile(r"\b[A-Z]{1,5}-?\d{2,}\b")
_JOINED = re.compile(
    rf"(?:;|\?|\.\s|,?\s+and\s+(?:also\s+)?(?=(?:show|list|what|which|who|how|when|give|tell|find|{'|'.join(sorted(lists.ACTING - lists.NOUNS | {'book'}))})\b))\s*",
    re.IGNORECASE,
)
#: Two stretches of days to be compared.
_THAN = re.compile(
    r"^(.*\b(?:more|less|fewer|better|worse|higher|lower|bigger|larger|smaller)\b.*?)\bthan\s+(.+)$", re.IGNORECASE | re.DOTALL
)
_MONTH = words.stem("month")


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """One question of a message, and the call that answers it."""

    question: Question
    #: ``None``: no tool fits.
    tool: Offer | None
    arguments: dict[str, object] = dataclasses.field(default_factory=dict)
    #: Required and not to be found.
    missing: tuple[Parameter, ...] = ()
    #: Words of the question that the tool has no place for.
    missed: tuple[str, ...] = ()
    #: A pronoun that means nobody who was spoken of.
    unclear: str = ""


def newest(request: ModelRequest) -> list[str]:
    """What the person wrote, the newest last; set phrases about cards are none of it."""
    return [entry.content for entry in request.entries if entry.role == "user" and not proposals.is_card_line(entry)] or [""]


def before(request: ModelRequest, known: Offers) -> following.Before | None:
    """What the last answer leaves, if it came from a tool that is still offered."""
    answers = [entry.content for entry in request.entries if entry.role == "assistant"]
    return following.read(answers[-1], known) if answers else None


def whole(request: ModelRequest, known: Offers, today: datetime.date) -> Question:
    """The newest message as one question."""
    return questions.read(_with_page(newest(request)[-1], request.system), known, today)


def steps(request: ModelRequest, known: Offers, today: datetime.date) -> list[Step]:
    """What is to be asked of the tools, at most :data:`CALLS` of it; one step without a tool if nothing fits."""
    said = [_with_page(text, request.system) for text in newest(request)]
    question = questions.read(said[-1], known, today)
    asked_back = _asked_back(request)
    if asked_back and question.order not in lists.ACTING:
        for text in said[-2 : -2 - asked_back : -1]:
            question = joining.completed(question, questions.read(text, known, today))
        return [_step(question, known, request.system, None)]
    left = before(request, known)
    if left is not None and not left.tool.writes:
        if (row := following.row_of(said[-1])) > 0 and not left.offered:
            ranked = dataclasses.replace(question, wants=_wanted(said[:-1], known, today), row=row, span=None)
            return [Step(ranked, left.tool, dict(left.arguments))]
        arguments = (
            following.picked(question, left) or following.more(said[-1], left) or following.carried(question, left, known, today)
        )
        if arguments is not None:
            wants = question.wants or _wanted(said[:-1], known, today)
            # The count stands in every answer; which words were counted, in the question before alone.
            wants = "" if wants == "count" and not question.wants else wants
            return [Step(dataclasses.replace(question, wants=wants), left.tool, arguments)]
    if len(said) > 1 and not (left and left.has_failed) and _goes_on(question, known, left):
        question = joining.joined(question, questions.read(said[-2], known, today))
        return [_step(question, known, request.system, left)]
    return [_step(each, known, request.system, left) for each in _parts(said[-1], question, known, today)]


def _goes_on(question: Question, known: Offers, left: following.Before | None) -> bool:
    """Whether the text has to be read together with the message before it."""
    content = [stem for stem, part in question.stems.items() if known.knows(stem) and part > 0.3]
    is_marked = bool(joining.FOLLOWS.search(question.text))
    if left is not None:
        # Its arguments are known: only what says nothing of its own is in need of the question's words.
        return is_marked and not content
    return is_marked or (len(question.words) <= following.SHORT and not content and bool(question.names or question.span))


def _wanted(said: list[str], known: Offers, today: datetime.date) -> str:
    """What the question wanted from which the newest message goes on, through those that went on from it before."""
    for text in reversed(said):
        question = questions.read(text, known, today)
        if question.wants or not (joining.FOLLOWS.search(text) or len(question.words) <= following.SHORT):
            return question.wants
    return ""


def _parts(text: str, question: Question, known: Offers, today: datetime.date) -> list[Question]:
    """The questions of one message: it, or the two that an "and" joins."""
    if compared := _compared(text, known, today):
        return compared
    parts = [part for part in _JOINED.split(text) if part.strip()]
    if question.passage or len(parts) < 2:
        return [question]
    each = [questions.read(part, known, today) for part in parts]
    if other := _other_days(each, known):
        return [each[0], other]
    chosen = [choosing.best(question, known) for question in each]
    chosen = [choice if 1.0 in question.stems.values() else None for question, choice in zip(each, chosen, strict=True)]
    tools = {choice.tool.spec.name for choice in chosen if choice}
    are_orders = all(choice is not None and choice.tool.writes for choice in chosen)
    if len(tools) < 2 and not are_orders:
        return [question]
    kept = [question for question, choice in zip(each, chosen, strict=True) if choice]
    return [kept[0], *(joining.with_names(question, kept[0]) for question in kept[1:CALLS])]


def _compared(text: str, known: Offers, today: datetime.date) -> list[Question]:
    """The question asked of each of two stretches of days ("more in October than in September"), unless its tool sums up by months."""
    match = _THAN.match(text)
    if match is None:
        return []
    first, second = (questions.read(part, known, today) for part in match.groups())
    choice = choosing.best(first, known)
    if not (first.span and second.span) or choice is None or choice.tool.writes or _MONTH in choice.tool.name_stems:
        return []
    return [first, dataclasses.replace(first, span=second.span)]


def _other_days(each: list[Question], known: Offers) -> Question | None:
    """The second part with the words of the first, if it names other days and nothing else ("and how many last week?")."""
    if len(each) != 2 or not (each[0].span and each[1].span) or each[0].order in lists.ACTING - lists.NOUNS:
        return None
    says_more = any(part == 1.0 for part in each[1].stems.values()) or each[1].names
    choice = None if says_more else choosing.best(each[0], known)
    return dataclasses.replace(each[0], span=each[1].span) if choice and not choice.tool.writes else None


def _step(question: Question, known: Offers, system: str, left: following.Before | None) -> Step:
    question = dataclasses.replace(question, points_back=following.points_to(question, left))
    choice = choosing.best(question, known)
    if choice is None:
        return Step(question, None)
    tool = choice.tool
    arguments, missing = filling.fill(question, tool, known)
    unclear = following.fill(question, left, tool, arguments)
    missing = [parameter for parameter in missing if parameter.name not in arguments]
    _fill_from_page(system, question, missing, arguments)
    values = " ".join(str(value) for value in arguments.values())
    left_out = [name.text for name in question.names if name.is_sure and name.text not in values]
    missed = (*choice.missed, *filling.denials_left_out(question, tool), *(left_out if not missing else ()))
    return Step(question, tool, arguments, tuple(missing), missed, "" if missing else unclear)


def _asked_back(request: ModelRequest) -> int:
    """How many messages before the newest one were each answered with the question what else is needed."""
    count = 0
    for entry in reversed(request.entries[:-1]):
        if entry.role == "assistant":
            if not entry.content.startswith(ASKS_BACK):
                break
            count += 1
    return min(count, len(newest(request)) - 1)


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


def _fill_from_page(system: str, question: Question, missing: list[Parameter], arguments: dict[str, object]) -> None:
    """ "This customer" is the one whose page is open: its number stands in the prompt's line about the page."""
    reference = _REFERENCE.search(_page(system))
    if reference and question.says("this", "here", "it", "its", "their", "they") and missing and missing[0].kind == "text":
        arguments[missing.pop(0).name] = reference.group()
