"""Draws a card: the host's preview of a call, or its plain arguments, and what the card is compared by at the click.

Called at the proposal and again inside the click's transaction, with the same language and time zone, so that equal data give equal
cards (``CO3``). The preview is the host's code; what it raises costs the proposal, not the turn.
Never here: a word of the model's, a row lock, a decision. Limits: a preview that is not the same twice in a row makes every click
``changed``.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import inspect
import json
from collections.abc import Awaitable, Iterable, Mapping, Sequence

from asgiref.sync import async_to_sync
from django.apps import apps
from django.db import models
from django.urls import NoReverseMatch, Resolver404, get_script_prefix, resolve, reverse
from django.utils import timezone, translation

from deskhand import tools
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
    #: In which it was drawn, and is drawn again.
    language: str
    target: models.Model | None = None
    #: What the object calls itself, as it is.
    target_name: str = ""


#: Name of the stock admin site.
STOCK = "admin"


def draw(tool: Tool, arguments: Mapping[str, object], scope: Scope, language: str, site: str = STOCK) -> Drawn:
    """The card of this call; its object's link leads into that admin site, if the object has a page there.

    Raises:
        ToolError: the preview says that it can't be, or the batch is over its limit.
        Exception: whatever else the host's preview raises.
    """
    with translation.override(language), timezone.override(timezone.get_default_timezone()):
        if tool.previewer is None:
            card = _card(tool, Preview(tool.title))
            card |= {"arguments": _listed(tool, arguments), "compares": False}
            return Drawn(card, [], "", language)
        preview = _previewed(tool, arguments, scope)
        card = _card(tool, preview, site)
        card["arguments"] = _listed(tool, arguments, _afterwards(card))
        rows = _keys(_based_on(preview))
        name = "" if preview.target is None else str(preview.target)
        return Drawn(card, rows, cards.print_of(card, rows, str(preview.version)), language, preview.target, name)


def _listed(tool: Tool, arguments: Mapping[str, object], elsewhere: Iterable[str] = ()) -> list[dict[str, str]]:
    return cards.arguments(tools.plain(tool, arguments), elsewhere, tool.signature.defaults)


def _previewed(tool: Tool, arguments: Mapping[str, object], scope: Scope) -> Preview:
    assert tool.previewer is not None
    # The function gets what is stored, whatever the preview does to its own.
    given: dict[str, object] = copy.deepcopy(dict(arguments))
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


def _card(tool: Tool, preview: Preview, site: str = STOCK) -> dict[str, object]:
    target = preview.target
    return {
        "title": cards.shown(preview.title),
        "verb": cards.shown(preview.verb or tool.title),
        "object": None if target is None else {"name": cards.shown(str(target)), "url": _link(target, site)},
        "changes": _changes(preview.changes),
        "touches": [cards.shown(words) for words in preview.touches],
        "items": [{"title": cards.shown(item.title), "changes": _changes(item.changes)} for item in preview.items],
        "arguments": [],
        "compares": bool(_based_on(preview)) or bool(preview.version),
        "is_outside": tool.is_outside,
    }


def _changes(changes: Sequence[Change]) -> list[dict[str, str]]:
    return [
        {"field": cards.shown(str(each.field)), "before": cards.shown(each.before), "after": cards.shown(each.after)}
        for each in changes
    ]


def _afterwards(card: Mapping[str, object]) -> list[str]:
    """The texts that say what will be: the values after, and no name, link or value before."""
    items = card["items"]
    assert isinstance(items, list)
    every = [card["changes"], *(item["changes"] for item in items)]
    return [change["after"] for changes in every for change in changes]


def _based_on(preview: Preview) -> Sequence[models.Model]:
    """The rows that it names; if it names none, its object."""
    if preview.rows or preview.target is None or preview.target.pk is None:
        return preview.rows
    return [preview.target]


def _keys(rows: Sequence[models.Model]) -> list[list[str]]:
    keys: dict[tuple[str, str], None] = {}
    for row in rows:
        if row.pk is not None:
            keys[row._meta.label_lower, _key_text(row.pk)] = None
    return [list(key) for key in keys]


def _key_text(key: object) -> str:
    # A key of several columns is a tuple.
    return json.dumps([str(part) for part in key]) if isinstance(key, tuple) else str(key)


def key_of(stored: str) -> object:
    """A row's key as the ORM takes it."""
    if not stored.startswith('["'):
        return stored
    return tuple(json.loads(stored))


def site_of(page: str) -> str:
    """Name of the admin site that this page belongs to; of any other page, the stock one's. It chooses a link and nothing else."""
    try:
        found = resolve(page.removeprefix(get_script_prefix().rstrip("/")))
    except Resolver404:
        return STOCK
    # The app's name is the same for every admin site, the namespace is the site's own.
    return found.namespace if found.app_names[-1:] == ["admin"] else STOCK


def _link(target: models.Model, site: str) -> str | None:
    """The object's page in that admin site, else in the stock one, if it has one."""
    if target.pk is None or not apps.is_installed("django.contrib.admin"):
        return None
    for name in dict.fromkeys((site, STOCK)):
        with contextlib.suppress(NoReverseMatch):
            return reverse(f"{name}:{target._meta.app_label}_{target._meta.model_name}_change", args=[target.pk])
    return None
