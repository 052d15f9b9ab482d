"""Scope: who a turn acts as, and the question whether they may.

Rights are asked anew, from the database, at every step of a turn (``SC2``), in whatever thread or process that step runs. So a
``Scope`` is short-lived: it is made by :func:`again` from what can be stored (a session's key and a user's key), answers for that
moment, and is thrown away. What it has read once it does not read twice.

An acting role, a name that the host keeps in the session, narrows the person to the permissions of that one group. It never widens:
neither the superuser flag nor the person's own permissions count under it.

Never here: a request; a session that is saved, prolonged or created by being looked at. Limits: what a replica has not heard of yet
still counts where the host's router reads sessions or permissions from one; a cache session that outlives its row does so by the host's choice.
django-impersonate's time limit is enforced by its own middleware, not here.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from django.contrib import auth
from django.contrib.auth.models import Group, Permission
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import models, router
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string

from deskhand import config, errors
from deskhand.core.values import UserId

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractUser
    from django.contrib.sessions.backends.base import SessionBase
    from django.http import HttpRequest

#: Who has it may use the assistant.
USE = "deskhand.use_assistant"
#: Who has it may switch things off (``SC4``).
MANAGE = "deskhand.manage_assistant"
#: The one permission that a superuser has only if it was granted (``SC4``).
VIEW_ANY = "deskhand.view_any_conversation"
#: django-impersonate keeps the account that is acted *as* here; the session itself stays the real user's.
_ACTED_AS = "_impersonate"


class Scope:
    """Who a turn acts as, for the moment in which it was made.

    A host's own ``SCOPE`` returns one of these, or a subclass with its own :meth:`may`. Nothing of it changes after it was made.
    """

    def __init__(self, user: AbstractUser, session_ref: str, *, actor_key: str = "", role: Group | None = None) -> None:
        #: The account, freshly read.
        self.user = user
        #: Key of the session, a secret: it is stored with turns and cards and stands in no log.
        self.session_ref = session_ref
        #: Key of the account that really acts; another than ``user_key`` if somebody impersonates.
        self.actor_key = actor_key or str(user.pk)
        self._role = role

    def __repr__(self) -> str:
        return f"<Scope of user {self.user_key}>"

    @property
    def user_id(self) -> UserId:
        """The account's primary key."""
        return self.user.pk  # type: ignore[no-any-return]

    @property
    def user_key(self) -> str:
        """The account's primary key as text."""
        return str(self.user.pk)

    @property
    def role(self) -> str:
        """Name of the acting role; empty if the session has none."""
        return self._role.name if self._role else ""

    @functools.cached_property
    def groups(self) -> tuple[str, ...]:
        """Names of the user's groups, sorted; none for an account model without groups. One statement at the first look."""
        if not hasattr(self.user, "groups"):
            return ()
        return tuple(self.user.groups.order_by("name").values_list("name", flat=True))

    @property
    def full_name(self) -> str:
        """The user's full name as the account gives it, maybe empty."""
        full_name = getattr(self.user, "get_full_name", None)
        return str(full_name()).strip() if full_name else ""

    def may(self, permission: str, obj: models.Model | None = None) -> bool:
        """Whether the user may, at the moment of this scope. ``permission`` is ``app_label.codename``.

        With ``obj``, the authentication backends are asked about that object, as ``User.has_perm`` does: Django's own backend
        knows no object permissions and answers no. Under a role, the role must have the permission as well. At most two
        statements at the first question, none after it but for what a backend asks for an object.
        """
        if not permission or not self.user.is_active:
            return False
        if self._role is not None:
            return permission in self._role_permissions and (obj is None or bool(self.user.has_perm(permission, obj)))
        if permission == VIEW_ANY and self.user.is_superuser:
            return self._is_granted(permission)
        return bool(self.user.has_perm(permission, obj))

    @functools.cached_property
    def _role_permissions(self) -> frozenset[str]:
        found = Permission.objects.filter(group=self._role).values_list("content_type__app_label", "codename").order_by()
        return frozenset(f"{label}.{codename}" for label, codename in found)

    def _is_granted(self, permission: str) -> bool:
        label, _, codename = permission.partition(".")
        named = Permission.objects.filter(content_type__app_label=label, codename=codename)
        return named.filter(models.Q(user__pk=self.user.pk) | models.Q(group__user__pk=self.user.pk)).exists()


def again(session_ref: str, user_id: UserId | None, *, account: AbstractUser | None = None) -> Scope | None:
    """The scope of that user in that session as things stand now; ``None`` if either is gone or the two do not belong together.

    Asks the host's ``SCOPE`` with a user who was read for this question: here, or by the caller with the row that it read
    (``account``, from the writing database). Together with its first ``may()`` at most four
    statements with sessions in the database, more only while somebody impersonates.

    Raises:
        ConfigurationError: ``SCOPE`` gave something else than a ``Scope`` of this session and user, or ``None``.
    """
    user = _user(user_id) if account is None and user_id is not None else account
    if user is None or not session_ref or not user.is_active:
        return None
    hook = config.get().scope
    make: Callable[..., object] = import_string(hook) if isinstance(hook, str) else hook
    found = make(session_ref, user)
    if found is None:
        return None
    if not isinstance(found, Scope) or found.user_id != user.pk or found.session_ref != session_ref:
        raise errors.ConfigurationError("SCOPE", "must give a Scope of the session and user that it was asked for, or None")
    return found


