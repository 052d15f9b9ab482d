"""Settings of the host project: all at once, on SQLite, or on PostgreSQL if ``DESKHAND_TEST_POSTGRES`` holds ``host:port:user``."""

from __future__ import annotations

import atexit
import copy
import os
import pathlib
import shutil
import tempfile

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES as _PLAIN
from tests.settings import MIDDLEWARE as _MIDDLEWARE

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "deskhand",
    "tests.shop",
    "tests.host.people",
]
AUTH_USER_MODEL = "people.Colleague"
ROOT_URLCONF = "tests.host.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [pathlib.Path(__file__).parent / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
MIDDLEWARE = [
    *_MIDDLEWARE[:2],
    "django.middleware.locale.LocaleMiddleware",
    *_MIDDLEWARE[2:-1],
    "tests.host.tenants.Tenant",
    _MIDDLEWARE[-1],
]
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
FORCE_SCRIPT_NAME: str | None = "/office"
CSRF_USE_SESSIONS = True

# Relative, so that it stands under the prefix.
STATIC_URL = "static/"
STATIC_ROOT = os.environ.get("DESKHAND_TEST_STATIC", "")
if not STATIC_ROOT:
    STATIC_ROOT = tempfile.mkdtemp(prefix="deskhand-static-")
    atexit.register(shutil.rmtree, STATIC_ROOT, ignore_errors=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
}


def _named(name: str) -> dict[str, object]:
    """The plain project's database under another name, with a transaction around each request."""
    made = copy.deepcopy(_PLAIN["default"])
    if made["ENGINE"] == "django.db.backends.postgresql":
        made |= {"NAME": name, "TEST": {"NAME": f"test_{name}"}}
    else:
        folder = pathlib.Path(str(made["NAME"])).parent
        made |= {"NAME": str(folder / f"{name}.sqlite3"), "TEST": {"NAME": str(folder / f"test_{name}.sqlite3")}}
    return {**made, "ATOMIC_REQUESTS": True}


DATABASES = {"default": _named("host"), "replica": _named("host_replica")}
DATABASE_ROUTERS = ["tests.host.routers.Replica"]

DESKHAND: dict[str, object] = {"AROUND_TURN": "tests.host.tenants.around", "SCOPE": "tests.host.tenants.scope"}
