"""A text that must never turn up in a log: tests let people, tools and models say it, and ``tests.log_watch`` looks for it."""

from __future__ import annotations

#: Put it into messages, results, answers, page texts: whatever a log must not hold.
CANARY = "kanarienvogel-7f3e91"
