"""Which of the offered tools the question's words fit best.

Each word counts by how rare it is among the offered tools and by where it stands in one (name, first sentence, the rest). A word of
the question that the tool has no place for counts against it; with too many of those no tool fits, which is said rather than guessed.
"""

from __future__ import annotations

import dataclasses

from deskhand.endpoint.offline import aims, lists, words
from deskhand.endpoint.offline.offers import Offer, Offers
from deskhand.endpoint.offline.question import Name, Question, is_adverb

#: Share of the question's weight that a tool has to meet.
ENOUGH = 0.42
#: A word that stands for another counts this much of it.
LIKE = 0.75


#: Words after which a name stands.
_LINKS = words.stems("of for from by with contain containing including to named called at in many much about on")
#: They do so at a question's beginning only ("does Kos owe", never "orders that have … ").
_AUXILIARIES = words.stems("does do did has have is are")
_EARLY = 5


_ALL_ABOUT = words.stems(" ".join(lists.ALL_ABOUT))
_SOMEBODY = words.stems(" ".join(lists.SOMEBODY))
#: Stems of tools that put rows in an order.
_RANKED = words.stems("rank best top")


@dataclasses.dataclass(frozen=True, slots=True)
class Choice:
    """A tool that fits, how well, and which words of the question it has no place for."""

    tool: Offer
    score: float
    missed: tuple[str, ...]


def best(question: Question, offers: Offers) -> Choice | None:
    """The tool that fits best; ``None`` if none fits, or none speaks of the thing asked for.

    The first of equals wins. An order fits no tool that only looks up.
    """
    if unseen(question, offers):
        return None
    choices = [choice for tool in offers.tools if (choice := _judge(question, tool, offers))]
    if question.order in lists.ACTING - lists.NOUNS:
        choices = [choice for choice in choices if choice.tool.writes]
    if not choices and not question.stems:
        choices = _all_about(question, offers)
    return max(choices, key=lambda choice: choice.score, default=None)


def unseen(question: Question, offers: Offers) -> list[str]:
    """Things of any office that the question names and no tool speaks of that could answer it."""
    spoken = {stem for tool in offers.tools if question.order in lists.ACTING or not tool.writes for stem in tool.weights}
    return [
        word.text
        for word in question.words
        if word.text.lower() in lists.THINGS
        and word.stem in question.stems
        and not ({word.stem} | words.ALIKE.get(word.stem, frozenset())) & spoken
    ]


def nearest(question: Question, offers: Offers, most: int) -> list[Offer]:
    """The tools that share most with the question though none fits; those that propose for an order, those that look up else."""
    is_order = question.order in lists.ACTING - lists.NOUNS
    scores: dict[str, float] = {}
    for tool in offers.tools:
        if tool.writes == is_order:
            pairs = [(part, *_weight(stem, tool, offers)) for stem, part in question.stems.items() if part > 0.6]
            scores[tool.spec.name] = sum(part * weight * rarity for part, weight, rarity in pairs)
    fit = [tool for tool in offers.tools if scores.get(tool.spec.name)]
    return sorted(fit, key=lambda tool: -scores[tool.spec.name])[:most]


def is_near(question: Question, offers: Offers) -> bool:
    """Whether an offered tool speaks of most of what is asked, so that it is the words that fail and not a right."""
    asked = [stem for stem, part in question.stems.items() if part == 1.0]
    top = nearest(question, offers, 1)
    met = [stem for stem in asked for tool in top if _weight(stem, tool, offers)[0]]
    return len(met) > 1 and 2 * len(met) >= len(asked) and not words.ARITHMETIC & set(asked)


def _all_about(question: Question, offers: Offers) -> list[Choice]:
    """Tools that tell all about one thing, for a text that holds a name and nothing else."""
    if not any(name.is_sure for name in question.names):
        return []
    return [
        Choice(tool, 1.0, ())
        for tool in offers.tools
        if _ALL_ABOUT & set(words.stems_of_name(tool.spec.name)) and _takes_text(tool)
    ]


