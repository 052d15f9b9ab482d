"""The keeper of what holds for one user: the admin's prompt for them, their own instructions, their endpoint.

Why a keeper of its own: an admin writes some of it, the user the rest, a turn reads it all at once. Never here: who may write what;
that is the pages' and the API's business. Limits: texts are cut to ``ADMIN_PROMPT_CHARS`` and ``INSTRUCTIONS_CHARS`` when read, so that a
row written by hand can't fill the prompt.
"""

from __future__ import annotations

import dataclasses

from deskhand import config, transactions
from deskhand.core import limits, text
from deskhand.core.values import EndpointSettings, UserId
from deskhand.errors import BadInput, ConfigurationError, TooLarge
from deskhand.models import UserSettings


@dataclasses.dataclass(frozen=True, slots=True)
class Effective:
    """What holds for one user."""

    prompt: str = ""
    instructions: str = ""
    #: Name of an endpoint; empty: the site's default.
    endpoint: str = ""
    is_off: bool = False


def effective(user_id: UserId | None) -> Effective:
    """What holds for this user; a user without a row, or who is gone, has the defaults. One statement."""
    rows = UserSettings.objects.using(transactions.own_alias())
    row = rows.filter(user_id=user_id).first() if user_id is not None else None
    if row is None:
        return Effective()
    return of_row(row)


def of_row(row: UserSettings) -> Effective:
    """What a row that was read already says."""
    return Effective(
        prompt=row.prompt[: limits.ADMIN_PROMPT_CHARS],
        instructions=row.instructions[: limits.INSTRUCTIONS_CHARS],
        endpoint=row.endpoint,
        is_off=row.is_off,
    )


def endpoint(mine: Effective) -> EndpointSettings:
    """The model server that answers this user: the one the admin chose for them, or, if it was taken away meanwhile, the site's."""
    try:
        return config.get().endpoint_settings(mine.endpoint)
    except ConfigurationError:
        return config.get().endpoint_settings()


def set_instructions(user_id: UserId, instructions: object) -> None:
    """The user's own instructions are these (``PR5``).

    Raises:
        BadInput: they are no text.
        TooLarge: they are longer than ``INSTRUCTIONS_CHARS``.
    """
    if not isinstance(instructions, str):
        raise BadInput("instructions", "must be a text")
    if len(instructions) > limits.INSTRUCTIONS_CHARS:
        raise TooLarge("instructions", f"is longer than {limits.INSTRUCTIONS_CHARS} characters")
    UserSettings.objects.using(transactions.own_alias()).update_or_create(
        user_id=user_id, defaults={"instructions": text.clean(instructions)}
    )
