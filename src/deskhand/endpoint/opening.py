"""Opening: from an endpoint's settings to the endpoint.

Each kind is imported when one is opened: an installation that uses OpenAI-compatible servers never loads another provider's library.
"""

from __future__ import annotations

import importlib
from typing import cast

from deskhand.endpoint import Endpoint, Settings
from deskhand.errors import ConfigurationError

#: What ``Settings.provider`` may be.
PROVIDERS = ("openai", "anthropic", "google", "offline", "scripted")


def open(settings: Settings) -> Endpoint:
    """The endpoint for ``settings``; nothing is connected yet. Raises ``ConfigurationError`` for a provider that is none."""
    match settings.provider:
        case "openai":
            from deskhand.endpoint.openai import OpenAIEndpoint

            return OpenAIEndpoint(settings)
        case "anthropic" | "google":
            from deskhand.endpoint.others import open_other

            return open_other(settings)
        case "offline":
            offline = importlib.import_module("deskhand.endpoint.offline")
            return cast(Endpoint, offline.OfflineEndpoint(settings))
        case "scripted":
            from deskhand.endpoint.scripted import ScriptedEndpoint

            script = settings.parameters.get("script", ())
            return ScriptedEndpoint([str(text) for text in script] if isinstance(script, (list, tuple)) else [], settings)
    raise ConfigurationError("ENDPOINTS", f"{settings.name!r}: the provider is none of {', '.join(PROVIDERS)}")
