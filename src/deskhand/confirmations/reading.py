"""What a browser is shown of cards (``CO3``, ``CO10``, ``ME8``).

The card as it was drawn at the proposal, whether this session may decide it, and its end in words. Who has lost the right to see it is
shown title and end alone. Never here: the session's key, the signature, the arguments beside what the card shows; a write. Limits: "the
data changed" is found at the click, not at a look.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable

from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from deskhand import tools, transactions
from deskhand.core import cards as core_cards
from deskhand.core.values import Outcome, Role
from deskhand.errors import NotFound
from deskhand.models import Confirmation, Message
from deskhand.scope import Scope

#: Ended cards stay in the poll's answer this long, so that every tab sees the end.
RECENT_SECONDS = 60


def card(scope: Scope, confirmation_id: uuid.UUID) -> dict[str, object]:
    """One card of this user's.

    Raises:
        NotFound: it is another's, or there is none.
    """
    found = _cards(scope, _rows().filter(id=confirmation_id, conversation__hidden_at__isnull=True))
    if not found:
        raise NotFound
    return found[0]


def cards(scope: Scope, ids: Iterable[uuid.UUID]) -> dict[str, dict[str, object]]:
    """These cards of this user's, by id."""
    wanted = list(ids)
    return {str(each["id"]): each for each in _cards(scope, _rows().filter(id__in=wanted))} if wanted else {}


def current(scope: Scope, conversation_id: uuid.UUID) -> list[dict[str, object]]:
    """Cards of the conversation that wait, or have ended a moment ago, oldest first."""
    recent = timezone.now() - datetime.timedelta(seconds=RECENT_SECONDS)
    wanted = models.Q(outcome__isnull=True) | models.Q(ended_at__gt=recent)
    return _cards(scope, _rows().filter(wanted, conversation_id=conversation_id))


def _rows() -> models.QuerySet[Confirmation]:
    alias = transactions.own_alias()
    proposal = Message.objects.using(alias).filter(confirmation_id=models.OuterRef("pk"), role=Role.TOOL.value)
    return (
        Confirmation.objects.using(alias)
        .annotate(now=Now(), seq=models.Subquery(proposal.values("seq")[:1]))
        .order_by("created_at", "id")
    )


def _cards(scope: Scope, rows: models.QuerySet[Confirmation]) -> list[dict[str, object]]:
    return [_card(scope, row) for row in rows.filter(user_id=scope.user_id)]


def _card(scope: Scope, row: Confirmation) -> dict[str, object]:
    tool = tools.registry().by_name(row.tool_name)
    may_see = tool is not None and scope.may(tool.permission)
    left = max(0, int((row.expires_at - row.now).total_seconds()))  # type: ignore[attr-defined]
    why_not = _why_not(scope, row, left)
    shown: dict[str, object] = dict(row.card) if may_see else {**_EMPTY, "title": row.card.get("title", "")}
    return {
        **shown,
        "id": str(row.id),
        "conversation": str(row.conversation_id),
        "seq": row.seq,  # type: ignore[attr-defined]
        "tool": tool.title if tool is not None else row.tool_name,
        "expires_at": row.expires_at.isoformat(),
        "seconds_left": left,
        "outcome": row.outcome,
        # Our own sentences tell nothing of the data: whoever has lost the right is told that.
        "reason": _reason(row) if may_see or not row.reason else "",
        "results": row.results if may_see else [],
        "can_decide": row.outcome is None and not why_not,
        "why_not": why_not if row.outcome is None else "",
        "must_acknowledge": row.is_unknown,
    }


_EMPTY: dict[str, object] = {
    "verb": "",
    "object": None,
    "changes": [],
    "touches": [],
    "items": [],
    "arguments": [],
    "compares": True,
    "is_outside": False,
}


def _why_not(scope: Scope, row: Confirmation, left: int) -> str:
    if row.claimed_at is not None:
        return "in_progress"
    if row.session_ref != scope.session_ref or row.acting_role != scope.role:
        return "other_session"
    return "" if left > 0 else "expired"


def _reason(row: Confirmation) -> str:
    """The end in words for the person."""
    if row.outcome != Outcome.FAILED:
        return core_cards.visible(row.reason)
    if row.reason:
        return core_cards.visible(row.reason)
    if row.is_unknown or row.error == "unknown":
        return _("It is not known whether this happened. Please check before you ask for it again.")
    if row.error == "rights":
        return _("Your session, role or right for this is gone. Nothing was changed.")
    if row.error == "off":
        return _("An administrator has switched this off. Nothing was changed.")
    if row.error == "signature":
        return _("This proposal was altered after it was made and was refused. Nothing was changed.")
    return _("It could not be done. Nothing was changed.")
