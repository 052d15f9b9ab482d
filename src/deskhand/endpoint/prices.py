"""Prices: what a model call cost, in whole micro-USD, rounded up.

In this order: what the provider itself says; the endpoint's own prices; the price data of ``genai-prices`` (in the wheel, no network),
loaded when first needed. What none of them knows is ``None``, which is never zero. Cached tokens are part of the input and cost the
cached price alone (``B108``).

Never here: a table, a setting, a currency.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from deskhand.core.values import Usage

#: Providers whose models run in this process and cost nothing.
_FREE = frozenset({"offline", "scripted"})


def cost(
    provider: str, model: str, usage: Usage, prices: Mapping[str, float] | None = None, *, base_url: str = ""
) -> tuple[int | None, str]:
    """Cost, and by which price list (``provider``, ``own``, ``free``, ``genai-prices <version>``; empty if unknown).

    ``prices``: ``Settings.prices``, micro-USD per million tokens; ``cached`` is ``input`` if it is missing. ``base_url``: where the
    model runs, by which another company's model of a like name is told from OpenAI's.
    """
    if usage.cost_micro_usd is not None:
        return usage.cost_micro_usd, "provider"
    if provider in _FREE:
        return 0, "free"
    if usage.input_tokens is None or usage.output_tokens is None:
        return None, ""
    if prices:
        return _own(usage.input_tokens, usage.cached_tokens or 0, usage.output_tokens, prices)
    return _listed(provider, model, usage, base_url)


def _own(read: int, cached: int, written: int, prices: Mapping[str, float]) -> tuple[int | None, str]:
    try:
        fresh_price, written_price = Decimal(str(prices["input"])), Decimal(str(prices["output"]))
        cached_price = Decimal(str(prices.get("cached", prices["input"])))
    except (KeyError, InvalidOperation):
        return None, ""
    cached = min(cached, read)
    return math.ceil(((read - cached) * fresh_price + cached * cached_price + written * written_price) / 1_000_000), "own"


def _listed(provider: str, model: str, usage: Usage, base_url: str) -> tuple[int | None, str]:
    import importlib.metadata

    import genai_prices

    read = usage.input_tokens or 0
    used = genai_prices.Usage(
        input_tokens=read, cache_read_tokens=min(usage.cached_tokens or 0, read), output_tokens=usage.output_tokens
    )
    try:
        if base_url:
            price = genai_prices.calc_price(used, model, provider_api_url=base_url)
        else:
            price = genai_prices.calc_price(used, model, provider_id=provider)
    except (LookupError, ValueError):
        return None, ""
    return math.ceil(price.total_price * 1_000_000), f"genai-prices {importlib.metadata.version('genai-prices')}"
