"""What an order wants set or changed, and whether a tool that proposes changes is for that.

A wrong change on a card is the worst that the offline model can do: "set the payment days to 45" must never propose a credit limit of 45.
So the noun that is to be set, and the unit behind the number, have to be words of the tool. Limits: the noun stands behind the verb, or
the text begins with "from now on".
"""

from __future__ import annotations

from deskhand.endpoint.offline import lists, words
from deskhand.endpoint.offline.offers import Offer, Offers
from deskhand.endpoint.offline.question import Question

#: Verbs that set something which has a name of its own.
_SETTING = lists.listed(
    "set change update edit modify adjust put raise increase lower reduce decrease extend reset move fix correct make"
)
#: They end the noun phrase that a verb of setting is followed by.
_ENDS = lists.listed("to as by until from at because since so for in with on")
_STEPS = lists.listed("raise increase lower reduce decrease extend adjust change")
_SHARES = words.stems("percent percentage")
_DIFFERENCES = _SHARES | words.stems("by difference step delta")
_SOMEBODY = words.stems(" ".join(lists.SOMEBODY))
#: Behind a number they say what it counts; a tool that does not speak of them is not meant.
_UNITS = words.stems("day week month year percent percentage hour minute")


def is_for(question: Question, tool: Offer, offers: Offers) -> bool:
    """Whether all that the order wants set is what the tool sets; true for an order of another kind."""
    named = {*tool.name_stems, *words.stems_of_name(tool.title)}
    named |= {stem for parameter in tool.parameters for stem in parameter.stems}
    named |= {stem for parameter in tool.parameters for choice in parameter.choices for stem in words.stems_of_name(str(choice))}
    if any(not _speaks_of(stem, set(tool.weights) | named) for stem in _units(question)) or not _takes_steps(question, tool):
        return False
    noun = _noun(question, offers)
    return not noun or (all(_speaks_of(stem, set(tool.weights)) for stem in noun) and _speaks_of(noun[-1], named))


def _speaks_of(stem: str, spoken: set[str]) -> bool:
    return bool(({stem} | words.ALIKE.get(stem, frozenset())) & spoken)


def _units(question: Question) -> list[str]:
    after = [question.words[place + 1].stem for _, place in question.numbers if place + 1 < len(question.words)]
    return [stem for stem in after if stem in _UNITS]


def _takes_steps(question: Question, tool: Offer) -> bool:
    """ "Raise it by 10" is told to no tool that takes the new value and not the difference."""
    if question.order not in _STEPS:
        return True
    by = [place for _, place in question.numbers if place and question.words[place - 1].text.lower() == "by"]
    numbers = [parameter for parameter in tool.parameters if parameter.kind in {"integer", "number"}]
    return not by or not numbers or any(_DIFFERENCES & set(parameter.stems) for parameter in numbers)


def _noun(question: Question, offers: Offers) -> list[str]:
    """Stems of what is to be set, names apart: "payment days" of "set the payment days of Kos to 45"."""
    plain = [word.text.lower() for word in question.words]
    if question.order not in _SETTING or question.order not in plain:
        return []
    named = {place: name.is_sure for name in question.names for place in name.places}
    found: list[str] = []
    unknown: list[str] = []
    for place in range(plain.index(question.order) + 1, len(plain)):
        word = question.words[place]
        if plain[place] in _ENDS or (plain[place] == "of" and (found or unknown)):
            break
        is_number = any(place == other for _, other in question.numbers)
        if not (word.is_stop or word.is_quoted or named.get(place) or is_number or plain[place] in lists.RANKING):
            (unknown if place in named and not offers.knows(word.stem) else found).append(word.stem)
    # A word that nobody knows may be somebody's name ("set kos loan limit to 45"), unless nothing else is named.
    found = found or unknown
    return [stem for stem in found if stem not in _SOMEBODY] or found
