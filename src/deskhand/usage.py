"""The keeper of model calls: what each used and cost (``LI2``, ``LI3``).

One row a call, failed and stopped ones too. A turn's rows are written together at its end, or by whoever ends it in its place; until
then the process that runs it keeps them in a :class:`Ledger`, and the assistant messages hold a copy of the numbers for the case that
this process dies. Never here: an unknown cost told as zero (``ME9``). Limits: what may be spent is not yet checked here.
"""

from __future__ import annotations

import dataclasses
import threading
import uuid
from collections.abc import Callable, Sequence

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


class Ledger:
    """The calls of one turn that runs in this process, until they are in the books. Any thread may read it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over: list[AIRequest] = []
        self._under_way: Callable[[], AIRequest] | None = None

    def begin(self, as_it_stands: Callable[[], AIRequest]) -> None:
        """A call is under way; this gives its row as if it ended at that moment."""
        with self._lock:
            self._under_way = as_it_stands

    def end(self, row: AIRequest) -> None:
        """The call under way is over; this is its row."""
        with self._lock:
            self._over.append(row)
            self._under_way = None

    def rows(self) -> list[AIRequest]:
        """Every call so far, the one under way as it stands."""
        with self._lock:
            return [*self._over, *([self._under_way()] if self._under_way else [])]


_ledgers: dict[uuid.UUID, Ledger] = {}


def open_ledger(turn_ref: uuid.UUID) -> Ledger:
    """The ledger of a turn whose calls are made in this process from now on."""
    _ledgers[turn_ref] = Ledger()
    return _ledgers[turn_ref]


def ledger(turn_ref: uuid.UUID) -> Ledger | None:
    """The turn's ledger, if this process has made calls for it that are not in the books."""
    return _ledgers.get(turn_ref)


def close_ledger(turn_ref: uuid.UUID) -> None:
    """The turn's calls are in the books, or somebody else's to write."""
    _ledgers.pop(turn_ref, None)


def save(rows: Sequence[AIRequest]) -> None:
    """These calls are in the books. One statement, or none for no rows."""
    if rows:
        AIRequest.objects.using(transactions.own_alias()).bulk_create(rows)


def estimate(text: str) -> int:
    """About how many tokens a text has where nobody counted: one for four characters."""
    return -(-len(text) // 4)
