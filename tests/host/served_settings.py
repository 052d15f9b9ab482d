"""Settings of a server of the host project: over the test's databases, whose replica refuses each write here."""

from __future__ import annotations

import json
import os

from tests.host.settings import *  # noqa: F403

_served = json.loads(os.environ["DESKHAND_TEST_SERVED"])
DATABASES = _served["DATABASES"]
if DATABASES["replica"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["replica"]["OPTIONS"] = {"options": "-c default_transaction_read_only=on"}
else:
    DATABASES["replica"]["NAME"] = f"file:{DATABASES['replica']['NAME']}?mode=ro"
DESKHAND = _served["DESKHAND"]
globals().update(_served["SETTINGS"])
