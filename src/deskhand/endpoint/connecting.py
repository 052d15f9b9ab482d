"""Connecting: from a host name to a socket, within a time and stoppable.

urllib3 connects with blocking calls, and looking up a name can block for half a minute whatever the time-out says. A person who
presses Stop does not wait for that: so the look-up runs in a thread of its own that is abandoned when it takes too long, and the
connect is waited for in short slices. Called by the connections of ``transport`` alone, once for each new connection.

Never here: TLS, a proxy, a byte of a request.
"""

from __future__ import annotations

import errno
import queue
import socket
import threading
from collections.abc import Callable, Iterable

from urllib3.util.wait import wait_for_write

from deskhand.errors import EndpointUnreachable

#: How long at most until Stop is noticed while no byte comes.
SLICE_SECONDS = 0.1

Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, object]
#: Seconds that are left; raises when there are none or the call was stopped.
Remaining = Callable[[], float]


def look_up(host: str, port: int, remaining: Remaining) -> list[Address]:
    """The addresses of ``host``. Raises ``EndpointUnreachable`` if it has none."""
    found: queue.SimpleQueue[list[Address] | None] = queue.SimpleQueue()

    def ask() -> None:
        try:
            found.put(list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))
        except (OSError, UnicodeError):
            found.put(None)

    if _is_literal(host):
        ask()
    else:
        threading.Thread(target=ask, name="deskhand-lookup", daemon=True).start()
    while True:
        try:
            addresses = found.get(timeout=min(SLICE_SECONDS, remaining()))
        except queue.Empty:
            continue
        if not addresses:
            raise EndpointUnreachable("no such host")
        return addresses


def _is_literal(host: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except (OSError, UnicodeError):
            continue
        return True
    return False


def connect(
    host: str,
    port: int,
    remaining: Remaining,
    hold: Callable[[socket.socket], None],
    options: Iterable[tuple[int, int, int | bytes]] = (),
) -> socket.socket:
    """A connected socket, its time-out set to what remains; each address is tried once. ``hold`` is told each socket at its birth.

    Raises ``EndpointUnreachable`` if none answers.
    """
    addresses = look_up(host, port, remaining)
    for number, (family, kind, protocol, _, address) in enumerate(addresses):
        try:
            sock = socket.socket(family, kind, protocol)
        except OSError:
            continue
        try:
            for option in options:
                sock.setsockopt(*option)
            sock.setblocking(False)
            hold(sock)
            # A dead first address must not use up the time of the second.
            if _is_connected(sock, address, remaining, remaining() / (len(addresses) - number)):
                sock.settimeout(remaining())
                return sock
        except BaseException:
            sock.close()
            raise
        sock.close()
        remaining()  # Stop ends a connect by breaking it
    raise EndpointUnreachable("no connection")


def _is_connected(sock: socket.socket, address: object, remaining: Remaining, seconds: float) -> bool:
    code = sock.connect_ex(address)  # type: ignore[arg-type]
    if code not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
        return False
    while True:
        part = min(SLICE_SECONDS, remaining())
        if wait_for_write(sock, timeout=part):
            return sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
        seconds -= part
        if seconds <= 0:
            remaining()
            return False
