"""A tool: a typed function of the host that the model may ask for, and the decorator that makes it one.

What the model is told of a tool (name, description, schema) comes from the function itself, so that code and description can't drift
apart. A tool that says nothing about itself *writes*; one without a permission is offered to nobody, and a system check names it.

Never here: the running of a tool (``tools.execution``). Calling a ``Tool`` object calls the bare function, as the host's own code would.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import re
from collections.abc import Callable, Mapping
from typing import overload

from deskhand.core.values import ToolSpec
from deskhand.tools import schema
from deskhand.tools.preview import Preview

#: Longest name that every provider takes.
MODEL_NAME_CHARS = 64


@dataclasses.dataclass(frozen=True, eq=False)
class Tool:
    """A function that the model may ask for."""

    #: As registered: what the journal keeps.
    name: str
    #: Plain words for the panel.
    title: str
    #: For the model: what the tool does, from the docstring.
    description: str
    #: ``app_label.codename``; empty is a mistake that a system check names.
    permission: str
    #: Whether it changes or sends anything. Such a tool only ever proposes.
    writes: bool
    #: JSON schema of the arguments, ``type: object``.
    parameters: Mapping[str, object] = dataclasses.field(repr=False)
    function: Callable[..., object] = dataclasses.field(repr=False)
    #: Its own time limit; ``None``: the site's ``TOOL_SECONDS``.
    seconds: float | None
    #: What the arguments are checked against.
    signature: schema.Signature = dataclasses.field(repr=False)
    #: Whether it does something that no rollback undoes: mail, payment, another service, another database (``CO7``).
    is_outside: bool = False
    #: Whether the permission is asked for the preview's target as well, as ``has_perm(permission, obj)``.
    per_object: bool = False
    #: Most rows of one batch.
    rows: int = 200
    #: Says what the function would do, given the same arguments; set by :meth:`preview`.
    previewer: Callable[..., Preview] | None = dataclasses.field(default=None, repr=False)

    def preview(self, function: Callable[..., Preview]) -> Callable[..., Preview]:
        """Decorator: this function says what the tool would do. It takes the tool's parameters by the same names.

        Raises:
            TypeError: the tool reads, or the function takes a parameter that the tool does not have.
        """
        if not self.writes:
            raise TypeError(f"{self.name} reads: there is nothing to preview")
        schema.check_same(self.function, function)
        object.__setattr__(self, "previewer", function)
        return function

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self.function(*args, **kwargs)

    @property
    def model_name(self) -> str:
        """The name by which the model knows it."""
        return model_name(self.name)

    @property
    def spec(self) -> ToolSpec:
        """What the model is told of it."""
        return ToolSpec(self.model_name, self.description, self.parameters, writes=self.writes, title=self.title)


@overload
def tool(function: Callable[..., object], /) -> Tool: ...


@overload
def tool(
    *,
    permission: str = "",
    reads: bool = False,
    writes: bool = False,
    name: str | None = None,
    title: str = "",
    seconds: float | None = None,
    outside: bool = False,
    per_object: bool = False,
    rows: int = 200,
) -> Callable[[Callable[..., object]], Tool]: ...


def tool(
    function: Callable[..., object] | None = None,
    /,
    *,
    permission: str = "",
    reads: bool = False,
    writes: bool = False,
    name: str | None = None,
    title: str = "",
    seconds: float | None = None,
    outside: bool = False,
    per_object: bool = False,
    rows: int = 200,
) -> Tool | Callable[[Callable[..., object]], Tool]:
    """Makes a function a tool. In an app's ``assistant.py`` it is found by itself.

    ``reads=True``: it changes nothing and sends nothing anywhere, a URL it fetches included. Anything else writes (``TO2``).
    A parameter annotated with ``Scope`` gets the scope and is not shown to the model; each other parameter needs an annotation.
    A writing tool is carried out by a person's click alone; ``@the_tool.preview`` gives its card before and after. With
    ``outside=True`` (mail, payment, another service) a parameter ``key: IdempotencyKey`` gets the card's id. A parameter
    ``locked: LockedRows`` gets the rows that the card named, which is what a batch changes. ``rows`` is the most that it may hold.

    Raises:
        TypeError: a parameter without annotation, or one that can't be given by name; both ``reads`` and ``writes``;
            ``LockedRows`` for a tool that reads, or that has an outside effect.
    """
    if reads and writes:
        raise TypeError("a tool reads or writes; one that does both writes")

    def make(function: Callable[..., object]) -> Tool:
        signature = schema.read(function)
        if signature.rows_parameter and (reads or outside):
            raise TypeError(f"{function.__name__}: rows are locked for a change in the click's own transaction alone")
        registered = name or function.__name__
        return Tool(
            name=registered,
            title=title or registered.rpartition(".")[2].replace("_", " ").capitalize(),
            description=inspect.cleandoc(function.__doc__ or ""),
            permission=permission,
            writes=not reads,
            parameters=signature.parameters,
            function=function,
            seconds=seconds,
            signature=signature,
            is_outside=outside,
            per_object=per_object,
            rows=rows,
        )

    return make if function is None else make(function)


def model_name(name: str) -> str:
    """The name for the model of a registered name (``TO4``): ``[A-Za-z_][A-Za-z0-9_-]{0,63}``.

    Other characters become ``_``; a name that is too long is cut and ends with a print of the whole, so that two long names with
    the same beginning stay two. Names that become equal all the same are refused by the registry.
    """
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    if not re.match(r"[A-Za-z_]", plain):
        plain = f"_{plain}"
    if len(plain) > MODEL_NAME_CHARS:
        print_of_name = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        plain = f"{plain[: MODEL_NAME_CHARS - 9]}_{print_of_name}"
    return plain
