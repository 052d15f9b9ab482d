"""Settings of the test suite: SQLite in a file, or PostgreSQL if ``DESKHAND_TEST_POSTGRES`` holds ``host:port:user``."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

SECRET_KEY = "only-for-tests"
DEBUG = False
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
USE_TZ = True
TIME_ZONE = "Europe/Tallinn"
LANGUAGE_CODE = "en"
ROOT_URLCONF = "tests.urls"
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "deskhand",
    "tests.shop",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "deskhand.web.middleware.PanelMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
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
STATIC_URL = "/static/"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

_postgres = os.environ.get("DESKHAND_TEST_POSTGRES", "")
if _postgres:
    _host, _port, _user = _postgres.split(":")
    # Its tables, for turns on workers; nothing of it is used where ENGINE does not say so.
    INSTALLED_APPS = [*INSTALLED_APPS, "procrastinate.contrib.django"]
    DATABASES: dict[str, dict[str, object]] = {
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": "deskhand",
            "HOST": _host,
            "PORT": _port,
            "USER": _user,
        }
    }
else:
    # A file: an in-memory database answers "locked" as soon as threads share it.
    _folder = os.environ.get("DESKHAND_TEST_SQLITE_DIR", "")
    if not _folder:
        _folder = tempfile.mkdtemp(prefix="deskhand-")
        atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.path.join(_folder, "db.sqlite3"),
            "OPTIONS": {"timeout": 20},
            "TEST": {"NAME": os.path.join(_folder, "test.sqlite3")},
        }
    }

DESKHAND: dict[str, object] = {}
