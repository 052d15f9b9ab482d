"""Fixtures of the host project's tests; under any other settings there are none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from django.core.management import call_command
from django.db import connections
from django.test.utils import setup_databases, teardown_databases

if os.environ.get("DJANGO_SETTINGS_MODULE") != "tests.host.settings":
    # They run in a pytest of their own: ``--ds tests.host.settings``.
    collect_ignore_glob = ["test_*.py"]
else:
    from tests.host.desk import Desk, Host, Made, shop
    from tests.provider import Provider

    @pytest.fixture(scope="session")
    def django_db_setup(django_test_environment: None, django_db_blocker: object) -> Iterator[None]:
        """Both databases, migrated as the router wants it."""
        with django_db_blocker.unblock():  # type: ignore[attr-defined]
            made = setup_databases(verbosity=0, interactive=False)
        yield
        with django_db_blocker.unblock():  # type: ignore[attr-defined]
            teardown_databases(made, verbosity=0)

    @pytest.fixture(autouse=True)
    def database(django_db_setup: None, django_db_blocker: object) -> Iterator[None]:
        """Both databases are open to a test, and nothing is taken out of them afterwards: a server that runs on would not hear that
        permissions and content types have other keys now. So each test makes people and things of its own."""
        with django_db_blocker.unblock():  # type: ignore[attr-defined]
            yield
            # Beside Playwright's event loop Django keeps connections of their own for this thread; nobody else would close them.
            connections.close_all()

    @pytest.fixture(scope="session")
    def host(provider: Provider, django_db_setup: None, django_db_blocker: object) -> Iterator[Callable[[str], Host]]:
        """The project served under its prefix, by name of the server; each is started once. Static files are collected before."""
        call_command("collectstatic", verbosity=0, interactive=False)
        running: dict[str, Host] = {}

        def served(name: str) -> Host:
            if name not in running:
                with django_db_blocker.unblock():  # type: ignore[attr-defined]
                    running[name] = Host.of(name, provider)
            return running[name]

        yield served
        for each in running.values():
            each.server.close()

    @pytest.fixture
    def made() -> Made:
        """A customer and an order, in the default database and in the replica."""
        return shop()

    @pytest.fixture
    def desk(host: Callable[[str], Host], made: Made) -> Desk:
        """Somebody of the staff at the uvicorn server."""
        return Desk.of(host("uvicorn"))
