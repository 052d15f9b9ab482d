"""The panel in the host's pages: once, for whom it is, and nowhere else."""

from __future__ import annotations

import asyncio
import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template import engines
from django.template.response import TemplateResponse
from django.test import AsyncClient, Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import include, path, set_script_prefix
from django.utils.translation import activate

from tests import make
from tests.web.conftest import USE, desk

pytestmark = pytest.mark.django_db

PANEL = re.compile(r"<deskhand-panel[^>]*></deskhand-panel><script type=\"module\" src=\"([^\"]+)\"></script></body>")
VIEW = ("auth.view_user",)

office = admin.AdminSite(name="office")
office.register(User)


class Pages:
    """Views as a host's own admin pages may be."""

    @staticmethod
    def lazy(request: HttpRequest) -> HttpResponseBase:
        return TemplateResponse(request, engines["django"].from_string("<html><body>{{ user }}</body></html>"), {"user": "x"})

    @staticmethod
    def plain(request: HttpRequest, rest: str = "") -> HttpResponseBase:
        kinds = {
            "stream": lambda: StreamingHttpResponse([b"<body></body>"]),
            "json": lambda: JsonResponse({"html": "<body></body>"}),
            "encoded": lambda: HttpResponse(b"\x1f\x8b</body>", headers={"Content-Encoding": "gzip"}),
            "text": lambda: HttpResponse("</body>", content_type="text/plain"),
            "fragment": lambda: HttpResponse("<div></div>"),
            "error": lambda: HttpResponse("<body></body>", status=500),
            "refusal": lambda: HttpResponse("<body></body>", status=403),
            "two": lambda: HttpResponse("<pre>&lt;/body> </body></pre></BODY ></html>"),
            "latin": lambda: HttpResponse("<body>\xe4</body>", content_type="text/html; charset=iso-8859-1"),
            "sized": lambda: HttpResponse("<body>\xe4</body>", headers={"Content-Length": "14"}),
            "tag": lambda: HttpResponse(
                engines["django"].from_string("{% load deskhand %}<body>{% deskhand_panel %}</body>").render({}, request)
            ),
        }
        return kinds[request.GET["kind"]]()


plain = ([path("plain/", Pages.plain), path("plain/<path:rest>", Pages.plain), path("lazy/", Pages.lazy)], "admin")
urlpatterns = [
    path("admin/", admin.site.urls),
    path("office/", office.urls),
    path("mine/", include(plain, namespace="mine")),
    path("shop/", Pages.lazy),
    path("any/<path:rest>", Pages.plain),
    path("assistant/", include("deskhand.urls")),
]


@pytest.fixture(autouse=True)
def _urls(settings: object) -> None:
    settings.ROOT_URLCONF = __name__  # type: ignore[attr-defined]


def person(may: tuple[str, ...] = (USE, *VIEW), **fields: object) -> Client:
    return desk(may, **fields).client


def panels(answer: HttpResponseBase) -> int:
    return bytes(answer).count(b"<deskhand-panel") if isinstance(answer, HttpResponse) else 0


ADMIN_PAGES = [
    "/admin/",
    "/admin/auth/user/",
    "/admin/auth/user/{}/change/",
    "/admin/password_change/",
    "/office/",
    "/mine/lazy/",
]


@pytest.mark.parametrize("page", ADMIN_PAGES)
def test_an_admin_page_has_the_panel_exactly_once(page: str) -> None:
    """UI1: stock pages, a second AdminSite under another name, a page that is rendered after its view."""
    who = desk((USE, *VIEW))
    answer = who.client.get(page.format(who.user.pk))
    assert (answer.status_code, panels(answer)) == (200, 1)
    found = PANEL.search(answer.content.decode())
    assert found
    assert found[1] == "/static/deskhand/panel.js"
    assert 'data-api="/assistant/api/"' in answer.content.decode()
    assert 'data-locale="en"' in answer.content.decode()


