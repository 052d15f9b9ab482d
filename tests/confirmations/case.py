"""Somebody in a session, a customer, and a proposal to change that customer: what tests of cards start from."""

from __future__ import annotations

import json

from django.contrib.auth.models import User

from deskhand.confirmations import clicking, reading
from deskhand.core.values import Outcome, Role, ToolCall
from deskhand.models import Confirmation, Message
from deskhand.scope import Scope
from deskhand.testing import Ran, run_turn, scope_of, script
from tests import make
from tests.shop.models import Customer

MAY = ["deskhand.use_assistant", "shop.view_order", "shop.change_order", "shop.change_customer", "shop.view_customer"]
#: And the tools of ``tests.shop.odd``.
ODD = [*MAY, "shop.delete_order"]


class Case:
    """A user in a session, a customer, and a proposal to set that customer's credit limit to 500."""

    def __init__(self, user: User, **kept: object) -> None:
        self.user = user
        self.session_ref = make.session(user, **kept)
        self.customer = Customer.objects.create(name="Hansen Bygg", credit_limit=100)
        self.ran: Ran | None = None

    def propose(self, call: ToolCall | None = None, *more: object) -> Confirmation:
        call = call or ToolCall("c1", "set_credit_limit", f'{{"customer": {self.customer.pk}, "limit": "500"}}')
        conversation = self.ran.conversation_id if self.ran else None
        self.ran = run_turn(
            self.user, "Do it", script(call, "It waits.", *more), session_ref=self.session_ref, conversation_id=conversation
        )
        return Confirmation.objects.order_by("-created_at").first()  # type: ignore[return-value]

    @property
    def scope(self) -> Scope:
        return scope_of(self.user, self.session_ref)

    def click(self, card: Confirmation) -> Outcome:
        return clicking.confirm(self.scope, card.id)

    @property
    def limit(self) -> int:
        self.customer.refresh_from_db()
        return int(self.customer.credit_limit)

    def endings(self, card: Confirmation) -> list[str]:
        rows = Message.objects.filter(confirmation=card, role=Role.NOTICE)
        return list(rows.values_list("tool_outcome", flat=True))

    def call(self, tool: str, **arguments: object) -> Confirmation:
        """A proposal of this tool."""
        return self.propose(ToolCall("c1", tool, json.dumps(arguments)))

    def shown(self, card: Confirmation) -> dict[str, object]:
        """The card as a browser gets it."""
        return reading.card(self.scope, card.id)

    def say(self, text: str, *steps: object) -> Ran:
        """The next turn of the same conversation."""
        conversation = self.ran.conversation_id if self.ran else None
        self.ran = run_turn(self.user, text, script(*steps), session_ref=self.session_ref, conversation_id=conversation)
        return self.ran
