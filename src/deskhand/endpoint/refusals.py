"""Refusals: what a server said instead of an answer, as an error of ours.

Read are the status, the error's code and type, and its message only to tell one kind from another. None of it is kept: a body can
hold the key, the prompt, or anything at all (``B127``), so ``detail`` is always one of the fixed words here.

Called by ``openai`` for a status that is no success and for an error in the middle of a stream (``B8``), by ``others`` for a status.
"""

from __future__ import annotations

import datetime
import email.utils
import re
from collections.abc import Mapping

from deskhand.endpoint import sse
from deskhand.errors import (
    ContextTooLong,
    EndpointBroken,
    EndpointDenied,
    EndpointError,
    EndpointFiltered,
    EndpointLimited,
    EndpointOverloaded,
    EndpointRejected,
)

#: How much of a refusal's body is read.
BODY_BYTES = 65_536

_TOO_LONG_CODES = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "string_above_max_length", "request_too_large"}
)
_TOO_LONG_WORDS = re.compile(
    r"context (?:length|window|size)|maximum context|max(?:imum)? (?:prompt|input|model) len|prompt is too long|input is too long|too many tokens"
    r"|token count .{0,40}exceeds|too large for model|reduce the length",
    re.IGNORECASE,
)
_FILTER_CODES = frozenset(
    {"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "content_filtered", "moderation_blocked"}
)
_NO_MONEY_CODES = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "insufficient_balance", "credit_balance_too_low"}
)
_LIMIT_CODES = frozenset(
    {"rate_limit_exceeded", "rate_limit_error", "rate_limited", "resource_exhausted", "tokens", "requests", "too_many_requests"}
)
_KEY_CODES = frozenset(
    {"invalid_api_key", "authentication_error", "permission_error", "permission_denied", "unauthenticated", "unauthorized"}
)
_LOAD_CODES = frozenset(
    {"server_error", "api_error", "overloaded_error", "internal_error", "internal_server_error", "unavailable", "overloaded"}
)
_REQUEST_CODES = frozenset({"invalid_request_error", "invalid_argument", "model_not_found", "not_found_error"})


def of_status(status: int, headers: Mapping[str, str], body: bytes) -> EndpointError:
    """The error for a response whose status is no success. ``headers`` are looked up without regard to case by their type."""
    try:
        value = sse.parse(body)
    except ValueError:
        value = None
    if isinstance(value, list) and value:  # Google answers with a list of one
        value = value[0]
    error = value.get("error", value) if isinstance(value, dict) else None
    return of_error(error, status, retry_after(headers))


def of_error(error: object, status: int, wait: float | None = None) -> EndpointError:
    """The error for an error object that came with ``status`` (200 in the middle of a stream)."""
    codes, words = _codes(error)
    in_stream = 200 <= status < 300
    if in_stream:
        status = next((int(code) for code in codes if code.isdigit() and 400 <= int(code) <= 599), 0)
    found = _kind(status, codes, words)
    if found is EndpointRejected and in_stream and not status and not codes & _REQUEST_CODES:
        return EndpointBroken("an error in the stream")
    detail = f"HTTP {status}" if status else "an error in the stream"
    made = found(
        detail, status=status or None, retry_after_seconds=wait if found in (EndpointLimited, EndpointOverloaded) else None
    )
    if codes & _NO_MONEY_CODES:
        made.may_retry = False
        made.detail += ", no credit left"
    return made


def _kind(status: int, codes: frozenset[str], words: str) -> type[EndpointError]:
    if codes & _TOO_LONG_CODES or status == 413:
        return ContextTooLong
    if codes & _FILTER_CODES:
        return EndpointFiltered
    if status in (400, 422, 500, 0) and _TOO_LONG_WORDS.search(words):
        return ContextTooLong
    if status in (401, 403) or (not status and codes & _KEY_CODES):
        return EndpointDenied
    if status == 429 or codes & _NO_MONEY_CODES or (not status and codes & _LIMIT_CODES):
        return EndpointLimited
    if status >= 500 or status == 408 or (not status and codes & _LOAD_CODES):
        return EndpointOverloaded
    return EndpointRejected


def _codes(error: object) -> tuple[frozenset[str], str]:
    """The short words of an error object in lower case, and its long ones."""
    if isinstance(error, str):
        return frozenset(), error[:2000]
    if not isinstance(error, Mapping):
        return frozenset(), ""
    found: set[str] = set()
    inner = error.get("innererror")
    for part in (error, inner if isinstance(inner, Mapping) else {}):
        for key in ("code", "type", "status"):
            value = part.get(key)
            if isinstance(value, (str, int)):
                found.add(str(value).lower()[:64])
    message = error.get("message")
    return frozenset(found), message[:2000] if isinstance(message, str) else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After`` asks for, as a number or a date; a date is measured against the server's own clock if it says one."""
    try:
        milliseconds = float(headers.get("Retry-After-Ms") or "nan")
        if 0 <= milliseconds < 1e12:
            return milliseconds / 1000
    except ValueError:
        pass
    raw = (headers.get("Retry-After") or "").strip()
    try:
        seconds = float(raw)
    except ValueError:
        until = _date(raw)
        if until is None:
            return None
        now = _date(headers.get("Date") or "") or datetime.datetime.now(datetime.UTC)
        return max(0.0, (until - now).total_seconds())
    return seconds if 0 <= seconds < 1e9 else None


def _date(raw: str) -> datetime.datetime | None:
    try:
        moment = email.utils.parsedate_to_datetime(raw)
    except (ValueError, TypeError, IndexError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
