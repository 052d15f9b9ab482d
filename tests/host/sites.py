"""The host's second admin site: other people may enter it, by a login of its own."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest

from deskhand.admin import SwitchAdmin
from deskhand.models import Switch
from tests.shop.models import Customer, Order


class BackOffice(admin.AdminSite):
    """For the people of the depot, who are no staff."""

    site_header = site_title = "Back office"
    login_form = AuthenticationForm
    login_template = "backoffice/login.html"

    def has_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and getattr(request.user, "is_depot", False))


back_office = BackOffice(name="backoffice")
for site in (admin.site, back_office):
    site.register([Customer, Order])
back_office.register(Switch, SwitchAdmin)
