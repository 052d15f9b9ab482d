"""Tools: what a host lets the model ask for, and the running of one call.

    from deskhand.scope import Scope
    from deskhand.tools import ToolError, tool

    @tool(permission="shop.view_order", reads=True)
    def order_status(number: str, scope: Scope) -> dict[str, object]:
        \"\"\"Status and total of the order with that number.\"\"\"

A tool that writes says beforehand what it would do:

    @tool(permission="shop.change_order", writes=True)
    def cancel_order(number: str) -> None:
        \"\"\"Cancels the order with that number.\"\"\"

    @cancel_order.preview
    def _(number: str) -> Preview: ...

``declare`` makes a function a tool, ``registration`` finds them all and knows who may use which, ``validation`` checks what a model gave,
``execution`` runs one call and ``result`` makes text of what came back.

Never here: the running of a tool that writes; only a person's click does that.
"""

from __future__ import annotations

from deskhand.errors import ToolError
from deskhand.tools.declare import Tool, model_name, tool
from deskhand.tools.execution import look, run, seconds_of
from deskhand.tools.locked import LockedRows
from deskhand.tools.preview import Change, Done, Item, Preview
from deskhand.tools.registration import Registry, registry
from deskhand.tools.result import Result
from deskhand.tools.schema import IdempotencyKey
from deskhand.tools.validation import arguments, canonical_arguments, plain

__all__ = [
    "Change",
    "Done",
    "IdempotencyKey",
    "Item",
    "LockedRows",
    "Preview",
    "Registry",
    "Result",
    "Tool",
    "ToolError",
    "arguments",
    "canonical_arguments",
    "look",
    "model_name",
    "plain",
    "registry",
    "run",
    "seconds_of",
    "tool",
]
