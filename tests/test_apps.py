"""What is known once Django is ready, in every order of apps; each in a process of its own, since apps are set up once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.serving import ROOT

_READY = """
import sys, django
from django.conf import settings
settings.configure(
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", *sys.argv[2:]],
    DESKHAND={"ENGINE": sys.argv[1]},
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
)
django.setup()
if "procrastinate" in sys.modules:
    from procrastinate.contrib.django import app
    print("deskhand.turn" in app.tasks and app.tasks["deskhand.turn"].queue)
else:
    print("not imported")
"""
QUEUE = "procrastinate.contrib.django"


def ready(*arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    done = subprocess.run([sys.executable, "-c", _READY, *arguments], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("order", [("deskhand", QUEUE), (QUEUE, "deskhand")])
def test_workers_know_the_task_whatever_the_order_of_apps(order: tuple[str, str]) -> None:
    """OP7."""
    assert ready("procrastinate", *order) == "deskhand"


def test_an_installation_that_runs_turns_in_threads_never_imports_procrastinate() -> None:
    """OP7."""
    assert ready("threads", "deskhand") == "not imported"


def test_a_wrong_engine_is_left_to_the_checks() -> None:
    """OP3: ``manage.py check`` must get as far as to say so."""
    assert ready("celery", "deskhand") == "not imported"
