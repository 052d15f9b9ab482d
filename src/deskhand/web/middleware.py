"""Brings the panel into every admin page by one line in ``MIDDLEWARE``, whatever theme the admin wears.

It looks at the finished page, so no template has to be overridden and the order of installed apps does not matter. Never here: a page
that is no HTML, an error page, a popup, a login, a stream, or an encoded body (put this line after ``GZipMiddleware``). Limits: a page
that already holds a panel, by the template tag, gets no second one.
"""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from deskhand.web import panel

_END = re.compile(rb"</body\s*>", re.IGNORECASE)
_POPUP = "_popup"


class PanelMiddleware(MiddlewareMixin):
    """Puts the panel before ``</body>`` of admin pages."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The response, with the panel if it is an admin page of somebody who may use the assistant."""
        if not isinstance(response, HttpResponse) or not _is_admin_page(request, response):
            return response
        content = response.content
        ends = [found.start() for found in _END.finditer(content)]
        markup = panel.markup(request) if ends and panel.ELEMENT.encode() not in content else ""
        if markup:
            # A character of the path that the page's encoding does not have is written as a reference.
            put = markup.encode(response.charset, "xmlcharrefreplace")
            response.content = content[: ends[-1]] + put + content[ends[-1] :]
            if response.has_header("Content-Length"):
                response["Content-Length"] = str(len(response.content))
        return response


def _is_admin_page(request: HttpRequest, response: HttpResponse) -> bool:
    match = getattr(request, "resolver_match", None)
    return (
        match is not None
        and "admin" in match.app_names
        and match.url_name not in ("login", "jsi18n")
        and response.status_code < 400
        and not response.has_header("Content-Encoding")
        and response.get("Content-Type", "").startswith("text/html")
        and _POPUP not in request.GET
        and _POPUP not in request.POST
    )
