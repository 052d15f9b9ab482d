"""The panel in a Chromium on a page of the real server: whose browser it is, what the model there plays, how a test looks at it."""

from __future__ import annotations

import dataclasses
import json
import re
import uuid

from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, expect

from tests import make
from tests.browser.watched import Watched
from tests.flows.conftest import USE, Model
from tests.provider import Reply, chunk, stream
from tests.serving import Server
from tests.shop.models import Customer, Order

#: The policy that the panel promises to work under, beside which the admin's own pages still work.
SELF = "default-src 'self'"
STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html"
)
MAY = (USE, "shop.view_order", "shop.change_order", "shop.view_customer", "shop.change_customer")


@dataclasses.dataclass
class Desk:
    """Somebody at a browser of their own, signed in, with an admin page in front."""

    server: Server
    model: Model
    browser: Browser
    user: User
    watched: Watched
    session_ref: str

    @classmethod
    def of(cls, server: Server, model: Model, browser: Browser, user: User | None = None) -> Desk:
        """A new browser; of a new person, unless one is given."""
        user = user or make.user(MAY, first_name="Ada", last_name="Berg")
        context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
        desk = cls(server, model, browser, user, Watched(context, server.url), "")
        desk.sign_in(user)
        return desk

    def sign_in(self, user: User) -> None:
        """The browser is signed in as that person from now on, in a new session."""
        self.session_ref = make.session(user)
        self.watched.context.add_cookies([{"name": "sessionid", "value": self.session_ref, "url": self.server.url}])

    def opened(self, query: str = "") -> Page:
        """A tab with the panel open."""
        return self.watched.opened(f"admin/{query}")

    def close(self) -> None:
        """The browser is closed; nothing of what must not happen has happened."""
        self.watched.context.close()


def order(number: str = "A-1", status: str = "open") -> Order:
    """An order in the shop."""
    customer, _ = Customer.objects.get_or_create(name="Hansen Bygg")
    return Order.objects.create(number=number, customer=customer, status=status)


def status(number: str = "A-1") -> str:
    """How it stands with that order."""
    return str(Order.objects.get(number=number).status)


def slowly(*pieces: str) -> Reply:
    """An answer of which these pieces come, and its end never does."""
    return stream(*(chunk({"content": piece}) for piece in pieces), "hang")


def answered(page: Page, text: str, seconds: float = 10) -> None:
    """Returns once this answer stands there, stored, and no turn runs."""
    expect(page.locator(".assistant .answer", has_text=text).last).to_be_visible(timeout=seconds * 1_000)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


def card(page: Page, number: int = 0) -> Locator:
    """That card of the conversation."""
    return page.locator("deskhand-card").nth(number)


def fits(raw: str, shown: str) -> bool:
    """Whether a text stands in what a card shows, each sign as itself, or by its number in place of it or after it."""
    signs = [f"(?:{re.escape(sign)}(?:⟨U\\+{ord(sign):04X}⟩)?|⟨U\\+{ord(sign):04X}⟩)" for sign in raw]
    return re.search("".join(signs), shown) is not None


def leaves(value: object) -> list[str]:
    """The texts that must be legible of a value out of canonical JSON."""
    if isinstance(value, dict):
        return [text for key, part in value.items() for text in (str(key), *leaves(part))]
    if isinstance(value, list):
        return [text for part in value for text in leaves(part)] if value else ["[]"]
    if value is None or value == "":
        return ["—" if value is None else '""']
    return [value if isinstance(value, str) else json.dumps(value)]


def new_word() -> str:
    """A word that stands nowhere else."""
    return uuid.uuid4().hex[:8]
