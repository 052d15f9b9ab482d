"""The system prompt: what the model is told first, five parts, the highest in rank first (``PR1``).

Why so: what stands earlier can't be cancelled by what stands later, and providers cache the beginning that stays the same. So the
admin's text, the write rule and the guard's instruction come first, and what changes from page to page comes last.

It is made from :class:`Context` alone: no setting, clock or table. Equal contexts give equal bytes (``PR12``).

Never in it: hours and minutes, a NUL, a lone surrogate (``PR10``), and nowhere in the session's part an e-mail address (``PR6``): a
name with an ``@`` is left out, and in a role, a group, the page and the text about it an address is replaced. Limits: what the
admin, the host or the user wrote in parts 1 to 4 stands as they wrote it, an address they put there included.

``turns.brief`` calls :func:`build` once a turn.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Iterator

from deskhand.core import limits, phrases, text


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that a system prompt is made from; what is missing leaves out its own line or part (``PR11``)."""

    user_full_name: str = ""
    #: Names of the user's groups; they stand for the role if the session has none.
    groups: tuple[str, ...] = ()
    #: The acting role of the session.
    role: str | None = None
    #: ISO, the day in the site's zone. What follows the day is not read.
    date: str | None = None
    #: Name of the site's zone.
    zone: str | None = None
    #: The admin's text for everybody.
    system_prompt: str | None = None
    #: The admin's prompt for this user.
    user_prompt: str | None = None
    #: The user's own.
    instructions: str | None = None
    #: The guard's purpose text, if the guard is on; else ``None``.
    guard_purpose: str | None = None
    #: What the host's ``PROMPT_ADDENDUM`` gave.
    addendum: str | None = None
    #: As the browser gave it; checked here too.
    locale: str | None = None
    #: As the browser gave it; checked here too.
    page: str | None = None
    #: What the host's ``PAGE_CONTEXT`` gave.
    page_text: str | None = None


def build(ctx: Context) -> str:
    """The prompt. Never empty: the write rule stands in it always (``PR2``)."""
    instructions = _part(ctx.instructions)
    purpose = _part(ctx.guard_purpose)
    parts = (
        _part(ctx.system_prompt),
        phrases.WRITE_RULE,
        phrases.guard_instruction(purpose) if purpose else "",
        _part(ctx.addendum),
        _part(ctx.user_prompt),
        f"{phrases.INSTRUCTIONS_HEADING}\n{instructions}" if instructions else "",
        "\n".join(_session_lines(ctx)),
    )
    return "\n\n".join(part for part in parts if part)


def _part(raw: str | None) -> str:
    return text.clean(raw or "").strip()


def _session_lines(ctx: Context) -> Iterator[str]:
    """Part 5: one line each, in the order of ``PR6``."""
    name = _name(ctx.user_full_name)
    if name and not any(unicodedata.normalize("NFKC", character) == "@" for character in name):
        yield f"Name: {text.quoted(name)}"
    roles = _names((ctx.role or "",)) or _names(ctx.groups)
    if roles:
        yield f"Role: {', '.join(text.quoted(role) for role in roles)}"
    locale = text.locale(ctx.locale)
    if locale:
        yield f"Locale: {text.quoted(locale)}"
    day = _line(ctx.date)[: len("2026-01-31")]
    if day:
        zone = _line(ctx.zone)
        yield f"Date: {day} ({zone})" if zone else f"Date: {day}"
    page = text.path(ctx.page)
    if page:
        yield f"Page: {text.quoted(_without_addresses(page))}"
    about = _line(ctx.page_text)[: limits.PAGE_TEXT_CHARS]
    if about:
        yield f"About the page: {text.quoted(_without_addresses(about))}"


def _line(raw: str | None) -> str:
    return text.one_line(text.clean(raw or ""))


def _name(raw: str | None) -> str:
    return _line(raw)[: limits.NAME_CHARS]


def _names(raw_names: tuple[str, ...]) -> list[str]:
    """Names of roles or groups, each once, sorted, without blank ones."""
    return sorted({name for name in (_without_addresses(_name(raw)) for raw in raw_names) if name})


_ADDRESS = re.compile(r"""[^\s/"'<>(),;:@]+(?:@|%40|＠|﹫)[^\s/"'<>(),;:@]+""")


def _without_addresses(line: str) -> str:
    """``line``, which is short, with each e-mail address replaced by a word that says so."""
    return _ADDRESS.sub("(address)", line)
