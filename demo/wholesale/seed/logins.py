"""The demo's three logins and what each may do."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission

from demo.wholesale.seed.password import PASSWORD

_OFFICE = (
    "deskhand.use_assistant",
    *(f"wholesale.view_{name}" for name in ("customer", "note", "order", "orderline", "product", "return", "stock", "warehouse")),
    "wholesale.view_stockcorrection",
)
#: Group → permissions. A clerk sees no invoice, payment, credit limit or sales figure; an accountant changes no order and no stock.
#: Prices are the owner's.
GROUPS: dict[str, tuple[str, ...]] = {
    "Clerks": (
        *_OFFICE,
        *(
            f"wholesale.{verb}_{name}"
            for verb in ("add", "change")
            for name in ("customer", "note", "order", "orderline", "return")
        ),
        "wholesale.change_stock",
    ),
    "Accountants": (
        *_OFFICE,
        *(f"wholesale.{verb}_{name}" for verb in ("view", "add", "change") for name in ("invoice", "payment")),
        "wholesale.add_note",
        "wholesale.change_customer",
        "wholesale.view_credit_limit",
        "wholesale.change_credit_limit",
        "wholesale.view_sales",
    ),
}


def make_logins() -> list[tuple[str, str]]:
    """Makes groups and accounts, or puts them right; returns name and what it is, for printing."""
    for name, labels in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        group.permissions.set([_permission(label) for label in labels])
    accounts = [("clerk", "Clerks"), ("accountant", "Accountants"), ("owner", "")]
    for username, group_name in accounts:
        user, _ = get_user_model().objects.get_or_create(username=username)
        user.first_name, user.last_name = "Demo", username.capitalize()
        user.is_staff = True
        user.is_superuser = not group_name
        user.set_password(PASSWORD)
        user.save()
        user.groups.set(Group.objects.filter(name=group_name))
    return [(username, group_name or "superuser") for username, group_name in accounts]


def _permission(label: str) -> Permission:
    app, codename = label.split(".")
    return Permission.objects.get(content_type__app_label=app, codename=codename)
