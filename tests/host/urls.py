"""All pages stand under a language; static files do not."""

from __future__ import annotations

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.static import serve

from tests.host.sites import back_office

urlpatterns = [
    re_path(r"^static/(?P<path>.*)$", serve, {"document_root": settings.STATIC_ROOT}),
    *i18n_patterns(
        path("admin/", admin.site.urls),
        path("backoffice/", back_office.urls),
        path("assistant/", include("deskhand.urls")),
    ),
]