def _takes_text(tool: Offer) -> bool:
    return any(parameter.kind == "text" for parameter in tool.parameters)


def _judge(question: Question, tool: Offer, offers: Offers) -> Choice | None:
    if (tool.writes and not (_is_told(question, tool) and aims.is_for(question, tool, offers))) or _asks_of_many(question, tool):
        return None
    met = lost = score = 0.0
    missed = []
    takes_text = [parameter for parameter in tool.parameters if parameter.kind == "text"]
    named = {word.stem for name in question.names for word in question.words[name.places.start : name.places.stop]}
    for stem, part in question.stems.items():
        weight, rarity = _weight(stem, tool, offers)
        if weight:
            met += part * rarity
            score += part * rarity * weight
        elif not (stem in named and takes_text and _is_linked(question, stem, offers)):
            lost += part * rarity * (2.5 if stem in words.ARITHMETIC else 1.0) if part == 1.0 else 0.0
            if part == 1.0:
                missed.append(stem)
    references = [name for name in question.names if name.prefix and name.prefix in tool.prefixes]
    score += 4.0 * bool(references and takes_text)
    met += 4.0 * bool(references and takes_text)
    score += 4.0 * _phrases(question, tool)
    share = met / (met + lost) if score else 0.0
    if share < ENOUGH:
        return None
    score *= 0.5 + 0.5 * share
    texts = [word.text for word in question.words if word.stem in missed]
    score *= _fit(question, tool, offers, bool(takes_text))
    return Choice(tool, score, tuple(dict.fromkeys(texts))) if score else None


def _asks_of_many(question: Question, tool: Offer) -> bool:
    """Whether the text asks who or which of all, and the tool shows one thing whose name it has to be given."""
    needs = any(parameter.kind == "text" and parameter.is_required for parameter in tool.parameters)
    is_open = not question.names and not question.says("this", "here", "it", "its", "their", "they")
    return needs and is_open and not tool.writes and question.says("who", "which", "many")


def _phrases(question: Question, tool: Offer) -> int:
    """How many runs of three words the question shares with the tool's description ("out of stock")."""
    plain = [word.text.lower() for word in question.words]
    told = " ".join(word.text.lower() for word in words.split(tool.spec.description))
    runs = [question.words[place : place + 3] for place in range(len(plain) - 2)]
    return sum(
        f" {' '.join(word.text.lower() for word in run)} " in f" {told} "
        for run in runs
        if not all(word.is_stop for word in run) and not any(word.text.lower() in lists.ARTICLES for word in run)
    )


def _weight(stem: str, tool: Offer, offers: Offers) -> tuple[float, float]:
    """How much the word, or the best of those that stand for it, says about the tool, and how rare that one is."""
    options = [(tool.weights.get(stem, 0.0), stem)]
    options += [(tool.weights.get(other, 0.0) * LIKE, other) for other in words.ALIKE.get(stem, ())]
    weight, found = max(options)
    rarity = offers.rarity(found if weight else stem)
    return weight, min(rarity, offers.rarity(stem)) if stem in offers.counts else rarity


def _is_linked(question: Question, stem: str, offers: Offers) -> bool:
    """Whether the unknown word stands where a name would stand: after "of", beside a word that the tools know."""
    for name in question.names:
        part = question.words[name.places.start : name.places.stop]
        if any(word.stem == stem for word in part):
            return name.is_sure or is_name_like(name, question, offers)
    return False


def is_name_like(name: Name, question: Question, offers: Offers) -> bool:
    """Whether a word that nobody knows is used like a name in the sentence: not if it says how, or how much of a quality."""
    before = name.before[0] if name.before else ""
    start = name.places.start
    word_before = question.words[start - 1].text.lower() if start else ""
    if is_adverb(question.words[start]) or (word_before in lists.DEGREES and before not in {"many", "much"}):
        return False
    is_verb = name.text.endswith(("ing", "ed"))
    is_last = name.places.stop == len(question.words)
    beside = name.after in offers.named or (is_last and before in offers.named)
    if before in _AUXILIARIES:
        return start < _EARLY
    return before in _LINKS or (beside and not is_verb and name.places.start > 0)


