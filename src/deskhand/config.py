"""The settings of deskhand: Django's ``DESKHAND`` dict, read once, checked, frozen.

The one module that reads Django's settings, so that what can be configured is one list and every other room takes plain values. An
unknown key, a wrong type or a number out of range raises ``ConfigurationError`` at the first look (a system check looks at start).

Never here: a default that depends on the host's data, or a secret in a message. Limits: a hook named by a dotted path is imported at
its first use, not here, so that a project can name modules that import ours.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Mapping
from typing import TypeVar, get_args, get_origin, get_type_hints

from django.conf import settings as django_settings
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.utils import timezone

from deskhand import errors
from deskhand.core import limits
from deskhand.core.values import EndpointSettings, Waits

#: A host's function, or the dotted path to it.
Hook = str | Callable[..., object]


#: Where turns can run.
ENGINES = ("threads", "procrastinate")

T = TypeVar("T")


def _key(default: T, doc: str, *, low: float | None = None) -> T:
    """A field with its line of documentation and its smallest value. Typed as its default, as ``dataclasses.field`` is."""
    metadata = {"doc": doc, "low": low}
    if isinstance(default, dict):
        return dataclasses.field(default_factory=lambda: dict(default), metadata=metadata)  # type: ignore[return-value]
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Config:
    """What holds for this site. A field ``history_chars`` is the key ``HISTORY_CHARS`` of ``DESKHAND``."""

    # fmt: off
    system_prompt: str = _key("", "The admin's text for everybody, first part of what the model is told.")
    prompt_addendum: Hook | None = _key(None, "The host's vocabulary: a function or its dotted path; may take `{user_id, locale}`.")
    page_context: Hook | None = _key(None, "One line about the page the person is on: `fn(path, scope) -> str | None`.")
    scope: Hook = _key("deskhand.scope.session_scope", "Makes the `Scope` of a session: `fn(session_ref, user) -> Scope | None`.")
    redact: Hook | None = _key(None, "The host's last look at a tool's result before it leaves: `fn(tool, result, scope) -> str`.")
    around_turn: Hook | None = _key(None, "Gives a context manager around all of a turn's work and around a click: `fn({user_id, session_ref})`.")
    role_session_key: str = _key("deskhand_role", "Session key that holds the name of the acting role (a group).")
    impersonator_session_keys: tuple[str, ...] = _key(
        ("_impersonate", "hijack_history", "loginas_from_user", "exit_users_pk"), "Session keys by which impersonation packages tell the real user.")
    endpoints: Mapping[str, Mapping[str, object]] = _key({}, "Model servers by name; see *Endpoints*. Empty: from the environment, else the offline model.")
    endpoint: str = _key("", "Name of the endpoint that is used where nothing else is said. Empty: the first.")
    fallback_endpoint: str = _key("", "Name of the endpoint that is asked when the first can't be reached.")
    guard: Mapping[str, Mapping[str, str]] = _key({}, "`{\"agent.chat\": {\"mode\": \"off\" or \"flag\", \"purpose\": \"…\"}}`.")
    history_chars: int = _key(limits.HISTORY_CHARS, "How much of the conversation the model reads, in characters.", low=1)
    attachment_share: float = _key(limits.ATTACHMENT_SHARE, "Which part of it the files of one message may take.", low=0)
    message_chars: int = _key(limits.MESSAGE_CHARS, "Longest message of a person, in characters.", low=1)
    tool_result_stored_chars: int = _key(limits.TOOL_RESULT_STORED_CHARS, "How much of a tool's result the journal keeps, in characters.", low=0)
    tool_result_model_chars: int = _key(limits.TOOL_RESULT_MODEL_CHARS, "How much of a tool's result the model reads, in characters.", low=1)
    rounds: int = _key(limits.ROUNDS, "Model calls in one turn.", low=1)
    calls: int = _key(limits.CALLS, "Tool calls in one turn.", low=0)
    turn_seconds: float = _key(float(limits.TURN_SECONDS), "Longest time of one turn.", low=0.1)
    tool_seconds: float = _key(float(limits.TOOL_SECONDS), "Longest time of one reading tool.", low=0.01)
    cards: int = _key(limits.CARDS, "Cards that may wait in one conversation.", low=1)
    card_seconds: int = _key(limits.CARD_SECONDS, "How long a card can be clicked, in seconds.", low=1)
    turns_per_user: int = _key(1, "Turns of one user at the same time.", low=1)
    lease_seconds: float = _key(float(limits.LEASE_SECONDS), "Within this time a turn whose process died has its end, if any process runs.", low=0.2)
    runner_threads: int = _key(16, "Turns at the same time in one process.", low=1)
    flush_seconds: float = _key(1.0, "How often the text of running turns goes to the database.", low=0.01)
    rights_seconds: float = _key(5.0, "How often rights are asked anew while a model streams or somebody follows.", low=0.05)
    stream_seconds: float = _key(25.0, "Longest life of one stream under WSGI; the panel opens the next.", low=0.1)
    wsgi_streams: int = _key(2, "Streams at once in one process under WSGI, a thread each; the panel polls beyond them. At most half of its threads.", low=0)
    bell: bool = _key(False, "PostgreSQL's `NOTIFY` tells who follows a turn of another process to look. Not through a transaction pooler; a connection for each process with such followers.")
    engine: str = _key("threads", "Where turns run: `threads` of the process that took the message, or `procrastinate` workers (PostgreSQL).")
    grace_seconds: float = _key(10.0, "How long running turns may go on when the process is told to end.", low=0)
    # fmt: on

    def endpoint_settings(self, name: str = "") -> EndpointSettings:
        """The endpoint of that name, else the site's default one.

        Raises:
            ConfigurationError: no endpoint of that name.
        """
        found = _endpoints(self)
        name = name or self.endpoint or next(iter(found))
        if name not in found:
            raise errors.ConfigurationError("ENDPOINTS", f"there is no endpoint {name!r}")
        return found[name]

    def guard_purpose(self, task: str) -> str | None:
        """The admin's purpose text if the guard looks at this task, else ``None`` (``PR3``)."""
        rule = self.guard.get(task, {})
        return rule.get("purpose", "") if rule.get("mode", "off") != "off" else None


