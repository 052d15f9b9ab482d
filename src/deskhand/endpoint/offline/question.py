"""What a person's text says, as far as words, names, numbers and days can be picked out of it.

Pure: the text, the offered tools' words and today's date in, a frozen ``Question`` out. What counts as a name: a quoted passage, a word
with a capital inside a sentence, a word in a script without capitals, a word that no tool and no office list knows.
"""

from __future__ import annotations

import dataclasses
import datetime
import difflib
import re

from deskhand.endpoint.offline import dates, lists, words
from deskhand.endpoint.offline.offers import Offers

#: From this likeness on (0 … 1) an unknown word passes for a mistyped other one: a letter too many or too few in six.
ALIKE = 0.86
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,6})?|\d{1,12}(?:\.\d{1,6})?")
#: "How many … do we have", "do we still have …": what an office asks of its stock.
_LEFT = re.compile(
    r"\bhow (?:many|much)\b.*\b(?:do we (?:still )?have|left|available|remain)|\bdo we still have\b", re.IGNORECASE | re.DOTALL
)
_REFERENCE = re.compile(r"([A-Za-z]{1,5})-?\d{2,}")
#: "Add a note to Kos: came twice", and the same with quotation marks at the end.
_DICTATED = re.compile(r"([^\n:]{5,200}?)(?::\s+(.{2,}))$", re.DOTALL)
#: An order behind its reason.
_PLEASE = re.compile(r"[,.;:]\s*(?:so |and |then )?(?:please|kindly)\s+([a-z]+)\b", re.IGNORECASE)
#: How something is to be from now on: an order without a verb.
_FROM_NOW_ON = re.compile(r"^\W*(?:from now on|from today(?: on)?|as of (?:now|today)|starting (?:now|today))\b", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class Name:
    """Something that may be the name or the number of one thing."""

    text: str
    #: Letters before the digits, if it looks like a number such as A-1042; else empty.
    prefix: str
    #: Stems of up to two words before it, articles apart, the nearest first, and of the one after it.
    before: tuple[str, ...]
    after: str
    #: Written like a name, and not only a word that nobody knows.
    is_sure: bool
    #: Places of its words in the question.
    places: range


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """A person's text, picked apart."""

    text: str
    words: tuple[words.Word, ...]
    names: tuple[Name, ...]
    #: Value and place of each number that is part of no name and no date.
    numbers: tuple[tuple[float, int], ...]
    span: dates.Span | None
    #: Stems that say what is asked for, with the weight of each.
    stems: dict[str, float]
    #: Places of the words that the text denies ("not shipped").
    denied: frozenset[int]
    #: ``count`` (how many), ``sum`` (how much), ``highest``, ``lowest``, ``latest``, ``oldest``, ``average``, or empty.
    wants: str
    #: Stem of the word after "which", "what" or "our": what a row of the answer should be.
    subject: str
    #: The verb of a text that tells to do something; else empty.
    order: str
    #: Whether a number or an article follows that verb ("return 3 lamps", and not "return RT-310").
    has_object: bool = False
    #: The words to be written down that an order brings with it, after a colon or in quotation marks; else empty.
    passage: str = ""
    #: Whether it speaks of somebody or something that the last answer spoke of.
    points_back: bool = False
    #: Which row of the last answer it asks for, the first being 0; -1: none.
    row: int = -1

    def says(self, *some: str) -> bool:
        """Whether one of these words stands in the text."""
        return any(word.text.lower() in some for word in self.words)


def apart(text: str) -> tuple[str, str]:
    """An order and, apart from it, the words that it wants written down; the second is empty if it brings none."""
    match = _DICTATED.match(text.strip())
    first = match.group(1).split() if match else []
    is_order = any(word.lower() in lists.ACTING for word in first[:4])
    return (match.group(1), match.group(2).strip(' "“”„')) if match and is_order else (text, "")


def read(whole: str, offers: Offers, today: datetime.date) -> Question:
    """Picks the text apart."""
    text, passage = apart(whole)
    span, rest = dates.find(text[:2000], today)
    found = tuple(_corrected(word, offers) for word in _with_countries(words.split(rest), offers))
    names = _names(found, offers)
    in_names = {place for name in names for place in name.places}
    values = {place: value for place in range(len(found)) if (value := _value(found, place)) is not None}
    numbers = tuple((value, place) for place, value in values.items() if place not in in_names)
    ours = _of_ours(found)
    stems: dict[str, float] = {}
    denied = _denied(found)
    for place, word in enumerate(found):
        if not (word.is_stop or word.is_quoted or place in values or word.text == "&" or _is_unit(found, place)):
            is_name = any(place in name.places and name.is_sure for name in names)
            if not is_name:
                soft = (
                    word.text.lower() in lists.RANKING | lists.SUMMING
                    or place in denied
                    or place == ours
                    or _is_average(found, place)
                )
                stems[word.stem] = 0.5 if soft else 1.0
            if place in denied:
                stems["un" + word.stem] = 0.9
    if found and found[0].text.lower() == "why":
        stems.setdefault(words.stem("reason"), 0.7)
    if span:
        _add_periods(text, stems)
    if _LEFT.search(text):
        stems.setdefault("stock", 0.5)
    order, has_object = _order(found, text)
    return Question(
        text=text,
        words=found,
        names=names,
        numbers=numbers,
        span=span,
        stems=stems,
        denied=frozenset(denied),
        wants=_wants(found),
        subject=_subject(found),
        order=order,
        has_object=has_object,
        passage=passage,
    )


def _with_countries(found: list[words.Word], offers: Offers) -> list[words.Word]:
    """The words, with the country in place of an adjective for it ("German"), if a tool has a parameter for countries."""
    country = words.stem("country")
    if not any(country in parameter.stems for tool in offers.tools for parameter in tool.parameters):
        return found
    changed: list[words.Word] = []
    for word in found:
        named = "" if word.is_quoted else lists.NATIONS.get(word.text, "")
        parts = named.split() or [word.text]
        changed += [dataclasses.replace(word, text=part, stem=words.stem(part)) if named else word for part in parts]
    return changed


def _value(found: tuple[words.Word, ...], place: int) -> float | None:
    """The number that stands there in digits or as a word; "one" is none after "this" or "which", or at the end."""
    text = found[place].text.lower()
    if found[place].is_quoted:
        return None
    if _NUMBER.fullmatch(text):
        return float(text.replace(",", ""))
    before = found[place - 1].text.lower() if place else "the"
    if text == "one" and (before in lists.NO_COUNT or (place + 1 == len(found) and before not in {"only", "just", "exactly"})):
        return None
    return float(lists.NUMBERS[text]) if text in lists.NUMBERS else None


def _of_ours(found: tuple[words.Word, ...]) -> int:
    """Place of the verb in "… that we sell" at the end of a question, which says no more than that the thing is ours; else -1."""
    plain = [word.text.lower() for word in found]
    ends = (
        len(plain) > 3 and plain[-2] == "we" and plain[-1] in {"sell", "have", "offer", "stock", "carry", "keep", "trade", "lend"}
    )
    return len(plain) - 1 if ends and plain[-3] not in {"do", "did", "can", "could", "what", "much", "many"} else -1


def _is_average(found: tuple[words.Word, ...], place: int) -> bool:
    """Whether it asks for an average of amounts; one of a number ("average number of loans") no list gives."""
    after = found[place + 1].text.lower() if place + 1 < len(found) else ""
    is_asked = {"average", "mean"} & {word.text.lower() for word in found[:place]}
    if is_asked and found[place].text.lower() in {"value", "size"}:
        return True
    return found[place].text.lower() in {"average", "mean"} and after not in {"number", "count"}


def _subject(found: tuple[words.Word, ...]) -> str:
    for place, word in enumerate(found[:-1]):
        if word.text.lower() in {"which", "what", "our", "top", "best", "biggest"} and not found[place + 1].is_stop:
            later = next((other for other in found[place + 1 :] if other.text.lower() not in lists.RANKING), found[place + 1])
            return later.stem
    return ""


def _is_asked_whether_all(found: tuple[words.Word, ...]) -> bool:
    """ "Is Kos fully paid up?" asks for what is not."""
    is_asked = bool(found) and found[0].text.lower() in {"is", "are", "has", "have", "did"}
    return is_asked and bool({"all", "fully", "everything", "completely", "entirely"} & {word.text.lower() for word in found})


def _denied(found: tuple[words.Word, ...]) -> set[int]:
    """Places of the words that a "not", a "no", a "to be" or a "ready to" before them denies, or a "nothing" after."""
    denied: set[int] = set()
    if _is_asked_whether_all(found):
        denied.update(
            place for place, word in enumerate(found) if word.text.lower().endswith("ed") or word.text.lower() == "paid"
        )
    for place, word in enumerate(found):
        is_to_be = word.text.lower() == "be" and place > 0 and found[place - 1].text.lower() == "to"
        is_to_do = word.text.lower() == "to" and place > 0 and found[place - 1].text.lower() in lists.PENDING
        if is_to_be or is_to_do or word.text.lower() in {"not", "never", "no"}:
            denied.update(next(([later] for later in range(place + 1, len(found)) if not found[later].is_stop), []))
        if word.text.lower() in {"nothing", "none"} and place and not found[place - 1].is_stop:
            denied.add(place - 1)
    return denied


def _corrected(word: words.Word, offers: Offers) -> words.Word:
    """The word with the stem of the tools' word that it is nearly spelled like ("invoces"), if it is no name and no word we know."""
    is_plain = word.text.isascii() and word.text.isalpha() and (word.text.islower() or word.is_first) and not word.is_quoted
    if not is_plain or len(word.stem) < 5 or word.is_stop or offers.knows(word.stem):
        return word
    near = difflib.get_close_matches(word.stem, offers.counts, n=1, cutoff=ALIKE)
    return dataclasses.replace(word, stem=near[0]) if near else word


def _add_periods(text: str, stems: dict[str, float]) -> None:
    """A named month speaks for tools that go by months, more softly than a word of the text."""
    for unit in ("month", "year"):
        stems.setdefault(unit, 0.3 if unit == "month" or re.search(r"\byear|\b20\d\d\b", text) else 0.0)


def _wants(found: tuple[words.Word, ...]) -> str:
    plain = [word.text.lower() for word in found]
    joined = " ".join(plain)
    if "how many" in joined or re.match(r"(.* )?(the|total) number of\b", joined) or plain[:1] == ["count"]:
        return "count"
    for wanted, some in (
        ("highest", lists.HIGHEST),
        ("lowest", lists.LOWEST),
        ("latest", lists.LATEST),
        ("oldest", lists.OLDEST),
    ):
        for place, word in enumerate(plain):
            follows_number = place + 1 < len(plain) and plain[place + 1].isdigit()
            if word in some and not follows_number and not (place and plain[place - 1] == "at"):
                return wanted
    if {"average", "mean"} & set(plain):
        return "average"
    if "how much" in joined or any(word in plain for word in ("total", "sum", "altogether", "worth", "revenue", "turnover")):
        return "sum"
    return ""


def _order(found: tuple[words.Word, ...], text: str) -> tuple[str, bool]:
    """The verb of an order and whether its object follows; the order may stand behind its reason ("they agreed, please change it")."""
    if _FROM_NOW_ON.match(text):
        return "change", False
    if asked := _PLEASE.search(text):
        verb = asked[1].lower()
        place = next((place for place, word in enumerate(found) if word.text.lower() == verb), len(found))
        if verb in lists.ACTING and place < len(found):
            after = found[place + 1].text.lower() if place + 1 < len(found) else ""
            return verb, after in lists.ARTICLES or bool(_NUMBER.fullmatch(after))
    for place, word in enumerate(found):
        if word.is_first and word.text.lower() in lists.ASKING:
            return "", False
        if word.text.lower() not in lists.POLITE:
            after = found[place + 1].text.lower() if place + 1 < len(found) else ""
            return word.text.lower(), after in lists.ARTICLES or bool(_NUMBER.fullmatch(after))
    return "", False


def _names(found: tuple[words.Word, ...], offers: Offers) -> tuple[Name, ...]:
    names: list[Name] = []
    place = 0
    while place < len(found):
        begins = not _is_unit(found, place) and _begins(found[place], offers)
        if not (begins or _is_measure(found, place) or _is_bare_number(found, place, offers)):
            place += 1
            continue
        end = place + 1
        is_open = not found[place].text.isdigit() or _is_measure(found, place)
        if is_open and not found[place].is_quoted and not _is_reference(found[place].text, offers):
            while end < len(found) and _goes_on(found, end, offers) and not _is_whole(found[place:end], found[end]):
                end += 1
            if found[end - 1].text == "&":
                end -= 1
        names.append(_name(found, range(place, end), offers))
        place = end
    return tuple(names)


def _is_unit(found: tuple[words.Word, ...], place: int) -> bool:
    """Whether it says what is counted in ("how many metres of", "45 pieces") and is no part of a name ("junction boxes")."""
    before = found[place - 1].text.lower() if place else ""
    is_counted = before in {"many", "much", "the", ""} or bool(_NUMBER.fullmatch(before)) or before in lists.NUMBERS
    return found[place].text.lower() in lists.UNITS and is_counted


def _is_measure(found: tuple[words.Word, ...], place: int) -> bool:
    """Whether a name begins with this number ("22 mm copper pipe")."""
    after = [word.text.lower() for word in found[place + 1 : place + 3]]
    return bool(_NUMBER.fullmatch(found[place].text)) and len(after) == 2 and after[0] in lists.MEASURES


def _is_whole(part: tuple[words.Word, ...], word: words.Word) -> bool:
    """Whether the name is whole before a small word: "Kos Building" is, where "settled" follows; "LED" before "bulbs" is not."""
    return len(part) > 1 and all(each.is_capital for each in part) and word.text.isascii() and word.text.islower()


def _name(found: tuple[words.Word, ...], places: range, offers: Offers) -> Name:
    part = found[places.start : places.stop]
    text = " ".join(word.text for word in part)
    reference = _REFERENCE.fullmatch(text)
    is_sure = (
        any(word.is_quoted or not word.text.isascii() or _is_capital(word, offers) for word in part)
        or bool(reference)
        or text.isdigit()
    )
    before = tuple(word.stem for word in reversed(found[: places.start]) if word.text.lower() not in lists.ARTICLES)[:2]
    after = found[places.stop].stem if places.stop < len(found) else ""
    return Name(text, reference.group(1).upper() if reference else "", before, after, is_sure, places)


def _is_bare_number(found: tuple[words.Word, ...], place: int, offers: Offers) -> bool:
    """Whether it is a long number right after a word that a tool is named by ("order 1042")."""
    if not found[place].text.isdigit() or len(found[place].text) < 3 or not place:
        return False
    before = found[place - 1].text.lower()
    return found[place - 1].stem in offers.named or (before in {"number", "no", "id"} and place > 1)


def _is_capital(word: words.Word, offers: Offers) -> bool:
    return word.is_capital and not word.is_stop and not (word.is_first and offers.knows(word.stem))


def _is_reference(text: str, offers: Offers) -> bool:
    match = _REFERENCE.fullmatch(text)
    return bool(match) and any(match.group(1).upper() in tool.prefixes for tool in offers.tools)  # type: ignore[union-attr]


def _begins(word: words.Word, offers: Offers) -> bool:
    if word.is_quoted:
        return True
    if word.is_stop or _is_count(word) or word.text == "&":
        return False
    if _is_reference(word.text, offers) or not word.text.isascii():
        return True
    if word.is_capital and not word.is_first and word.stem not in offers.named:
        return not _is_choice(word, offers)
    return not offers.knows(word.stem) and not is_adverb(word)


def is_adverb(word: words.Word) -> bool:
    """Whether it is written like a word that says how ("fully"); no name."""
    return word.text.islower() and (word.text in lists.ADVERBS or (word.text.endswith("ly") and len(word.text) > 4))


def _is_count(word: words.Word) -> bool:
    return bool(_NUMBER.fullmatch(word.text)) or word.text in lists.NUMBERS


def _is_choice(word: words.Word, offers: Offers) -> bool:
    """Whether a parameter lists the word as one of its values."""
    return any(
        word.stem in words.stems_of_name(str(choice))
        for tool in offers.tools
        for parameter in tool.parameters
        for choice in parameter.choices
    )


def _goes_on(found: tuple[words.Word, ...], place: int, offers: Offers) -> bool:
    """Whether the name goes on with this word: further capitals, ``&``, unknown words, measures."""
    word = found[place]
    if word.is_quoted or _is_reference(word.text, offers):
        return False
    if word.text == "&":
        return place + 1 < len(found)
    if _NUMBER.fullmatch(word.text):
        # "pipe 15 mm", but not "Hansen 30 days".
        return place + 1 < len(found) and not offers.knows(found[place + 1].stem) and not found[place + 1].is_stop
    if word.is_capital and not word.is_first and word.text not in {"I"} and word.is_stop:
        # "Hansen Bygg AS"
        return True
    if word.is_stop or word.stem in offers.named or word.text in lists.NUMBERS or is_adverb(word):
        return False
    if word.is_capital or not word.text.isascii() or any(letter.isdigit() for letter in word.text):
        return True
    return not offers.knows(word.stem) or (_is_choice(word, offers) and word.stem not in words.NARROWING)
