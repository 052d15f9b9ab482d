"""Every wait has an end, and Stop ends each of them."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from deskhand.core.values import ModelRequest, TextDelta
from deskhand.core.values import Reply as ModelReply
from deskhand.endpoint import Waits
from deskhand.errors import EndpointBroken, EndpointRejected, EndpointTimeout, EndpointUnreachable, TurnStopped
from tests.endpoint.conftest import QUESTION, Server, listen
from tests.provider import DONE, Reply, chunk, say, stream

#: How soon Stop must have worked; its own slices are a tenth of a second.
SOON_SECONDS = 1.0
FOR_EVER = Reply(wait_seconds=-1)


@contextlib.contextmanager
def deaf() -> Iterator[str]:
    """The base URL of a server whose queue of connections is full, so that a connect is never answered."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(0)
    others = []
    for _ in range(4):
        other = socket.socket()
        other.setblocking(False)
        other.connect_ex(listening.getsockname())
        others.append(other)
    time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        for other in (*others, listening):
            other.close()


@contextlib.contextmanager
def silent() -> Iterator[int]:
    """The port of a server that accepts connections and never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(8)
        yield listening.getsockname()[1]


@pytest.mark.parametrize(
    ("phase", "waits", "reply"),
    [
        ("first_byte", Waits(10, 0.1, 20, 60), FOR_EVER),
        ("first_byte", Waits(10, 0.1, 20, 60), stream("hang")),
        ("idle", Waits(10, 20, 0.1, 60), stream(chunk({"content": "Well"}), "hang")),
        ("total", Waits(10, 20, 20, 0.3), FOR_EVER),
    ],
)
def test_each_wait_has_its_end(server: Server, phase: str, waits: Waits, reply: Reply) -> None:
    """TU7"""
    said = server.ask(reply, waits=waits)
    assert isinstance(said.error, EndpointTimeout)
    assert said.error.phase == phase


@pytest.mark.parametrize("part", [b"\n", b": there\n\n", chunk({"content": "x"}), b"d"])
def test_a_server_that_sends_a_little_now_and_then_meets_the_total_limit(server: Server, part: bytes) -> None:
    """sec J3"""
    said = server.ask(Reply([("send", part), ("pause", 0.05)] * 100), waits=Waits(10, 20, 1, 0.4))
    assert isinstance(said.error, EndpointTimeout)
    assert said.error.phase == "total"


def test_a_head_that_comes_byte_by_byte_meets_the_limit_too(server: Server) -> None:
    """sec J3: each byte is a recv of its own, and none of them begins the time anew."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(1)

    def drip() -> None:
        with listening, listening.accept()[0] as peer, contextlib.suppress(OSError):
            peer.recv(65_536)
            for byte in b"HTTP/1.1 200 OK\r\n" + b"X-Filler: x\r\n" * 50:
                peer.send(bytes([byte]))
                time.sleep(0.02)

    thread = threading.Thread(target=drip)
    thread.start()
    base_url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    said = server.ask(base_url=base_url, waits=Waits(10, 0.3, 20, 60))
    thread.join()
    assert isinstance(said.error, EndpointTimeout)
    assert said.error.phase == "first_byte"


def test_a_connect_that_is_not_answered_ends(server: Server) -> None:
    """TU7"""
    with deaf() as base_url:
        said = server.ask(base_url=base_url, waits=Waits(0.2, 20, 20, 60))
    assert isinstance(said.error, EndpointTimeout)
    assert said.error.phase == "connect"
    assert said.error.may_retry


def test_a_handshake_that_is_not_answered_ends(server: Server) -> None:
    """TU7"""
    with silent() as port:
        said = server.ask(base_url=f"https://127.0.0.1:{port}/v1", waits=Waits(0.2, 20, 20, 60))
    assert isinstance(said.error, EndpointTimeout)
    assert said.error.phase == "connect"


