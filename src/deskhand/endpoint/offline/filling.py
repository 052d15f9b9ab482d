"""The arguments of a call, as far as they can be found in the question.

What is not found is left out, and so takes the tool's default; what is required and not found is asked for. Nothing is invented.
"""

from __future__ import annotations

import re

from deskhand.endpoint.offline import lists, words
from deskhand.endpoint.offline.choosing import is_name_like
from deskhand.endpoint.offline.offers import Offer, Offers, Parameter
from deskhand.endpoint.offline.question import Name, Question

_STARTS = words.stems("since from start after begin beginning earliest")
_ENDS = words.stems("until till to end before latest by")
_ROWS = words.stems("limit top rows max maximum count n size")
_PLACES = words.stems("city town country place location region warehouse room branch site address area")
_NAMED = words.stems("name query q text search who title customer person")
_REFERENCES = words.stems("number id code reference ref no")
_CONTENTS = words.stems("with contain include containing including")
_WRITTEN = words.stems("text note message body comment remark content")
_SOMEBODY = words.stems(" ".join(lists.SOMEBODY))
_LOW = words.stems("min minimum from over above least")
_HIGH = words.stems("max maximum to under below")
_RANKS = lists.listed("top first last best newest latest biggest largest")


def fill(question: Question, tool: Offer, offers: Offers) -> tuple[dict[str, object], list[Parameter]]:
    """The arguments that were found, and the required parameters that were not."""
    found: dict[str, object] = {}
    for parameter in tool.parameters:
        value = _choice(question, parameter, tool) if parameter.kind == "choice" else None
        if (
            parameter.kind == "boolean"
            and parameter.stems
            and any(stem in question.stems for stem in parameter.stems if len(stem) > 3)
        ):
            value = True
        if value is not None:
            found[parameter.name] = value
    _fill_dates(question, tool, found)
    _fill_numbers(question, tool, found)
    _fill_passage(question, tool, found)
    _fill_texts(question, tool, offers, found)
    missing = [parameter for parameter in tool.parameters if parameter.is_required and parameter.name not in found]
    return found, missing


def _fill_passage(question: Question, tool: Offer, found: dict[str, object]) -> None:
    """What an order wants written down goes to the parameter for a text, word for word."""
    takes = [parameter for parameter in tool.parameters if parameter.kind == "text" and set(parameter.stems) & _WRITTEN]
    quoted = [word.text for word in question.words if word.is_quoted and " " in word.text]
    passage = question.passage or (quoted[0] if quoted and tool.writes else "")
    if takes and passage:
        found[takes[0].name] = passage


def _choice(question: Question, parameter: Parameter, tool: Offer) -> object:
    """The value of the list that the question names: by its own word, else by one that stands for it."""
    stems = [word.stem for word in question.words]
    negated = {question.words[place].stem for place in question.denied}
    known = {str(value): value for value in parameter.choices}
    said = {word.text.lower() for word in question.words}
    for value in sorted(known, key=lambda value: (value.lower() in said, len(value)), reverse=True):
        parts = words.stems_of_name(value)
        runs = [stems[place : place + len(parts)] for place in range(len(stems))]
        if parts in runs and not set(parts) & negated:
            return known[value]
    for said, opposite in re.findall(r"(\w+)\W? means not (?:yet )?(\w+)", _told(tool)):
        if words.stem(opposite) in negated and said in known:
            return known[said]
    asked = set(stems) - negated
    for value, given in known.items():
        parts = words.stems_of_name(value)
        if len(parts) == 1 and asked & words.ALIKE.get(parts[0], frozenset()):
            return given
        if len(parts) > 1 and parts[0] in asked and parts[0] in question.stems and len(parts[0]) > 3:
            return given
    return None


def denials_left_out(question: Question, tool: Offer) -> list[str]:
    """What the question denies ("not shipped") and the tool's lists of values have no word for."""
    left: list[str] = []
    if lists.DENYING & set(words.of_name(tool.spec.name)):
        return left
    for place in sorted(question.denied):
        word = question.words[place]
        opposites = {words.stem(opposite) for opposite in re.findall(r"means not (?:yet )?(\w+)", _told(tool))}
        if word.stem in tool.weights and "un" + word.stem not in tool.weights and word.stem not in opposites:
            left.append(f"not {word.text}")
    return left


def _told(tool: Offer) -> str:
    return " ".join([tool.spec.description, *(parameter.description for parameter in tool.parameters)])


def _fill_dates(question: Question, tool: Offer, found: dict[str, object]) -> None:
    span = question.span
    if span is None:
        return
    dates = [parameter for parameter in tool.parameters if parameter.kind == "date"]
    own = {parameter.name: set(parameter.stems) - _STARTS - _ENDS for parameter in dates}
    asked = {name for name, stems in own.items() if stems & set(question.stems)} or {
        name for name, stems in own.items() if not stems
    }
    for parameter in tool.parameters:
        stems = set(parameter.stems)
        if parameter.kind == "date" and asked and parameter.name not in asked:
            continue
        day = None
        if parameter.kind == "date":
            day = span.last if stems & _ENDS else span.first
            if not stems & (_ENDS | _STARTS):
                day = span.first or span.last
            if day:
                found[parameter.name] = day.isoformat()
        elif span.first and "month" in stems and parameter.kind in {"text", "integer"}:
            found[parameter.name] = f"{span.first:%Y-%m}" if parameter.kind == "text" else span.first.month
        elif span.first and "year" in stems and parameter.kind in {"text", "integer"}:
            found[parameter.name] = f"{span.first:%Y}" if parameter.kind == "text" else span.first.year


