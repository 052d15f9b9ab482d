"""Proxies and certificates."""

from __future__ import annotations

import contextlib
import datetime
import pathlib
import socket
import ssl
import threading
from collections.abc import Iterator

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from deskhand.endpoint.pools import proxy_for
from deskhand.errors import EndpointUnreachable
from tests.endpoint.conftest import Server
from tests.provider import say


@pytest.fixture(autouse=True)
def _no_proxies_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def pump(source: socket.socket, target: socket.socket) -> None:
    """Carry bytes one way until an end closes."""
    with contextlib.suppress(OSError):
        while part := source.recv(65_536):
            target.sendall(part)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def proxy(target_port: int) -> Iterator[tuple[int, list[bytes]]]:
    """A proxy's port and the heads of what it was asked; everything goes to ``target_port`` of this machine."""
    heads: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                peer = listening.accept()[0]
                head = b""
                while b"\r\n\r\n" not in head:
                    head += peer.recv(65_536)
                heads.append(head)
                behind = socket.create_connection(("127.0.0.1", target_port))
                if head.startswith(b"CONNECT "):
                    peer.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                else:
                    behind.sendall(head)
                for source, to in ((peer, behind), (behind, peer)):
                    threading.Thread(target=pump, args=(source, to), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listening.getsockname()[1], heads
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A certificate of ``model.test`` signed by nobody else, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "model.test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("model.test")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    file.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return file


@contextlib.contextmanager
def secured(certificate: pathlib.Path, target_port: int) -> Iterator[int]:
    """The port of a TLS server in front of ``target_port``."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                accepted = listening.accept()[0]
                try:
                    peer = context.wrap_socket(accepted, server_side=True)
                except OSError:
                    accepted.close()
                    continue
                behind = socket.create_connection(("127.0.0.1", target_port))
                for source, to in ((peer, behind), (behind, peer)):
                    threading.Thread(target=pump, args=(source, to), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def test_the_proxy_of_the_environment_is_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """EN2: with its user and password, which the model's server never sees"""
    with proxy(server.provider.port) as (port, heads):
        monkeypatch.setenv("HTTP_PROXY", f"http://user:pass%20word@127.0.0.1:{port}")
        assert server.ask(say("Hi"), base_url="http://model.test:8000/v1").text == "Hi"
    assert heads[0].startswith(b"POST http://model.test:8000/v1/chat/completions ")
    assert b"proxy-authorization: Basic dXNlcjpwYXNzIHdvcmQ=" in heads[0].replace(b"Proxy-Authorization", b"proxy-authorization")


def test_a_host_that_needs_no_proxy_is_asked_directly(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """EN2"""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert server.ask(say("Hi")).text == "Hi"


def test_which_proxy_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """EN2"""
    assert proxy_for("https", "model.test") == ""
    monkeypatch.setenv("ALL_PROXY", "http://every:1")
    monkeypatch.setenv("https_proxy", "secure:2")
    monkeypatch.setenv("no_proxy", ".inside.test,localhost")
    assert proxy_for("https", "model.test") == "http://secure:2"
    assert proxy_for("http", "model.test") == "http://every:1"
    assert proxy_for("https", "a.inside.test:8443") == ""


def test_a_certificate_that_nobody_vouches_for_is_refused(server: Server, certificate: pathlib.Path) -> None:
    """EN2"""
    with secured(certificate, server.provider.port) as port:
        said = server.ask(say("Hi"), base_url=f"https://127.0.0.1:{port}/v1")
    assert type(said.error) is EndpointUnreachable
    assert not said.error.may_retry
    assert server.requests() == []


def test_a_trusted_certificate_of_another_host_is_refused(
    server: Server, certificate: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EN2"""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with secured(certificate, server.provider.port) as port:
        said = server.ask(say("Hi"), base_url=f"https://localhost:{port}/v1")
    assert type(said.error) is EndpointUnreachable
    assert server.requests() == []


def test_tls_through_a_proxy_is_read_and_stopped_like_any_other(
    server: Server, certificate: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EN2: the proxy carries it and sees neither key nor text"""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with secured(certificate, server.provider.port) as secure_port, proxy(secure_port) as (port, heads):
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        assert server.ask(say("Hello there"), base_url="https://model.test/v1").text == "Hello there"
    assert heads[0].startswith(b"CONNECT model.test:443 ")
    assert b"SECRET123" not in b"".join(heads)
