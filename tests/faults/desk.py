"""A person with cards that wait, over real HTTP, and what became of them in the host's own tables."""

from __future__ import annotations

import json
import pathlib
import uuid
from collections.abc import Sequence

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User

from deskhand.core.values import ToolCall
from deskhand.models import Confirmation, Message
from deskhand.testing import run_turn, script
from tests import make
from tests.person import Person
from tests.shop.models import Customer

MAY = ["deskhand.use_assistant", "shop.view_order", "shop.change_order", "shop.change_customer", "shop.view_customer"]
#: By how much each card raises a limit.
STEP = 5


class Desk:
    """Somebody signed in, at one or several servers."""

    def __init__(self, urls: Sequence[str]) -> None:
        self.user: User = make.user(MAY)
        self.session_ref = make.session(self.user)
        self.people = [Person(url, self.user, self.session_ref) for url in urls]
        for person in self.people:
            person.arrive()
        self.conversation: uuid.UUID | None = None

    @property
    def person(self) -> Person:
        return self.people[0]

    def cards(self, count: int) -> list[str]:
        """So many cards that wait, each to raise the limit of a customer of its own by ``STEP``."""
        customers = [Customer.objects.create(name=f"Customer {number}", credit_limit=0) for number in range(count)]
        return self._proposed(
            [ToolCall(f"c{row.pk}", "raise_limit", f'{{"customer": {row.pk}, "by": "{STEP}"}}') for row in customers]
        )

    def reminder(self, number: str) -> str:
        """A card with an outside effect: a line in the outbox."""
        return self._proposed([ToolCall("c1", "send_reminder", json.dumps({"number": number}))])[0]

    def _proposed(self, calls: list[ToolCall]) -> list[str]:
        made = []
        for at in range(0, len(calls), 16):
            # A conversation each: every start looks after all cards that wait in its own.
            ran = run_turn(self.user, "Do it", script(calls[at : at + 16], "They wait."), session_ref=self.session_ref)
            self.conversation = ran.conversation_id
            made += [str(row.confirmation_id) for row in ran.messages if row.confirmation_id]
        assert len(made) == len(calls)
        return made


def raised(card: str) -> int:
    """How often that card's effect is in the host's table."""
    arguments = json.loads(Confirmation.objects.values_list("arguments", flat=True).get(id=card))
    return int(Customer.objects.values_list("credit_limit", flat=True).get(pk=arguments["customer"])) // STEP


def logged(card: str) -> int:
    """How often the host's log has it."""
    arguments = json.loads(Confirmation.objects.values_list("arguments", flat=True).get(id=card))
    return LogEntry.objects.filter(object_id=str(arguments["customer"])).count()


def sent(outbox: pathlib.Path, card: str) -> int:
    """How often the outbox has that card's line."""
    return outbox.read_text().count(card) if outbox.exists() else 0


def ends(card: str) -> list[str]:
    """How the journal says that it ended: one word, or none while it waits."""
    return list(Message.objects.filter(confirmation=card, role="notice").values_list("tool_outcome", flat=True))


def outcome(card: str) -> str | None:
    """What the card's row says."""
    return Confirmation.objects.values_list("outcome", flat=True).get(id=card)
