"""Makes what a test starts from: users with exactly the rights it names, their sessions, and scopes of both."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterable

from django.conf import settings
from django.contrib import auth
from django.contrib.auth.models import Group, Permission, User
from django.contrib.sessions.backends.base import SessionBase

from deskhand import scope as scopes
from deskhand import transactions

_numbers = itertools.count(1)
BACKEND = "django.contrib.auth.backends.ModelBackend"


def permissions(names: Iterable[str]) -> list[Permission]:
    """The permissions with these names (``app_label.codename``)."""
    found = []
    for name in names:
        label, _, codename = name.partition(".")
        found.append(Permission.objects.get(content_type__app_label=label, codename=codename))
    return found


def user(may: Iterable[str] = (), **fields: object) -> User:
    """An account with these permissions of its own, and a password."""
    made = User(username=f"user{next(_numbers)}", **{"is_staff": True, **fields})
    made.set_password("before")
    made.save()
    grant(made, may)
    return made


def group(name: str, may: Iterable[str] = (), members: Iterable[User] = ()) -> Group:
    """A group with these permissions and members."""
    made = Group.objects.create(name=name)
    grant(made, may)
    made.user_set.set(members)
    return made


def grant(to: User | Group, may: Iterable[str]) -> None:
    """That account, or group, has exactly these permissions of its own.

    In a writing transaction of ours: beside a running turn SQLite refuses one that reads first and writes then, as Django's ``set`` does.
    """
    rights = to.user_permissions if isinstance(to, User) else to.permissions
    with transactions.writing(durable=False):
        rights.set(permissions(may))


def session(user: User, **kept: object) -> str:
    """The key of a new, stored session in which that user is signed in, and which holds ``kept`` besides."""
    store: SessionBase = importlib.import_module(settings.SESSION_ENGINE).SessionStore()
    store[auth.SESSION_KEY] = str(user.pk)
    store[auth.BACKEND_SESSION_KEY] = BACKEND
    store[auth.HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.update(kept)
    store.save()
    assert store.session_key
    return store.session_key


def scope(may: Iterable[str] = (), *, user: User | None = None, **kept: object) -> scopes.Scope:
    """The scope of a user with these permissions in a session of their own."""
    account = user or globals()["user"](may)
    found = scopes.again(session(account, **kept), account.pk)
    assert found is not None
    return found
