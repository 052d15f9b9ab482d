"""The registry: which tools exist, and which of them a scope may be offered.

Found as Django's admin finds its own: in the module ``assistant`` (or package, its submodules too) of each installed app; every
``Tool`` that stands there by name counts. A tool that the scope may not use is not offered, and nothing tells that it exists.

Never here: the running of a tool, or an answer to a model. Limits: read once per process; a tool that is made later than the first
look is not found.
"""

from __future__ import annotations

import functools
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AnySet

from django.apps import apps
from django.utils.module_loading import autodiscover_modules

from deskhand.core.values import ToolSpec
from deskhand.scope import Scope
from deskhand.tools import resting
from deskhand.tools.declare import Tool

#: The module of an app in which its tools stand.
MODULE = "assistant"


class Registry:
    """All tools of the site, by their names."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Raises ``ValueError`` if two tools have one name for the model (``TO4``)."""
        self._tools = tuple(sorted(tools, key=lambda tool: tool.name))
        clashes = clashing(self._tools)
        if clashes:
            raise ValueError(f"two tools have one name for the model: {', '.join(clashes)}")
        self._by_name = {tool.name: tool for tool in self._tools}
        self._by_model_name = {tool.model_name: tool for tool in self._tools}

    def all(self) -> tuple[Tool, ...]:
        """Every tool, by name."""
        return self._tools

    def by_name(self, name: str) -> Tool | None:
        """The tool that is registered under this name."""
        return self._by_name.get(name)

    def by_model_name(self, name: str) -> Tool | None:
        """The tool that the model means by this name, whether or not anybody may use it. A name in another case is another."""
        return self._by_model_name.get(name)

    def offered(self, scope: Scope, off: AnySet[str] = frozenset()) -> tuple[Tool, ...]:
        """The tools that this scope may use now, without those that rest after they hung (``TO3``, ``TO6``) or that are ``off``."""
        return tuple(
            tool
            for tool in self._tools
            if tool.name not in off and scope.may(tool.permission) and not resting.current.is_resting(tool.name)
        )

    def specs(self, scope: Scope) -> tuple[ToolSpec, ...]:
        """What the model is told of the offered tools."""
        return tuple(tool.spec for tool in self.offered(scope))


@functools.cache
def registry() -> Registry:
    """The site's registry. The first call imports the apps' ``assistant`` modules and lets their errors through.

    Raises:
        ValueError: two tools have one name for the model.
    """
    return Registry(found())


def found() -> tuple[Tool, ...]:
    """The tools in the ``assistant`` modules of the installed apps, clashes included."""
    autodiscover_modules(MODULE)
    tools: dict[int, Tool] = {}
    for module_name in _module_names():
        for value in vars(sys.modules[module_name]).values():
            if isinstance(value, Tool):
                tools[id(value)] = value
    return tuple(tools.values())


def clashing(tools: Iterable[Tool]) -> list[str]:
    """Names for the model that more than one of these tools has."""
    counts = Counter(tool.model_name for tool in tools)
    return sorted(name for name, count in counts.items() if count > 1)


def _module_names() -> Iterator[str]:
    for app in apps.get_app_configs():
        own = f"{app.name}.{MODULE}"
        yield from (name for name in list(sys.modules) if name == own or name.startswith(f"{own}."))
