"""A person with a browser, for tests over real HTTP: a session, a CSRF token, JSON, and an event stream read as it comes."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator

import urllib3

from tests import make


class Answer:
    """One HTTP answer."""

    def __init__(self, status: int, headers: dict[str, str], raw: bytes) -> None:
        self.status = status
        self.headers = headers
        self.raw = raw

    @property
    def json(self) -> dict[str, object]:
        """The body as the JSON object it is."""
        return json.loads(self.raw)  # type: ignore[no-any-return]


class Person:
    """Signed in as this user in a session of their own."""

    def __init__(self, base_url: str, user: object, session_ref: str = "") -> None:
        self.base_url = base_url.rstrip("/")
        self.session_ref = session_ref or make.session(user)  # type: ignore[arg-type]
        self._http = urllib3.PoolManager(num_pools=2, maxsize=8, retries=False, timeout=urllib3.Timeout(connect=5, read=30))
        self._cookies = {"sessionid": self.session_ref}
        self.csrf = ""

    def ask(
        self, method: str, path: str, body: object = None, *, raw: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """One request below ``/assistant/api/``; ``raw`` sends these bytes instead of JSON."""
        sent = raw if raw is not None else (json.dumps(body).encode() if body is not None else None)
        response = self._http.request(method, self._url(path), body=sent, headers={**self._headers(), **(headers or {})})
        for cookie in response.headers.getlist("Set-Cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return Answer(response.status, dict(response.headers), response.data)

    def _url(self, path: str) -> str:
        return f"{self.base_url}/assistant/api/{path}"

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Cookie": cookies, "X-CSRFToken": self.csrf, "Content-Type": "application/json"}

    def arrive(self) -> dict[str, object]:
        """Open the panel: its state, and the CSRF token for what follows."""
        state = self.ask("GET", "state").json
        self.csrf = str(state["csrf"])
        return state

    def converse(self) -> str:
        """A new conversation's id."""
        if not self.csrf:
            self.arrive()
        return str(self.ask("POST", "conversations", {}).json["id"])

    def say(self, conversation: str, text: str, *, key: str = "", **more: object) -> Answer:
        """Send a message, which starts a turn."""
        return self.ask("POST", f"conversations/{conversation}/turns", {"text": text, "key": key or uuid.uuid4().hex, **more})

    def messages(self, conversation: str) -> list[dict[str, object]]:
        """The conversation's newest page."""
        return self.ask("GET", f"conversations/{conversation}/messages").json["messages"]  # type: ignore[return-value]

    def follow(self, turn: str, *, after: int = 0, seconds: float = 20) -> Iterator[tuple[int, str, dict[str, object]]]:
        """The turn's events as they come over the stream, which is opened again where it ended, until ``done``."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            response = self._http.request(
                "GET", self._url(f"turns/{turn}/stream?after={after}"), headers=self._headers(), preload_content=False
            )
            if response.status != 200:
                raise AssertionError(f"stream answered {response.status}")
            try:
                for number, kind, payload in _events(response):
                    after = number
                    yield number, kind, payload
                    if kind == "done":
                        return
            finally:
                response.close()
        raise AssertionError("the turn did not end in time")

    def poll(self, turn: str, *, seconds: float = 20) -> list[tuple[int, str, dict[str, object]]]:
        """The turn's events by the short poll, until it has ended."""
        ends, told, after = time.monotonic() + seconds, [], 0
        while time.monotonic() < ends:
            answer = self.ask("GET", f"turns/{turn}/events?after={after}").json
            for event in answer["events"]:  # type: ignore[attr-defined]
                after = event["number"]
                told.append((event["number"], event["kind"], event["payload"]))
            if not answer["is_running"]:
                return told
            time.sleep(0.05)
        raise AssertionError("the turn did not end in time")

    def hear(self, conversation: str, text: str) -> list[tuple[int, str, dict[str, object]]]:
        """Send a message and follow its turn to the end."""
        started = self.say(conversation, text)
        assert started.status == 202, started.raw
        return list(self.follow(str(started.json["turn"])))


def _events(response: urllib3.BaseHTTPResponse) -> Iterator[tuple[int, str, dict[str, object]]]:
    buffer = b""
    while piece := response.read1(65536):
        buffer += piece
        while b"\n\n" in buffer:
            block, _, buffer = buffer.partition(b"\n\n")
            fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if line and not line.startswith(b":"))
            if fields:
                yield int(fields[b"id"]), fields[b"event"].decode(), json.loads(fields[b"data"])