@functools.cache
def get() -> Config:
    """The checked settings; the same object until ``DESKHAND`` changes.

    Raises:
        ConfigurationError: an unknown key, a wrong type, a number out of range.
    """
    raw = getattr(django_settings, "DESKHAND", {})
    if not isinstance(raw, Mapping):
        raise errors.ConfigurationError("DESKHAND", "must be a dict")
    fields = {field.name.upper(): field for field in dataclasses.fields(Config)}
    hints = get_type_hints(Config)
    values: dict[str, object] = {}
    for key, value in raw.items():
        if key not in fields:
            raise errors.ConfigurationError(str(key), "there is no such setting; see docs/settings.md for all of them")
        field = fields[key]
        values[field.name] = _checked(key, value, hints[field.name], field.metadata.get("low"))
    result = Config(**values)  # type: ignore[arg-type]
    if result.engine not in ENGINES:
        raise errors.ConfigurationError("ENGINE", f"must be one of {', '.join(ENGINES)}")
    found = _endpoints(result)
    for key, name in (("ENDPOINT", result.endpoint), ("FALLBACK_ENDPOINT", result.fallback_endpoint)):
        if name and name not in found:
            raise errors.ConfigurationError(key, f"there is no endpoint {name!r} in ENDPOINTS")
    return result


@receiver(setting_changed)
def _forget(*, setting: str, **_: object) -> None:
    if setting == "DESKHAND":
        get.cache_clear()


def user_table() -> str:
    """Label of the host's user table, for foreign keys and queries."""
    return str(django_settings.AUTH_USER_MODEL)


def script_name() -> str:
    """The host's ``FORCE_SCRIPT_NAME``; empty where the server tells, or where the site stands at the root."""
    return str(django_settings.FORCE_SCRIPT_NAME or "")


def session_engine() -> str:
    """Dotted path of the host's session engine."""
    return str(django_settings.SESSION_ENGINE)


def queue_alias() -> str:
    """The database in which procrastinate keeps its jobs."""
    return str(getattr(django_settings, "PROCRASTINATE_DATABASE_ALIAS", "default"))


def signing_keys() -> list[str]:
    """The host's secret key, and the older ones that still verify."""
    return [str(key) for key in (django_settings.SECRET_KEY, *django_settings.SECRET_KEY_FALLBACKS)]


def today() -> tuple[str, str]:
    """Today's ISO date in the site's zone, and that zone's name (``PR6``)."""
    zone = timezone.get_default_timezone()
    return timezone.now().astimezone(zone).date().isoformat(), str(django_settings.TIME_ZONE)


