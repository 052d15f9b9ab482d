"""The host's tenants: a thread-local, set by its middleware in a request and by ``AROUND_TURN`` elsewhere; nothing works without it."""

from __future__ import annotations

import contextlib
import threading
import zoneinfo
from collections.abc import Iterator, Mapping

from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from deskhand import scope as scopes
from deskhand.scope import Scope

_here = threading.local()


class Outside(Exception):
    """Asked for the tenant where none is set."""


def current() -> str:
    """The tenant that this thread works for; raises ``Outside``."""
    name = getattr(_here, "name", None)
    if not name:
        raise Outside
    return str(name)


def of(user: object) -> str | None:
    """The tenant of an account."""
    return str(user.email).partition("@")[2] if getattr(user, "is_authenticated", False) else None  # type: ignore[attr-defined]


@contextlib.contextmanager
def work_for(name: str | None) -> Iterator[None]:
    """This thread works for that tenant inside, in its time zone."""
    before = getattr(_here, "name", None)
    _here.name = name
    try:
        with timezone.override(zoneinfo.ZoneInfo("Pacific/Auckland")):
            yield
    finally:
        _here.name = before


def around(facts: Mapping[str, object]) -> contextlib.AbstractContextManager[None]:
    """``AROUND_TURN``."""
    return work_for(of(get_user_model().objects.get(pk=facts["user_id"])))


def scope(session_ref: str, user: object) -> Scope | None:
    """``SCOPE``: the usual one, which here needs the tenant as all else does."""
    current()
    return scopes.session_scope(session_ref, user)  # type: ignore[arg-type]


class Tenant(MiddlewareMixin):
    """A request works for the tenant of who is signed in."""

    def process_request(self, request: HttpRequest) -> None:
        _here.name = of(request.user)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        _here.name = None
        return response