def _fit(question: Question, tool: Offer, offers: Offers, takes_text: bool) -> float:
    """What the arguments say about the tool: a name or a day that it can't take speaks against it."""
    fit = 0.75
    has_number = any(name.prefix for name in question.names)
    telling = [stem for stem in tool.name_stems if stem in tool.weights and not (has_number and stem in _ALL_ABOUT)]
    asked = set(question.stems) | {other for stem in question.stems for other in words.ALIKE.get(stem, ())}
    if telling:
        fit += 0.25 * sum(stem in asked for stem in telling) / len(telling)
    if any(stem in words.NARROWING and stem not in asked for stem in telling):
        fit *= 0.85
    if question.wants == "sum" and {"sum", "total"} & set(tool.weights):
        fit *= 1.2
    if question.wants in {"highest", "lowest"} and _RANKED & set(tool.weights):
        fit *= 1.3
        fit *= 1.3 if question.says("who") and _SOMEBODY & set(tool.name_stems) else 1.0
    fit *= _turned(question, tool)
    sure = [name for name in question.names if name.is_sure]
    is_named = bool(sure) or question.points_back
    likely = [name for name in question.names if not name.is_sure and is_name_like(name, question, offers)]
    if not takes_text:
        fit *= 0.4 if is_named else 0.6 if likely else 1.0
    needs = [parameter for parameter in tool.parameters if parameter.kind == "text" and parameter.is_required]
    if needs:
        takes_numbers = all(words.stem("number") in parameter.stems or "id" in parameter.stems for parameter in needs)
        given = [name for name in sure + likely if not takes_numbers or any(letter.isdigit() for letter in name.text)]
        fit *= 1.0 if given or question.points_back else 0.6
    references = [name for name in sure if name.prefix or name.text.isdigit()]
    if needs and references:
        fit *= 1.25
    if question.subject and question.subject in tool.name_stems:
        fit *= 1.5 if question.wants else 1.2
    is_counted = any(name.before[:1] == ("many",) for name in question.names)
    if is_counted and all(set(parameter.stems) & _SOMEBODY for parameter in tool.parameters if parameter.kind == "text"):
        fit *= 0.6
    if question.span and not any(parameter.kind == "date" or "month" in parameter.stems for parameter in tool.parameters):
        fit *= 0.7
    return fit


def _turned(question: Question, tool: Offer) -> float:
    """A tool for what is *without* something fits only a question that says so; one for what is *over* a bound, hardly another."""
    named = set(words.of_name(tool.spec.name))
    said = {word.text.lower() for word in question.words}
    if named & lists.DENYING:
        return 1.3 if said & lists.DENYING else 0.0
    if named & lists.BOUNDING:
        return 1.3 if said & lists.BOUNDING else 0.5
    return 1.0


def _is_told(question: Question, tool: Offer) -> bool:
    """Whether the text is an order whose verb is the tool's, is used for it, or stands for what the tool says that it does."""
    if not question.order:
        return False
    told = words.stem(question.order)
    if told == tool.verb:
        return True
    others = [stem for stem, part in question.stems.items() if stem != told and part == 1.0]
    alike = {stem: {stem} | words.ALIKE.get(stem, frozenset()) for stem in others}
    if others and not any(alike[stem] & set(tool.weights) for stem in others):
        return False
    if told in words.ALIKE.get(tool.verb, ()) and question.order not in lists.NOUNS:
        return True
    if question.order not in lists.ACTING or (question.order in lists.NOUNS and not question.has_object):
        return False
    return bool(({told} | words.ALIKE.get(told, frozenset())) & tool.doings)
