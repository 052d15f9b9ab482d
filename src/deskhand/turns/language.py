"""The language of a turn: the one that the person's browser asked for, in whatever thread or process its words are made.

Notices, summaries and the phrases of the window are in it (``HI3``), also when somebody else ends the turn. Never here: a locale's text
itself; it is looked up among Django's languages. Limits: a locale that Django doesn't know gives the site's language.
"""

from __future__ import annotations

import contextlib

from django.utils import translation


def of(locale: str) -> str:
    """The language of Django's that this locale asks for, else the site's."""
    with translation.override(None):
        site = translation.get_language() or "en"
    try:
        return translation.get_supported_language_variant(locale.replace("_", "-").lower()) if locale else site
    except LookupError:
        return site


def around(locale: str) -> contextlib.AbstractContextManager[None]:
    """The language that this locale asks for is active inside."""
    return translation.override(of(locale))
