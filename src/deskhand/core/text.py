"""Cleaning of text from outside: what may be kept, what may stand in a prompt, and what shape a browser's word must have.

Why so: a NUL stops PostgreSQL from storing a whole message, half a surrogate pair stops any text from being encoded, a line break in
a value lets it pose as a line of ours, and characters that nobody sees can carry orders that only the model reads. Each is met at
the door by one function of this page, and all of them can be applied twice without a change.

Never here: an exception because of what a text holds. Limits: what can be *seen* in a text is not judged; that a text gives orders
is met by what tools may do (``CO1``), not by a list of words.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TypeVar, cast

from deskhand.core import limits
from deskhand.core.values import CONTROL_KEYS

T = TypeVar("T")

#: The off-purpose marker is this, a reason without either bracket, and the closing bracket (``PR3``, ``TU6``).
OFF_PURPOSE_OPENS = "⟦off_purpose:"
OFF_PURPOSE_CLOSES = "⟧"

#: Stands in the window where the model wrote a tool call as text.
CALL_MARKUP_LEFT_OUT = "(a tool call written as text was left out here; it was not run)"

# Unicode's categories Cc, Zl and Zp: all that can end a line or drive a terminal.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_PATH = re.compile(r"/(?!/)[^\s\\]*")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")

# Tag characters and the unassigned rest of their plane, which is invisible as well; invisible operators.
_HIDDEN = re.compile("[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\u2061-\u2064]")
_SELECTORS = re.compile("([^\ufe00-\ufe0f\U000e0100-\U000e01ef]?)([\ufe00-\ufe0f\U000e0100-\U000e01ef]+)")
# What carries a selector though it is no symbol and no letter of a script without cases: keycaps, ‼, ⁉, ℹ, 〰.
_SELECTOR_BASES = frozenset("0123456789#*\u203c\u2049\u2139\u3030")


def clean(raw: str) -> str:
    """``raw`` without NUL and lone surrogates (``ME7``, ``B25``, ``B26``); two halves that meet are joined first."""
    if not _UNKEEPABLE.search(raw):
        return raw
    return _UNKEEPABLE.sub("", _SURROGATE_PAIR.sub(_joined, raw))


def _joined(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def clean_json(value: T) -> T:
    """A copy of a JSON value in which each text, at every depth and keys included, is :func:`clean` (``ME7``).

    Of two keys that become the same the later one stays. A tuple becomes a list. Depth costs no stack.
    """
    return cast(T, _copied(value, frozenset()))


def without_control_keys(value: T) -> T:
    """As :func:`clean_json`, and without :data:`~deskhand.core.values.CONTROL_KEYS` at every depth (``ME3``).

    A host's own keys, ``token`` among them, stay.
    """
    return cast(T, _copied(value, CONTROL_KEYS))


def _copied(value: object, dropped: frozenset[str]) -> object:
    """Made without recursion: how deep a model nests its arguments is the model's choice."""
    unfilled: list[tuple[object, object]] = []

    def begun(old: object) -> object:
        if isinstance(old, str):
            return clean(old)
        if not isinstance(old, dict | list | tuple):
            return old
        new: object = {} if isinstance(old, dict) else []
        unfilled.append((old, new))
        return new

    root = begun(value)
    while unfilled:
        old, new = unfilled.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            for raw_key, item in old.items():
                key = clean(raw_key) if isinstance(raw_key, str) else raw_key
                if key not in dropped:
                    new[key] = begun(item)
        else:
            cast(list[object], new).extend(begun(item) for item in cast(list[object], old))
    return root


def one_line(raw: str) -> str:
    """``raw`` with a space for each control character and line break (Cc, Zl, Zp), and without white space at both ends."""
    return _CONTROL.sub(" ", raw).strip()


def path(raw: object) -> str | None:
    """The page's path as the browser gave it, or ``None`` if it does not have the shape of one (``PR7``).

    What comes back begins with one ``/``, holds no white space, control character or backslash, no query and no fragment, and has at
    most ``limits.PAGE_CHARS``. Percent-escapes are left as they are.
    """
    if not isinstance(raw, str) or _CONTROL.search(raw) or _SURROGATE.search(raw):
        return None
    page = re.split("[?#]", raw, maxsplit=1)[0]
    return page[: limits.PAGE_CHARS] if _PATH.fullmatch(page) else None


def locale(raw: object) -> str | None:
    """The locale as the browser gave it, or ``None`` if it does not have the shape of one (``PR7``).

    At most ``limits.LOCALE_CHARS``; a last subtag of which the limit leaves less than the shape asks for goes whole.
    """
    if not isinstance(raw, str) or not _LOCALE.fullmatch(raw):
        return None
    return next(_LOCALE.finditer(raw, 0, limits.LOCALE_CHARS)).group()


def quoted(value: str) -> str:
    """``value`` on one line in quotation marks (``PR10``); a quotation mark or backslash in it has a backslash before it."""
    return '"' + one_line(clean(value)).replace("\\", "\\\\").replace('"', '\\"') + '"'


def without_hidden(raw: str) -> str:
    """``raw`` without characters that nobody sees and that can carry orders (``TO7``).

    Gone are tag characters, invisible operators, and each variation selector but the first one behind a character that can have a
    variant. Joiners and marks of direction stay: scripts need them.
    """
    return _SELECTORS.sub(_with_fitting_selector, _HIDDEN.sub("", raw))


def _with_fitting_selector(run: re.Match[str]) -> str:
    base, selector = run.group(1), run.group(2)[0]
    category = unicodedata.category(base) if base else ""
    if selector >= "\U000e0100":
        fits = category == "Lo"
    else:
        fits = category in ("So", "Sm", "Lo") or base in _SELECTOR_BASES
    return base + selector if fits else base


# Names under which models write calls into their text, as XML, as a server's own tokens, or as a fenced block.
_CALL_TAG = re.compile(
    r"<(?P<closes>/?)(?:[A-Za-z_-]{1,20}:)?(?P<name>tool_calls?|tool_use|function_calls?|function|invoke)\b[^<>]{0,500}>"
    r"|<[|｜][^<>|｜]{0,20}(?:tool|python_tag|function)[^<>|｜]{0,40}[|｜]>"
    r"|\[TOOL_CALLS\]"
    r"|```(?:tool_code|tool_calls?)\b"
)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\Z")


def without_call_markup(raw: str) -> str:
    """``raw`` with a fixed sentence for each tool call that was written as text (``B18``).

    For the window: a model that reads such markup in an earlier answer writes it again. A block goes from its opening tag to the
    closing tag of the same name; one that is never closed, and a server's own token, take the rest of their paragraph.
    """
    tags = list(_CALL_TAG.finditer(raw))
    last_close = {tag["name"]: tag.start() for tag in tags if tag["closes"]}
    pieces: list[str] = []
    done = 0
    waits_for: str | None = None
    for tag in tags:
        if tag.start() < done:
            continue
        if waits_for is None:
            pieces += (raw[done : tag.start()], CALL_MARKUP_LEFT_OUT)
            if tag["name"] and not tag["closes"] and last_close.get(tag["name"], -1) > tag.start():
                waits_for = tag["name"]
                continue
        elif not (tag["closes"] and tag["name"] == waits_for):
            continue
        done = tag.end() if tag["closes"] else next(_PARAGRAPH_END.finditer(raw, tag.end())).start()
        waits_for = None
    return "".join(pieces) + raw[done:]
