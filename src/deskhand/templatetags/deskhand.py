"""``{% load deskhand %}`` … ``{% deskhand_panel %}``: the panel in any page of the host."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template.context import Context
from django.utils.safestring import SafeString

from deskhand.web import panel

register = template.Library()


@register.simple_tag(takes_context=True)
def deskhand_panel(context: Context) -> SafeString:
    """The panel, for who may use the assistant; needs the ``request`` context processor, without it nothing."""
    request = context.get("request")
    return panel.markup(request) if isinstance(request, HttpRequest) else SafeString("")
