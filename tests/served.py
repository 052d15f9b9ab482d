"""What a server of ``tests.serving`` loads."""

from __future__ import annotations

from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application

from deskhand.asgi import drained

asgi = get_asgi_application()
wsgi = get_wsgi_application()
#: As the docs tell a host to serve it.
asgi_drained = drained(asgi)
#: With the static files, for a browser.
pages = ASGIStaticFilesHandler(asgi)
