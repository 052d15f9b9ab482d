"""From a host name to a socket."""

from __future__ import annotations

import socket

import pytest

from deskhand.endpoint.connecting import connect, look_up
from deskhand.errors import EndpointUnreachable, TurnStopped


def a_while() -> float:
    """Seconds that are left."""
    return 5.0


def test_the_next_address_is_tried_if_one_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """TU7"""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        addresses = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in ("127.0.0.9", "127.0.0.1")]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: addresses)
        held: list[socket.socket] = []
        with connect("model.test", port, a_while, held.append) as made:
            assert made.getpeername()[0] == "127.0.0.1"
            assert made.gettimeout() == 5.0
        assert len(held) == 2


def test_no_address_answers() -> None:
    """TU7"""
    with pytest.raises(EndpointUnreachable):
        connect("127.0.0.1", 9, a_while, lambda _: None)


@pytest.mark.parametrize("host", ["model.invalid", "a" * 70 + ".test", "..", ""])
def test_a_host_without_an_address(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """TU7"""
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *more, **named: real(host or "nothing.invalid", *more, **named))
    with pytest.raises(EndpointUnreachable):
        look_up(host, 80, a_while)


def test_a_look_up_ends_when_nothing_is_left() -> None:
    """TU4"""

    def stopped() -> float:
        raise TurnStopped

    with pytest.raises(TurnStopped):
        look_up("model.invalid", 80, stopped)
