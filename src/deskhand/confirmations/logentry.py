"""The host's own log of changes: Django's admin history says that a change came through the assistant.

Never here: a value of the change beyond the card's title. Limits: nothing where ``django.contrib.admin`` is not installed, or a proposal
names no object.
"""

from __future__ import annotations

from django.apps import apps
from django.db import router
from django.utils.translation import gettext as _

from deskhand.confirmations.drawing import Drawn
from deskhand.scope import Scope

_TITLE_CHARS = 200
_REPR_CHARS = 200


def write(scope: Scope, drawn: Drawn, alias: str) -> None:
    """The object's history has this change, by the account that acts.

    The object is named as the card names it: after a delete its own ``__str__`` may have nothing left to read.
    """
    target = drawn.target
    if target is None or target.pk is None or not apps.is_installed("django.contrib.admin"):
        return
    from django.contrib.admin.models import CHANGE, LogEntry
    from django.contrib.contenttypes.models import ContentType

    if router.db_for_write(LogEntry) != alias:
        return
    LogEntry.objects.using(alias).create(
        user_id=scope.user_id,
        content_type_id=ContentType.objects.get_for_model(target, for_concrete_model=False).pk,
        object_id=str(target.pk),
        object_repr=drawn.target_name[:_REPR_CHARS],
        action_flag=CHANGE,
        change_message=_("Through the assistant: %(title)s") % {"title": str(drawn.card["title"])[:_TITLE_CHARS]},
    )
