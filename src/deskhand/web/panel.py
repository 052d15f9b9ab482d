"""The panel's markup: one custom element and one script, for whoever may use the assistant.

No inline script or style, so that it works under a strict Content-Security-Policy. Never here: a word of the conversation; the panel
fetches what it shows.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from deskhand.scope import USE


def markup(request: HttpRequest) -> SafeString:
    """What brings the panel into a page; empty for those who may not use the assistant, and where its URLs are not included."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or not user.is_active or not user.has_perm(USE):
        return SafeString("")
    try:
        api = reverse("deskhand:state").removesuffix("state")
    except NoReverseMatch:
        return SafeString("")
    return format_html(
        '<deskhand-panel data-api="{}" data-locale="{}" data-page="{}"></deskhand-panel><script type="module" src="{}"></script>',
        api,
        get_language() or "",
        request.path,
        static("deskhand/panel.js"),
    )