@pytest.mark.parametrize("page", ADMIN_PAGES)
def test_who_may_not_use_the_assistant_never_gets_the_panel(page: str) -> None:
    """SC3, sec_B18."""
    other = desk(VIEW)
    answer = other.client.get(page.format(other.user.pk))
    assert (answer.status_code, panels(answer)) == (200, 0)
    assert panels(Client().get(page, follow=True)) == 0


def test_a_superuser_gets_it_and_so_does_who_has_it_by_a_group() -> None:
    """SC4."""
    assert panels(person((), is_superuser=True).get("/admin/")) == 1
    who = desk(VIEW)
    make.group("clerks", [USE], [who.user])
    assert panels(who.client.get("/admin/")) == 1


def test_under_an_acting_role_the_role_decides() -> None:
    """SC1, SC3: the panel is not offered where the API would answer 403."""
    user = make.user([USE, *VIEW])
    make.group("with", [USE], [user])
    make.group("without", VIEW, [user])
    for role, expected in (("with", 1), ("without", 0), ("gone", 0)):
        client = Client()
        client.cookies["sessionid"] = make.session(user, deskhand_role=role)
        assert panels(client.get("/admin/")) == expected


NOWHERE = [
    "/admin/login/",
    "/admin/logout/",
    "/admin/jsi18n/",
    "/admin/auth/user/?_popup=1",
    "/shop/",
    "/any/admin?kind=fragment",
    "/nowhere/",
    "/admin/nowhere/",
    *[f"/mine/plain/?kind={kind}" for kind in ("stream", "json", "encoded", "text", "fragment", "error", "refusal")],
]


@pytest.mark.parametrize("page", NOWHERE)
def test_the_panel_is_never_put_where_it_does_not_belong(page: str) -> None:
    """UI1: no login, popup, stream, encoded body, JSON, error page, catalogue of words, page of another app."""
    answer = person().get(page)
    content = answer.getvalue()
    assert b"deskhand-panel" not in content


def test_a_form_in_a_popup_that_comes_back_with_errors_has_no_panel() -> None:
    """UI1: the popup is known by the form then, not by the query."""
    client = person((USE, "auth.add_user", "auth.change_user", "auth.view_user"))
    answer = client.post("/admin/auth/user/add/", {"_popup": "1"}, headers={"X-CSRFToken": "c" * 32})
    assert (answer.status_code, panels(answer)) == (200, 0)
    answer = client.post("/admin/auth/user/add/", {}, headers={"X-CSRFToken": "c" * 32})
    assert (answer.status_code, panels(answer)) == (200, 1)


@pytest.mark.parametrize("kind", ["two", "latin", "sized", "tag"])
def test_the_page_stays_what_it_was_but_for_one_panel_before_its_end(kind: str) -> None:
    """UI1: the last ``</body>``, however it is written; the page's encoding; its length; a page that has the tag already."""
    answer = person().get(f"/mine/plain/?kind={kind}")
    assert panels(answer) == 1
    assert int(answer.get("Content-Length", len(answer.content))) == len(answer.content)
    without = re.sub(rb"<deskhand-panel.*?</script>", b"", answer.content)
    expected = {
        "two": b"<pre>&lt;/body> </body></pre></BODY ></html>",
        "latin": b"<body>\xe4</body>",
        "sized": "<body>\xe4</body>".encode(),
        "tag": b"<body></body>",
    }
    assert without == expected[kind]
    if kind == "two":
        assert answer.content.index(b"</pre>") < answer.content.index(b"<deskhand-panel")


def test_a_hostile_path_is_never_markup() -> None:
    """sec_G9's rule for our own markup."""
    answer = person().get('/admin/auth/user/"><script>alert(1)</script>/change/', follow=True)
    assert b"<script>alert(1)" not in answer.content
    from deskhand.web import panel

    request = RequestFactory().get("/admin/x")
    request.path = '/admin/"><img src=x onerror=alert(1)>&\u20ac'
    who = desk()
    request.user = who.user
    request.session = who.client.session  # type: ignore[assignment]
    markup = panel.markup(request)
    assert "<img" not in markup
    assert "&quot;&gt;&lt;img" in markup


