"""How every door of the API begins and ends: who asks, what they sent, and how a refusal reads.

Never here: an answer that a shared cache may keep; text of an exception. Limits: a body is read up to ``BODY_BYTES``.
"""

from __future__ import annotations

import functools
import json
import urllib.parse
import uuid
from collections.abc import Callable, Mapping
from typing import Concatenate, ParamSpec

import orjson
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, InternalError, OperationalError, connections, transaction
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.request import RawPostDataException
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.decorators import decorator_from_middleware
from django.utils.translation import gettext as _

from deskhand import scope as scopes
from deskhand import transactions
from deskhand.errors import (
    BadInput,
    Busy,
    CardHeld,
    CrashedTooOften,
    LimitReached,
    NoStreams,
    NotAllowed,
    NotFound,
    OtherAccount,
    Refused,
    SignedOut,
    StaleToken,
    SwitchedOff,
    TooLarge,
)
from deskhand.scope import Scope
from deskhand.turns import runner

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Scope, P], HttpResponseBase]

#: Largest body of a JSON request, in bytes: a message of 20,000 characters, each escaped, several times over.
BODY_BYTES = 1_000_000
#: By this header a page says whose it is: the account's key as ``state`` gave it, percent-encoded.
ACCOUNT_HEADER = "X-Deskhand-Account"


def answer(content: Mapping[str, object], status: int = 200) -> HttpResponse:
    """A JSON answer that no shared cache keeps."""
    response = HttpResponse(orjson.dumps(content), content_type="application/json", status=status)
    response["Cache-Control"] = "private, no-store"
    response["X-Content-Type-Options"] = "nosniff"
    response["X-Frame-Options"] = "DENY"
    return response


def refusal(refused: Refused) -> HttpResponse:
    """The refusal as an answer: a code for programs, a sentence for people."""
    error: dict[str, object] = {"code": refused.code, "message": _sentence(refused)}
    if isinstance(refused, BadInput):
        error["field"] = refused.field
    response = answer({"error": error}, refused.status)
    if isinstance(refused, LimitReached) and refused.lifts_in_seconds is not None:
        response["Retry-After"] = str(refused.lifts_in_seconds)
    return response


def _sentence(refused: Refused) -> str:
    match refused:
        case TooLarge():
            return _("This is too long. Please send less at once.")
        case BadInput(field=field, reason=reason):
            return _("This can't be read: %(field)s %(reason)s.") % {"field": field, "reason": reason}
        case SignedOut():
            return _("You are not signed in any more. Sign in again, then go on here.")
        case NotAllowed():
            return _("You may not use the assistant. Ask the person who looks after this site.")
        case OtherAccount():
            return _("Somebody else is signed in here by now. Please load this page again.")
        case StaleToken():
            return _("This page was open for too long. Please load it again.")
        case NotFound():
            return _("There is nothing here.")
        case Busy(what="user"):
            return _("Another answer of yours is still being written. Wait for it, or stop it, then send this again.")
        case Busy():
            return _("An answer is still being written here. Wait for it, or stop it, then send this again.")
        case CardHeld(why="other_session"):
            return _("This was proposed in another session of yours and can only be decided there.")
        case CardHeld():
            return _("This is being carried out at this moment. Look again in a few seconds.")
        case NoStreams():
            return _("This server can't keep a stream open. The answer comes by asking for it now and then.")
        case CrashedTooOften():
            return _(
                "The server was interrupted each time it worked on this message. Please word it differently, or tell your administrator."
            )
        case SwitchedOff():
            return _("The assistant is switched off at the moment. Please try again later.")
        case LimitReached():
            return _("A limit is reached. Please try again later.")
    return _("This was refused.")


class _Csrf(CsrfViewMiddleware):
    """Django's own check, refused in our words."""

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        return refusal(StaleToken())


