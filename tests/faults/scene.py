"""One turn that meets every point: the model reads an order, proposes a change, and answers; its words come in pieces.

A scene is played on a server that may fail; it counts how often the model was asked, over all that the provider was told to play.
"""

from __future__ import annotations

import random
import uuid

import urllib3

from deskhand.models import Confirmation, Turn
from tests.faults import checker
from tests.faults.desk import STEP, Desk
from tests.faults.witness import Witness
from tests.flows.steps import texts, until
from tests.provider import DONE, Provider, Reply, call, chunk, say, stream, usage
from tests.shop.models import Customer, Order

QUESTION = "Where is A-1? If it waits, raise the limit."
ANSWER = "It waits for your click, and nothing was changed yet."
#: How often a scene meets a point, where it is more than once.
TIMES = {
    "model.answering": 3, "model.writing": 8, "model.ended": 3, "journal.held": 3, "store.held": 2,
    "call.kept": 2, "tool.running": 2, "call.returned": 2, "call.answered": 2,
}  # fmt: skip


def time_of(point: str, seed: int) -> int:
    """Which time that this point is met is meant by this seed; the first by seed 0."""
    return 1 if seed == 0 else random.Random(f"{point} {seed}").randint(1, TIMES.get(point, 1))


class Scene:
    """A conversation of somebody who may do it all, at the first of these servers."""

    def __init__(self, urls: list[str], provider: Provider, model: str) -> None:
        self.provider, self.model = provider, model
        self.desk = Desk(urls)
        self.customer = Customer.objects.create(name="Hansen Bygg", credit_limit=0)
        self.order = Order.objects.create(number=f"A-{uuid.uuid4().hex[:8]}", customer=self.customer, note="left at the gate")
        self.witness = Witness(self.desk.person)
        self.conversation = self.desk.person.converse()
        #: Requests that the provider received before the script that it plays now.
        self._asked = 0
        provider.script(model, [])

    def plays(self, *, pause_seconds: float = 0.02, last: Reply | None = None) -> None:
        """The model plays the whole of it."""
        words = [part for word in ANSWER.split(" ") for part in (chunk({"content": f"{word} "}), pause_seconds)]
        words[-2] = chunk({"content": ANSWER.split(" ")[-1]})
        self.says(
            call(("read_order", {"number": self.order.number}), text="Let me look. "),
            call(("raise_limit", {"customer": self.customer.pk, "by": str(STEP)}), text="It is at the gate. "),
            last or stream(*words, chunk(finish="stop"), usage(100, 10), DONE),
        )

    def says(self, *replies: Reply) -> None:
        """The model plays this."""
        self._asked = self.asked
        self.provider.script(self.model, replies)

    @property
    def asked(self) -> int:
        """How often the model was asked in all."""
        return self._asked + len(self.provider.requests(self.model))

    def is_quiet(self) -> bool:
        """Whether the person's panel, opened anew, says that no turn of theirs runs."""
        try:
            answer = self.desk.person.ask("GET", "state")
        except urllib3.exceptions.HTTPError:
            return False
        return answer.status == 200 and answer.json["running"] == []

    def turn(self) -> Turn | None:
        """The newest turn of the conversation, if one is stored."""
        return Turn.objects.filter(conversation=self.conversation).order_by("message_seq").last()

    def goes_on(self) -> None:
        """The question can be asked again if it was not answered, its card be confirmed, and the next question is answered."""
        last, cards = self.turn(), Confirmation.objects.filter(conversation=self.conversation, outcome=None)
        is_answered = last is not None and last.end == "answered"
        if not is_answered or not cards.exists():
            self.plays(pause_seconds=0)
            more = {} if last is None or is_answered else {"replaces": last.message_seq}
            again = self.witness.says(self.conversation, QUESTION, **more)
            assert texts(self.witness.hears(again)).endswith(ANSWER)
        self.says(say("On we go."))
        assert texts(self.witness.hears(self.witness.says(self.conversation, "And now?"))) == "On we go."
        confirmed = self.desk.person.ask("POST", f"cards/{cards.get().id}/confirm", {})
        assert confirmed.json["card"]["outcome"] == "confirmed"  # type: ignore[index]

    def is_right(self) -> None:
        """Nothing that the checker knows of is wrong, and the change was made once."""
        until(self.is_quiet)
        assert checker.wrong(self.witness, asked=self.asked) == []
        self.customer.refresh_from_db()
        assert self.customer.credit_limit == STEP
