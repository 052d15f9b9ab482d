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

from deskhand import config
from deskhand import scope as scopes
from deskhand.errors import NotAllowed

#: How the panel's element begins in a page.
ELEMENT = "<deskhand-panel"
_MARKUP = ELEMENT + (
    ' data-api="{}" data-locale="{}" data-page="{}"></deskhand-panel><script type="module" src="{}"></script>'
)  # fmt: skip


def markup(request: HttpRequest) -> SafeString:
    """What brings the panel into a page; empty for those who may not use the assistant, and where its URLs are not included."""
    if not _may(request):
        return SafeString("")
    try:
        api = reverse("deskhand:state").removesuffix("state")
    except NoReverseMatch:
        return SafeString("")
    return format_html(_MARKUP, api, get_language() or "", request.path, static("deskhand/panel.js"))


def _may(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or not user.is_active or not user.has_perm(scopes.USE):
        return False
    settings = config.get()
    session = getattr(request, "session", None)
    if session is None:
        return False
    if settings.scope == config.Config.scope and not session.get(settings.role_session_key):
        return True
    try:
        scopes.from_request(request)
    except NotAllowed:
        return False
    return True
