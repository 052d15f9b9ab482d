"""System checks: what is set up in a way that can't be meant so is said at start, each with an id and a way out (``OP3``).

| id | what |
| --- | --- |
| ``deskhand.E001`` | a tool without a permission |
| ``deskhand.E002`` | two tools with one name for the model |
| ``deskhand.E003`` | sessions in signed cookies |
| ``deskhand.E004`` | a database that deskhand does not run on |
| ``deskhand.E005`` | a setting that is not usable |
| ``deskhand.E006`` | a tool that takes its card's rows, without a preview |
| ``deskhand.E007`` | turns on workers without procrastinate |
| ``deskhand.E008`` | turns on workers, and its app is not in ``INSTALLED_APPS`` |
| ``deskhand.E009`` | turns on workers with a database other than PostgreSQL |
| ``deskhand.E010`` | turns on workers whose jobs lie in another database than deskhand's tables |
| ``deskhand.W001`` | SQLite without WAL |

``manage.py check --tag deskhand`` runs these alone.

Never here: a value of a setting in a message. Limits: ``W001`` opens the database and so is made only when databases are checked
(``migrate``, ``check --database``).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from django.apps import AppConfig, apps
from django.core import checks
from django.db import connections
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLite

from deskhand import config, transactions
from deskhand.errors import ConfigurationError
from deskhand.tools import registration

Messages = list[checks.CheckMessage]


@checks.register("deskhand")
def check_settings(app_configs: Sequence[AppConfig] | None, **_: object) -> Messages:
    """``E005``."""
    try:
        config.get()
    except ConfigurationError as fault:
        return [checks.Error(str(fault), id="deskhand.E005")]
    return []


@checks.register("deskhand")
def check_tools(app_configs: Sequence[AppConfig] | None, **_: object) -> Messages:
    """``E001``, ``E002`` (``TO2``, ``TO4``) and ``E006``."""
    found = registration.found()
    missing: Messages = [
        checks.Error(
            f"The tool {tool.name!r} names no permission, so nobody is offered it.",
            hint='Name the one that a person needs to use it: @tool(permission="app_label.codename").',
            id="deskhand.E001",
        )
        for tool in sorted(found, key=lambda tool: tool.name)
        if not tool.permission
    ]
    clashes: Messages = [
        checks.Error(
            f"More than one tool has the name {name!r} for the model.",
            hint='Give one of them another: @tool(name="…").',
            id="deskhand.E002",
        )
        for name in registration.clashing(found)
    ]
    rowless: Messages = [
        checks.Error(
            f"The tool {tool.name!r} takes the rows of its card and has no preview that names any, so it can never change one.",
            hint="Give it a preview, with the rows that it would change in Preview(rows=…).",
            id="deskhand.E006",
        )
        for tool in sorted(found, key=lambda tool: tool.name)
        if tool.signature.rows_parameter and tool.previewer is None
    ]
    return missing + clashes + rowless


@checks.register("deskhand")
def check_sessions(app_configs: Sequence[AppConfig] | None, **_: object) -> Messages:
    """``E003``: a session in a cookie can't be looked up by a running turn, nor be ended by a log-out (``SC1``)."""
    if config.session_engine() != "django.contrib.sessions.backends.signed_cookies":
        return []
    return [
        checks.Error(
            "deskhand can't work with sessions in signed cookies: whether a session is still alive can't be asked.",
            hint='Set SESSION_ENGINE to "django.contrib.sessions.backends.db" or "…cached_db".',
            id="deskhand.E003",
        )
    ]


@checks.register("deskhand")
def check_database(app_configs: Sequence[AppConfig] | None, **_: object) -> Messages:
    """``E004``."""
    alias = transactions.own_alias()
    connection = connections[alias]
    if connection.vendor in transactions.SUPPORTED:
        return []
    return [
        checks.Error(
            f"deskhand does not run on {connection.display_name}, which its tables would be in ({alias!r}): "
            "its locks and read-only tools are made for PostgreSQL and SQLite.",
            hint="Send deskhand's tables to a PostgreSQL or SQLite database with a database router.",
            id="deskhand.E004",
        )
    ]


@checks.register("deskhand")
def check_engine(app_configs: Sequence[AppConfig] | None, **_: object) -> Messages:
    """``E007`` to ``E010``: a job is written in the transaction that offers its turn (``OP7``)."""
    try:
        if config.get().engine != "procrastinate":
            return []
    except ConfigurationError:
        return []
    if not importlib.util.find_spec("procrastinate"):
        return [
            checks.Error(
                "DESKHAND['ENGINE'] names procrastinate, which is not installed.",
                hint="Install deskhand with that extra; from a checkout: pip install '.[procrastinate]'",
                id="deskhand.E007",
            )
        ]
    found: Messages = []
    if not apps.is_installed("procrastinate.contrib.django"):
        found.append(
            checks.Error(
                "DESKHAND['ENGINE'] names procrastinate, whose app is not in INSTALLED_APPS.",
                hint="Add 'procrastinate.contrib.django' and run migrate.",
                id="deskhand.E008",
            )
        )
    alias = transactions.own_alias()
    if connections[alias].vendor != "postgresql":
        found.append(
            checks.Error(
                f"DESKHAND['ENGINE'] names procrastinate, which needs PostgreSQL; deskhand's tables are in another ({alias!r}).",
                hint="Leave ENGINE out: turns then run in threads of the web processes.",
                id="deskhand.E009",
            )
        )
    elif config.queue_alias() != alias:
        found.append(
            checks.Error(
                f"Procrastinate's jobs are in the database {config.queue_alias()!r}, deskhand's tables in {alias!r}: "
                "a job could be there without its turn, or a turn wait without its job.",
                hint="Set PROCRASTINATE_DATABASE_ALIAS to that of deskhand's tables.",
                id="deskhand.E010",
            )
        )
    return found


@checks.register("deskhand", checks.Tags.database)
def check_journal_mode(app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: object) -> Messages:
    """``W001``: without a write-ahead log, a reader and a writer wait for each other."""
    alias = transactions.own_alias()
    connection = connections[alias]
    if not isinstance(connection, SQLite) or alias not in (databases or ()) or connection.is_in_memory_db():
        return []
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        mode = cursor.fetchone()[0]
    if mode == "wal":
        return []
    return [
        checks.Warning(
            f"The SQLite database {alias!r} has no write-ahead log: a running turn and the rest of the site wait for each other.",
            hint='Add "init_command": "PRAGMA journal_mode=WAL;" to its OPTIONS.',
            id="deskhand.W001",
        )
    ]
