"""The model that says what a script says."""

from __future__ import annotations

import threading
import time

import pytest

from deskhand.core.values import Finish, Reply, TextDelta, ToolCall, Usage
from deskhand.endpoint.scripted import ScriptedEndpoint
from deskhand.errors import EndpointBroken, TurnStopped
from tests.endpoint.conftest import QUESTION, listen


def test_rounds_are_played_in_their_order() -> None:
    """TU3"""
    call = ToolCall("a", "get_order", "{}")
    whole = Reply("Done", "", (), Finish.LENGTH, Usage())
    endpoint = ScriptedEndpoint(["Hello dear world", call, [call, call], whole, lambda request: request.entries[-1].content])
    said = [listen(iter(endpoint.stream(QUESTION))) for _ in range(5)]
    assert [delta.text for delta in said[0].deltas[:-1] if isinstance(delta, TextDelta)] == ["Hello ", "dear ", "world"]
    assert said[0].reply.text == "Hello dear world"
    assert said[1].reply.calls == (call,)
    assert said[1].reply.finish is Finish.TOOLS
    assert len({made.id for made in said[2].reply.calls}) == 2
    assert said[3].reply is whole
    assert said[4].text == "Hi"
    assert endpoint.requests == [QUESTION] * 5


def test_an_exception_is_raised_after_what_stands_before_it() -> None:
    """B10"""
    said = listen(iter(ScriptedEndpoint([[TextDelta("Half"), EndpointBroken()]]).stream(QUESTION)))
    assert said.text == "Half"
    assert type(said.error) is EndpointBroken


def test_stop_ends_a_pause() -> None:
    """TU4"""
    running = ScriptedEndpoint([[TextDelta("Well"), 30.0]]).stream(QUESTION)
    threading.Timer(0.05, running.stop).start()
    began = time.monotonic()
    with pytest.raises(TurnStopped):
        list(running)
    assert time.monotonic() - began < 1


def test_a_call_after_the_end_is_a_mistake_in_the_test() -> None:
    """design 5"""
    with pytest.raises(RuntimeError):
        list(ScriptedEndpoint([]).stream(QUESTION))
