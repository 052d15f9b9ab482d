"""ASGI entry point: ``uvicorn demo.asgi:application``."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

from deskhand.asgi import drained

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "demo.settings")
# Turns that run when the server is told to end may finish, within GRACE_SECONDS.
application = drained(get_asgi_application())
