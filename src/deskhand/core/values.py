"""The frozen words of the house: what rooms hand to each other.

Values carry no behaviour beyond small claims about themselves, know no database and never change. ``Role`` and ``Outcome`` are the
only lists of their kind: the tables' constraints are made from them.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping


class Role(enum.StrEnum):
    """Who a message is from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    NOTICE = "notice"


class Outcome(enum.StrEnum):
    """How a tool call, a proposal or its card ended (``ME4``, ``ME5``)."""

    # a call
    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    INVALID = "invalid"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    STOPPED = "stopped"
    TRUNCATED = "truncated"
    DUPLICATE = "duplicate"
    NEEDS_CONFIRMATION = "needs_confirmation"
    # a card
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    EXPIRED = "expired"
    CHANGED = "changed"
    FAILED = "failed"


#: How a card can end.
CARD_OUTCOMES = frozenset({Outcome.CONFIRMED, Outcome.REJECTED, Outcome.EXPIRED, Outcome.CHANGED, Outcome.FAILED})
#: How a tool call can end.
CALL_OUTCOMES = frozenset(Outcome) - CARD_OUTCOMES


class Ending(enum.StrEnum):
    """How an answer ended (``ME2``)."""

    COMPLETE = "complete"
    STOPPED = "stopped"
    INCOMPLETE = "incomplete"


class TurnEnd(enum.StrEnum):
    """How a turn ended."""

    ANSWERED = "answered"
    STOPPED = "stopped"
    #: A cap was reached: rounds, calls, time, tokens or money.
    CAPPED = "capped"
    #: The model's server, or our own code, failed.
    FAILED = "failed"
    #: The session, the account or the role is gone.
    REFUSED = "refused"
    #: Its process died, or it did not renew its lease.
    DIED = "died"
    #: Its process was told to end (a deploy), and it was not over within the grace.
    RESTARTED = "restarted"


class Notice(enum.StrEnum):
    """What a notice row says, by name; its words are in ``phrases.notice``."""

    STOPPED = "stopped"
    ROUNDS = "rounds"
    CALLS = "calls"
    REPEATED = "repeated"
    TIME = "time"
    RIGHTS = "rights"
    ENDPOINT = "endpoint"
    ENDPOINT_LIMITED = "endpoint_limited"
    ENDPOINT_TIMEOUT = "endpoint_timeout"
    ENDPOINT_DENIED = "endpoint_denied"
    ENDPOINT_REJECTED = "endpoint_rejected"
    CONTEXT_TOO_LONG = "context_too_long"
    FILTERED = "filtered"
    CUT = "cut"
    EMPTY = "empty"
    OFF_PURPOSE = "off_purpose"
    DIED = "died"
    RESTARTED = "restarted"
    OFF = "off"
    ERROR = "error"


#: Keys of ours in a tool result that never reach the journal (``ME3``). A host's own ``token`` stays.
CONTROL_KEYS = frozenset({"__deskhand_confirmation__", "__deskhand_secret__", "__deskhand_card__"})


#: Primary key of an account. A UUID is one too; the type checker's stubs know Django's own user table.
UserId = int | str


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A message as the core sees it."""

    #: Place in the conversation, from 1.
    seq: int
    #: A :class:`Role`, or any other word, which the window ignores.
    role: str
    content: str
    #: Identifies the turn to which the message belongs.
    turn_ref: str = ""
    #: Whether an assistant message asked for tools.
    asks_tools: bool = False
    #: How an assistant message ended.
    ending: str = Ending.COMPLETE
    #: Model-facing name of the tool (rows of a proposal and of a card's end).
    tool_name: str = ""
    #: Outcome of a call or a card.
    outcome: str = ""
    #: Identifies the confirmation; empty if the row has none.
    confirmation: str = ""
    #: ``TU9``: the seq of the user message that this user message replaces.
    replaces_seq: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class File:
    """A ready attachment as the core sees it."""

    #: Seq of the message that it came with.
    message_seq: int
    name: str
    text: str
    #: Whether ``text`` is all that the file says.
    is_whole: bool = True
    is_picture: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """A line as the *model* reads it."""

    #: ``"user"`` or ``"assistant"``.
    role: str
    content: str
    #: Names of the tools by calls of which the turn that this answer closed made its cards, in order; names, and nothing else.
    proposed_by: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Card:
    """What the window needs to know of a confirmation card: which tool, and how it ended (``None``: it waits)."""

    confirmation: str
    tool_name: str
    outcome: Outcome | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the model made it. Nothing in it is trusted."""

    #: The server's id for it, made unique within the turn by our reader.
    id: str
    #: The name the model used.
    name: str
    #: Raw JSON text, as it came (``{}`` for a call without arguments).
    arguments: str


