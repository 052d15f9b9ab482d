"""The panel's markup: one custom element and one script, for whoever may use the assistant.

No inline script or style, so that it works under a strict Content-Security-Policy. Never here: a word of the conversation; the panel
fetches what it shows. Limits: on a page that has asked the person's rights already, as each page of the admin has, this asks the
database nothing; only under an acting role, or a ``SCOPE`` of the host's own, it asks for the scope, at most four statements.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from deskhand import scope as scopes

#: How the panel's element begins in a page.
ELEMENT = "<deskhand-panel"
_MARKUP = ELEMENT + (
    ' data-api="{}" data-locale="{}" data-page="{}"></deskhand-panel><script type="module" src="{}"></script>'
)  # fmt: skip


def markup(request: HttpRequest) -> SafeString:
    """What brings the panel into a page; empty for those who may not use the assistant, and where its URLs are not included."""
    if not scopes.may(request, scopes.USE):
        return SafeString("")
    try:
        api = reverse("deskhand:state").removesuffix("state")
    except NoReverseMatch:
        return SafeString("")
    return format_html(_MARKUP, api, get_language() or "", request.path, static("deskhand/panel.js"))