def _checked(key: str, value: object, hint: object, low: float | None) -> object:
    if hint == Hook or hint == Hook | None:
        if value is None and hint == Hook | None:
            return None
        if not (callable(value) or (isinstance(value, str) and value)):
            raise errors.ConfigurationError(key, "must be a function or the dotted path to one")
        return value
    origin = get_origin(hint)
    if origin is tuple:
        if isinstance(value, str) or not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
            raise errors.ConfigurationError(key, "must be a list of texts")
        return tuple(value)
    if origin is not None and issubclass(origin, Mapping):
        return _checked_mapping(key, value, get_args(hint)[1])
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):  # type: ignore[arg-type]
        raise errors.ConfigurationError(key, f"must be of type {getattr(hint, '__name__', hint)}")
    if low is not None and not value >= low:  # type: ignore[operator]
        raise errors.ConfigurationError(key, f"must be at least {low:g}")
    if key == "ENGINE" and value not in ENGINES:
        raise errors.ConfigurationError(key, f"must be one of {', '.join(ENGINES)}")
    if key == "ATTACHMENT_SHARE" and not value <= 1:  # type: ignore[operator]
        raise errors.ConfigurationError(key, "must be at most 1")
    return value


def _checked_mapping(key: str, value: object, inner: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise errors.ConfigurationError(key, "must be a dict whose keys are texts")
    if get_origin(inner) is not None and not all(isinstance(part, Mapping) for part in value.values()):
        raise errors.ConfigurationError(key, "each of its values must be a dict")
    return dict(value)


_WAITS = {field.name: f"{field.name.upper()}_SECONDS" for field in dataclasses.fields(Waits)}
_ENDPOINT_KEYS = {"PROVIDER", "MODEL", "BASE_URL", "API_KEY", "API_KEY_ENV", "PARAMETERS", "PRICES", *_WAITS.values()}
_PROVIDERS = ("openai", "anthropic", "google", "offline", "scripted")


def _endpoints(config: Config) -> dict[str, EndpointSettings]:
    if config.endpoints:
        return {name: _endpoint(name, raw) for name, raw in config.endpoints.items()}
    made = _from_environment()
    return {made.name: made}


def _endpoint(name: str, raw: Mapping[str, object]) -> EndpointSettings:
    where = f"ENDPOINTS.{name}"
    unknown = sorted(set(raw) - _ENDPOINT_KEYS)
    if unknown:
        raise errors.ConfigurationError(where, f"there is no key {unknown[0]!r}; known are {', '.join(sorted(_ENDPOINT_KEYS))}")
    provider = raw.get("PROVIDER", "openai")
    if provider not in _PROVIDERS:
        raise errors.ConfigurationError(where, f"PROVIDER must be one of {', '.join(_PROVIDERS)}")
    model = raw.get("MODEL", "")
    if not isinstance(model, str) or not (model or provider in ("offline", "scripted")):
        raise errors.ConfigurationError(where, "MODEL must be the model's name")
    for key, kind in (("BASE_URL", str), ("API_KEY", str), ("API_KEY_ENV", str), ("PARAMETERS", Mapping), ("PRICES", Mapping)):
        if key in raw and not isinstance(raw[key], kind):
            raise errors.ConfigurationError(where, f"{key} must be a {'dict' if kind is Mapping else 'text'}")
    waits: dict[str, float] = {}
    for field, key in _WAITS.items():
        if key in raw:
            seconds = raw[key]
            if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds <= 0:
                raise errors.ConfigurationError(where, f"{key} must be a number of seconds above 0")
            waits[field] = float(seconds)
    variable = str(raw.get("API_KEY_ENV", ""))
    return EndpointSettings(
        name=name,
        provider=str(provider),
        model=model or str(provider),
        base_url=str(raw.get("BASE_URL", "")),
        api_key=str(raw.get("API_KEY", "")) or os.environ.get(variable, ""),
        parameters=dict(raw.get("PARAMETERS", {})),  # type: ignore[call-overload]
        waits=Waits(**waits),
        prices=dict(raw.get("PRICES", {})),  # type: ignore[call-overload]
    )


def _from_environment() -> EndpointSettings:
    """``OPENAI_BASE_URL`` or ``OPENAI_API_KEY``, else ``ANTHROPIC_API_KEY``, else ``GEMINI_API_KEY``, else the offline model."""
    environ = os.environ
    model = environ.get("DESKHAND_MODEL", "")
    if environ.get("OPENAI_BASE_URL") or environ.get("OPENAI_API_KEY"):
        return EndpointSettings(
            name="openai",
            provider="openai",
            model=model or "gpt-4.1-mini",
            base_url=environ.get("OPENAI_BASE_URL", ""),
            api_key=environ.get("OPENAI_API_KEY", ""),
        )
    for provider, variable, usual in (
        ("anthropic", "ANTHROPIC_API_KEY", "claude-sonnet-4-5"),
        ("google", "GEMINI_API_KEY", "gemini-2.5-flash"),
    ):
        if environ.get(variable):
            return EndpointSettings(name=provider, provider=provider, model=model or usual, api_key=environ[variable])
    return EndpointSettings(name="offline", provider="offline", model="offline")