def from_request(request: HttpRequest) -> Scope:
    """The scope of the person who sent this request, asked anew.

    Raises:
        SignedOut: nobody is signed in, or the session is over.
        NotAllowed: ``deskhand.use_assistant`` is missing (``SC3``).
    """
    user = getattr(request, "user", None)
    session_ref = getattr(getattr(request, "session", None), "session_key", None)
    if user is None or not user.is_authenticated or not session_ref:
        raise errors.SignedOut
    found = again(session_ref, user.pk)
    if found is None:
        raise errors.SignedOut
    if not found.may(USE):
        raise errors.NotAllowed
    return found


def may(request: HttpRequest, permission: str) -> bool:
    """Whether the person who sent this request may, for a page that is being made.

    Asks the database nothing where the request has asked the person's rights already; only under an acting role, or a ``SCOPE`` of the
    host's own, it makes a scope, at most four statements.
    """
    user = getattr(request, "user", None)
    session = getattr(request, "session", None)
    if session is None or user is None or not user.is_authenticated or not user.is_active or not user.has_perm(permission):
        return False
    settings = config.get()
    if settings.scope == config.Config.scope and not session.get(settings.role_session_key):
        return True
    found = again(session.session_key or "", user.pk)
    return found is not None and found.may(permission)


def session_scope(session_ref: str, user: AbstractUser) -> Scope | None:
    """The default ``SCOPE``: Django's sessions, its auth, an acting role and the usual impersonation packages (``SC1``).

    ``None`` unless the session is alive, was made for this user (or for the real user who impersonates them) with the password
    they have now, through a backend that is still configured, and its acting role, if it has one, is a group of theirs.
    """
    session = _session(session_ref)
    signed_in_key = str(session.get(auth.SESSION_KEY, ""))
    if not signed_in_key or not user.is_active:
        return None
    if signed_in_key == str(user.pk):
        owner, actor_key = user, _kept_actor(session) or signed_in_key
    elif str(session.get(_ACTED_AS, "")) == str(user.pk):
        found = _user(signed_in_key)
        if found is None:
            return None
        owner, actor_key = found, signed_in_key
    else:
        return None
    if not owner.is_active or not _is_signed_in(session, owner):
        return None
    if actor_key not in (str(owner.pk), str(user.pk)) and not _is_active(actor_key):
        return None
    name = str(session.get(config.get().role_session_key) or "")
    if not name:
        return Scope(user, session_ref, actor_key=actor_key)
    role = Group.objects.filter(name=name, user__pk=user.pk).first()
    return Scope(user, session_ref, actor_key=actor_key, role=role) if role else None


def _user(key: object) -> AbstractUser | None:
    """The account with that key, from the database it is written in: a replica may not know yet that it was deactivated."""
    model = auth.get_user_model()
    try:
        return model._default_manager.using(router.db_for_write(model)).filter(pk=key).first()  # type: ignore[misc]
    except (ValueError, TypeError, ValidationError):
        return None


def _is_active(key: str) -> bool:
    user = _user(key)
    return user is not None and user.is_active


def _session(session_ref: str) -> Mapping[str, object]:
    """What the session holds; empty if it is gone or over."""
    return _reader(config.session_engine())(session_ref).load()


@functools.cache
def _reader(engine: str) -> type[SessionBase]:
    """The host's session store without the ways to write: some engines delete or create a session while they load one."""
    store: type[SessionBase] = importlib.import_module(engine).SessionStore

    def nothing(self: SessionBase, *args: object, **options: object) -> None:
        return None

    closed: dict[str, object] = dict.fromkeys(("save", "create", "delete", "flush", "cycle_key"), nothing)
    # Sessions are signed with the name of the class.
    return type(store.__name__, (store,), {**closed, "__qualname__": store.__qualname__})


def _is_signed_in(session: Mapping[str, object], user: AbstractUser) -> bool:
    """Whether the session's proof is one of this user's password, as Django's middleware checks it."""
    if not _is_configured(session.get(auth.BACKEND_SESSION_KEY)):
        return False
    if not hasattr(user, "get_session_auth_hash"):
        return True
    proof = session.get(auth.HASH_SESSION_KEY)
    if not isinstance(proof, str) or not proof:
        return False
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(proof, one) for one in hashes)


def _is_configured(raw_path: object) -> bool:
    try:
        backend = auth.load_backend(str(raw_path))
    except ImportError:
        return False
    return type(backend) in {type(one) for one in auth.get_backends()}


def _kept_actor(session: Mapping[str, object]) -> str:
    """Key of the real user whom an impersonation package keeps in the session; empty if nobody impersonates.

    django-hijack keeps a list of keys and django-su one of (key, backend), the first person first; django-loginas a signed key.
    """
    for name in config.get().impersonator_session_keys:
        kept = session.get(name)
        while isinstance(kept, list | tuple):
            kept = kept[0] if kept else None
        if name == _ACTED_AS or kept in (None, ""):
            continue
        try:
            return signing.TimestampSigner().unsign(str(kept))
        except signing.BadSignature:
            return str(kept)
    return ""
