"""The doors of confirmation cards: look, click yes, click no, say that one has checked.

A click's URL names the card, and nothing in its body is read (``CO4``, ``sec_C10``). Never here: an effect by any method but POST.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from deskhand import conversations
from deskhand.confirmations import clicking, ends, reading
from deskhand.scope import Scope
from deskhand.web.answers import answer, door, identifier


def _read(request: HttpRequest, scope: Scope, card: str) -> HttpResponse:
    shown = reading.card(scope, identifier(card))
    if shown["outcome"] is None and not shown["can_decide"]:
        # Its time, its session or the process that carried it out may be over: then it reads as ended (HI5, CO10).
        ends.settle_one(identifier(card))
        shown = reading.card(scope, identifier(card))
    return answer(shown)


def _current(request: HttpRequest, scope: Scope, conversation: str) -> HttpResponse:
    found = conversations.owned(scope.user, identifier(conversation))
    ends.settle(found.id)
    return answer({"cards": reading.current(scope, found.id)})


def _confirm(request: HttpRequest, scope: Scope, card: str) -> HttpResponse:
    clicking.confirm(scope, identifier(card))
    return answer({"card": reading.card(scope, identifier(card))})


def _reject(request: HttpRequest, scope: Scope, card: str) -> HttpResponse:
    clicking.reject(scope, identifier(card))
    return answer({"card": reading.card(scope, identifier(card))})


def _acknowledge(request: HttpRequest, scope: Scope, card: str) -> HttpResponse:
    clicking.acknowledge(scope, identifier(card))
    return answer({"card": reading.card(scope, identifier(card))})


card = door(get=_read)
current = door(get=_current)
confirm = door(post=_confirm)
reject = door(post=_reject)
acknowledge = door(post=_acknowledge)
