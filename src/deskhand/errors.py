"""Every exception of deskhand, in one tree.

An expected end (a card that ran out, a tool that answered with an error) is a value, an :class:`~deskhand.core.values.Outcome`;
an exception is a broken promise or a door that stays shut. The class docstring's first line is the message; what a reader of the
message needs besides stands in attributes, so that no message ever carries text of a person, a tool or a model.

    DeskhandError
    ├── ConfigurationError        a setting that can't be meant so; raised at start
    ├── Refused                   a request that is answered with an HTTP status
    │   ├── BadInput (400)
    │   │   └── TooLarge (413)
    │   ├── NotAllowed (403)
    │   │   └── SignedOut (403)
    │   ├── OtherAccount (403)
    │   ├── StaleToken (403)
    │   ├── NotFound (404)
    │   ├── Busy (409)
    │   ├── CardHeld (409)
    │   ├── NoStreams (409)
    │   ├── CrashedTooOften (409)
    │   ├── SwitchedOff (503)
    │   └── LimitReached (429)
    ├── FenceLost                 the turn belongs to somebody else by now
    ├── TurnStopped               the person stopped it, or what it stood on is gone
    ├── InvalidArguments          a call's arguments do not fit the tool
    ├── ToolError                 a tool's own words for the model
    └── EndpointError             the language model's server did not do its part
        ├── EndpointUnreachable   no connection, no name, no TLS
        ├── EndpointTimeout       connect, first byte, idle or total
        ├── EndpointDenied        the key is wrong or has no right (401, 403)
        ├── EndpointLimited       429, with what Retry-After said
        ├── EndpointOverloaded    500 and above, before the first byte
        ├── EndpointRejected      400 and the like: repeating it is no use
        │   └── ContextTooLong
        ├── EndpointFiltered      the server withheld the answer
        └── EndpointBroken        the stream ended early or made no sense
"""

from __future__ import annotations


class DeskhandError(Exception):
    """Something in deskhand failed."""

    def __init__(self, message: str | None = None) -> None:
        doc = (type(self).__doc__ or "").strip().splitlines()
        super().__init__(message or (doc[0] if doc else type(self).__name__))


class ConfigurationError(DeskhandError):
    """A deskhand setting is not usable."""

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(f"DESKHAND[{setting!r}]: {reason}")
        self.setting = setting
        self.reason = reason


class Refused(DeskhandError):
    """The request was refused."""

    #: HTTP status that answers it.
    status = 400
    #: Word by which a program tells one refusal from another.
    code = "refused"


class BadInput(Refused):
    """The request could not be read."""

    status = 400
    code = "bad_input"

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class TooLarge(BadInput):
    """What was sent is larger than allowed."""

    status = 413
    code = "too_large"


class NotAllowed(Refused):
    """This account may not use the assistant."""

    status = 403
    code = "not_allowed"


class StaleToken(Refused):
    """The CSRF token is missing, or is not this session's."""

    status = 403
    code = "csrf"


class OtherAccount(Refused):
    """Another account is signed in here than the one that the page shows."""

    status = 403
    code = "other_account"


class SignedOut(NotAllowed):
    """Nobody is signed in here, or not any more."""

    code = "signed_out"


class NotFound(Refused):
    """There is nothing here."""

    status = 404
    code = "not_found"


class Busy(Refused):
    """An answer is still being written."""

    status = 409
    code = "busy"

    def __init__(self, what: str) -> None:
        super().__init__()
        #: ``"conversation"`` or ``"user"``: whose place is taken.
        self.what = what


class CardHeld(Refused):
    """The card can't be decided here and now."""

    status = 409
    code = "card_held"

    def __init__(self, why: str) -> None:
        super().__init__()
        #: ``"other_session"`` or ``"in_progress"``.
        self.why = why
        self.code = why


class NoStreams(Refused):
    """This server has one thread, which a stream would keep from everybody else."""

    status = 409
    code = "no_streams"


class CrashedTooOften(Refused):
    """The server was interrupted each time that it worked on this message."""

    status = 409
    code = "crashed_too_often"


class SwitchedOff(Refused):
    """The assistant is switched off."""

    status = 503
    code = "switched_off"


class LimitReached(Refused):
    """A limit is reached."""

    status = 429
    code = "limit_reached"

    def __init__(self, limit: str, lifts_in_seconds: int | None = None) -> None:
        super().__init__()
        self.limit = limit
        self.lifts_in_seconds = lifts_in_seconds


class FenceLost(DeskhandError):
    """This turn was ended by somebody else; nothing more of it may be written."""


class TurnStopped(DeskhandError):
    """The turn was told to stop."""


class InvalidArguments(DeskhandError):
    """The arguments of a call do not fit the tool.

    ``reason`` is written for the model, so that it can correct itself; it names fields and kinds, never values.
    """

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


class ToolError(DeskhandError):
    """A tool says in its own words what went wrong; the model reads them."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class EndpointError(DeskhandError):
    """The language model's server did not answer as it should."""

    #: Word for journal and usage rows.
    code = "endpoint"
    #: Whether the same request may be sent again, as long as no byte of an answer came.
    may_retry = False

    def __init__(self, detail: str = "", *, status: int | None = None, retry_after_seconds: float | None = None) -> None:
        super().__init__()
        #: For the admin: short, ours (never a body that a server sent, never a key).
        self.detail = detail
        #: HTTP status, if one came.
        self.status = status
        #: What Retry-After asked for.
        self.retry_after_seconds = retry_after_seconds


class EndpointUnreachable(EndpointError):
    """The language model's server could not be reached."""

    code = "unreachable"
    may_retry = True


class EndpointTimeout(EndpointError):
    """The language model's server took too long."""

    code = "timeout"

    def __init__(self, phase: str) -> None:
        super().__init__(phase)
        #: ``connect``, ``first_byte``, ``idle`` or ``total``.
        self.phase = phase
        self.may_retry = phase == "connect"


class EndpointDenied(EndpointError):
    """The language model's server did not accept the key."""

    code = "denied"


class EndpointLimited(EndpointError):
    """The language model's server asks to wait."""

    code = "rate_limited"
    may_retry = True


class EndpointOverloaded(EndpointError):
    """The language model's server failed or is overloaded."""

    code = "overloaded"
    may_retry = True


class EndpointRejected(EndpointError):
    """The language model's server did not accept the request."""

    code = "rejected"


class ContextTooLong(EndpointRejected):
    """The request is longer than the model can read."""

    code = "context_too_long"


class EndpointFiltered(EndpointError):
    """The language model's server withheld the answer."""

    code = "filtered"


class EndpointBroken(EndpointError):
    """The answer of the language model's server broke off."""

    code = "broken"
