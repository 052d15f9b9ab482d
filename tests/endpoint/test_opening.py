"""From settings to an endpoint."""

from __future__ import annotations

import pytest

from deskhand.endpoint import Settings, opening
from deskhand.endpoint.openai import OpenAIEndpoint
from deskhand.endpoint.others import OtherEndpoint
from deskhand.endpoint.scripted import ScriptedEndpoint
from deskhand.errors import ConfigurationError
from tests.endpoint.conftest import QUESTION, listen


@pytest.mark.parametrize(
    ("provider", "kind"),
    [("openai", OpenAIEndpoint), ("anthropic", OtherEndpoint), ("google", OtherEndpoint), ("scripted", ScriptedEndpoint)],
)
def test_each_provider_has_its_endpoint(provider: str, kind: type[object]) -> None:
    """EN2"""
    settings = Settings("a", provider, "m", "http://model.test/v1")
    endpoint = opening.open(settings)
    assert type(endpoint) is kind
    assert endpoint.settings is settings


def test_a_provider_that_is_none_is_refused() -> None:
    """OP2"""
    with pytest.raises(ConfigurationError):
        opening.open(Settings("a", "nobody", "m"))


def test_a_script_may_stand_in_the_settings() -> None:
    """EN3"""
    endpoint = opening.open(Settings("a", "scripted", "m", parameters={"script": ["Hi"]}))
    assert listen(iter(endpoint.stream(QUESTION))).text == "Hi"


@pytest.mark.parametrize(
    ("base_url", "url"),
    [
        ("", "https://api.openai.com/v1/chat/completions"),
        ("http://model.test/v1/", "http://model.test/v1/chat/completions"),
        (
            "https://x.openai.azure.com/openai/v1?api-version=preview",
            "https://x.openai.azure.com/openai/v1/chat/completions?api-version=preview",
        ),
    ],
)
def test_the_address_is_made_from_the_base_url(base_url: str, url: str) -> None:
    """EN2"""
    endpoint = OpenAIEndpoint(Settings("a", "openai", "m", base_url, "k"))
    assert endpoint.url == url
    assert ("api-key" in endpoint.headers()) == ("azure" in url)
