"""Watches every log record of the test run for the canary: nothing that a person, a tool or a model wrote may be logged (``OP6``).

Records are looked at where they are made and not by a handler, so that it does not matter whether a logger hands on what it gets. A test
during which the canary was logged fails; what came after the last test fails the run. The record's text is never shown: only which
logger it was and from which line.

Limits: a record below its logger's level is never made, so all of deskhand's loggers are set to ``DEBUG``; logs of other processes
that a test starts are not seen here.
"""

from __future__ import annotations

import contextlib
import logging
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from tests.canary import CANARY

#: Where the canary was logged since somebody last looked.
_seen: list[str] = []
_before = logging.Logger.makeRecord
#: What every record has; anything else is an extra.
_USUAL = frozenset(vars(logging.makeLogRecord({})))


def holds_canary(record: logging.LogRecord) -> bool:
    """Whether message, arguments, extras or the exception of the record hold the canary."""
    words = [value if isinstance(value, str) else repr(value) for name, value in vars(record).items() if name not in _USUAL]
    with contextlib.suppress(TypeError, ValueError):
        words.append(record.getMessage())
    if record.exc_info and record.exc_info[1] is not None:
        words += traceback.format_exception(record.exc_info[1])
    return any(CANARY in word for word in words)


def _make_record(logger: logging.Logger, *args: Any, **kwargs: Any) -> logging.LogRecord:
    record = _before(logger, *args, **kwargs)
    if holds_canary(record):
        _seen.append(f"{record.name}, {record.pathname}:{record.lineno}")
    return record


def pytest_configure() -> None:
    logging.Logger.makeRecord = _make_record  # type: ignore[method-assign]
    logging.getLogger("deskhand").setLevel(logging.DEBUG)


def pytest_unconfigure() -> None:
    logging.Logger.makeRecord = _before  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    yield
    if _seen:
        where = "; ".join(_seen)
        _seen.clear()
        pytest.fail(f"The canary was logged by {where}", pytrace=False)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """What was logged after the last test; under xdist this runs in each process, and a worker that fails here is a crashed one."""
    if _seen:
        where = "; ".join(_seen)
        _seen.clear()
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        raise pytest.UsageError(f"The canary was logged after the last test, by {where}")
