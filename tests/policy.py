"""A middleware of the served test project: each answer carries the content policy that the test named."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin


class Policy(MiddlewareMixin):
    """One of ``PAGE_POLICIES`` of the settings, as a host's own middleware would send it."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer with the first of ``PAGE_POLICIES``, or with that which the request names by its place: ``?policy=1``."""
        policies: list[str] = settings.PAGE_POLICIES
        chosen = request.GET.get("policy", "0")
        response["Content-Security-Policy"] = policies[int(chosen)]
        return response
