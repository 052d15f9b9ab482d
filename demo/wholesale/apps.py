"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class WholesaleConfig(AppConfig):
    """The wholesaler's tables and their admin pages."""

    name = "demo.wholesale"
    verbose_name = "Wholesale"
