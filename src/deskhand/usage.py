"""The keeper of model calls: what each used and cost (``LI2``, ``LI3``).

One row a call, failed and stopped ones too. A turn's rows are written together at its end, or by whoever ends it in its place; until
then the assistant messages hold a copy of the numbers. Never here: an unknown cost told as zero (``ME9``). Limits: what may be spent is
not yet checked here.
"""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Sequence

from deskhand import transactions
from deskhand.core.values import EndpointSettings, Usage
from deskhand.endpoint import prices
from deskhand.models import AIRequest

#: The task of a person's chat.
CHAT = "agent.chat"


@dataclasses.dataclass(frozen=True, slots=True)
class Spender:
    """For whom a call was made."""

    user_key: str
    conversation_ref: uuid.UUID | None = None
    turn_ref: uuid.UUID | None = None
    task: str = CHAT


def row(
    spender: Spender,
    settings: EndpointSettings,
    usage: Usage,
    *,
    status: str,
    model: str = "",
    latency_ms: int | None = None,
    first_token_ms: int | None = None,
) -> AIRequest:
    """An unsaved row of one call, with its cost from the provider's report, else from prices, else unknown."""
    cost, price_version = usage.cost_micro_usd, "provider"
    if cost is None:
        cost, price_version = prices.cost(settings.provider, model or settings.model, usage, settings.prices)
    return AIRequest(
        user_key=spender.user_key,
        task=spender.task,
        conversation_ref=spender.conversation_ref,
        turn_ref=spender.turn_ref,
        endpoint=settings.name[:100],
        model=(model or settings.model)[:200],
        status=status,
        input_tokens=usage.input_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        is_estimated=usage.is_estimated,
        cost_micro_usd=cost,
        price_version=price_version[:60],
        latency_ms=latency_ms,
        first_token_ms=first_token_ms,
    )


def save(rows: Sequence[AIRequest]) -> None:
    """These calls are in the books. One statement, or none for no rows."""
    if rows:
        AIRequest.objects.using(transactions.own_alias()).bulk_create(rows)


def known(turn_ref: uuid.UUID) -> set[uuid.UUID]:
    """Ids of the rows that a turn has already."""
    rows = AIRequest.objects.using(transactions.own_alias()).filter(turn_ref=turn_ref)
    return set(rows.values_list("id", flat=True))


def estimate(text: str) -> int:
    """About how many tokens a text has where nobody counted: one for four characters."""
    return -(-len(text) // 4)
