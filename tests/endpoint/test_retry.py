"""Asking again, waiting, and the fallback, against the provider process."""

from __future__ import annotations

import threading
import time

import pytest

from deskhand.core.values import TextDelta, Waiting
from deskhand.endpoint import Endpoint, retry
from deskhand.errors import (
    ContextTooLong,
    EndpointBroken,
    EndpointDenied,
    EndpointLimited,
    EndpointOverloaded,
    EndpointUnreachable,
    TurnStopped,
)
from tests.endpoint.conftest import QUESTION, Said, Server, listen
from tests.provider import Provider, Reply, chunk, event, refuse, say, stream


@pytest.fixture
def other(provider: Provider) -> Server:
    """A second model."""
    return Server(provider)


def ask(endpoint: Endpoint, fallback: Endpoint | None = None) -> Said:
    """Ask with pauses of a hundredth of a second."""
    return listen(iter(retry.stream(endpoint, fallback, QUESTION, threading.Event(), pause_seconds=0.01)))


def test_a_limit_is_waited_for_once_and_then_answered(server: Server) -> None:
    """B28"""
    server.script(refuse(429, None, Retry_After="0.3"), say("Hi"))
    began = time.monotonic()
    said = ask(server.endpoint())
    assert said.reply.text == said.text == "Hi"
    (waiting,) = (delta for delta in said.deltas if isinstance(delta, Waiting))
    assert 0.3 <= waiting.seconds < 0.4
    first, second = server.requests()
    assert second.at - first.at >= 0.3
    assert first.body == second.body
    assert time.monotonic() - began < 5


def test_a_long_wait_becomes_an_error_at_once(server: Server) -> None:
    """B28"""
    server.script(refuse(429, None, Retry_After="3600"))
    said = ask(server.endpoint())
    assert type(said.error) is EndpointLimited
    assert said.error.retry_after_seconds == 3600
    assert len(server.requests()) == 1


@pytest.mark.parametrize(("reply", "kind"), [(refuse(429), EndpointLimited), (refuse(503), EndpointOverloaded)])
def test_it_is_never_asked_more_than_three_times(server: Server, reply: Reply, kind: type[Exception]) -> None:
    """B28, J1"""
    server.script(reply)
    said = ask(server.endpoint())
    assert type(said.error) is kind
    assert len(server.requests()) == 3
    assert len([delta for delta in said.deltas if isinstance(delta, Waiting)]) == 2


def test_pauses_grow_and_are_drawn_at_random(server: Server) -> None:
    """J1"""
    firsts, seconds = set(), set()
    for _ in range(4):
        server.script(refuse(500))
        first, second = (delta.seconds for delta in ask(server.endpoint()).deltas if isinstance(delta, Waiting))
        assert 0.005 <= first <= 0.015
        assert 0.01 <= second <= 0.03
        firsts.add(first)
        seconds.add(second)
    assert len(firsts) == len(seconds) == 4


def test_a_server_that_is_not_there_is_tried_again(server: Server) -> None:
    """J1"""
    said = ask(server.endpoint(base_url="http://127.0.0.1:9/v1"))
    assert type(said.error) is EndpointUnreachable
    assert len(said.deltas) == 2


@pytest.mark.parametrize("reply", [refuse(401), refuse(400), refuse(429, {"code": "insufficient_quota"})])
def test_what_no_repetition_helps_is_never_repeated(server: Server, reply: Reply) -> None:
    """J1"""
    server.script(reply)
    assert ask(server.endpoint()).error is not None
    assert len(server.requests()) == 1


def test_after_the_first_delta_nothing_is_ever_repeated(server: Server, other: Server) -> None:
    """TU7: a person has read it"""
    other.script(say("From elsewhere"))
    server.script(stream(chunk({"content": "Half"}), event({"error": {"code": 503}})))
    said = ask(server.endpoint(), other.endpoint())
    assert said.text == "Half"
    assert type(said.error) is EndpointOverloaded
    assert len(server.requests()) == 1
    assert other.requests() == []


@pytest.mark.parametrize("reply", [refuse(503), refuse(401), refuse(429, None, Retry_After="3600"), stream("close"), refuse(404)])
def test_the_fallback_answers_when_the_endpoint_does_not(server: Server, other: Server, reply: Reply) -> None:
    """TU7"""
    server.script(reply)
    other.script(say("From elsewhere"))
    endpoint, fallback = server.endpoint(), other.endpoint()
    running = retry.stream(endpoint, fallback, QUESTION, threading.Event(), pause_seconds=0.01)
    said = listen(iter(running))
    assert said.reply.text == "From elsewhere"
    assert running.endpoint is fallback


def test_the_fallback_is_tried_again_too_and_its_error_is_the_last(server: Server, other: Server) -> None:
    """TU7"""
    server.script(refuse(401))
    other.script(refuse(500))
    said = ask(server.endpoint(), other.endpoint())
    assert type(said.error) is EndpointOverloaded
    assert (len(server.requests()), len(other.requests())) == (1, 3)


def test_the_fallback_is_never_asked_what_was_too_long_or_withheld(server: Server, other: Server) -> None:
    """B29, TU7"""
    other.script(say("From elsewhere"))
    for code in ("context_length_exceeded", "content_filter"):
        server.script(refuse(400, {"code": code}))
        assert ask(server.endpoint(), other.endpoint()).error is not None
    assert other.requests() == []
    server.script(refuse(400, {"code": "context_length_exceeded"}))
    assert type(ask(server.endpoint(), other.endpoint()).error) is ContextTooLong


@pytest.mark.parametrize("by", ["stop", "cancel"])
def test_a_wait_is_stopped_at_once(server: Server, by: str) -> None:
    """TU4"""
    server.script(refuse(429, None, Retry_After="15"), say("Hi"))
    cancel = threading.Event()
    running = retry.stream(server.endpoint(), None, QUESTION, cancel)
    deltas = iter(running)
    assert isinstance(next(deltas), Waiting)
    threading.Timer(0.1, running.stop if by == "stop" else cancel.set).start()
    began = time.monotonic()
    with pytest.raises(TurnStopped):
        next(deltas)
    assert time.monotonic() - began < 1
    assert len(server.requests()) == 1


def test_stop_reaches_the_call_under_way(server: Server) -> None:
    """TU4"""
    server.script(stream(chunk({"content": "Well"}), "hang"))
    running = retry.stream(server.endpoint(), None, QUESTION, threading.Event())
    deltas = iter(running)
    assert next(deltas) == TextDelta("Well")
    threading.Timer(0.05, running.stop).start()
    with pytest.raises(TurnStopped):
        next(deltas)
    server.provider.wait_for(server.model, 1, closed=True)


def test_a_call_stopped_before_it_began_never_reaches_a_server(server: Server) -> None:
    """TU4"""
    server.script(say("Hi"))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(TurnStopped):
        list(retry.stream(server.endpoint(), server.endpoint(), QUESTION, cancel))
    assert server.requests() == []


def test_an_error_that_is_the_keys_or_the_streams_keeps_its_kind(server: Server) -> None:
    """TU7"""
    server.script(refuse(403))
    assert type(ask(server.endpoint()).error) is EndpointDenied
    server.script(stream("close"))
    assert type(ask(server.endpoint()).error) is EndpointBroken
