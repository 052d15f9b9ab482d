"""The admin's page of switches: who may, what it fills in, what it does (``OP9``, ``SC4``)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client

from deskhand import switches
from deskhand.models import Switch
from tests import make

pytestmark = pytest.mark.django_db

MANAGE = "deskhand.manage_assistant"
PAGE = "/admin/deskhand/switch/"
#: What Django itself would let somebody in for.
TABLE = ["deskhand.view_switch", "deskhand.add_switch", "deskhand.change_switch", "deskhand.delete_switch"]


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    switches.forget()
    yield
    switches.forget()


def client(user: User, **kept: object) -> Client:
    made = Client()
    made.cookies["sessionid"] = make.session(user, **kept)
    return made


@pytest.fixture
def admin() -> Client:
    return client(make.user([MANAGE]))


def test_a_tool_is_switched_off_by_choosing_it_and_on_by_deleting_the_row(admin: Client) -> None:
    """OP9"""
    assert admin.post(f"{PAGE}add/", {"tool": "read_order"}).status_code == 302
    row = Switch.objects.get()
    name = User.objects.get().username
    assert (row.tool, row.switched_by) == ("read_order", name)
    assert switches.off() == {"read_order"}
    page = admin.get(PAGE).content.decode()
    assert "Order (read_order)" in page
    assert name in page
    assert admin.get(f"{PAGE}{row.pk}/change/").status_code == 200
    assert admin.post(f"{PAGE}{row.pk}/delete/", {"post": "yes"}).status_code == 302
    assert switches.off() == frozenset()
    assert [entry.action_flag for entry in LogEntry.objects.order_by("id")] == [1, 3]


def test_the_whole_assistant_is_switched_off_only_by_a_choice_that_says_so(admin: Client) -> None:
    """OP9: an empty form switches nothing."""
    assert admin.post(f"{PAGE}add/", {"tool": ""}).status_code == 200
    assert admin.post(f"{PAGE}add/", {}).status_code == 200
    assert Switch.objects.count() == 0
    assert admin.post(f"{PAGE}add/", {"tool": "*"}).status_code == 302
    assert switches.off() == {switches.ASSISTANT}
    assert "the assistant" in admin.get(PAGE).content.decode()
    # What is off is no choice any more.
    assert admin.post(f"{PAGE}add/", {"tool": "*"}).status_code == 200
    action = {"action": "delete_selected", "_selected_action": [Switch.objects.get().pk], "post": "yes"}
    assert admin.post(PAGE, action).status_code == 302
    assert switches.off() == frozenset()


def test_a_tool_that_does_not_exist_is_never_switched_off(admin: Client) -> None:
    """OP9"""
    assert admin.post(f"{PAGE}add/", {"tool": "reed_order"}).status_code == 200
    assert Switch.objects.count() == 0


def test_who_did_it_is_never_what_the_form_says(admin: Client) -> None:
    """OP9"""
    admin.post(
        f"{PAGE}add/", {"tool": "read_order", "switched_by": "eve", "switched_at_0": "2001-01-01", "switched_at_1": "00:00"}
    )
    row = Switch.objects.get()
    assert (row.switched_by, row.switched_at.year > 2001) == (User.objects.get().username, True)


def test_a_switch_never_changes(admin: Client) -> None:
    """OP9: it stands or does not."""
    row = switches.switch_off("read_order", "ada")
    admin.post(f"{PAGE}{row.pk}/change/", {"tool": "find_orders"})
    assert list(Switch.objects.values_list("tool", "switched_by")) == [("read_order", "ada")]


@pytest.mark.parametrize("may", [(), TABLE, ["deskhand.use_assistant"]])
def test_without_the_permission_to_manage_the_page_does_not_open(may: list[str]) -> None:
    """SC4: the table's own permissions open nothing."""
    row = switches.switch_off("read_order")
    other = client(make.user(may))
    for page in (PAGE, f"{PAGE}add/", f"{PAGE}{row.pk}/change/", f"{PAGE}{row.pk}/delete/"):
        assert other.get(page).status_code == 403
        assert other.post(page, {"tool": "find_orders", "post": "yes"}).status_code == 403
    assert "switch" not in other.get("/admin/").content.decode().lower()
    assert switches.off() == {"read_order"}


def test_under_an_acting_role_the_role_decides() -> None:
    """SC1, SC4"""
    user = make.user([MANAGE, "deskhand.use_assistant"])
    make.group("with", [MANAGE], [user])
    make.group("without", ["deskhand.use_assistant"], [user])
    answers = [client(user, deskhand_role=role).get(PAGE).status_code for role in ("with", "without", "gone")]
    assert answers == [200, 403, 403]
