"""Anthropic and Google, seen from both ends of a turn."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from deskhand import config
from deskhand.endpoint import opening
from deskhand.models import AIRequest, Message
from tests.flows.conftest import Model
from tests.flows.steps import ends, notices, outcomes, texts
from tests.person import Person
from tests.provider import Reply
from tests.wires import anthropic, anthropic_block, anthropic_start, anthropic_text, google, google_parts

pytestmark = pytest.mark.django_db(transaction=True)

Speaks = Callable[[str], Model]


@pytest.fixture
def speaks(model: Model, settings: object) -> Speaks:
    """The site's endpoint speaks this provider's wire format."""

    def as_(provider: str) -> Model:
        given = settings.DESKHAND  # type: ignore[attr-defined]
        endpoint = {**given["ENDPOINTS"]["test"], "PROVIDER": provider, "BASE_URL": model.provider.root}
        settings.DESKHAND = {**given, "ENDPOINTS": {"test": endpoint}}  # type: ignore[attr-defined]
        # The library is loaded at the first use, which takes seconds on a busy machine: not in the turn's time.
        opening.open(config.get().endpoint_settings())
        return model

    return as_


def test_a_call_without_arguments_runs_once_with_none(clerk: Person, speaks: Speaks) -> None:
    """B1 (3), EN2."""
    model = speaks("anthropic")
    block = anthropic_block(0, {"type": "tool_use", "id": "toolu_1", "name": "find_orders", "input": {}})
    model.plays(anthropic(block, reason="tool_use"), anthropic(anthropic_text("One order.")))
    assert texts(clerk.hear(clerk.converse(), "Which?")) == "One order."
    assert outcomes() == ["ok"]
    assert Message.objects.get(seq=2).tool_calls[0]["arguments"] == "{}"
    assert len(model.requests) == 2


def test_a_call_with_arguments_is_answered_from_the_hosts_rows(clerk: Person, speaks: Speaks) -> None:
    """TU3, EN2: Google."""
    model = speaks("google")
    asked = google_parts({"functionCall": {"name": "read_order", "args": {"number": "A-1"}}})
    model.plays(google(asked), google(google_parts({"text": "At the gate."})))
    assert texts(clerk.hear(clerk.converse(), "Where?")) == "At the gate."
    assert "left at the gate" in json.dumps(model.requests[1])


@pytest.mark.parametrize(
    "answer",
    [
        {"candidates": [{"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL"}]},
        {"candidates": [{"finishReason": "SAFETY"}]},
        {"promptFeedback": {"blockReason": "SAFETY"}},
    ],
)
def test_an_answer_without_content_is_told_in_words_and_counted(clerk: Person, speaks: Speaks, answer: dict[str, object]) -> None:
    """B22."""
    model = speaks("google")
    model.plays(google({**answer, "usageMetadata": {"promptTokenCount": 10, "totalTokenCount": 10}}))
    conversation = clerk.converse()
    ends(clerk.hear(conversation, "?"))
    assert len(notices(clerk, conversation)) == 1
    assert [row["role"] for row in clerk.messages(conversation)] == ["user", "notice"]
    assert 1 <= len(model.requests) <= 3
    assert AIRequest.objects.get().input_tokens == 10
    model.plays(google(google_parts({"text": "Fine."})))
    assert texts(clerk.hear(conversation, "And now?")) == "Fine."


def test_thinking_tokens_are_output(clerk: Person, speaks: Speaks) -> None:
    """B110."""
    model = speaks("google")
    used = {"promptTokenCount": 100, "candidatesTokenCount": 20, "thoughtsTokenCount": 300, "totalTokenCount": 420}
    model.plays(google(google_parts({"text": "Well."}, **used)))
    clerk.hear(clerk.converse(), "?")
    row = AIRequest.objects.get()
    assert (row.input_tokens, row.output_tokens) == (100, 320)


@pytest.mark.parametrize("wire", ["anthropic", "google"])
@pytest.mark.parametrize("is_begun", [False, True])
def test_a_turn_that_was_stopped_never_poisons_the_next_one(clerk: Person, speaks: Speaks, wire: str, is_begun: bool) -> None:
    """B31, TU4."""
    model = speaks(wire)
    begun = anthropic_start() + anthropic_text(" ") if wire == "anthropic" else b""
    model.plays(
        Reply([("send", begun), ("hang", None)] if begun and is_begun else (), wait_seconds=0 if begun and is_begun else -1)
    )
    conversation = clerk.converse()
    turn = str(clerk.say(conversation, "?").json["turn"])
    model.provider.wait_for(model.name, 1)
    clerk.ask("POST", f"turns/{turn}/stop", {})
    model.plays(anthropic(anthropic_text("Here.")) if wire == "anthropic" else google(google_parts({"text": "Here."})))
    model.provider.strict(model.name)
    assert texts(clerk.hear(conversation, "Again")) == "Here."
    assert [row["content"] for row in clerk.messages(conversation) if row["role"] == "assistant"] == ["Here."]
