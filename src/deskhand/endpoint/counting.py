"""Counting: what a model call used, as the server says, else as we estimate it.

Servers count in several shapes, and some not at all; an unknown figure is never a zero (``ME9``, ``B119``). An estimate takes four
characters for a token, is marked as one, and is public so that a call that was stopped or broke off is counted too (``B112``).

Never here: a price.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from deskhand.core.values import ModelRequest, ToolCall, Usage

CHARS_PER_TOKEN = 4
_MOST_TOKENS = 10**10


def count(value: object) -> int | None:
    """``value`` if it is a number of tokens, else ``None``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _MOST_TOKENS:
        return None
    return int(value)


def micro_usd(value: object) -> int | None:
    """USD as whole micro-USD, rounded up; ``None`` if it is no amount."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1_000_000:
        return None
    # a ten-thousandth of a micro-USD is the floating point's, not the provider's
    return math.ceil(round(value * 1_000_000, 4))


def read(raw: object) -> Usage | None:
    """The usage object of an OpenAI-compatible server; ``None`` if it says nothing.

    Cached tokens are part of the input and reasoning is part of the output, wherever the server counts them: one that has more in
    total than in both parts left its thinking out of the output (Google), one that has more cached than read counts them beside it.
    """
    if not isinstance(raw, Mapping):
        return None
    read_tokens, written = count(raw.get("prompt_tokens")), count(raw.get("completion_tokens"))
    if not read_tokens and not written:
        return None
    inputs, outputs = _part(raw.get("prompt_tokens_details")), _part(raw.get("completion_tokens_details"))
    cached = count(inputs.get("cached_tokens"))
    if cached is None:
        cached = count(raw.get("prompt_cache_hit_tokens"))
    reasoning = count(outputs.get("reasoning_tokens"))
    total = count(raw.get("total_tokens"))
    if read_tokens is not None and written is not None and total is not None and total > read_tokens + written:
        reasoning = max(reasoning or 0, total - read_tokens - written)
        written = total - read_tokens
    if cached is not None and read_tokens is not None and cached > read_tokens:
        read_tokens += cached
    cost = micro_usd(raw.get("cost"))
    upstream = micro_usd(_part(raw.get("cost_details")).get("upstream_inference_cost"))
    if cost is not None and upstream and raw.get("is_byok") is True:
        cost += upstream
    return Usage(read_tokens, cached, written, reasoning, cost)


def _part(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def estimated(request: ModelRequest, written: str = "", calls: Iterable[ToolCall] = (), known: Usage | None = None) -> Usage:
    """Usage of a call whose server did not count: ``written`` is all that it wrote, thinking included. What is ``known`` stays."""
    known = known or Usage()
    inputs, outputs = known.input_tokens, known.output_tokens
    if inputs is not None and outputs is not None:
        return known
    if inputs is None:
        inputs = _tokens(_request_chars(request))
    if outputs is None:
        outputs = _tokens(len(written) + sum(len(call.name) + len(call.arguments) for call in calls))
    return Usage(inputs, known.cached_tokens, outputs, known.reasoning_tokens, known.cost_micro_usd, is_estimated=True)


def _tokens(chars: int) -> int:
    return -(-chars // CHARS_PER_TOKEN)


def _request_chars(request: ModelRequest) -> int:
    chars = len(request.system) + sum(len(entry.content) for entry in request.entries)
    for part in request.rounds:
        chars += len(part.text) + len(part.reasoning) + sum(map(len, part.results))
        chars += sum(len(call.name) + len(call.arguments) for call in part.calls)
    return chars + sum(len(tool.name) + len(tool.description) + len(repr(tool.parameters)) for tool in request.tools)
