"""Brings the panel into every admin page by one line in ``MIDDLEWARE``, whatever theme the admin wears.

It looks at the finished page, so no template has to be overridden and the order of installed apps does not matter. Never here: a page
that is no HTML, a popup, a login, a stream, or an encoded body (put this line after ``GZipMiddleware``).
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from deskhand.web import panel

_END = b"</body>"


class PanelMiddleware(MiddlewareMixin):
    """Puts the panel before ``</body>`` of admin pages."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The response, with the panel if it is an admin page of somebody who may use the assistant."""
        if not _is_admin_page(request, response) or not isinstance(response, HttpResponse):
            return response
        at = response.content.rfind(_END)
        markup = panel.markup(request) if at >= 0 else ""
        if markup:
            content = response.content
            response.content = content[:at] + markup.encode(response.charset) + content[at:]
            if response.has_header("Content-Length"):
                response["Content-Length"] = str(len(response.content))
        return response


def _is_admin_page(request: HttpRequest, response: HttpResponseBase) -> bool:
    match = getattr(request, "resolver_match", None)
    return (
        match is not None
        and "admin" in match.app_names
        and match.url_name not in ("login", "jsi18n")
        and "_popup" not in request.GET
        and not response.streaming
        and not response.has_header("Content-Encoding")
        and response.get("Content-Type", "").startswith("text/html")
    )
