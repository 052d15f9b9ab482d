"""The password of the demo's logins: printed by ``seed_demo``, known to everybody."""

from __future__ import annotations

PASSWORD = "deskhand-demo"
