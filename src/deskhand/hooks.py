"""Hooks: the one place where a host's function that gives text is called, and survived; and the host's surroundings of a turn.

A hook adds a part to what the model is told. Whatever goes wrong in it costs the turn that part and nothing else: it raises, it
calls ``sys.exit``, it gives something that is no text, its path leads nowhere. The surroundings (``AROUND_TURN``) are not survived: what
is done outside of them would be done for the wrong tenant.

Never here: a hook's text, its arguments or an exception's words in a log line; the class of the fault is all that is logged. Limits:
no timer is set. A hook that is slow is named in a warning afterwards, one that never returns holds its own request only.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import time
from collections.abc import Callable, Iterator, Mapping

from django.utils.functional import Promise
from django.utils.module_loading import import_string

from deskhand import config
from deskhand.core import text
from deskhand.core.values import UserId

logger = logging.getLogger("deskhand.hooks")

#: A hook that took longer is warned about (``PR9``).
SLOW_SECONDS = 1.0


def ask(
    name: str,
    function_or_path: str | Callable[..., object] | None,
    *args: object,
    max_chars: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> str | None:
    """The hook's text, or ``None``: it has nothing to say, is not set, or failed (then there is one warning).

    ``args`` are passed by position; a function that can't take them is called without any (``PR4``). With ``max_chars`` the text
    is one line: flattened, stripped, shortened to that many characters, and refused if it can't be encoded as UTF-8 (``PR8``).
    """
    if function_or_path is None:
        return None
    started = clock()
    try:
        return _text(_call(function_or_path, args), max_chars)
    except (Exception, SystemExit, asyncio.CancelledError) as fault:  # noqa: BLE001 - a stranger's function
        logger.warning("%s skipped: %s", name, type(fault).__name__)
        return None
    finally:
        seconds = clock() - started
        if seconds > SLOW_SECONDS:
            logger.warning("%s took %.1f s", name, seconds)


def addendum(hook: str | Callable[..., object] | None, facts: Mapping[str, object]) -> str | None:
    """What ``PROMPT_ADDENDUM`` says, asked with these facts if it can take them (``PR4``)."""
    return ask("prompt_addendum", hook, facts)


@contextlib.contextmanager
def around(user_id: UserId | None, session_ref: str) -> Iterator[None]:
    """The host's ``AROUND_TURN`` for work that is done as this user in this session, in whatever thread; nothing where it is not set.

    It is called with ``{"user_id", "session_ref"}`` if it can take them. It may stand inside itself, and inside a request of the host's.
    What is raised inside is raised outside too, also where the host's context manager hides it.

    Raises:
        TypeError: the hook made no context manager; besides that, whatever the hook raises.
    """
    hook = config.get().around_turn
    if hook is None:
        yield
        return
    made = _call(hook, ({"user_id": user_id, "session_ref": session_ref},))
    if not isinstance(made, contextlib.AbstractContextManager):
        raise TypeError("AROUND_TURN must give a context manager")
    hidden: BaseException | None = None
    with made:
        try:
            yield
        except BaseException as fault:
            hidden = fault
            raise
    if hidden is not None:
        raise hidden


def _found(hook: str | Callable[..., object]) -> Callable[..., object]:
    return import_string(hook) if isinstance(hook, str) else hook


def _call(function_or_path: str | Callable[..., object], args: tuple[object, ...]) -> object:
    function = _found(function_or_path)
    try:
        inspect.signature(function).bind(*args)
    except TypeError:
        args = ()
    except ValueError:
        # Written in C, without a signature: the call itself tells.
        pass
    return function(*args)


def _text(answer: object, max_chars: int | None) -> str | None:
    if inspect.iscoroutine(answer):
        answer.close()
    if answer is None:
        return None
    if not isinstance(answer, str | Promise):
        raise TypeError
    words = str.__str__(str(answer))
    if max_chars is not None:
        words.encode()
        words = text.one_line(words)[:max_chars].rstrip()
    return words if words.strip() else None
