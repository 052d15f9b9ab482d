"""The offered tools as the offline model sees them: weighted words and readable parameters, and how rare each word is among them.

Read from the JSON schemas alone; a shape that it does not know becomes a parameter that is left alone.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence

from deskhand.core.values import ToolSpec
from deskhand.endpoint.offline import lists, words

#: Verbs of looking up: in a tool's name they tell nothing.
_READING = words.stems("search list show find get read fetch lookup look view report count query browse")
#: Names of parameters that say how many rows are wanted.
_ROWS = words.stems("limit offset")
_EXAMPLE = re.compile(r"\b([A-Z]{1,5})-?\d{2,}\b")


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool."""

    name: str
    #: ``text``, ``integer``, ``number``, ``boolean``, ``date``, ``choice`` or ``other``.
    kind: str
    choices: tuple[object, ...]
    is_required: bool
    description: str
    stems: tuple[str, ...]
    #: What holds without it.
    default: object = None


@dataclasses.dataclass(frozen=True, slots=True)
class Offer:
    """One offered tool."""

    spec: ToolSpec
    parameters: tuple[Parameter, ...]
    #: Stem → how much it says about the tool.
    weights: Mapping[str, float]
    #: Stems of its name that say something.
    name_stems: tuple[str, ...]
    #: Letters before the digits of the numbers that its description gives as examples (``A`` of A-1042).
    prefixes: frozenset[str]
    #: If it proposes a change: stem of the verb that its name begins with, else empty.
    verb: str
    #: If it proposes a change: stems of what its description and its lists of values say that it does.
    doings: frozenset[str]

    @property
    def title(self) -> str:
        """What people call it."""
        return self.spec.title or words.label(self.spec.name)

    @property
    def writes(self) -> bool:
        """Whether a call of it proposes a change."""
        return self.spec.writes


@dataclasses.dataclass(frozen=True, slots=True)
class Offers:
    """All offered tools."""

    tools: tuple[Offer, ...]
    #: In how many tools each stem occurs.
    counts: Mapping[str, int]
    #: Stems of tools' and parameters' names.
    named: frozenset[str]

    def rarity(self, stem: str) -> float:
        """How much a word tells one tool from another; a word of none of them counts most."""
        return math.log(1 + len(self.tools) / max(1, self.counts.get(stem, 0)))

    def named_as(self, name: str) -> Offer | None:
        """The tool that a call names so."""
        return next((tool for tool in self.tools if tool.spec.name == name), None)

    def knows(self, stem: str) -> bool:
        """Whether a tool, or the office in general, uses the word."""
        return stem in self.counts or stem in words.ALIKE or stem in words.COMMON or stem in words.RANKING


def read(specs: Sequence[ToolSpec]) -> Offers:
    """The tools of a request, ready to be matched."""
    tools = tuple(_offer(spec) for spec in specs)
    counts: dict[str, int] = {}
    named: set[str] = set()
    for tool in tools:
        for stem in tool.weights:
            counts[stem] = counts.get(stem, 0) + 1
        named.update(tool.name_stems)
        named.update(stem for parameter in tool.parameters for stem in parameter.stems)
    return Offers(tools, counts, frozenset(named))


def _offer(spec: ToolSpec) -> Offer:
    parameters = _parameters(spec.parameters)
    first, _, rest = spec.description.strip().partition("\n\n")
    sentence, _, more = " ".join(first.split()).partition(". ")
    weights: dict[str, float] = {}

    def add(stems: Sequence[str], weight: float) -> None:
        for stem in stems:
            if len(stem) > 1:
                weights[stem] = max(weight, weights.get(stem, 0.0))

    telling = [stem for word in words.of_name(spec.name) if word not in lists.STOP and (stem := words.stem(word)) not in _READING]
    add(telling, 3.0)
    add(_said(sentence), 2.0)
    add(_said(more + " " + rest), 1.2)
    for parameter in parameters:
        if not _ROWS & set(parameter.stems):
            add([words.stem(word) for word in words.of_name(parameter.name) if word not in lists.STOP], 1.0)
        add(_said(parameter.description), 0.8)
        for choice in parameter.choices:
            add(words.stems_of_name(str(choice)), 1.2)
    for stem in _READING - set(telling):
        weights.pop(stem, None)
    examples = " ".join([spec.description, *(parameter.description for parameter in parameters)])
    verb = words.stem(next(iter(words.of_name(spec.name)), "")) if spec.writes else ""
    nouns = {stem for parameter in parameters for stem in parameter.stems}
    doings = frozenset(weights) - nouns if spec.writes else frozenset()
    return Offer(spec, parameters, weights, tuple(telling), frozenset(_EXAMPLE.findall(examples)), verb, doings)


def _said(text: str) -> list[str]:
    return [word.stem for word in words.split(text) if not word.is_stop]


def _parameters(schema: Mapping[str, object]) -> tuple[Parameter, ...]:
    properties = schema.get("properties")
    required = schema.get("required")
    named = set(required) if isinstance(required, list | tuple) else set()
    if not isinstance(properties, Mapping):
        return ()
    return tuple(_parameter(str(name), part, schema, name in named) for name, part in properties.items())


def _parameter(name: str, part: object, schema: Mapping[str, object], is_required: bool) -> Parameter:
    whole = part if isinstance(part, Mapping) else {}
    description = str(whole.get("description", ""))
    inner = _without_null(_followed(whole, schema), schema)
    description = description or str(inner.get("description", ""))
    choices: tuple[object, ...] = ()
    kind = "other"
    values = inner.get("enum")
    if isinstance(values, list | tuple):
        choices, kind = tuple(value for value in values if value is not None), "choice"
    elif "const" in inner:
        choices, kind = (inner["const"],), "choice"
    elif inner.get("type") == "string":
        kind = "date" if inner.get("format") in {"date", "date-time"} else "text"
    elif inner.get("type") in {"integer", "number", "boolean"}:
        kind = str(inner["type"])
    return Parameter(name, kind, choices, is_required, description, tuple(words.stems_of_name(name)), whole.get("default"))


def _followed(part: Mapping[str, object], schema: Mapping[str, object]) -> Mapping[str, object]:
    reference = part.get("$ref")
    definitions = schema.get("$defs")
    if isinstance(reference, str) and isinstance(definitions, Mapping):
        found = definitions.get(reference.rsplit("/", 1)[-1])
        return found if isinstance(found, Mapping) else part
    return part


def _without_null(part: Mapping[str, object], schema: Mapping[str, object]) -> Mapping[str, object]:
    """The first kind of several that a value may have, ``null`` apart."""
    kinds = part.get("anyOf") or part.get("oneOf")
    if isinstance(kinds, list | tuple):
        real = [_followed(kind, schema) for kind in kinds if isinstance(kind, Mapping) and kind.get("type") != "null"]
        number = [kind for kind in real if kind.get("type") in {"number", "integer"}]
        return (number or real or [part])[0]
    if isinstance(part.get("type"), list | tuple):
        types = [kind for kind in part["type"] if kind != "null"]  # type: ignore[attr-defined]
        return {**part, "type": types[0] if types else "null"}
    return part
