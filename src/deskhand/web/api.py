"""The JSON API of the panel: conversations, messages, turns.

Parsing and shaping; each view is a few lines over a keeper or ``turns.start``. Never here: a tool's result, another user's rows.
"""

from __future__ import annotations

import datetime
import urllib.parse
import uuid
from collections.abc import Set as AnySet
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.dateparse import parse_datetime

from deskhand import config, conversations, switches, user_settings
from deskhand.confirmations import ends, reading
from deskhand.core import text
from deskhand.core.values import EndpointSettings, Role
from deskhand.errors import BadInput, ConfigurationError, NotFound
from deskhand.scope import Scope
from deskhand.tools import registry
from deskhand.turns import closing, events, lock, runner, start
from deskhand.web.answers import answer, body, can_stream, door, identifier, number

if TYPE_CHECKING:
    from deskhand.models import Conversation, Message

#: How much of a search is looked for.
SEARCH_CHARS = 200
#: How many things the panel names that may be asked about.
EXAMPLES = 4
#: Providers in words that a person knows.
PROVIDERS = {"openai": "OpenAI", "anthropic": "Anthropic", "google": "Google", "offline": "Offline demo model"}


def _state(request: HttpRequest, scope: Scope) -> HttpResponse:
    settings = config.get()
    off = switches.off()
    endpoint = _endpoint(settings, user_settings.effective(scope.user_id).endpoint)
    # Whoever looks first ends what nobody holds any more (``TU5``), without waiting for the sweep.
    closing.sweep(user_id=scope.user_id)
    return answer(
        {
            "csrf": get_token(request),
            "user": {"key": scope.user_key, "name": scope.full_name},
            "provider": {
                "name": _receiver(endpoint),
                "model": endpoint.model,
                "is_offline": endpoint.provider == "offline",
            },
            "limits": {"message_chars": settings.message_chars},
            "running": [{"turn": str(turn), "conversation": str(owner)} for turn, owner in lock.running(scope.user_id)],
            "streams": can_stream(request),
            "tools": _titles(scope, off),
            # An administrator has switched it off for everybody (OP9): what was said can be read, nothing can be asked.
            "is_off": switches.ASSISTANT in off,
        }
    )


def _titles(scope: Scope, off: AnySet[str]) -> list[str]:
    """A few things that this person may ask about, for who sees a blank page: titles of tools that read, each once."""
    titles = dict.fromkeys(tool.title for tool in registry().offered(scope, off) if not tool.writes)
    return list(titles)[:EXAMPLES]


def _receiver(endpoint: EndpointSettings) -> str:
    """Who receives what is written (``TO11``): the server's host if the settings name one, else the provider."""
    try:
        host = urllib.parse.urlsplit(endpoint.base_url).hostname if endpoint.provider != "offline" else None
    except ValueError:
        host = None
    return host or PROVIDERS.get(endpoint.provider, endpoint.provider)


def _endpoint(settings: config.Config, name: str) -> EndpointSettings:
    try:
        return settings.endpoint_settings(name)
    except ConfigurationError:
        # One that the admin took away meanwhile: the site's default answers, as in a turn.
        return settings.endpoint_settings()


def _listing(request: HttpRequest, scope: Scope) -> HttpResponse:
    found = conversations.listing(scope.user, before=_cursor(request), search=_search(request))
    shown = found[: conversations.CONVERSATION_PAGE]
    more = len(found) > len(shown)
    return answer(
        {
            "conversations": [_conversation(each) for each in shown],
            "next": f"{shown[-1].active_at.isoformat()}_{shown[-1].id}" if more else None,
        }
    )


def _search(request: HttpRequest) -> str:
    # Cut: beyond a bound, SQLite refuses a pattern.
    return text.clean(request.GET.get("q", "")).strip()[:SEARCH_CHARS]


def _cursor(request: HttpRequest) -> tuple[datetime.datetime, uuid.UUID] | None:
    raw = request.GET.get("before", "")
    if not raw:
        return None
    moment, _, last = raw.rpartition("_")
    try:
        active_at = parse_datetime(moment.replace(" ", "+"))
        # Years at either end of the calendar have no place in another zone.
        if active_at is None or active_at.tzinfo is None or not 1970 <= active_at.year < 9000:
            raise ValueError
        return active_at, uuid.UUID(last)
    except (ValueError, OverflowError):
        raise BadInput("before", "is no place in the list") from None


