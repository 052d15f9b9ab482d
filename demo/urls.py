"""The admin, and deskhand beside it."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

admin.site.site_header = "Wholesale back office"
admin.site.site_title = "Wholesale"
admin.site.index_title = "Back office"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("assistant/", include("deskhand.urls")),
]
