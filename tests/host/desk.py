"""The host project as tests use it: its servers, its accounts, somebody who signs in by the host's own forms."""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import re
import sys
import urllib.parse
from collections.abc import Mapping

from django.conf import settings
from django.db import connections

from tests import make
from tests.flows.conftest import Model
from tests.host.people.models import Colleague
from tests.person import Answer, Person
from tests.provider import Provider
from tests.serving import ROOT, Server, free_port, settings_for
from tests.shop.models import Customer, Order

PREFIX = "/office"
PASSWORD = "only-for-tests"
MAY = (
    "deskhand.use_assistant",
    *(f"shop.{verb}_{what}" for verb in ("view", "change") for what in ("order", "customer")),
)
#: Path of each admin site, and what lets an account into it.
SITES = {"admin": "is_staff", "backoffice": "is_depot"}
_numbers = itertools.count(1)


class HostServer(Server):
    """A server of the host project."""

    def __init__(self, command: list[str], port: int, deskhand: Mapping[str, object], **more: object) -> None:
        self.command, self.port = command, port
        self.url = f"http://127.0.0.1:{port}"
        taken = ("ENGINE", "NAME", "HOST", "PORT", "USER", "OPTIONS", "ATOMIC_REQUESTS")
        databases = {
            alias: {name: value for name, value in connections[alias].settings_dict.items() if name in taken}
            for alias in connections
        }
        served = {"DATABASES": databases, "DESKHAND": {**settings.DESKHAND, **deskhand}, "SETTINGS": more}
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]),
            "DJANGO_SETTINGS_MODULE": "tests.host.served_settings",
            "DESKHAND_TEST_SERVED": json.dumps(served),
            "DESKHAND_TEST_STATIC": str(settings.STATIC_ROOT),
        }
        if not more.get("FORCE_SCRIPT_NAME", PREFIX):
            # The server tells the prefix, and takes it off.
            self._environment["SCRIPT_NAME"] = PREFIX
        self.start()


@dataclasses.dataclass
class Host:
    """The project at a server, and the model that answers there."""

    server: HostServer
    model: Model

    @classmethod
    def of(cls, name: str, provider: Provider) -> Host:
        """``uvicorn``: ASGI, the settings know the prefix. ``gunicorn``: WSGI, only the server knows it."""
        model, port = Model(provider), free_port()
        deskhand = settings_for(provider.base_url, model.name)
        if name == "uvicorn":
            more = ["--host", "127.0.0.1", "--port", str(port), "--lifespan", "off", "--log-level", "warning"]
            command = [sys.executable, "-m", "uvicorn", "tests.host.served:asgi", *more, "--timeout-graceful-shutdown", "2"]
            return cls(HostServer(command, port, deskhand), model)
        more = ["-b", f"127.0.0.1:{port}", "-w", "1", "--threads", "8", "--log-level", "warning", "--graceful-timeout", "2"]
        command = [sys.executable, "-m", "gunicorn", "tests.host.served:wsgi", *more]
        return cls(HostServer(command, port, deskhand, FORCE_SCRIPT_NAME=None), model)

    @property
    def address(self) -> str:
        """The site's, with its prefix."""
        return self.server.url + PREFIX


def colleague(*sites: str, may: tuple[str, ...] = MAY, tenant: str = "north.example") -> Colleague:
    """An account with these permissions that may enter these admin sites."""
    entered = {SITES[site]: True for site in sites}
    made = Colleague.objects.create_user(f"c{next(_numbers)}@{tenant}", PASSWORD, **entered)
    made.user_permissions.set(make.permissions(may))
    return made


@dataclasses.dataclass(frozen=True)
class Made:
    """What is in the shop."""

    customer: Customer
    order: Order


def shop() -> Made:
    """A customer and an order; the replica has heard of them."""
    customer = Customer.objects.using("default").create(name="Hansen Bygg", credit_limit=100)
    order = Order.objects.using("default").create(number=f"A-{next(_numbers)}", customer=customer)
    for row in (customer, order):
        type(row)(**{field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}).save(
            using="replica", force_insert=True
        )
    return Made(customer, order)


class Visitor(Person):
    """A person with a browser who signs in by a form of the host's."""

    def __init__(self, host: Host, language: str = "en") -> None:
        super().__init__(f"{host.address}/{language}", None, "nobody")
        self._cookies = {}

    def page(self, path: str, form: Mapping[str, str] | None = None) -> Answer:
        """A page of the site; with ``form``, what comes back when that is sent there. A path that begins with / is the server's."""
        root = self.base_url.partition(PREFIX)[0]
        url = f"{root}{path}" if path.startswith("/") else f"{self.base_url}/{path}"
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        sent = urllib.parse.urlencode(form).encode() if form is not None else None
        headers = {"Cookie": cookies, **({"Content-Type": "application/x-www-form-urlencoded"} if sent else {})}
        response = self._http.request("POST" if sent else "GET", url, body=sent, headers=headers, redirect=False)
        for cookie in response.headers.getlist("Set-Cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return Answer(response.status, dict(response.headers), response.data)

    def send(self, path: str, form: Mapping[str, str]) -> Answer:
        """What comes back when the form of that page is sent, with the token that stands in it."""
        token = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', self.page(path).raw)
        assert token
        return self.page(path, {**form, "csrfmiddlewaretoken": token[1].decode()})

    def sign_in(self, user: Colleague, site: str = "admin") -> None:
        """Signed in by that site's own login."""
        answer = self.send(f"{site}/login/", {"username": user.email, "password": PASSWORD, "next": f"{PREFIX}/"})
        assert answer.status == 302, answer.raw
        self.session_ref = self._cookies["sessionid"]


@dataclasses.dataclass
class Desk:
    """Somebody who is signed in."""

    host: Host
    user: Colleague
    visitor: Visitor

    @classmethod
    def of(cls, host: Host, site: str = "admin", language: str = "en") -> Desk:
        """A new person at that site, with the panel open."""
        user = colleague(site)
        visitor = Visitor(host, language)
        visitor.sign_in(user, site)
        visitor.arrive()
        return cls(host, user, visitor)
