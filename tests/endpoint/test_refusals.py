"""What a server said instead of an answer."""

from __future__ import annotations

import json

import pytest
import urllib3

from deskhand.endpoint.refusals import of_error, of_status, retry_after
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


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, {"code": "context_length_exceeded", "message": "x"}, ContextTooLong),
        (400, {"message": "This model's maximum context length is 8192 tokens."}, ContextTooLong),
        (400, {"type": "exceed_context_size_error", "code": 400, "message": "x"}, ContextTooLong),
        (400, {"message": "The input token count (1200000) exceeds the maximum number of tokens allowed"}, ContextTooLong),
        (400, {"message": "max_tokens must be positive"}, EndpointRejected),
        (400, {"code": "content_filter", "message": "x"}, EndpointFiltered),
        (400, {"code": None, "innererror": {"code": "ResponsibleAIPolicyViolation"}}, EndpointFiltered),
        (401, {"message": "maximum context length"}, EndpointDenied),
        (403, "no", EndpointDenied),
        (404, None, EndpointRejected),
        (408, None, EndpointOverloaded),
        (429, {}, EndpointLimited),
        (402, {"code": "insufficient_balance"}, EndpointLimited),
        (500, [], EndpointOverloaded),
        (529, None, EndpointOverloaded),
        (307, None, EndpointRejected),
    ],
)
def test_a_status_becomes_its_error(status: int, error: object, kind: type[EndpointError]) -> None:
    """TU7"""
    for value in ({"error": error}, error, [{"error": error}]):
        assert type(of_status(status, {}, json.dumps(value).encode())) is kind


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff", b"null", b"[]", b'"x"', b"{" * 9999, b"[" * 100_000])
def test_a_body_that_says_nothing_leaves_the_status_to_say_it(body: bytes) -> None:
    """TU7"""
    assert type(of_status(503, {}, body)) is EndpointOverloaded


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 502, "message": "x"}, EndpointOverloaded),
        ({"code": "429"}, EndpointLimited),
        ({"code": "rate_limit_exceeded"}, EndpointLimited),
        ({"type": "overloaded_error"}, EndpointOverloaded),
        ({"type": "invalid_api_key"}, EndpointDenied),
        ({"message": "prompt is too long"}, ContextTooLong),
        ({"type": "invalid_request_error", "message": "x"}, EndpointRejected),
        ({"message": "quota exceeded"}, EndpointBroken),
        ("BOOM", EndpointBroken),
        (True, EndpointBroken),
    ],
)
def test_an_error_in_a_stream_becomes_its_error(error: object, kind: type[EndpointError]) -> None:
    """B8"""
    assert type(of_error(error, 200)) is kind


def test_money_that_is_gone_is_never_waited_for() -> None:
    """B28"""
    made = of_error({"code": "insufficient_quota"}, 429, 1.0)
    assert type(made) is EndpointLimited
    assert not made.may_retry


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"Retry-After": "3600"}, 3600.0),
        ({"Retry-After-Ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:10 GMT", "Date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 10.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    """B28"""
    assert retry_after(urllib3.HTTPHeaderDict(headers)) == seconds
