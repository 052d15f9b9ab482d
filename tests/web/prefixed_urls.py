"""A host whose pages all stand under a language."""

from __future__ import annotations

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path

urlpatterns = i18n_patterns(path("admin/", admin.site.urls), path("assistant/", include("deskhand.urls")))
