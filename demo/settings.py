"""Settings of the demo: what ``startproject`` writes, and what deskhand needs, marked ``deskhand``.

SQLite beside this file, or PostgreSQL if ``DEMO_POSTGRES`` holds ``host:port:user:name``. The assistant answers from the offline model
that comes with deskhand: no key and no network. With a provider's key in the environment (``OPENAI_API_KEY`` and the like, and
``DESKHAND_MODEL`` for the model's name) a real one answers, and the demo's rows that it asks for go to that provider.
Never for a server that others reach: the secret key is public and debugging is on.
"""

from __future__ import annotations

import os
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent

SECRET_KEY = "demo-only-never-for-a-server-that-others-reach"
DEBUG = True
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", "testserver"]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "deskhand",  # deskhand
    "demo.wholesale",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "deskhand.web.middleware.PanelMiddleware",  # deskhand: puts the panel into the admin's pages
]

ROOT_URLCONF = "demo.urls"
WSGI_APPLICATION = "demo.wsgi.application"
ASGI_APPLICATION = "demo.asgi.application"

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


def _database() -> dict[str, object]:
    postgres = os.environ.get("DEMO_POSTGRES", "")
    if postgres:
        host, port, user, name = postgres.split(":")
        return {"ENGINE": "django.db.backends.postgresql", "HOST": host, "PORT": port, "USER": user, "NAME": name}
    path = os.environ.get("DEMO_SQLITE") or str(BASE_DIR / "demo.sqlite3")
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {"timeout": 20, "init_command": "PRAGMA journal_mode=WAL"},
    }


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
TIME_ZONE = "Europe/Tallinn"
USE_TZ = True
STATIC_URL = "static/"

#: Where the reminders of the demo go: one file each, no mail server.
OUTBOX = os.environ.get("DEMO_OUTBOX") or str(BASE_DIR / "outbox")

# deskhand
_has_key = any(os.environ.get(name) for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"))
DESKHAND = {
    "SYSTEM_PROMPT": (
        "You help the people in the back office of a wholesaler for building and electrical supplies. "
        "Answer from the tools alone, briefly, and name the numbers of orders and invoices."
    ),
    "PROMPT_ADDENDUM": "demo.wholesale.assistant.vocabulary",
    "PAGE_CONTEXT": "demo.wholesale.assistant.about_the_page",
    # None: deskhand reads the environment itself.
    "ENDPOINTS": {} if _has_key else {"offline": {"PROVIDER": "offline", "PARAMETERS": {"delay_ms": 15}}},
}
