"""A person who writes down what they were told: which messages were taken, and every event of every turn, over as many connections as it took."""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections import defaultdict

import urllib3

from deskhand.turns.events import Feed
from tests.person import Person

Told = tuple[int, str, dict[str, object]]


class Heard:
    """What was told, by whatever way."""

    def __init__(self) -> None:
        #: Turn → text, of each message that was answered as taken.
        self.taken: dict[str, str] = {}
        #: Turn → what was heard of it, in the order in which it came.
        self.told: dict[str, list[Told]] = defaultdict(list)

    def reads(self, feed: Feed) -> list[Told]:
        """All that the turn's feed in this process tells, for tests without a server."""
        told = [(each.number, each.kind, dict(each.payload)) for each in feed.after(0)]
        self.told[str(feed.turn_id)] = told
        return told


class Witness(Heard):
    """What one person was told by a server that may fail at any moment."""

    def __init__(self, person: Person) -> None:
        super().__init__()
        self.person = person
        #: Status of each answer to a start; 0: none came.
        self.statuses: list[int] = []

    def says(self, conversation: str, text: str, key: str = "", **more: object) -> str:
        """The turn of this message; empty if there was no answer, or a refusal."""
        try:
            answer = self.person.say(conversation, text, key=key or uuid.uuid4().hex, **more)
        except urllib3.exceptions.HTTPError:
            self.statuses.append(0)
            return ""
        self.statuses.append(answer.status)
        if answer.status != 202:
            return ""
        turn = str(answer.json["turn"])
        self.taken[turn] = text
        return turn

    def hears(self, turn: str, seconds: float = 30) -> list[Told]:
        """All of this turn, to its end, however often the connection is lost."""
        heard, ends = self.told[turn], time.monotonic() + seconds
        while not heard or heard[-1][1] != "done":
            assert time.monotonic() < ends, "the turn did not end in time"
            # Lost, or refused with a 503 while the database is away.
            with contextlib.suppress(urllib3.exceptions.HTTPError, AssertionError):
                for event in self.person.follow(
                    turn, after=heard[-1][0] if heard else 0, seconds=max(0.1, ends - time.monotonic())
                ):
                    heard.append(event)
            time.sleep(0.01)
        return heard

    def says_and_hears(self, conversation: str, text: str, key: str = "", **more: object) -> threading.Thread:
        """Does both in a thread of its own, which ends with the turn, or at once if the message was not taken."""

        def both() -> None:
            turn = self.says(conversation, text, key, **more)
            if turn:
                self.hears(turn)

        thread = threading.Thread(target=both)
        thread.start()
        return thread
