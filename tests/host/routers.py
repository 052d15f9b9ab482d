"""The host's replica: it is read from wherever it may, it never hears of what is written after a test has filled it, and it has no
tables but the shop's."""

from __future__ import annotations

from django.db import models

#: What a careless host sends to the replica; the second of them isn't even there.
READ_FROM_REPLICA = ("shop", "deskhand")


class Replica:
    """Reads of some apps go to the replica, all writes to the default database."""

    def db_for_read(self, model: type[models.Model], **hints: object) -> str:
        return "replica" if model._meta.app_label in READ_FROM_REPLICA else "default"

    def db_for_write(self, model: type[models.Model], **hints: object) -> str:
        return "default"

    def allow_relation(self, one: models.Model, other: models.Model, **hints: object) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        return db == "default" or app_label == "shop"
