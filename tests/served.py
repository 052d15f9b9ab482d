"""What a server of ``tests.serving`` loads."""

from __future__ import annotations

from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application

asgi = get_asgi_application()
wsgi = get_wsgi_application()
#: With the static files, for a browser.
pages = ASGIStaticFilesHandler(asgi)
