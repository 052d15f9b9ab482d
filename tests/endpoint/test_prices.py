"""What a call cost."""

from __future__ import annotations

from deskhand.core.values import Usage
from deskhand.endpoint.prices import cost

USED = Usage(1000, 800, 100, 0)
OWN = {"input": 10_000_000, "cached": 1_000_000, "output": 30_000_000}


def test_cached_tokens_are_never_charged_twice() -> None:
    """B108"""
    assert cost("openai", "m", USED, OWN) == (5_800, "own")


def test_cached_tokens_cost_as_input_if_they_have_no_price() -> None:
    """B108"""
    assert cost("openai", "m", USED, {"input": 10_000_000, "output": 30_000_000}) == (13_000, "own")


def test_a_fraction_is_rounded_up() -> None:
    """LI3"""
    assert cost("openai", "m", Usage(1, None, 0), {"input": 1, "output": 0.1}) == (1, "own")
    assert cost("openai", "m", Usage(10, None, 0), {"input": 100_000, "output": 0.1}) == (1, "own")


def test_what_the_provider_says_comes_first() -> None:
    """LI3"""
    assert cost("openai", "m", Usage(1000, 0, 100, 0, 7), OWN) == (7, "provider")


def test_the_price_data_knows_the_big_models_and_does_not_charge_twice_either() -> None:
    """B108, LI3"""
    whole, version = cost("openai", "gpt-4o", Usage(1000, 0, 100))
    cached, _ = cost("openai", "gpt-4o", USED)
    assert version.startswith("genai-prices ")
    assert whole == 1000 * 2.5 + 100 * 10
    assert cached == 200 * 2.5 + 800 * 1.25 + 100 * 10
    assert cost("anthropic", "claude-sonnet-4-5", USED)[0]
    assert cost("google", "gemini-2.5-flash", USED)[0]


def test_the_same_name_at_another_company_is_another_model() -> None:
    """LI3"""
    assert cost("openai", "deepseek-chat", USED, base_url="https://api.deepseek.com")[0]
    assert cost("openai", "gpt-4o", USED, base_url="http://127.0.0.1:11434/v1") == (None, "")


def test_an_unknown_price_is_never_zero() -> None:
    """LI3, B119"""
    assert cost("openai", "of-our-own", USED) == (None, "")
    assert cost("nobody", "m", USED) == (None, "")
    assert cost("openai", "gpt-4o", Usage(None, None, 5)) == (None, "")
    assert cost("openai", "m", USED, {"input": 1}) == (None, "")


def test_a_model_in_this_process_costs_nothing() -> None:
    """EN3"""
    assert cost("offline", "m", USED) == (0, "free")
