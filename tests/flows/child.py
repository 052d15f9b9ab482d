"""Another process of the site: it runs one turn and can be stopped or killed in the middle. Run by ``test_processes``.

``python -m tests.flows.child <database> <session> <user> <conversation> <lease seconds>``; it prints the turn's id, then ``told`` once
the answer has begun and is stored, and then waits for a line before it goes on.
"""

from __future__ import annotations

import os
import sys
import uuid

import django
from django.db import connections
from django.test.utils import override_settings


def main(database: str, session_ref: str, user_id: str, conversation_id: str, lease_seconds: str) -> None:
    """Run the turn to its end."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    connections["default"].settings_dict["NAME"] = database
    from deskhand import scope as scopes
    from deskhand.models import Event
    from deskhand.testing import ToolCall, script
    from deskhand.turns import runner, start

    settings = {"FLUSH_SECONDS": 0.05, "LEASE_SECONDS": float(lease_seconds), "GRACE_SECONDS": 0.2}
    with override_settings(DESKHAND=settings):
        scope = scopes.again(session_ref, int(user_id))
        assert scope is not None
        started = start.prepare(scope, uuid.UUID(conversation_id), start.Asked("Where is A-1?", uuid.uuid4().hex))
        print(started.turn_id, flush=True)

        def answers(request: object) -> object:
            def parts() -> object:
                from deskhand.core.values import TextDelta

                yield TextDelta("At the ")
                while not Event.objects.filter(turn_id=started.turn_id, told__icontains="At the").exists():
                    pass
                print("told", flush=True)
                sys.stdin.readline()
                yield TextDelta("gate.")

            return parts()

        runner.here().start(started.held, script(ToolCall("c", "read_order", '{"number": "A-1"}'), answers))  # type: ignore[arg-type]
        runner.here().settle(20)
        print("over", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