def test_a_path_that_the_pages_encoding_lacks_does_not_cost_the_page() -> None:
    answer = person().get("/mine/plain/\u20ac?kind=latin")
    assert panels(answer) == 1
    assert b'data-page="/mine/plain/&#8364;"' in answer.content


def test_the_markup_has_no_inline_script_style_or_event_attribute() -> None:
    """UI1, sec_E8, sec_E9."""
    answer = person().get("/mine/lazy/")
    markup = re.search(r"<deskhand-panel.*</script>", answer.content.decode())
    assert markup
    tags = re.findall(r"<(/?[a-z-]+)([^>]*)>", markup[0])
    assert [name for name, _ in tags] == ["deskhand-panel", "/deskhand-panel", "script", "/script"]
    assert {attribute for _, raw in tags for attribute in re.findall(r"([a-z-]+)=", raw)} == {
        "data-api",
        "data-locale",
        "data-page",
        "type",
        "src",
    }
    assert "></script>" in markup[0]


@pytest.mark.parametrize("page", ["/admin/", "/admin/auth/user/", "/office/"])
def test_the_panel_costs_an_admin_page_no_statement(page: str, settings: object) -> None:
    """UI1."""
    who = desk((USE, *VIEW))
    who.client.get(page)
    with CaptureQueriesContext(connection) as with_panel:
        assert panels(who.client.get(page)) == 1
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "deskhand" not in each]  # type: ignore[attr-defined]
    bare = Client()
    bare.cookies["sessionid"] = who.session_ref
    with CaptureQueriesContext(connection) as without:
        assert panels(bare.get(page)) == 0
    assert len(with_panel) == len(without) > 0


def test_a_page_of_the_hosts_own_gets_the_panel_by_the_tag() -> None:
    """UI1."""
    client = person()
    assert panels(client.get("/any/where?kind=tag")) == 1
    assert panels(Client().get("/any/where?kind=tag")) == 0
    assert panels(person(VIEW).get("/any/where?kind=tag")) == 0


def test_under_a_script_name_and_a_language_prefix_the_addresses_are_right(settings: object) -> None:
    """OP10."""
    settings.ROOT_URLCONF = "tests.web.prefixed_urls"  # type: ignore[attr-defined]
    settings.MIDDLEWARE = [  # type: ignore[attr-defined]
        settings.MIDDLEWARE[1],  # type: ignore[attr-defined]
        "django.middleware.locale.LocaleMiddleware",
        *settings.MIDDLEWARE[2:],  # type: ignore[attr-defined]
    ]
    # As Django's WSGI and ASGI handlers do; its test client does not.
    set_script_prefix("/office/")
    try:
        answer = person().get("/de/admin/", SCRIPT_NAME="/office")
        assert panels(answer) == 1
        assert 'data-api="/office/de/assistant/api/" data-locale="de" data-page="/office/de/admin/"' in answer.content.decode()
    finally:
        set_script_prefix("/")
        activate("en")


def test_where_deskhands_urls_are_not_included_the_page_stays_as_it_is(settings: object) -> None:
    settings.ROOT_URLCONF = "tests.web.admin_urls"  # type: ignore[attr-defined]
    answer = person().get("/admin/")
    assert (answer.status_code, panels(answer)) == (200, 0)


@pytest.mark.django_db(transaction=True)
def test_under_asgi_the_panel_comes_the_same() -> None:
    """UI1, UI6."""
    user = make.user([USE, *VIEW])

    async def get() -> HttpResponse:
        client = AsyncClient()
        await client.aforce_login(user)
        got = await client.get("/admin/")
        await sync_to_async(connections.close_all)()
        return got  # type: ignore[return-value]

    answer = asyncio.run(get())
    assert (answer.status_code, panels(answer)) == (200, 1)