def test_a_server_that_does_not_take_the_request_ends(server: Server) -> None:
    """TU7: what is sent is waited for too"""
    request = ModelRequest("x" * 30_000_000, ())
    with silent() as port:
        said = server.ask(request=request, base_url=f"http://127.0.0.1:{port}/v1", waits=Waits(10, 0.3, 20, 60))
    assert isinstance(said.error, EndpointTimeout)
    assert said.error.phase == "first_byte"


def test_a_name_that_is_not_found_in_time_ends(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """TU7"""
    resolving = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: resolving.wait(5) and [])
    said = server.ask(base_url="http://model.example/v1", waits=Waits(0.2, 20, 20, 60))
    resolving.set()
    assert isinstance(said.error, EndpointTimeout)
    assert said.error.phase == "connect"


@pytest.mark.parametrize("base_url", ["http://127.0.0.1:9/v1", "https://127.0.0.1:9/v1", "http://model.invalid/v1"])
def test_a_server_that_is_not_there(server: Server, base_url: str) -> None:
    """sec J1"""
    said = server.ask(base_url=base_url)
    assert type(said.error) is EndpointUnreachable
    assert said.error.may_retry


@pytest.mark.parametrize(
    ("base_url", "key"), [("nothing", "k"), ("ftp://x/v1", "k"), ("http://127.0.0.1:99999/v1", "k"), ("http://x/v1", "a\nb")]
)
def test_an_address_or_key_that_is_none_is_rejected(server: Server, base_url: str, key: str) -> None:
    """EN1"""
    said = server.ask(base_url=base_url, api_key=key)
    assert type(said.error) is EndpointRejected


# -- Stop ------------------------------------------------------------------------------------------------------------------------------


def stopped_after(server: Server, base_url: str = "", after_requests: int = 0, after_seconds: float = 0.1) -> float:
    """Seconds from Stop until the reader was free; it must have ended as stopped."""
    endpoint = server.endpoint(base_url=base_url) if base_url else server.endpoint()
    running = endpoint.stream(QUESTION)
    at: list[float] = []

    def stop() -> None:
        if after_requests:
            server.provider.wait_for(server.model, after_requests)
        time.sleep(after_seconds)
        at.append(time.monotonic())
        running.stop()
        running.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(TurnStopped):
        list(running)
    ended = time.monotonic()
    thread.join()
    return ended - at[0]


@pytest.mark.parametrize("reply", [FOR_EVER, stream("hang"), stream(chunk({"content": "Well"}), "hang")])
def test_stop_ends_a_wait_and_closes_the_connection(server: Server, reply: Reply) -> None:
    """TU4, B60: before the head, before the body, in the stream"""
    server.script(reply)
    assert stopped_after(server, after_requests=1) < SOON_SECONDS
    server.provider.wait_for(server.model, 1, closed=True)


def test_stop_ends_a_stream_that_never_pauses(server: Server) -> None:
    """TU4"""
    server.script(Reply([("send", chunk({"content": "x"})), ("pause", 0.001)] * 5000))
    assert stopped_after(server, after_requests=1) < SOON_SECONDS


def test_stop_ends_a_connect(server: Server) -> None:
    """TU4"""
    with deaf() as base_url:
        assert stopped_after(server, base_url) < SOON_SECONDS


def test_stop_ends_a_handshake(server: Server) -> None:
    """TU4"""
    with silent() as port:
        assert stopped_after(server, f"https://127.0.0.1:{port}/v1") < SOON_SECONDS


def test_stop_ends_the_look_up_of_a_name(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """TU4"""
    resolving = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: resolving.wait(5) and [])
    assert stopped_after(server, "http://model.example/v1") < SOON_SECONDS
    resolving.set()


def test_a_call_stopped_before_it_began_never_reaches_the_server(server: Server) -> None:
    """TU4"""
    server.script(say("Hi"))
    running = server.endpoint().stream(QUESTION)
    running.stop()
    with pytest.raises(TurnStopped):
        list(running)
    assert server.requests() == []


