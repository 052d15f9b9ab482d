"""Arguments of a call: the raw text that a model wrote becomes checked values, or a sentence for the model about what is wrong.

Nothing runs before this (``TO5``). The check is strict: what does not fit is told, never guessed. Texts are cleaned first
(``ME7``), so that a value that was checked is the value that is used.

Never here: a value of the call in an exception; names of fields (shortened) and kinds alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from deskhand.core import canonical, text
from deskhand.errors import InvalidArguments
from deskhand.tools.declare import Tool

#: Longest raw text of one call's arguments.
ARGUMENTS_CHARS = 100_000
#: How deep objects and lists may lie in each other.
DEPTH = 32
#: How many faults the model is told at once.
FAULTS = 10
#: Longest name of a field that is told; an extra one is the model's own words.
NAME_CHARS = 60

#: Kinds whose sentence is made of the schema alone, never of the value.
_TELLABLE = re.compile(
    r"missing|extra_forbidden|literal_error|enum|none_required|finite_number|multiple_of|[a-z_]+_type"
    r"|(greater|less)_than(_equal)?|(string_)?too_(short|long)|string_pattern_mismatch"
)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def arguments(tool: Tool, raw: str) -> dict[str, object]:
    """The arguments as the function takes them, defaults filled in; the scope is not among them.

    Raises:
        InvalidArguments: not JSON, not an object, a key twice, NaN, too large, too deep, or not of the tool's schema.
    """
    given = _parsed(raw)
    try:
        checked = tool.signature.adapter.validate_json(json.dumps(given), strict=True)
    except ValidationError as fault:
        details = fault.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidArguments(_told(details)) from None
    return {**tool.signature.defaults, **checked}


def plain(tool: Tool, checked: Mapping[str, object]) -> dict[str, object]:
    """These arguments without classes of the host's: a model or a dataclass is an object of its fields."""
    dumped = tool.signature.adapter.dump_python(dict(checked), by_alias=True, warnings="none")
    return dict(dumped)


def canonical_arguments(tool: Tool, checked: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """The canonical text of arguments that were checked, and what it reads back as (``CO2``).

    Raises:
        InvalidArguments: there is no text that reads back as the same: a number that is not finite, a type without a canonical text, a
            default that its own annotation refuses.
    """
    try:
        words = canonical.dumps(plain(tool, checked))
        back = arguments(tool, words)
        is_same = canonical.dumps(plain(tool, back)) == words
    except (TypeError, ValueError):
        is_same = False
    if not is_same:
        raise InvalidArguments("a value can't be stored as it is")
    return words, back


def _parsed(raw: str) -> dict[str, object]:
    if len(raw) > ARGUMENTS_CHARS:
        raise InvalidArguments(f"the arguments are longer than {ARGUMENTS_CHARS} characters")
    if _depth(raw) > DEPTH:
        raise InvalidArguments(f"the arguments are nested deeper than {DEPTH}")
    try:
        found = json.loads(raw if raw.strip() else "{}", object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InvalidArguments("the arguments are not valid JSON") from None
    if not isinstance(found, dict):
        raise InvalidArguments("the arguments must be a JSON object")
    cleaned: dict[str, object] = text.clean_json(found)
    return cleaned


def _depth(raw: str) -> int:
    """How deep brackets lie in each other, before any parser sees them."""
    deepest = depth = 0
    for mark in re.findall(r"[\[\]{}]", _STRING.sub("", raw)):
        depth += 1 if mark in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [text.clean(key) for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise InvalidArguments("a key stands twice in one object")
    return dict(pairs)


def _no_number(name: str) -> NoReturn:
    raise InvalidArguments("a number is not finite")


def _told(details: list[ErrorDetails]) -> str:
    told = [_fault(detail) for detail in details[:FAULTS]]
    if len(details) > FAULTS:
        told.append(f"and {len(details) - FAULTS} more")
    return "; ".join(told)


def _fault(detail: ErrorDetails) -> str:
    where = text.one_line(".".join(str(part)[:NAME_CHARS] for part in detail["loc"])) or "the arguments"
    kind = detail["type"]
    return f"{where}: {detail['msg']}" if _TELLABLE.fullmatch(kind) else f"{where}: not valid ({kind})"