@dataclasses.dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered to the model."""

    #: ``[a-zA-Z0-9_-]{1,64}``
    name: str
    description: str
    #: JSON schema of its arguments, ``type: object``.
    parameters: Mapping[str, object]
    #: Whether a call of it only proposes. Told to no provider; the offline model goes by it.
    writes: bool = False
    #: What people call it. Told to no provider; the offline model's answers begin with it, as the panel does.
    title: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Usage:
    """What one model call used. ``None`` is unknown, which is never zero (``ME9``)."""

    #: All input tokens, cached ones included.
    input_tokens: int | None = None
    #: Of the input: those read from the provider's cache.
    cached_tokens: int | None = None
    #: All output tokens, reasoning included.
    output_tokens: int | None = None
    #: Of the output: those of reasoning.
    reasoning_tokens: int | None = None
    #: What the provider itself says it costs.
    cost_micro_usd: int | None = None
    #: Counted by us because the provider did not say.
    is_estimated: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Round:
    """One earlier round of the running turn, to be told again to the model."""

    text: str
    #: What the provider wants back with the calls (``B20``); empty if it sent none.
    reasoning: str
    calls: tuple[ToolCall, ...]
    #: One text for each call, in the order of the calls (``B33``).
    results: tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class ModelRequest:
    """All that one model call is asked with. Contains no NUL and no lone surrogate (``PR10``)."""

    system: str
    #: The window, the new message last.
    entries: tuple[Entry, ...]
    rounds: tuple[Round, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    #: The user's language, for the offline model's own words.
    locale: str = "en"


@dataclasses.dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer's text, never empty."""

    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """The model is thinking; what it thinks is not shown."""


@dataclasses.dataclass(frozen=True, slots=True)
class Waiting:
    """The server asked us to wait, and we do."""

    seconds: float


class Finish(enum.StrEnum):
    """Why the model stopped."""

    STOP = "stop"
    TOOLS = "tools"
    #: The output limit was reached: calls in it are cut (``B12``).
    LENGTH = "length"
    FILTERED = "filtered"


@dataclasses.dataclass(frozen=True, slots=True)
class Reply:
    """All that one model call answered; the last thing a stream yields."""

    text: str
    reasoning: str
    calls: tuple[ToolCall, ...]
    finish: Finish
    usage: Usage
    #: The model's name as the server gave it, else as configured.
    model: str = ""


Delta = TextDelta | ReasoningDelta | Waiting | Reply


@dataclasses.dataclass(frozen=True, slots=True)
class Waits:
    """How long a server may take, in seconds."""

    connect: float = 5.0
    first_byte: float = 60.0
    idle: float = 30.0
    total: float = 300.0


@dataclasses.dataclass(frozen=True, slots=True)
class EndpointSettings:
    """One configured model server and the model there."""

    #: Name in ``DESKHAND["ENDPOINTS"]``.
    name: str
    #: ``openai``, ``anthropic``, ``google``, ``offline`` or ``scripted``.
    provider: str
    model: str
    base_url: str = ""
    #: Never shown, never logged: it is left out of ``repr``.
    api_key: str = dataclasses.field(default="", repr=False)
    #: Added to each request's body as they are (temperature, max_tokens …).
    parameters: Mapping[str, object] = dataclasses.field(default_factory=dict)
    waits: Waits = Waits()
    #: Own prices, micro-USD per million tokens: ``input``, ``cached``, ``output``. Empty: the price data's.
    prices: Mapping[str, float] = dataclasses.field(default_factory=dict)
