"""What is done when a tool says that there is no such name and lists names that are like it.

If all words of the question fit one of them alone, the call is made once more with that one; if they fit several, the person is asked
which. Read from the tool's own words: a list after a colon, behind a word such as "similar". Never here: a third call; a guess for a
tool that writes.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence

from deskhand.core import phrases
from deskhand.core.values import ToolCall
from deskhand.endpoint.offline import likeness
from deskhand.endpoint.offline.offers import Offer
from deskhand.endpoint.offline.question import Question

_LISTED = re.compile(
    r"\b(?:similar|alike|nearest|more than one|several|did you mean|do you mean)\b[^:\n]{0,60}:\s*(.+)", re.IGNORECASE
)
_AFTERWARDS = re.compile(r"\.\s+(?:Say|Ask|Which|Please|Choose|Give|Try)\b.*$", re.DOTALL)


@dataclasses.dataclass(frozen=True, slots=True)
class Correction:
    """A call made right, or the names among which the person has to choose."""

    call: ToolCall | None
    names: tuple[str, ...] = ()
    #: What was asked for.
    asked: str = ""


def listed(result: str) -> tuple[str, ...]:
    """The names that a tool lists instead of a result."""
    if not result.startswith(phrases.TOOL_ANSWERED) or not (match := _LISTED.search(result)):
        return ()
    names = _AFTERWARDS.sub("", match[1]).strip().removesuffix(".")
    return tuple(name.strip() for name in names.split(", ") if name.strip())


def correction(question: Question, tool: Offer | None, call: ToolCall, result: str) -> Correction | None:
    """What follows from a result; ``None`` if it lists no names, or the tool writes."""
    names = listed(result)
    if not names or tool is None or tool.writes:
        return None
    arguments = json.loads(call.arguments)
    texts = [
        parameter.name
        for parameter in tool.parameters
        if parameter.kind == "text" and isinstance(arguments.get(parameter.name), str)
    ]
    if not texts:
        return None
    wrong = max(texts, key=lambda name: max(likeness.of(arguments[name], each) for each in names))
    fit = likeness.fitting(_asked(question, arguments, wrong), names) or likeness.fitting([arguments[wrong]], names)
    if len(fit) == 1:
        made = json.dumps({**arguments, wrong: fit[0]}, ensure_ascii=False)
        return Correction(ToolCall(id=f"{call.id}-again", name=call.name, arguments=made), (fit[0],), arguments[wrong])
    return Correction(None, tuple(fit) or names, arguments[wrong])


def _asked(question: Question, arguments: dict[str, object], wrong: str) -> Sequence[str]:
    """The words of the name, and those of all others in the question that no argument has taken."""
    taken = {str(value) for name, value in arguments.items() if name != wrong}
    others = [name.text for name in question.names if name.is_sure and name.text not in taken]
    return [str(arguments[wrong]), *(text for text in others if text not in str(arguments[wrong]))]
