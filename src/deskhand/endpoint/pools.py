"""Pools: the connections that a process keeps to its endpoints, and the proxies on the way.

urllib3's pools, with connections of ours in them: they connect through ``connecting``, and what they read goes through ``_Timed``, which
asks the exchange before each ``recv`` how long it may take. A pool belongs to one process and one server; a fork opens its own.

Certificates are verified against the system's store. Never here: an environment variable other than the proxy ones (``HTTP_PROXY``,
``HTTPS_PROXY``, ``ALL_PROXY``, ``NO_PROXY``).
"""

from __future__ import annotations

import collections
import http.client
import io
import os
import socket
import ssl
import threading
import urllib.parse
import urllib.request
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from deskhand.endpoint.connecting import connect
from deskhand.errors import EndpointTimeout, TurnStopped

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

#: What one read takes at most.
READ_BYTES = 65_536
#: Connections that a process keeps open to one endpoint; more are opened as needed, and closed after use.
KEPT_CONNECTIONS = 32
#: Servers whose pools a process keeps.
KEPT_POOLS = 64

_PROXY_VARIABLES = tuple(name for word in ("http_proxy", "https_proxy", "all_proxy") for name in (word, word.upper()))


class Limits(Protocol):
    """What a connection asks the exchange that it works for."""

    body: http.client.HTTPResponse | None
    is_stopped: bool

    def enter(self, phase: str) -> None:
        """A phase begins."""

    def remaining(self) -> float:
        """Seconds that the next wait may take; raises if there are none."""
        ...

    def timed_out(self) -> EndpointTimeout:
        """The error of a wait that ended in vain."""
        ...

    def hold(self, sock: socket.socket) -> None:
        """This is the socket to shut down at Stop."""


class _Working(threading.local):
    #: The exchange that this thread is making a request for.
    exchange: Limits


working = _Working()


class _Timed(io.RawIOBase):
    """A socket's reading end that asks the exchange before each ``recv`` how long it may take."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, exchange: Limits) -> None:
        self._raw = raw
        self._sock = sock
        self._exchange = exchange
        self._timeout = -1.0

    def readable(self) -> bool:
        return True

    def readinto(self, target: Buffer, /) -> int | None:
        exchange = self._exchange
        timeout = exchange.remaining()
        if timeout != self._timeout:  # setting it is a system call, and it stays the same for most of an answer
            self._sock.settimeout(timeout)
            self._timeout = timeout
        try:
            count: int | None = self._raw.readinto(target)
        except TimeoutError:
            raise exchange.timed_out() from None
        except OSError:
            if exchange.is_stopped:
                raise TurnStopped from None
            raise
        if not count and exchange.is_stopped:
            raise TurnStopped
        return count

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """A response that reads through ``_Timed`` and makes itself known to its exchange."""

    def __init__(self, sock: socket.socket, *args: object, **options: object) -> None:
        super().__init__(sock, *args, **options)  # type: ignore[arg-type]
        exchange: Limits = working.exchange
        self.fp.close()
        self.fp = io.BufferedReader(_Timed(sock.makefile("rb", buffering=0), sock, exchange), READ_BYTES)
        exchange.body = self


class _Plain(HTTPConnection):
    """A connection that connects, sends and reads within its exchange's limits."""

    response_class = _Response

    def _new_conn(self) -> socket.socket:
        return _connected(self)

    def connect(self) -> None:
        super().connect()
        working.exchange.enter("first_byte")

    def send(self, data: object) -> None:
        for part in _parts(data):
            _limit(self)
            super().send(part)

    def request(self, *args: object, **options: object) -> None:
        _send_under_limits(self)
        super().request(*args, **options)  # type: ignore[arg-type]


class _Secure(_Plain, HTTPSConnection):
    """The same over TLS."""


def _connected(connection: HTTPConnection) -> socket.socket:
    exchange: Limits = working.exchange
    options = connection.socket_options or ()
    return connect(connection._dns_host, connection.port, exchange.remaining, exchange.hold, options)


def _parts(data: object) -> Iterable[bytes]:
    """A long body in parts, so that each is waited for within what then remains."""
    assert isinstance(data, bytes)
    return (data[at : at + READ_BYTES] for at in range(0, len(data), READ_BYTES))


def _limit(connection: HTTPConnection) -> None:
    if connection.sock is not None:
        connection.sock.settimeout(working.exchange.remaining())


def _send_under_limits(connection: HTTPConnection) -> None:
    exchange: Limits = working.exchange
    if connection.sock is not None:
        exchange.hold(connection.sock)
        exchange.enter("first_byte")
    connection.timeout = exchange.remaining()


class _PlainPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Secure


_pools: collections.OrderedDict[tuple[int, str, str], urllib3.PoolManager] = collections.OrderedDict()
_pools_lock = threading.Lock()


def pool_for(url: str) -> urllib3.PoolManager:
    """The pool for the server of ``url`` in this process; a fork has its own."""
    split = urllib.parse.urlsplit(url)
    proxy = proxy_for(split.scheme, split.netloc.rpartition("@")[2])
    key = (os.getpid(), f"{split.scheme}://{split.netloc}", proxy)
    with _pools_lock:
        pool = _pools.get(key)
        if pool is None:
            pool = _pools[key] = _opened(proxy, is_secure="https" in (split.scheme, proxy[:5]))
            while len(_pools) > KEPT_POOLS:
                _pools.popitem(last=False)
        return pool


def _opened(proxy: str, *, is_secure: bool) -> urllib3.PoolManager:
    # reading the system's certificates takes a while and a megabyte
    context = ssl.create_default_context() if is_secure else None
    options = {"maxsize": KEPT_CONNECTIONS, "ssl_context": context}
    manager: urllib3.PoolManager
    if proxy:
        split = urllib.parse.urlsplit(proxy)
        headers = None
        if split.username is not None:
            credentials = f"{urllib.parse.unquote(split.username)}:{urllib.parse.unquote(split.password or '')}"
            headers = urllib3.make_headers(proxy_basic_auth=credentials)
            proxy = split._replace(netloc=split.netloc.rpartition("@")[2]).geturl()
        manager = urllib3.ProxyManager(proxy, proxy_headers=headers, proxy_ssl_context=context, **options)  # type: ignore[arg-type]
    else:
        manager = urllib3.PoolManager(**options)  # type: ignore[arg-type]
    manager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}
    return manager


def proxy_for(scheme: str, host: str) -> str:
    """The proxy that the environment names for ``host``; empty if none."""
    if not any(name in os.environ for name in _PROXY_VARIABLES):
        return ""
    proxies = urllib.request.getproxies_environment()
    proxy = proxies.get(scheme) or proxies.get("all") or ""
    if not proxy or urllib.request.proxy_bypass_environment(host, proxies):  # type: ignore[attr-defined]
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"
