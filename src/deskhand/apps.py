"""The Django app."""

from __future__ import annotations

import contextlib

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from deskhand.errors import ConfigurationError


class DeskhandConfig(AppConfig):
    """Registers the system checks and, where turns run on workers, their task.

    Starts no thread and opens no connection: that waits for the first request of the panel, or the first turn.
    """

    name = "deskhand"
    verbose_name = _("Assistant")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from deskhand import checks, config  # noqa: F401 - the first registers them

        # What is wrong with the settings, or is not installed, a check says (E005, E007).
        with contextlib.suppress(ConfigurationError, ImportError):
            if config.get().engine == "procrastinate":
                from deskhand.turns import engine

                engine.register()
