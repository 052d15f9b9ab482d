"""Settings of a server of ``tests.serving``: the test project's, over the database and with the waits that the test named."""

from __future__ import annotations

import json
import os

from tests.settings import *  # noqa: F403

_served = json.loads(os.environ["DESKHAND_TEST_SERVED"])
DATABASES = {"default": _served["DATABASE"]}
DESKHAND = _served["DESKHAND"]
globals().update(_served["SETTINGS"])
