"""The admin's page of switches: switch a tool, or the whole assistant, off for everybody, and on again (``OP9``).

A row is what is off: adding one switches off, deleting it switches on again. Who did it and when is filled in. Only for people with
``deskhand.manage_assistant`` (``SC4``), whatever permissions on the table itself they have. A site of your own registers it too:
``my_site.register(Switch, SwitchAdmin)``.

Never here: a change of a row; a tool that does not exist. Limits: like every page of Django's admin it asks the person's rights once a
request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from deskhand import scope as scopes
from deskhand import switches, tools
from deskhand.models import Switch

if TYPE_CHECKING:
    from django.db import models
    from django.http import HttpRequest

    # Only the stubs know these with an argument.
    _Form = forms.ModelForm[Switch]
    _Admin = admin.ModelAdmin[Switch]
else:
    _Form = forms.ModelForm
    _Admin = admin.ModelAdmin

#: Stands for the assistant in the form, where nothing chosen must not mean everything.
_EVERYTHING = "*"


class SwitchForm(_Form):
    """What to switch off: one of the tools that are on, or the assistant."""

    tool = forms.ChoiceField(
        label=_("Switch off"), help_text=_("It is off for everybody within a few seconds. To switch it on again, delete it here.")
    )

    class Meta:
        model = Switch
        fields = ("tool",)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        off = set(switches.rows().values_list("tool", flat=True))
        everything = [] if switches.ASSISTANT in off else [(_EVERYTHING, _("The assistant, for everybody"))]
        named = [(tool.name, f"{tool.title} ({tool.name})") for tool in tools.registry().all() if tool.name not in off]
        self.fields["tool"].choices = [("", "---------"), *everything, *named]  # type: ignore[attr-defined]

    def clean_tool(self) -> str:
        """The name as it is stored."""
        chosen: str = self.cleaned_data["tool"]
        return switches.ASSISTANT if chosen == _EVERYTHING else chosen

    def validate_unique(self) -> None:
        """Not asked: it would be asked where the host's router reads, and what is off already is off."""


@admin.register(Switch)
class SwitchAdmin(_Admin):
    """What is off, since when and by whom."""

    form = SwitchForm
    list_display = ("what", "switched_at", "switched_by")
    #: For the page of one that stands.
    readonly_fields = ("switched_at", "switched_by")

    @admin.display(description=_("switched off"))
    def what(self, row: Switch) -> str:
        """The tool by its title and name, or the assistant."""
        tool = tools.registry().by_name(row.tool)
        return f"{tool.title} ({tool.name})" if tool is not None else str(row)

    def get_fields(self, request: HttpRequest, obj: Switch | None = None) -> tuple[str, ...]:
        """What to switch off; of what is off, since when and by whom."""
        return ("what", "switched_at", "switched_by") if obj is not None else ("tool",)

    def get_readonly_fields(self, request: HttpRequest, obj: Switch | None = None) -> tuple[str, ...]:
        """All of a row that stands."""
        return ("what", *self.readonly_fields) if obj is not None else ()

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Switch]:
        """Read where it is written: what is off must be seen at once."""
        return switches.rows()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return scopes.may(request, scopes.MANAGE)

    def has_view_permission(self, request: HttpRequest, obj: Switch | None = None) -> bool:
        return scopes.may(request, scopes.MANAGE)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return scopes.may(request, scopes.MANAGE)

    def has_delete_permission(self, request: HttpRequest, obj: Switch | None = None) -> bool:
        return scopes.may(request, scopes.MANAGE)

    def has_change_permission(self, request: HttpRequest, obj: Switch | None = None) -> bool:
        """Nobody: a switch stands or does not."""
        return False

    def save_model(self, request: HttpRequest, obj: Switch, form: _Form, change: bool) -> None:
        """It is off from now on, by this account."""
        made = switches.switch_off(obj.tool, request.user.get_username())
        obj.pk, obj.switched_at, obj.switched_by = made.pk, made.switched_at, made.switched_by

    def delete_model(self, request: HttpRequest, obj: Switch) -> None:
        """It is on again."""
        switches.switch_on(obj.tool)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Switch]) -> None:
        """All of these are on again."""
        for row in queryset:
            switches.switch_on(row.tool)
