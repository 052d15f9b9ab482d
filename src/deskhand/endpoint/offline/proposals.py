"""What is said of cards: that one waits after a proposal, how one ended, and that no typed word stands for a click.

Taken from our own fixed phrases alone: a call's result, and the ``[confirmation]`` lines of the window. Never here: that something is
done before such a line says so; a call. Limits: "yes" is known in English, alone or with a few words of its kind.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from deskhand.core import phrases
from deskhand.core.values import CARD_OUTCOMES, Entry, Outcome, ToolCall
from deskhand.endpoint.offline import lists, words
from deskhand.endpoint.offline.offers import Offers

_OPENING = "[confirmation]"
_WORDS_OF_CALLS = {
    phrases.PROPOSED: "This is a proposal: **a card with it waits here for your click.** Nothing has been changed yet.",
    phrases.STILL_WAITING: "A card with the same change is waiting already: click on that one. Nothing has been changed yet.",
    phrases.CARDS_FULL: "As many cards are waiting as may at once. Decide about those first; nothing was proposed or changed.",
    phrases.UNKNOWN_BEFORE: "Whether the same happened before is not known. Check that and say so on its card; I propose nothing.",
    phrases.REJECTED_BEFORE: "You have just refused the same change, so I do not propose it again. Nothing was changed.",
}
_WORDS_OF_ENDS = {
    Outcome.CONFIRMED: "is done: it was confirmed on its card.",
    Outcome.REJECTED: "was refused on its card. Nothing was changed.",
    Outcome.EXPIRED: "was not decided in time; its card has lapsed. Nothing was changed. Ask again for a new one.",
    Outcome.CHANGED: "was not carried out: the data had changed since the card was made. Ask again for a new one.",
    Outcome.FAILED: "failed; the card says why.",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Standing:
    """How a card stands: it waits, or has ended."""

    tool_name: str
    outcome: Outcome


def is_card_line(entry: Entry) -> bool:
    """Whether the entry is our own line about a card and nobody's words."""
    return entry.role == "user" and entry.content.startswith(_OPENING)


def standings(entries: Sequence[Entry]) -> list[Standing]:
    """The cards of which the window tells, in its order."""
    return [found for entry in entries if is_card_line(entry) and (found := _standing(entry.content))]


def _standing(line: str) -> Standing | None:
    name = line.rpartition(": ")[2]
    for outcome in (Outcome.NEEDS_CONFIRMATION, *CARD_OUTCOMES):
        if line == phrases.confirmation(name, outcome):
            return Standing(name, outcome)
    return None


def of_call(call: ToolCall, result: str) -> str:
    """What became of one call of a tool that writes: in no case was anything changed."""
    said = _WORDS_OF_CALLS.get(result.strip())
    if said is None:
        why = result.removeprefix(phrases.TOOL_ANSWERED).removeprefix(phrases.call_text(Outcome.ERROR)).strip()
        why = why or "The tool gave no reason."
        said = f"I could not propose this, and nothing was changed. {why}"
    return said


def reply(text: str, entries: Sequence[Entry], known: Offers) -> str:
    """The answer to a text that only says yes, no, or asks how it went, if there are cards; else empty."""
    cards = standings(entries)
    said = [word.text.lower() for word in words.split(text)]
    if not cards or not said or len(said) > lists.SHORT or not (said[0] in lists.ANSWERS and set(said) <= lists.AGREEING):
        return ""
    waiting = list(dict.fromkeys(card.tool_name for card in cards if card.outcome is Outcome.NEEDS_CONFIRMATION))
    if waiting:
        named = " and ".join(f"“{_title(name, known)}”" for name in waiting)
        card, its = ("cards", "their") if len(waiting) > 1 else ("card", "its")
        return (
            f"Nothing has been changed yet: what you type can't confirm or refuse a change, only a click can. Use the buttons on {its} "
            f"{card} for {named}."
        )
    last = cards[-1]
    return f"“{_title(last.tool_name, known)}” {_WORDS_OF_ENDS[last.outcome]}"


def _title(name: str, known: Offers) -> str:
    tool = known.named_as(name)
    return tool.title if tool else words.label(name)
