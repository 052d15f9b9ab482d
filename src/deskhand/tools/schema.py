"""The signature of a tool's function as the model and the check of arguments see it: a JSON schema and a strict validator.

Made once, when the tool is declared, with pydantic, so that whatever pydantic understands may stand in an annotation.
``Annotated[int, Field(description=…, ge=1)]`` describes and bounds a parameter.

The schema that the model is told holds fewer bounds than the validator checks. Servers that turn schemas into a grammar refuse the whole
request, that is every question, for one ``pattern`` or one great length (llama.cpp: a ``maxLength`` of 2000), so both are told in words.

Never here: a value given by a model. Limits: ``*args``, ``**kwargs`` and parameters that can be given by place only are refused.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Callable, Mapping
from typing import Annotated, NotRequired, Union, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, PydanticSchemaGenerationError, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import PydanticSerializationError, to_jsonable_python
from typing_extensions import TypedDict

from deskhand.scope import Scope
from deskhand.tools.locked import LockedRows

#: A length from here on is told in words: llama.cpp's grammars repeat nothing 2000 times, and count what is nested together.
_TOLD_LENGTH = 500
#: Keyword of a schema, and how it reads in words.
_IN_WORDS = {
    "maxLength": "At most {} characters.",
    "minLength": "At least {} characters.",
    "maxItems": "At most {} items.",
    "minItems": "At least {} items.",
    "pattern": "Of the form {}",
}
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclasses.dataclass(frozen=True)
class Signature:
    """What a tool's function takes."""

    #: JSON schema, ``type: object``, nothing else allowed.
    parameters: Mapping[str, object]
    #: Checks an object of arguments, strictly: no text counts as a number, no extra key.
    adapter: TypeAdapter[dict[str, object]]
    #: What holds for a parameter that was not given.
    defaults: Mapping[str, object]
    #: Name of the parameter that takes the scope; empty if the function does not ask for it.
    scope_parameter: str
    #: Name of the parameter that takes the card's id; empty if the function does not ask for it.
    key_parameter: str = ""
    #: Name of the parameter that takes the card's rows at the click; empty if the function does not ask for it.
    rows_parameter: str = ""


class IdempotencyKey(str):
    """The card's id, for a tool with an outside effect to hand on: the same effect is never asked for under two keys."""

    __slots__ = ()


class _PlainSchema(GenerateJsonSchema):
    """Without the titles that pydantic makes of names: they tell a model nothing and cost tokens."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def read(function: Callable[..., object]) -> Signature:
    """The signature of that function.

    Raises:
        TypeError: a parameter without annotation, one that can't be given by name, or a type that no JSON can stand for.
    """
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, object] = {}
    defaults: dict[str, object] = {}
    scope_parameter = key_parameter = rows_parameter = ""
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in _BY_NAME:
            raise TypeError(f"{function.__name__}: {parameter.name} can't be given by name")
        if parameter.name not in hints:
            raise TypeError(f"{function.__name__}: {parameter.name} has no annotation")
        hint = hints[parameter.name]
        if _is_scope(hint):
            scope_parameter = parameter.name
        elif hint is IdempotencyKey:
            key_parameter = parameter.name
        elif hint is LockedRows:
            rows_parameter = parameter.name
        elif parameter.default is inspect.Parameter.empty:
            fields[parameter.name] = hint
        else:
            fields[parameter.name] = NotRequired[hint]
            defaults[parameter.name] = parameter.default
    arguments = TypedDict("Arguments", fields)  # type: ignore[misc]
    arguments.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # type: ignore[attr-defined]
    try:
        adapter: TypeAdapter[dict[str, object]] = TypeAdapter(arguments)  # type: ignore[arg-type]
        parameters = adapter.json_schema(schema_generator=_PlainSchema)
    except PydanticSchemaGenerationError:
        raise TypeError(f"{function.__name__}: a parameter's type has no JSON form") from None
    return Signature(_told(parameters, defaults), adapter, defaults, scope_parameter, key_parameter, rows_parameter)


def check_same(function: Callable[..., object], preview: Callable[..., object]) -> None:
    """Raises ``TypeError`` if the preview asks for what the tool's function does not take; the scope alone it may always take."""
    known = set(inspect.signature(function).parameters)
    of_scope = scope_parameter(preview)
    if of_scope in known and of_scope != scope_parameter(function):
        raise TypeError(f"{preview.__name__}: {of_scope} is no scope in {function.__name__}")
    for parameter in inspect.signature(preview).parameters.values():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD and parameter.name not in {*known, of_scope}:
            raise TypeError(f"{preview.__name__}: {parameter.name} is no parameter of {function.__name__}")


def scope_parameter(function: Callable[..., object]) -> str:
    """The name of the parameter that is annotated with ``Scope``; empty if there is none, or its annotations can't be read."""
    try:
        hints = get_type_hints(function)
    except NameError:
        return ""
    return next((name for name in inspect.signature(function).parameters if _is_scope(hints.get(name))), "")


def _is_scope(hint: object) -> bool:
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, types.UnionType):
        return any(_is_scope(part) for part in get_args(hint))
    return isinstance(hint, type) and issubclass(hint, Scope)


def _told(parameters: dict[str, object], defaults: Mapping[str, object]) -> dict[str, object]:
    """The schema as the model reads it: no title, each default named, nothing that a server can't make a grammar of."""
    parameters.pop("title", None)
    parameters.setdefault("properties", {})
    properties = {name: _simple(part) for name, part in _parts(parameters["properties"])}
    parameters["properties"] = properties
    if "$defs" in parameters:
        parameters["$defs"] = {name: _simple(part) for name, part in _parts(parameters["$defs"])}
    for name, default in defaults.items():
        try:
            properties[name] = {**properties[name], "default": to_jsonable_python(default)}
        except PydanticSerializationError:
            continue
    return parameters


def _parts(named: object) -> list[tuple[str, object]]:
    return list(named.items()) if isinstance(named, dict) else []


def _simple(part: object) -> dict[str, object]:
    """``part`` of a schema with its patterns and its great lengths in words, at any depth."""
    assert isinstance(part, dict)
    kept: dict[str, object] = {}
    words = []
    for key, value in part.items():
        if key == "pattern" or (key in _IN_WORDS and value >= _TOLD_LENGTH):
            words.append(_IN_WORDS[key].format(value))
        elif key in ("properties", "patternProperties"):
            kept[key] = {name: _simple(inner) for name, inner in _parts(value)}
        elif key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            kept[key] = [_simple(inner) for inner in value]
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            kept[key] = _simple(value)
        else:
            kept[key] = value
    if words:
        told = str(kept.get("description", "")).rstrip()
        kept["description"] = " ".join([*([told if told.endswith((".", "!", "?")) else f"{told}."] if told else []), *words])
    return kept