def test_stop_after_the_end_harms_nobody(server: Server) -> None:
    """TU4: the connection serves another call by then."""
    server.script(say("One"))
    endpoint = server.endpoint()
    first = endpoint.stream(QUESTION)
    list(first)
    second = iter(endpoint.stream(QUESTION))
    next(second)
    first.stop()
    assert isinstance(list(second)[-1], ModelReply)


def test_a_stream_that_nobody_reads_on_is_closed(server: Server) -> None:
    """B133"""
    server.script(stream(chunk({"content": "Well"}), "hang"))
    running = iter(server.endpoint().stream(QUESTION))
    next(running)
    del running
    server.provider.wait_for(server.model, 1, closed=True)


def test_calls_leave_no_descriptor_open(server: Server) -> None:
    """sec L"""
    server.script(say("Hi"), stream(chunk({"content": "x"}), "close"), say("Hi"))
    endpoint = server.endpoint()
    list(endpoint.stream(QUESTION))
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        listen(iter(endpoint.stream(QUESTION)))
    assert len(os.listdir("/proc/self/fd")) <= before + 1


# -- what HTTP says --------------------------------------------------------------------------------------------------------------------


def test_a_kept_connection_that_the_server_closed_meanwhile_is_opened_anew(server: Server) -> None:
    """TU7"""
    whole = stream(chunk({"content": "One"}), chunk(finish="stop"), DONE)
    server.script(Reply([*whole.steps, ("raw", b"0\r\n\r\n"), ("close", None)]), say("Two"))
    endpoint = server.endpoint()
    list(endpoint.stream(QUESTION))
    time.sleep(0.05)
    *_, reply = endpoint.stream(QUESTION)
    assert reply.text == "Two"  # type: ignore[union-attr]


def test_a_connection_with_something_left_on_it_is_never_used_again(server: Server) -> None:
    """TU8: what is left would be read as the next answer."""
    whole = stream(chunk({"content": "One"}), chunk(finish="stop"), DONE)
    left = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    server.script(Reply([*whole.steps, ("raw", b"0\r\n\r\n" + left), ("hang", None)]), say("Two"))
    endpoint = server.endpoint()
    list(endpoint.stream(QUESTION))
    *_, reply = endpoint.stream(QUESTION)
    assert reply.text == "Two"  # type: ignore[union-attr]
    assert len({request.connection for request in server.requests()}) == 2


def test_a_compressed_answer_nobody_asked_for_is_an_error(server: Server) -> None:
    """TU8"""
    said = server.ask(Reply(say("Hi").steps, headers={"Content-Encoding": "gzip"}))
    assert type(said.error) is EndpointBroken
    assert server.requests()[0].headers["accept-encoding"] == "identity"


def test_what_is_no_http_is_an_error(server: Server) -> None:
    """TU8"""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(1)

    def mutter() -> None:
        with listening, listening.accept()[0] as peer:
            peer.recv(65_536)
            peer.sendall(b"SSH-2.0-OpenSSH_9.9\r\n" * 3)

    thread = threading.Thread(target=mutter)
    thread.start()
    said = server.ask(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
    thread.join()
    assert type(said.error) is EndpointUnreachable


def test_a_child_after_a_fork_opens_connections_of_its_own(server: Server) -> None:
    """design 7: two processes on one connection read each other's answers."""
    server.script(say("Hi"))
    endpoint = server.endpoint()
    list(endpoint.stream(QUESTION))
    child = os.fork()
    if not child:
        texts = [delta.text for delta in endpoint.stream(QUESTION) if isinstance(delta, TextDelta)]
        os._exit(0 if "".join(texts) == "Hi" else 1)
    assert os.waitpid(child, 0)[1] == 0
    list(endpoint.stream(QUESTION))
    first, second, third = (request.connection for request in server.requests())
    assert first == third != second
