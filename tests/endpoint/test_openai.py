"""The reader of OpenAI-compatible streams, over real HTTP."""

from __future__ import annotations

from deskhand.core.values import Entry, Finish, ModelRequest, Reply
from deskhand.endpoint import Settings
from deskhand.endpoint.openai import OpenAIEndpoint
from tests.provider import Provider, call, say


def test_first(provider: Provider) -> None:
    provider.script("first", [say("Hello dear world")])
    endpoint = OpenAIEndpoint(Settings("x", "openai", "first", provider.base_url, "sk-1"))
    for _ in range(3):
        deltas = list(endpoint.stream(ModelRequest("You are.", (Entry("user", "Hi"),))))
        print(deltas)
        assert isinstance(deltas[-1], Reply)
        assert deltas[-1].text == "Hello dear world"
        assert deltas[-1].finish is Finish.STOP
    print(provider.requests("first"))
    provider.script("first", [call(("get_order", {"number": "A-1"}), ("x", ""))])
    print(list(endpoint.stream(ModelRequest("You are.", (Entry("user", "Hi"),)))))
