"""Everything that a turn needs, read once and frozen: the loop takes the brief and never looks around again.

Rights are the one exception, they are asked anew at each step. The brief is gathered wherever the turn runs, from the database and the
settings, by the turn's id alone; what only the starting process could know stands on the turn's row.

Never here: a write; an e-mail address in the prompt. Limits: what changes in the settings while a turn runs holds from the next turn on.
"""

from __future__ import annotations

import dataclasses
import uuid

from deskhand import config, conversations, switches, user_settings
from deskhand import scope as scopes
from deskhand.confirmations import drawing
from deskhand.core import history, limits, prompt, text
from deskhand.core.values import Entry, Line, Role
from deskhand.endpoint import Endpoint, opening
from deskhand.errors import FenceLost
from deskhand.models import Turn, UserSettings
from deskhand.scope import Scope
from deskhand.tools import Tool, registry
from deskhand.turns import language, lock
from deskhand.usage import CHAT


@dataclasses.dataclass(frozen=True, slots=True)
class Brief:
    """All that one turn is run with."""

    held: lock.Held
    #: Who it acts as, asked when it was gathered; ``None``: session, account or role was gone by then.
    scope: Scope | None
    system: str
    entries: tuple[Entry, ...]
    tools: tuple[Tool, ...]
    endpoint: Endpoint
    fallback: Endpoint | None
    #: The user's language, one that Django knows.
    language: str
    #: Namespace of the admin site whose page the person is on.
    site: str
    rounds: int
    calls: int
    seconds: float


def gather(turn_id: uuid.UUID, *, endpoint: Endpoint | None = None) -> Brief:
    """The brief of a turn that runs; ``endpoint`` takes the place of the configured one (tests).

    Raises:
        FenceLost: the turn has ended already.
    """
    turn = lock.load(turn_id)
    if turn is None:
        raise FenceLost
    settings = config.get()
    held = lock.held(turn, turn.conversation.user_key)
    scope = scopes.again(turn.session_ref, turn.user_id, account=turn.user)
    mine = _settings_of(turn)
    main, fallback = _endpoints(settings, mine, endpoint)
    with language.around(turn.locale):
        window = conversations.window(turn.conversation_id, settings.history_chars)
        current = _current(window, held.message_seq)
        earlier = [line for line in window if line is not current]
        site = drawing.site_of(turn.page)
        entries = history.build(earlier, [], current, settings.history_chars, settings.attachment_share)
    return Brief(
        held=held,
        scope=scope,
        system=prompt.build(_context(turn, scope, mine)) if scope else "",
        entries=tuple(entries),
        tools=registry().offered(scope, switches.off()) if scope else (),
        endpoint=main,
        fallback=fallback,
        language=language.of(turn.locale),
        site=site,
        rounds=settings.rounds,
        calls=settings.calls,
        seconds=settings.turn_seconds,
    )


def _settings_of(turn: Turn) -> user_settings.Effective:
    row = getattr(turn.user, "deskhand_settings", None) if turn.user_id else None
    return user_settings.of_row(row) if isinstance(row, UserSettings) else user_settings.Effective()


def _endpoints(
    settings: config.Config, mine: user_settings.Effective, given: Endpoint | None
) -> tuple[Endpoint, Endpoint | None]:
    if given is not None:
        return given, None
    chosen = user_settings.endpoint(mine)
    second = settings.fallback_endpoint
    fallback = opening.open(settings.endpoint_settings(second)) if second and second != chosen.name else None
    return opening.open(chosen), fallback


def _current(window: list[Line], message_seq: int) -> Line:
    found = next((line for line in reversed(window) if line.seq == message_seq and line.role == Role.USER), None)
    if found is None:
        raise FenceLost
    return found


def _context(turn: Turn, scope: Scope, mine: user_settings.Effective) -> prompt.Context:
    settings = config.get()
    today, zone = config.today()
    return prompt.Context(
        system_prompt=settings.system_prompt,
        guard_purpose=settings.guard_purpose(CHAT),
        addendum=turn.addendum or None,
        user_prompt=mine.prompt,
        instructions=mine.instructions,
        user_full_name=scope.full_name,
        role=scope.role or None,
        groups=scope.groups,
        locale=text.locale(turn.locale),
        date=today,
        zone=zone,
        page=turn.page or None,
        page_text=turn.page_text[: limits.PAGE_TEXT_CHARS] or None,
    )