def _fill_numbers(question: Question, tool: Offer, found: dict[str, object]) -> None:
    left = list(question.numbers)
    for parameter in tool.parameters:
        if parameter.kind not in {"integer", "number"} or parameter.name in found:
            continue
        for number in left:
            if _belongs(number[1], question, parameter):
                found[parameter.name] = _number(number[0], parameter)
                left.remove(number)
                break
    for parameter in tool.parameters:
        if parameter.kind in {"integer", "number"} and parameter.is_required and parameter.name not in found and left:
            found[parameter.name] = _number(left.pop(0)[0], parameter)


def _number(value: float, parameter: Parameter) -> float:
    """As the question writes it: 5000 stays a whole number."""
    return int(value) if parameter.kind == "integer" or value.is_integer() else value


def _belongs(place: int, question: Question, parameter: Parameter) -> bool:
    """Whether the words around a number say that it is this parameter's."""
    before = [word.text.lower() for word in question.words[max(0, place - 2) : place]]
    after = question.words[place + 1].stem if place + 1 < len(question.words) else ""
    stems = set(parameter.stems)
    if after and after in stems:
        return True
    if any(words.stem(word) in stems for word in before if word not in lists.STOP):
        return True
    if stems & _ROWS and not (stems & {"day", "month", "year"}):
        return bool(_RANKS & set(before)) or after in {words.stem(word) for word in _RANKS}
    if stems & _LOW and len(stems) > 1:
        return bool({"over", "above", "than", "least", "minimum"} & set(before)) and not {"less", "fewer"} & set(before)
    if stems & _HIGH and len(stems) > 1:
        return bool({"under", "below", "most", "maximum", "less", "fewer"} & set(before))
    return False


def _fill_texts(question: Question, tool: Offer, offers: Offers, found: dict[str, object]) -> None:
    texts = [parameter for parameter in tool.parameters if parameter.kind == "text" and parameter.name not in found]
    needs = any(parameter.is_required for parameter in texts)
    values = [str(value).lower() for value in found.values()]
    names = [
        name
        for name in question.names
        if (name.is_sure or is_name_like(name, question, offers) or needs) and name.text.lower() not in values
    ]
    for name in sorted(names, key=lambda name: (not name.prefix, not name.is_sure)):
        free = [parameter for parameter in texts if parameter.name not in found]
        if not free:
            return
        best = max(free, key=lambda parameter: _suits(name, parameter, tool, question))
        if _suits(name, best, tool, question) > -1:
            found[best.name] = name.text
    for parameter in texts:
        if parameter.is_required and parameter.name not in found and (text := _plain_words(question, tool, offers)):
            found[parameter.name] = text


def _suits(name: Name, parameter: Parameter, tool: Offer, question: Question) -> float:
    """How well a name suits a parameter; -1 and less: not at all."""
    stems = set(parameter.stems)
    alike = stems | {other for stem in stems for other in words.ALIKE.get(stem, ())}
    score = 0.3 * bool(stems & _NAMED)
    score += 1.0 * parameter.is_required
    if any(stem in alike for stem in name.before):
        score += 3.0
    elif name.after in alike:
        score += 2.0
    if stems & _SOMEBODY and _is_thing(name):
        score -= 1.0
    start = name.places.start
    if name.before and name.before[0] in _CONTENTS:
        score += 0.0 if stems & _SOMEBODY else 1.0
    if start and question.words[start - 1].text.lower() in {"in", "at", "from"}:
        score += 2.0 if stems & _PLACES else 0.0
    elif stems & _PLACES:
        score -= 1.0
    if stems & _REFERENCES and not any(letter.isdigit() for letter in name.text):
        score -= 3.0
    if not any(letter.isdigit() for letter in name.text) and _takes_numbers_alone(parameter):
        score -= 3.0
    if name.prefix:
        is_reference = bool(stems & _REFERENCES)
        is_example = bool(re.search(rf"\b{re.escape(name.prefix)}-?\d", parameter.description))
        score += (
            3.0 * is_example + 2.0 * is_reference - 2.0 * (not is_reference and name.prefix not in tool.prefixes and score < 2)
        )
    return score


def takes_numbers(parameter: Parameter) -> bool:
    """Whether it takes a number such as A-1042, and no name."""
    return bool(set(parameter.stems) & _REFERENCES) or _takes_numbers_alone(parameter)


def is_start(parameter: Parameter) -> bool:
    """Whether its name says that it is the first day of a stretch."""
    return bool(set(parameter.stems) & _STARTS)


def is_end(parameter: Parameter) -> bool:
    """Whether its name says that it is the last day of a stretch."""
    return bool(set(parameter.stems) & _ENDS)


def _takes_numbers_alone(parameter: Parameter) -> bool:
    """Whether its description speaks of a number with an example, and of no name."""
    said = parameter.description.lower()
    return "number" in said and "name" not in said and any(letter.isdigit() for letter in said)


def _is_thing(name: Name) -> bool:
    """Whether it is written like a thing ("LED bulbs", "copper pipe 15 mm") and not like somebody's name."""
    parts = [part for part in name.text.split() if part != "&"]
    small = [part for part in parts if part[:1].islower() and part not in {"van", "von", "de", "der", "da", "di", "el", "al"}]
    others = [part for part in parts if not part[:1].islower()]
    return bool(small) and (bool(others) or (len(parts) > 1 and parts[-1].endswith("s")))


def _plain_words(question: Question, tool: Offer, offers: Offers) -> str:
    """Words of the question that only a list of values knows ("cables"), where a tool can't do without a name."""
    rest = [
        word.text
        for word in question.words
        if not word.is_stop and word.stem in question.stems and word.stem not in offers.named and word.stem not in tool.weights
        and word.stem not in words.ALIKE
        and word.stem not in words.COMMON
    ]  # fmt: skip
    return " ".join(rest)
