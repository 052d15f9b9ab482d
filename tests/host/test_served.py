"""The whole way over real HTTP, at a site that stands under a prefix and a language, by ASGI and by WSGI (``OP10``)."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable

import pytest

from deskhand.models import Confirmation, Message, Switch
from tests.host.desk import PREFIX, Desk, Host, Made, Visitor, colleague
from tests.provider import call, say
from tests.shop.models import Customer

SERVERS = ["uvicorn", "gunicorn"]
PANEL = re.compile(
    r'<deskhand-panel data-api="([^"]*)" data-locale="([^"]*)" data-page="([^"]*)"></deskhand-panel>'
    r'<script type="module" src="([^"]*)"></script>'
)
Served = Callable[[str], Host]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("site", ["admin", "backoffice"])
@pytest.mark.parametrize("server", SERVERS)
def test_a_page_of_either_site_has_the_panel_with_the_sites_own_addresses(
    host: Served, made: Made, server: str, site: str, language: str
) -> None:
    """OP10, UI1: prefix, language, and a static file with a hash in its name that loads."""
    desk = Desk.of(host(server), site, language)
    answer = desk.visitor.page(f"{site}/shop/order/")
    assert answer.status == 200, answer.raw
    found = PANEL.search(answer.raw.decode())
    assert found
    api, locale, page, script = map(html.unescape, found.groups())
    assert (api, locale) == (f"{PREFIX}/{language}/assistant/api/", language)
    assert page == f"{PREFIX}/{language}/{site}/shop/order/"
    assert re.fullmatch(rf"{PREFIX}/static/deskhand/panel\.[0-9a-f]{{12}}\.js", script)
    loaded = desk.visitor.page(script)
    assert (loaded.status, loaded.headers["Content-Type"]) == (200, "text/javascript")
    assert desk.visitor.page(f"{api}state").json["user"] == {"key": str(desk.user.pk), "name": ""}


@pytest.mark.parametrize("site", ["admin", "backoffice"])
def test_the_login_of_either_site_never_has_the_panel(host: Served, site: str) -> None:
    """UI1: not for who is signed in, may use the assistant and may not enter this site, either."""
    other = {"admin": "backoffice", "backoffice": "admin"}[site]
    visitor = Visitor(host("uvicorn"))
    assert b"deskhand-panel" not in visitor.page(f"{site}/login/").raw
    visitor.sign_in(colleague(other), other)
    assert b"deskhand-panel" in visitor.page(f"{other}/").raw
    assert visitor.page(f"{site}/").status == 302
    login = visitor.page(f"{site}/login/")
    assert (login.status, b"deskhand-panel" in login.raw) == (200, False)


@pytest.mark.parametrize("site", ["admin", "backoffice"])
@pytest.mark.parametrize("server", SERVERS)
def test_a_question_a_card_and_its_click(host: Served, made: Made, server: str, site: str) -> None:
    """OP10: with UUID keys, the token in the session, a transaction around each request, a replica that refuses writes."""
    desk = Desk.of(host(server), site, "de")
    desk.host.model.plays(
        call(("read_order", {"number": made.order.number})),
        call(("set_credit_limit", {"customer": made.customer.pk, "limit": "500"})),
        say("It waits."),
    )
    conversation = desk.visitor.converse()
    page = f"{PREFIX}/de/{site}/shop/order/"
    started = desk.visitor.say(conversation, "A-1?", page=page, locale="de")
    assert started.status == 202, started.raw
    told = list(desk.visitor.follow(str(started.json["turn"])))
    assert "".join(str(payload["text"]) for _, kind, payload in told if kind == "text") == "It waits."
    assert Message.objects.using("default").get(conversation=conversation, tool_name="read_order").tool_outcome == "ok"
    (card,) = desk.visitor.ask("GET", f"conversations/{conversation}/cards").json["cards"]  # type: ignore[misc]
    # The link to the object is one of the site in which the person is, and opens.
    link = card["object"]["url"]
    assert link == f"{PREFIX}/de/{site}/shop/customer/{made.customer.pk}/change/"
    assert desk.visitor.page(link).status == 200
    clicked = desk.visitor.ask("POST", f"cards/{card['id']}/confirm")
    assert clicked.json["card"]["outcome"] == "confirmed", Confirmation.objects.using("default").get(id=card["id"]).error  # type: ignore[index]
    assert Customer.objects.using("default").get(pk=made.customer.pk).credit_limit == 500


def test_a_token_of_another_session_is_never_taken(desk: Desk) -> None:
    """sec_E1, OP10: it lies in the session and in no cookie."""
    assert "csrftoken" not in desk.visitor._cookies
    assert desk.visitor.ask("POST", "conversations", {}).status == 201
    desk.visitor.csrf = Desk.of(desk.host).visitor.csrf
    assert desk.visitor.ask("POST", "conversations", {}).status == 403


def test_what_is_switched_off_in_the_second_site_is_off_at_the_other_server(host: Served, made: Made) -> None:
    """OP9: the row is written and read in the default database, whatever the router says."""
    boss = colleague("backoffice", may=("deskhand.manage_assistant",))
    visitor = Visitor(host("uvicorn"))
    visitor.sign_in(boss, "backoffice")
    desk = Desk.of(host("gunicorn"))
    conversation = desk.visitor.converse()
    try:
        assert visitor.send("backoffice/deskhand/switch/add/", {"tool": "*"}).status == 302
        assert boss.email in visitor.page("backoffice/deskhand/switch/").raw.decode()
        # What that server knows may be two seconds old.
        assert wait_for(lambda: desk.visitor.arrive()["is_off"])
        refused = desk.visitor.say(conversation, "Hello")
        assert (refused.status, refused.json["error"]["code"]) == (503, "switched_off")  # type: ignore[index]
        row = Switch.objects.using("default").get()
        assert visitor.send(f"backoffice/deskhand/switch/{row.pk}/delete/", {"post": "yes"}).status == 302
    finally:
        Switch.objects.using("default").all().delete()
    assert wait_for(lambda: not desk.visitor.arrive()["is_off"])


def wait_for(what: Callable[[], object], seconds: float = 20) -> bool:
    """Whether that came true in this time."""
    ends = time.monotonic() + seconds
    while not (is_true := bool(what())) and time.monotonic() < ends:
        time.sleep(0.1)
    return is_true
