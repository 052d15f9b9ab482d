"""Draws a card: the host's preview of a call, or its plain arguments, and what the card is compared by at the click.

Called at the proposal and again inside the click's transaction, with the same language and time zone, so that equal data give equal
cards (``CO3``). The preview is the host's code; what it raises costs the proposal, not the turn.
Never here: a word of the model's, a row lock, a decision. Limits: a preview that is not the same twice in a row makes every click
``changed``.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Awaitable, Mapping, Sequence

from asgiref.sync import async_to_sync
from django.apps import apps
from django.db import models
from django.urls import NoReverseMatch, reverse
from django.utils import timezone, translation

from deskhand.core import cards
from deskhand.errors import ToolError
from deskhand.scope import Scope
from deskhand.tools import Change, Preview, Tool, schema


@dataclasses.dataclass(frozen=True)
class Drawn:
    """A card as it stands now."""

    #: What it shows: plain values, every text made visible.
    card: dict[str, object]
    #: ``[[model label, primary key], …]`` in the order in which they are locked.
    rows: list[list[str]]
    #: Empty if no data is compared.
    print: str
    target: models.Model | None = None


def draw(tool: Tool, arguments: Mapping[str, object], scope: Scope, language: str) -> Drawn:
    """The card of this call.

    Raises:
        ToolError: the preview says that it can't be, or the batch is over its limit.
        Exception: whatever else the host's preview raises.
    """
    with translation.override(language), timezone.override(timezone.get_default_timezone()):
        if tool.previewer is None:
            card = _card(tool, Preview(tool.title))
            card |= {"arguments": cards.arguments(arguments, defaults=tool.signature.defaults), "compares": False}
            return Drawn(card, [], "")
        preview = _previewed(tool, arguments, scope)
        card = _card(tool, preview)
        card["arguments"] = cards.arguments(arguments, cards.texts(card), tool.signature.defaults)
        rows = _keys(preview.rows)
        return Drawn(card, rows, cards.print_of(card, rows, preview.version), preview.target)


def _previewed(tool: Tool, arguments: Mapping[str, object], scope: Scope) -> Preview:
    assert tool.previewer is not None
    given: dict[str, object] = dict(arguments)
    for name in filter(None, (tool.signature.scope_parameter, schema.scope_parameter(tool.previewer))):
        given[name] = scope
    taken = inspect.signature(tool.previewer).parameters
    if not any(each.kind is inspect.Parameter.VAR_KEYWORD for each in taken.values()):
        given = {name: value for name, value in given.items() if name in taken}
    returned: object = tool.previewer(**given)
    preview = async_to_sync(_awaited)(returned) if inspect.isawaitable(returned) else returned
    if not isinstance(preview, Preview):
        raise TypeError("a preview must give a Preview")
    if len(preview.items) > tool.rows:
        raise ToolError(f"This would change {len(preview.items)} rows at once; at most {tool.rows} are allowed.")
    return preview


async def _awaited(awaitable: Awaitable[object]) -> object:
    return await awaitable


def _card(tool: Tool, preview: Preview) -> dict[str, object]:
    target = preview.target
    return {
        "title": cards.shown(preview.title),
        "verb": cards.shown(preview.verb or tool.title),
        "object": None if target is None else {"name": cards.shown(str(target)), "url": _link(target)},
        "changes": _changes(preview.changes),
        "touches": [cards.shown(words) for words in preview.touches],
        "items": [{"title": cards.shown(item.title), "changes": _changes(item.changes)} for item in preview.items],
        "arguments": [],
        "compares": bool(preview.rows) or bool(preview.version),
        "is_outside": tool.is_outside,
    }


def _changes(changes: Sequence[Change]) -> list[dict[str, str]]:
    return [
        {"field": cards.shown(str(each.field)), "before": cards.shown(each.before), "after": cards.shown(each.after)}
        for each in changes
    ]


def _keys(rows: Sequence[models.Model]) -> list[list[str]]:
    keys: list[list[str]] = []
    for row in rows:
        key = [row._meta.label_lower, str(row.pk)]
        if row.pk is not None and key not in keys:
            keys.append(key)
    return keys


def _link(target: models.Model) -> str | None:
    """The object's page in the stock admin site, if it has one."""
    if target.pk is None or not apps.is_installed("django.contrib.admin"):
        return None
    try:
        return reverse(f"admin:{target._meta.app_label}_{target._meta.model_name}_change", args=[target.pk])
    except NoReverseMatch:
        return None
