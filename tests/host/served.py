"""What the host's servers load."""

from __future__ import annotations

from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application

asgi = get_asgi_application()
wsgi = get_wsgi_application()
