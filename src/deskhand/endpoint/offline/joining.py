"""A question made whole with what the one before it said.

Pure. Never here: an argument or a tool; those are found in the whole question (``choosing``, ``filling``).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from deskhand.endpoint.offline.question import Name, Question

#: A text that begins so goes on from the one before.
FOLLOWS = re.compile(r"^\s*(and|or|what about|how about|only|just|also|same|those|these|then|no,|but)\b", re.IGNORECASE)


def completed(answer: Question, before: Question) -> Question:
    """The question asked before with what the answer to our own question adds."""
    by = len(before.words)
    whole = joined(answer, before)
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


def joined(newest: Question, before: Question) -> Question:
    """The newest question with what it leaves unsaid taken from the one before."""
    stems = {stem: weight * 0.5 for stem, weight in before.stems.items()} | newest.stems
    names = (
        newest.names
        if any(name.is_sure for name in newest.names)
        else _moved(before.names, 0) + _moved(newest.names, len(before.words))
    )
    moved = _moved(names, len(before.words)) if names is newest.names else names
    return Question(
        text=newest.text,
        words=before.words + newest.words,
        names=moved,
        numbers=tuple((value, place + len(before.words)) for value, place in newest.numbers) or before.numbers,
        span=newest.span or before.span,
        stems=stems,
        denied=frozenset(place + len(before.words) for place in newest.denied),
        wants=newest.wants or before.wants,
        subject=newest.subject or before.subject,
        order=newest.order if not FOLLOWS.search(newest.text) else "",
    )


def _moved(names: Sequence[Name], by: int) -> tuple[Name, ...]:
    return tuple(
        Name(name.text, name.prefix, name.before, name.after, name.is_sure, range(name.places.start + by, name.places.stop + by))
        for name in names
    )


def with_names(question: Question, first: Question) -> Question:
    return question if any(name.is_sure for name in question.names) else _with_words_of(question, first)


def _with_words_of(question: Question, first: Question) -> Question:
    """The question with the names of the one before it ("Hansen's notes and what they owe")."""
    base = len(question.words)
    extra = tuple(word for name in first.names if name.is_sure for word in first.words[name.places.start : name.places.stop])
    names = []
    for name in first.names:
        if name.is_sure:
            length = len(name.places)
            names.append(Name(name.text, name.prefix, name.before, "", True, range(base, base + length)))
            base += length
    return Question(
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
