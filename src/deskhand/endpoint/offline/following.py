"""What the last answer leaves for a message that goes on from it: the tool and its arguments, whom it spoke of, which names it offered.

Read from the answer's own text, which is all that the window keeps of a tool's call: it begins with the tool's title and the arguments
(:func:`~deskhand.endpoint.offline.answering.heading`), and its facts and tables stand below. A tool that is not offered any more
leaves nothing. Limits: the first call of an answer alone; an answer that does not begin with a title leaves nothing.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Mapping, Sequence

from deskhand.endpoint.offline import dates, filling, joining, likeness, lists, tables, words
from deskhand.endpoint.offline import question as questions
from deskhand.endpoint.offline.offers import Offer, Offers, Parameter
from deskhand.endpoint.offline.question import Question

#: Before names of which the person is to pick one.
WHICH_ONE = "Which one do you mean?"
#: Before what a tool says instead of a result.
SAID_INSTEAD = "No result: "
#: What a table is followed by if there are more rows than it shows.
_RANGE = re.compile(r"^Rows \d+–(\d+) of (\d+)\.", re.MULTILINE)
_HEADING = re.compile(r"\A\*\*(?P<title>.+?)\*\*(?: \((?P<arguments>.*)\))?$", re.MULTILINE)
_FACT = re.compile(r"^(?:- \*\*(?P<label>[^*:]+):\*\* |(?P<label2>[^*:|]+): \*\*)(?P<value>[^*]+?)(?:\*\*)?$", re.MULTILINE)
_LEADING = re.compile(r"^\*\*(?P<name>[^*]+)\*\*: ", re.MULTILINE)
_MORE = re.compile(
    r"^\W*(?:and |please |can you |could you )*(?:show |give |list |see )?(?:me )?(?:the )?"
    r"(?:more|next(?: page| ones?| rows?| \d+)?|rest|remaining(?: ones| rows)?|others|further(?: ones| rows)?)"
    r"(?: rows| ones| of (?:them|these|those)| please)*\W*$",
    re.IGNORECASE,
)
_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "last": -1}
_ROW = re.compile(
    r"^\W*(?:and |so |then )*(?:(?:what|who|which)(?:(?: one)? (?:is|comes?|came|was)|['’]s)? )?(?:in |on |at )?(?:the )?"
    rf"(?P<place>{'|'.join(_ORDINALS)}|next)(?: (?:place|one|position|best|biggest|largest|most))?\W*$",
    re.IGNORECASE,
)
#: Longest message, in words, that leaves something unsaid without saying so.
SHORT = 6
_THE_ONE = re.compile(r"\bthe ones? (?:in|from|at|of|with|called|named)\b", re.IGNORECASE)
_ROWS = words.stems("limit offset page")
_SOMEBODY = words.stems(" ".join(lists.SOMEBODY))


@dataclasses.dataclass(frozen=True, slots=True)
class Before:
    """What an answer leaves."""

    tool: Offer
    #: As they were given to the tool.
    arguments: Mapping[str, object]
    #: Stems of a label and what stands by it, the nearest first.
    spoken_of: tuple[tuple[frozenset[str], str], ...]
    #: Names of which one is to be picked.
    offered: tuple[str, ...]
    #: Whether it shows a part of the rows that there are.
    has_more: bool
    #: Whether the tool took the arguments; a name that it did not know goes on into no other call.
    has_failed: bool = False


def read(answer: str, offers: Offers) -> Before | None:
    """What the answer leaves; ``None`` if it is no answer from an offered tool."""
    match = _HEADING.match(answer)
    tool = next((tool for tool in offers.tools if match and tool.title == match["title"]), None)
    if match is None or tool is None:
        return None
    arguments = _arguments(match["arguments"] or "", tool)
    body = answer[match.end() :]
    _, asks, after = body.partition(WHICH_ONE)
    listed = tuple(re.findall(r"^- (.+)$", after, re.MULTILINE)) if asks else ()
    more = _RANGE.search(body)
    named = [(frozenset(parameter.stems), str(arguments[parameter.name])) for parameter in _texts(tool, arguments)]
    spoken_of = [*_of_rows(body, tool), *_of_facts(body, tool), *named]
    has_failed = SAID_INSTEAD in body
    return Before(
        tool, arguments, () if has_failed else tuple(spoken_of), listed, bool(more and int(more[1]) < int(more[2])), has_failed
    )


def _texts(tool: Offer, arguments: Mapping[str, object]) -> list[Parameter]:
    return [parameter for parameter in tool.parameters if parameter.kind == "text" and parameter.name in arguments]


def _arguments(said: str, tool: Offer) -> dict[str, object]:
    known = {words.lowered(parameter.name): parameter for parameter in tool.parameters}
    labels = "|".join(re.escape(label) for label in sorted(known, key=len, reverse=True))
    marks = list(re.finditer(rf"(?:^|, )({labels}): ", said)) if labels else []
    ends = [mark.start() for mark in marks[1:]] + [len(said)]
    found: dict[str, object] = {}
    for mark, end in zip(marks, ends, strict=False):
        value = _value(said[mark.end() : end], known[mark[1]])
        if value is not None:
            found[known[mark[1]].name] = value
    return found


def _value(shown: str, parameter: Parameter) -> object:
    if parameter.kind == "choice":
        return next((choice for choice in parameter.choices if tables.shown(choice) == shown), None)
    if parameter.kind == "boolean":
        return shown == "yes"
    if parameter.kind in {"integer", "number"}:
        number = tables.number(shown.replace(",", ""))
        if number is None:
            return None
        return int(number) if number == int(number) else float(number)
    return shown if parameter.kind in {"text", "date"} else None


def _labels(label: str, tool: Offer) -> frozenset[str]:
    stems = set(words.stems_of_name(label))
    # "Name" in a list of customers is a customer's.
    return frozenset(stems | set(tool.name_stems) if stems & {"nam", "titl"} else stems)


def _of_rows(body: str, tool: Offer) -> list[tuple[frozenset[str], str]]:
    """What the row that the answer names first says, or what all rows of its table say alike."""
    lines = [line for line in body.splitlines() if line.startswith("| ")]
    rows = [[cell.replace("\\|", "|") for cell in re.split(r"(?<!\\) \| ", line[2:-2])] for line in lines]
    rows = [row for row in rows if len(row) == len(rows[0])]
    if len(rows) < 2:
        return []
    head, cells = rows[0], rows[1:]
    leading = _LEADING.search(body)
    if leading:
        cells = [row for row in cells if row[0] and any(cell and cell in leading["name"] for cell in row)][:1] or cells
    alike = [place for place in range(len(head)) if len({row[place] for row in cells}) == 1]
    return [(_labels(head[place], tool), cells[0][place]) for place in alike if cells[0][place].strip()]


def _of_facts(body: str, tool: Offer) -> list[tuple[frozenset[str], str]]:
    return [(_labels(match["label"] or match["label2"], tool), match["value"].strip()) for match in _FACT.finditer(body)]


def more(text: str, before: Before) -> dict[str, object] | None:
    """The arguments for the next rows, if the text asks for no more than that and the tool has a way to give them."""
    by_name = {parameter.name: parameter for parameter in before.tool.parameters if parameter.kind == "integer"}
    if not _MORE.match(text) or not before.has_more:
        return None
    for name, step in (("page", 1), ("offset", _count_of_rows(before))):
        if name in by_name and step:
            start = before.arguments.get(name, by_name[name].default)
            return {**before.arguments, name: (start if isinstance(start, int) else int(name == "page")) + step}
    return None


def row_of(text: str) -> int:
    """Which row of the last answer the text asks for and nothing else ("and what's in second place?"); -1: none."""
    match = _ROW.match(text)
    return _ORDINALS.get(match["place"].lower(), -1) if match else -1


def asks_for_more(text: str) -> bool:
    """Whether the text asks for further rows and nothing else."""
    return bool(_MORE.match(text))


def _count_of_rows(before: Before) -> int:
    limit = next((parameter for parameter in before.tool.parameters if parameter.name == "limit"), None)
    count = before.arguments.get("limit", limit.default if limit else 0)
    return count if isinstance(count, int) else 0


def picked(question: Question, before: Before) -> dict[str, object] | None:
    """The arguments with the one name of those offered that the text picks; ``None`` if it picks none, or more than one."""
    texts = _texts(before.tool, before.arguments)
    if not before.offered or not texts or len(question.words) > SHORT + 4:
        return None
    said = [word for word in question.words if not word.is_stop or word.text.lower() in _ORDINALS]
    place = next((_ORDINALS[word.text.lower()] for word in said if word.text.lower() in _ORDINALS), None)
    one = next(iter(likeness.fitting([word.text for word in said], before.offered)), "") if said and place is None else ""
    if place is not None and -1 <= place < len(before.offered):
        one = before.offered[place]
    if not one:
        return None
    asked = max(texts, key=lambda parameter: likeness.of(str(before.arguments[parameter.name]), one))
    return {**before.arguments, asked.name: one}


def carried(question: Question, before: Before, offers: Offers, today: datetime.date) -> dict[str, object] | None:
    """The arguments of the last call with what the text puts in place of some; ``None`` if it asks something of its own."""
    span, rest = dates.stepped(question.text, _span(before), today)
    question = questions.read(rest, offers, today) if span else question
    is_marked = bool(joining.FOLLOWS.search(question.text)) or span is not None or question.says("them", "those", "these", "ones")
    if question.order in lists.ACTING or question.says(*lists.QUESTIONING) or len(question.words) > SHORT + 6:
        return None
    names = {word.text for name in question.names for word in question.words[name.places.start : name.places.stop]}
    own = {
        word.stem
        for word in question.words
        if question.stems.get(word.stem) == 1.0 and word.text not in names and not _is_pointing(word)
    }
    known = {
        stem for stem in own if before.tool.weights.get(stem) or any(map(before.tool.weights.get, words.ALIKE.get(stem, ())))
    }
    values = {
        stem for parameter in before.tool.parameters for each in parameter.choices for stem in words.stems_of_name(str(each))
    }
    if own - known or (not is_marked and (own - values or len(question.words) > SHORT)):
        return None
    if not is_marked and question.names and not _texts(before.tool, before.arguments):
        return None
    found, _ = filling.fill(dataclasses.replace(question, span=span or question.span), before.tool, offers)
    _narrow(question, before, found)
    if not found or (before.has_failed and any(each.name not in found for each in _texts(before.tool, before.arguments))):
        return None
    is_dated = any(parameter.kind == "date" and parameter.name in found for parameter in before.tool.parameters)
    dropped = {p.name for p in before.tool.parameters if p.name in {"page", "offset"} or (is_dated and p.kind == "date")}
    return {**{name: value for name, value in before.arguments.items() if name not in dropped}, **found}


def _narrow(question: Question, before: Before, found: dict[str, object]) -> None:
    """ "The one in Tartu" is one of those that had the name before; a number alone takes the place of the only one that was given."""
    for parameter in _texts(before.tool, before.arguments):
        if parameter.name in found and _THE_ONE.search(question.text):
            found[parameter.name] = f"{before.arguments[parameter.name]} {found[parameter.name]}"
    integers = [
        parameter.name
        for parameter in before.tool.parameters
        if parameter.kind in {"integer", "number"} and parameter.name in before.arguments and not _ROWS & set(parameter.stems)
    ]
    if len(integers) == 1 and question.numbers and integers[0] not in found:
        value = question.numbers[0][0]
        found[integers[0]] = int(value) if value.is_integer() else value


def _is_pointing(word: words.Word) -> bool:
    return word.text.lower() in lists.PRONOUNS


def _span(before: Before) -> dates.Span | None:
    """The days that the last call asked for."""
    first = last = None
    for parameter in before.tool.parameters:
        if parameter.kind == "date" and parameter.name in before.arguments:
            try:
                day = datetime.date.fromisoformat(str(before.arguments[parameter.name])[:10])
            except ValueError:
                continue
            is_end = filling.is_end(parameter)
            is_start = filling.is_start(parameter)
            first = first if is_end else first or day
            last = last if is_start else last or day
    return dates.Span(first, last) if first or last else None


def points_back(question: Question) -> bool:
    """Whether the text speaks of somebody or something by a pronoun alone, and of somebody who does not stand in it."""
    places = [place for place, word in enumerate(question.words) if word.text.lower() in lists.PRONOUNS]
    if not places or any(name.is_sure for name in question.names):
        return False
    return not any(word.stem in _SOMEBODY for word in question.words[: places[0]])


def points_to(question: Question, before: Before | None) -> bool:
    """Whether the text speaks of what the last answer spoke of: by a pronoun, or by "the" and what it was called there."""
    if before is None:
        return False
    called = {stem for labels, _ in before.spoken_of for stem in labels}
    pairs = zip(question.words, question.words[1:], strict=False)
    is_called = any(first.text.lower() == "the" and second.stem in called & _SOMEBODY for first, second in pairs)
    return points_back(question) or (is_called and not question.names)


def _is_bare(question: Question) -> bool:
    """Whether the text goes on from the last one and names a thing only ("and unpaid invoices?")."""
    rest = joining.FOLLOWS.sub("", question.text)
    asks = {word.text.lower() for word in words.split(rest)} & lists.ASKING
    return rest != question.text and not asks and not any(name.is_sure for name in question.names)


def fill(question: Question, before: Before | None, tool: Offer, arguments: dict[str, object]) -> str:
    """Puts whom or what a pronoun means into the arguments; returns the pronoun if somebody is meant and it is not known who, or
    the name that the last call was made with in vain."""
    if before is None or not (points_to(question, before) or _is_bare(question)):
        return ""
    named = [(frozenset(each.stems), str(before.arguments[each.name])) for each in _texts(before.tool, before.arguments)]
    if before.has_failed and named and not question.names:
        return named[0][1]
    spoken_of = before.spoken_of if points_to(question, before) else tuple(named)
    free = [parameter for parameter in tool.parameters if parameter.kind == "text" and parameter.name not in arguments]
    for parameter in free:
        value = _meant(parameter, tool, spoken_of)
        if value:
            arguments[parameter.name] = value
            return ""
    persons = [word.text.lower() for word in question.words if word.text.lower() in lists.PERSONS | {"it", "its"}]
    return persons[0] if persons and not arguments and free else ""


def _meant(parameter: Parameter, tool: Offer, spoken_of: Sequence[tuple[frozenset[str], str]]) -> str:
    stems = set(parameter.stems)
    stems |= set(tool.name_stems) & _SOMEBODY if stems & {"nam"} else set()
    for labels, value in spoken_of:
        if re.fullmatch(r"[A-Za-z]{1,5}-\d+", value) and value.partition("-")[0] in tool.prefixes:
            is_meant = filling.takes_numbers(parameter) or bool(labels & stems)
        else:
            is_meant = bool(labels & stems - {"number"}) and not filling.takes_numbers(parameter)
        if is_meant:
            return value
    return ""
