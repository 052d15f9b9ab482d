"""What flows say of a turn in a word: its text, its end, its notices, its calls."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from deskhand.models import Message, Turn
from tests.flows.conftest import Model
from tests.person import Person

Heard = Sequence[tuple[int, str, dict[str, object]]]


def kinds(told: Heard) -> list[str]:
    """Kinds of the events."""
    return [kind for _, kind, _ in told]


def texts(told: Heard) -> str:
    """All that was streamed."""
    return "".join(str(payload["text"]) for _, kind, payload in told if kind == "text")


def ends(told: Heard) -> str:
    """How the turn ended, as its last event says."""
    assert kinds(told)[-1] == "done"
    assert kinds(told).count("done") == 1
    return str(told[-1][2]["end"])


def notices(person: Person, conversation: str) -> list[object]:
    """Names of the notices on the conversation's newest page."""
    return [row["notice"] for row in person.messages(conversation) if row["role"] == "notice"]


def tool_rows() -> list[Message]:
    """All rows of calls, in order."""
    return list(Message.objects.filter(role="tool").order_by("conversation_id", "seq"))


def outcomes() -> list[str]:
    """How they ended."""
    return [row.tool_outcome for row in tool_rows()]


def results_of(model: Model, request: int) -> list[str]:
    """Results of calls that this request told the model."""
    messages = model.requests[request]["messages"]
    return [str(message["content"]) for message in messages if message["role"] == "tool"]  # type: ignore[attr-defined]


def until(holds: Callable[[], object], seconds: float = 10) -> None:
    """Wait until this holds.

    Raises:
        AssertionError: it did not in that time.
    """
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it did not come true in time"
        time.sleep(0.02)


def has_ended(turn: str) -> bool:
    """Whether the turn's row says so."""
    return Turn.objects.filter(id=turn, ended_at__isnull=False).exists()


def hear_first_text(person: Person, turn: str) -> None:
    """Follow until the first piece of the answer."""
    for _, kind, _ in person.follow(turn):
        if kind == "text":
            return
