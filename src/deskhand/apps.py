"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DeskhandConfig(AppConfig):
    """Registers the system checks. Starts no thread and opens no connection: that waits for the first turn."""

    name = "deskhand"
    verbose_name = _("Assistant")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from deskhand import checks  # noqa: F401 - registers them
