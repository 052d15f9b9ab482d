"""Calls: whole tool calls from the fragments that servers send.

The standard says: each fragment carries an ``index``; the first of a call carries its id and name. Servers know other customs, and a
fragment put to the wrong call runs the wrong tool; so the rules, in this order:

- an id that differs from the one at this index begins a new call, whatever the index says (``B2``);
- a name that comes to a call whose arguments are whole already begins a new call, also under the same id (``B5``);
- a fragment without index and with a new id begins a new call; without an id it joins the call in progress (``B3``);
- the same name again, or an id again, without that, is a repetition.

Ids are made unique within the turn (``B5``): servers number them anew in each response, and a result put to the wrong call is a lie.
An id of ours has nine letters and digits, which every server accepts (Mistral accepts nothing else).

Never here: a judgement of arguments. Empty ones are ``{}`` (``B1``); broken ones stay as they are, for the tool's validation to name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from deskhand.core.values import ToolCall
from deskhand.endpoint import sse
from deskhand.endpoint.mending import mended

#: Ids that are kept as the server gave them.
_USABLE_ID = re.compile(r"[!-~]{1,64}")
NAME_CHARS = 200


def is_object(raw: str) -> bool:
    """Whether ``raw`` is one whole JSON object."""
    try:
        return isinstance(sse.parse(raw.encode("utf-8", "surrogatepass")), dict)
    except ValueError:
        return False


class _Call:
    __slots__ = ("arguments", "extra", "id", "name", "size")

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []
        self.size = 0
        self.extra: object = None

    @property
    def is_whole(self) -> bool:
        return is_object("".join(self.arguments))


class Calls:
    """Puts one response's calls together. ``used_ids``: those of the turn's earlier rounds."""

    def __init__(self, used_ids: Iterable[str] = ()) -> None:
        self._used = set(used_ids)
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        #: Characters of all arguments so far.
        self.size_chars = 0

    def __bool__(self) -> bool:
        return bool(self._calls)

    def feed(self, fragment: object, *, is_whole: bool = False) -> None:
        """Take a fragment; ``is_whole`` says that it is a call of its own (a response that is not streamed)."""
        if not isinstance(fragment, dict):
            return
        function = fragment.get("function")
        function = function if isinstance(function, dict) else {}
        call_id = _word(fragment.get("id"))
        name = _word(function.get("name"))
        arguments = _arguments(function.get("arguments"))
        raw_index = fragment.get("index")
        index = raw_index if isinstance(raw_index, int) and not isinstance(raw_index, bool) else None
        call = None if is_whole else self._target(index, call_id, name, arguments)
        if call is None:
            call = _Call()
            self._calls.append(call)
        if index is not None:
            self._by_index[index] = call
        call.id = call.id or call_id
        if name and not call.name:
            call.name = name
        elif name and name != call.name and not call.size and not call_id:
            # a name in pieces, or sent anew as it grows
            call.name = name if name.startswith(call.name) else call.name + name
        if arguments:
            call.arguments.append(arguments)
            call.size += len(arguments)
            self.size_chars += len(arguments)
        if fragment.get("extra_content"):
            call.extra = fragment["extra_content"]

    def _target(self, index: int | None, call_id: str, name: str, arguments: str) -> _Call | None:
        """The call that the fragment belongs to; ``None`` if it begins one."""
        if index is not None and index in self._by_index:
            call = self._by_index[index]
        elif call_id:
            same = [
                known for known in self._calls if known.id == call_id and (index is None or known not in self._by_index.values())
            ]
            if not same:
                return None
            call = same[-1]
        elif not self._calls or (index is not None and (name or self._by_index)):
            return None
        else:
            call = self._calls[-1]
            if name and call.name and name != call.name:
                return None
        if call_id and call.id and call_id != call.id:
            same = [known for known in self._calls if known.id == call_id]
            if not same:
                return None
            call = same[-1]
        if name and call.name and arguments.strip() and call.is_whole:
            return None
        return call

    def whole(self) -> tuple[ToolCall, ...] | None:
        """The calls in their order, ids unique, empty arguments as ``{}``; ``None`` if one has arguments but no name."""
        finished: list[ToolCall] = []
        for call, call_id in self._named():
            name = mended(call.name)
            if not name:
                return None
            arguments = mended("".join(call.arguments))
            finished.append(ToolCall(call_id, name[:NAME_CHARS], arguments if arguments.strip() else "{}"))
        return tuple(finished)

    def extras(self) -> dict[str, object]:
        """What the server wants back with each call (Gemini's signatures), by the call's id."""
        return {call_id: call.extra for call, call_id in self._named() if call.extra}

    def are_objects(self) -> bool:
        """Whether each call's arguments are whole."""
        return all(call.is_whole or not "".join(call.arguments).strip() for call in self._calls)

    def _named(self) -> Iterator[tuple[_Call, str]]:
        used = set(self._used)
        for call in self._calls:
            if not call.name and not "".join(call.arguments).strip():
                continue  # a stray empty fragment
            call_id = unique_id(call.id, used)
            used.add(call_id)
            yield call, call_id


def unique_id(call_id: str, used: set[str]) -> str:
    """``call_id`` if it is usable and not in ``used``, else one of ours that is not."""
    if _USABLE_ID.fullmatch(call_id) and call_id not in used:
        return call_id
    number = len(used)
    while (ours := f"d{number:08d}") in used:
        number += 1
    return ours


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _arguments(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):  # sent as an object instead of text
        return json.dumps(value) if value else ""
    return ""