def _conversation(conversation: Conversation) -> dict[str, object]:
    return {
        "id": str(conversation.id),
        "title": conversation.title,
        "active_at": conversation.active_at.isoformat(),
        "running_turn": str(conversation.running_turn) if conversation.running_turn else None,
    }


def _create(request: HttpRequest, scope: Scope) -> HttpResponse:
    body(request)
    return answer(_conversation(conversations.create(scope.user)), 201)


def _read(request: HttpRequest, scope: Scope, conversation: str) -> HttpResponse:
    return answer(_conversation(conversations.owned(scope.user, identifier(conversation))))


def _change(request: HttpRequest, scope: Scope, conversation: str) -> HttpResponse:
    found = conversations.owned(scope.user, identifier(conversation))
    conversations.rename(found, body(request).get("title"))
    return answer(_conversation(found))


def _hide(request: HttpRequest, scope: Scope, conversation: str) -> HttpResponse:
    start.hide(scope, identifier(conversation))
    return answer({"undo_seconds": conversations.UNDO_SECONDS})


def _restore(request: HttpRequest, scope: Scope, conversation: str) -> HttpResponse:
    return answer(_conversation(conversations.restore(scope.user, identifier(conversation))))


def _messages(request: HttpRequest, scope: Scope, conversation: str) -> HttpResponse:
    found = conversations.owned(scope.user, identifier(conversation))
    after = number(request, "after")
    if after is not None:
        rows = conversations.messages_after(found.id, after)
        has_more, rows = len(rows) > conversations.MESSAGE_PAGE, rows[: conversations.MESSAGE_PAGE]
    else:
        rows = conversations.messages_before(found.id, number(request, "before"))
        has_more, rows = len(rows) > conversations.MESSAGE_PAGE, rows[-conversations.MESSAGE_PAGE :]
    return answer(
        {
            "messages": _messages_with_cards(scope, rows),
            "has_more": has_more,
            "running_turn": str(found.running_turn) if found.running_turn else None,
        }
    )


def _messages_with_cards(scope: Scope, rows: list[Message]) -> list[dict[str, object]]:
    # The end of a card stands on its proposal; only the proposal's row carries the card.
    proposals = [row.confirmation_id for row in rows if row.role == Role.TOOL and row.confirmation_id is not None]
    cards = reading.cards(scope, proposals)
    lapsed = [card for card in cards.values() if card["outcome"] is None and not card["can_decide"]]
    if lapsed:
        # Its time or its session may be over: then it reads as ended (HI5, CO10).
        ends.settle(rows[0].conversation_id)
        cards = reading.cards(scope, proposals)
    shown = [_message(row) for row in rows]
    for each in shown:
        if each["role"] == Role.TOOL:
            each["card"] = cards.get(str(each["confirmation"]))
    return shown


def _message(message: Message) -> dict[str, object]:
    return conversations.shown(message)


def _start(request: HttpRequest, scope: Scope, conversation: str) -> HttpResponse:
    sent = body(request)
    asked = start.Asked(sent.get("text"), sent.get("key"), sent.get("page"), sent.get("locale"), sent.get("replaces"))
    with runner.here().starting():
        started = start.start(scope, identifier(conversation), asked)
    return answer({"turn": str(started.turn_id), "message": _message(started.message)}, 202)


def _turn(request: HttpRequest, scope: Scope, turn: str) -> HttpResponse:
    return answer(_watched(events.watched(identifier(turn), scope.user_id)))


def _stop(request: HttpRequest, scope: Scope, turn: str) -> HttpResponse:
    return answer(_watched(start.stop(scope, identifier(turn))))


def _watched(seen: events.Watched) -> dict[str, object]:
    return {
        "id": str(seen.id),
        "conversation": str(seen.conversation_id),
        "is_running": seen.is_running,
        "end": seen.end,
        "last_event": seen.last_event,
    }


def _nothing(request: HttpRequest, scope: Scope, **_: str) -> HttpResponse:
    raise NotFound


state = door(get=_state)
listing = door(get=_listing, post=_create)
conversation = door(get=_read, patch=_change, delete=_hide)
restore = door(post=_restore)
messages = door(get=_messages)
turns = door(post=_start)
turn = door(get=_turn)
stop = door(post=_stop)
#: Anything else below ``api/``: the same 404 as for what belongs to another.
nothing = door(get=_nothing, post=_nothing, put=_nothing, patch=_nothing, delete=_nothing, head=_nothing, options=_nothing)