_checks_csrf = decorator_from_middleware(_Csrf)
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def door(**views: View[...]) -> Callable[..., HttpResponseBase]:
    """One URL: a view for each HTTP method (``get=``, ``post=`` …), called with the scope of who asks.

    CSRF is checked here, whatever middleware the host has, and refused in JSON as everything else is; the host's own middleware is told
    to leave it to us. The view is outside ``ATOMIC_REQUESTS``, on every database: a start must be committed before it is handed over.
    """
    by_method = {name.upper(): view for name, view in views.items()}

    @_checks_csrf
    def checked(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
        scope = scopes.from_request(request)
        # A page that was left open while another account signed in neither shows what is theirs nor sends in their name (``SC3``).
        if urllib.parse.unquote(request.headers.get(ACCOUNT_HEADER, "")) not in ("", scope.user_key):
            raise OtherAccount
        runner.keep()
        view = by_method.get(request.method or "")
        return _wrong_method(by_method) if view is None else view(request, scope, **kwargs)

    def opened(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
        try:
            if request.content_type in _FORMS:
                # Refused unread: the check would look for the token in the form, however large, and leave no body for us.
                raise BadInput("body", "is no JSON") if "X-CSRFToken" in request.headers else StaleToken
            return checked(request, **kwargs)
        except Refused as refused:
            return refusal(refused)
        except (OperationalError, InterfaceError):
            return _database_busy()
        except InternalError as fault:
            # What a process hears that was stopped by the system in the middle of a write.
            if transactions.slept(fault):
                return _database_busy()
            raise

    opened.csrf_exempt = True  # type: ignore[attr-defined]
    opened.methods = frozenset(by_method)  # type: ignore[attr-defined]
    for alias in connections:
        transaction.non_atomic_requests(alias)(opened)
    return functools.wraps(next(iter(views.values())))(opened)


def _database_busy() -> HttpResponse:
    message = _("The database did not answer in time. Please try again.")
    response = answer({"error": {"code": "database_busy", "message": message}}, 503)
    response["Retry-After"] = "2"
    return response


def _wrong_method(known: Mapping[str, object]) -> HttpResponse:
    response = answer({"error": {"code": "wrong_method", "message": _("This can't be done here.")}}, 405)
    response["Allow"] = ", ".join(sorted(known))
    return response


def body(request: HttpRequest) -> dict[str, object]:
    """The JSON object that was sent; an empty body is an empty object.

    Raises:
        BadInput: it is no JSON object.
        TooLarge: it is larger than ``BODY_BYTES``.
    """
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > BODY_BYTES:
            raise TooLarge("body", f"is larger than {BODY_BYTES} bytes")
        raw = request.body
        if len(raw) > BODY_BYTES:
            raise TooLarge("body", f"is larger than {BODY_BYTES} bytes")
        # Not orjson: a lone surrogate in a person's text is cut later (ME7), it does not make the request unreadable.
        sent = json.loads(raw, object_pairs_hook=_object, parse_constant=_no_number) if raw else {}
    except RequestDataTooBig:
        raise TooLarge("body", f"is larger than {BODY_BYTES} bytes") from None
    except (ValueError, RecursionError, UnreadablePostError, RawPostDataException):
        raise BadInput("body", "is no JSON") from None
    if not isinstance(sent, dict):
        raise BadInput("body", "is no JSON object")
    return sent


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        # Which of two values counts is nothing to guess at.
        raise ValueError
    return made


def _no_number(name: str) -> object:
    raise ValueError


def identifier(raw: str) -> uuid.UUID:
    """An id out of a URL.

    Raises:
        NotFound: it is none, which is answered as one that does not exist.
    """
    try:
        found = uuid.UUID(raw)
    except ValueError:
        raise NotFound from None
    if str(found) != raw.lower():
        # Braces, a prefix, missing hyphens: one thing has one URL.
        raise NotFound
    return found


def number(request: HttpRequest, name: str) -> int | None:
    """A whole number out of the query; ``None`` if it is not there.

    Raises:
        BadInput: it is none, or out of range.
    """
    raw = request.GET.get(name)
    if raw is None or raw == "":
        return None
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 18):
        raise BadInput(name, "must be a whole number")
    return int(raw)


def can_stream(request: HttpRequest) -> bool:
    """Whether this server has other threads than the one that a stream keeps."""
    return bool(request.META.get("wsgi.multithread", True))
