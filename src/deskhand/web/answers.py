"""How every door of the API begins and ends: who asks, what they sent, and how a refusal reads.

Never here: an answer that a shared cache may keep; text of an exception. Limits: a body is read up to ``BODY_BYTES``.
"""

from __future__ import annotations

import functools
import json
import uuid
from collections.abc import Callable, Mapping
from typing import Concatenate, ParamSpec

import orjson
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError, transaction
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_protect

from deskhand import scope as scopes
from deskhand import transactions
from deskhand.errors import BadInput, Busy, CardHeld, LimitReached, NotAllowed, NotFound, Refused, TooLarge
from deskhand.scope import Scope

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Scope, P], HttpResponseBase]

#: Largest body of a JSON request, in bytes: a message of 20,000 characters, each escaped, several times over.
BODY_BYTES = 1_000_000


def answer(content: Mapping[str, object], status: int = 200) -> HttpResponse:
    """A JSON answer that no shared cache keeps."""
    response = HttpResponse(orjson.dumps(content), content_type="application/json", status=status)
    response["Cache-Control"] = "private, no-store"
    response["X-Content-Type-Options"] = "nosniff"
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
        case NotAllowed():
            return _("You may not use the assistant. Ask the person who looks after this site.")
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
        case LimitReached():
            return _("A limit is reached. Please try again later.")
    return _("This was refused.")


def door(**views: View[...]) -> Callable[..., HttpResponseBase]:
    """One URL: a view for each HTTP method (``get=``, ``post=`` …), called with the scope of who asks.

    CSRF is checked here, whatever middleware the host has. The view is outside ``ATOMIC_REQUESTS``: a start must be committed before
    it is handed over.
    """
    by_method = {name.upper(): view for name, view in views.items()}

    @csrf_protect
    def opened(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
        view = by_method.get(request.method or "")
        try:
            if view is None:
                return _wrong_method(by_method)
            return view(request, scopes.from_request(request), **kwargs)
        except Refused as refused:
            return refusal(refused)
        except (OperationalError, InterfaceError):
            response = answer(
                {"error": {"code": "database_busy", "message": _("The database did not answer in time. Please try again.")}}, 503
            )
            response["Retry-After"] = "2"
            return response

    return transaction.non_atomic_requests(functools.wraps(next(iter(views.values())))(opened))


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
        sent = json.loads(raw) if raw else {}
    except RequestDataTooBig:
        raise TooLarge("body", f"is larger than {BODY_BYTES} bytes") from None
    except (ValueError, RecursionError, UnreadablePostError):
        raise BadInput("body", "is no JSON") from None
    if not isinstance(sent, dict):
        raise BadInput("body", "is no JSON object")
    return sent


def identifier(raw: str) -> uuid.UUID:
    """An id out of a URL.

    Raises:
        NotFound: it is none, which is answered as one that does not exist.
    """
    try:
        return uuid.UUID(raw)
    except ValueError:
        raise NotFound from None


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


def closing_connections(response: HttpResponseBase) -> HttpResponseBase:
    """The response, with this thread's database connections given back before it streams."""
    transactions.release()
    return response
