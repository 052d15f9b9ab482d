"""Who a turn acts as (``SC1``-``SC4``)."""

from __future__ import annotations

import datetime
import importlib

import pytest
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deskhand import errors
from deskhand import scope as scopes
from tests import make

pytestmark = pytest.mark.django_db


class OrdersOfOne(BaseBackend):
    """Grants any permission for the object ``"mine"``."""

    def has_perm(self, user_obj: object, perm: str, obj: object = None) -> bool:
        return obj == "mine"


def test_a_permission_holds_from_the_grant_on_and_not_longer() -> None:
    """SC2, sec_B1"""
    user = make.user(["shop.view_order"])
    session = make.session(user)
    assert scopes.again(session, user.pk).may("shop.view_order")
    user.user_permissions.clear()
    assert not scopes.again(session, user.pk).may("shop.view_order")


def test_leaving_a_group_takes_its_permissions_at_the_next_question() -> None:
    """SC2, sec_B1"""
    user = make.user()
    group = make.group("sales", ["shop.view_order"], [user])
    session = make.session(user)
    assert scopes.again(session, user.pk).may("shop.view_order")
    group.user_set.clear()
    assert not scopes.again(session, user.pk).may("shop.view_order")


def test_asking_anew_costs_at_most_four_statements() -> None:
    """SC2"""
    user = make.user(["shop.view_order"])
    make.group("sales", ["shop.view_customer"], [user])
    session = make.session(user)
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert scopes.again(session, user.pk).may("shop.view_order")
    assert len(seen) == 4


def test_asking_anew_under_a_role_costs_at_most_four_statements() -> None:
    """SC2"""
    user = make.user()
    make.group("sales", ["shop.view_order"], [user])
    session = make.session(user, deskhand_role="sales")
    with CaptureQueriesContext(connection) as seen:
        assert scopes.again(session, user.pk).may("shop.view_order")
    assert len(seen) == 4


def test_a_deactivated_user_has_no_scope() -> None:
    """SC2, sec_B7"""
    user = make.user(is_superuser=True)
    session = make.session(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert scopes.again(session, user.pk) is None


def test_a_session_that_was_logged_out_elsewhere_gives_no_scope() -> None:
    """SC2, sec_B8"""
    user = make.user()
    session = make.session(user)
    Session.objects.filter(session_key=session).delete()
    assert scopes.again(session, user.pk) is None


def test_a_session_whose_time_is_over_gives_no_scope() -> None:
    """SC1"""
    user = make.user()
    session = make.session(user)
    Session.objects.filter(session_key=session).update(expire_date=timezone.now() - datetime.timedelta(seconds=1))
    assert scopes.again(session, user.pk) is None


def test_a_changed_password_ends_the_other_sessions() -> None:
    """sec_B9"""
    user = make.user()
    session = make.session(user)
    user.set_password("after")
    user.save()
    assert scopes.again(session, user.pk) is None


def test_a_rotated_secret_key_keeps_the_session_while_the_old_one_is_a_fallback(settings) -> None:
    """SC1"""
    user = make.user()
    session = make.session(user)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    # The store decodes what it holds with the fallbacks, too.
    assert scopes.again(session, user.pk) is not None
    settings.SECRET_KEY_FALLBACKS = []
    assert scopes.again(session, user.pk) is None


def test_a_session_of_somebody_else_gives_no_scope() -> None:
    """SC1"""
    mine, other = make.user(), make.user()
    assert scopes.again(make.session(other), mine.pk) is None


def test_a_session_from_a_backend_that_is_not_configured_any_more_gives_no_scope(settings) -> None:
    """SC1"""
    user = make.user()
    session = make.session(user)
    settings.AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.RemoteUserBackend"]
    assert scopes.again(session, user.pk) is None


@pytest.mark.parametrize("session_ref", ["", "x", "not-a-session-key", "é" * 32])
def test_a_session_that_never_was_gives_no_scope_and_is_never_created(session_ref: str) -> None:
    """SC1"""
    user = make.user()
    assert scopes.again(session_ref, user.pk) is None
    assert not Session.objects.exists()


@pytest.mark.parametrize("user_id", [None, 0, "", "x", 10**9])
def test_an_account_that_never_was_has_no_scope(user_id: object) -> None:
    """SC1"""
    assert scopes.again(make.session(make.user()), user_id) is None


ENGINES = ["db", "cached_db", "cache", "file"]


@pytest.mark.parametrize("engine", ENGINES)
def test_looking_at_a_session_never_saves_or_prolongs_it(engine: str, settings, tmp_path) -> None:
    """SC1"""
    settings.SESSION_ENGINE = f"django.contrib.sessions.backends.{engine}"
    settings.SESSION_FILE_PATH = str(tmp_path)
    settings.SESSION_SAVE_EVERY_REQUEST = True
    user = make.user(["shop.view_order"])
    session = make.session(user)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    rows = list(Session.objects.values())
    assert scopes.again(session, user.pk).may("shop.view_order")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == files
    assert list(Session.objects.values()) == rows


def test_a_file_session_that_is_over_is_neither_deleted_nor_replaced_by_a_look(settings, tmp_path) -> None:
    """SC1"""
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.file"
    settings.SESSION_FILE_PATH = str(tmp_path)
    user = make.user()
    session = make.session(user, _session_expiry=(timezone.now() - datetime.timedelta(days=1)).isoformat())
    before = [path.name for path in tmp_path.iterdir()]
    assert scopes.again(session, user.pk) is None
    assert [path.name for path in tmp_path.iterdir()] == before


@pytest.mark.parametrize("engine", ENGINES)
def test_each_server_side_session_engine_knows_a_log_out(engine: str, settings, tmp_path) -> None:
    """SC1, SC2"""
    settings.SESSION_ENGINE = f"django.contrib.sessions.backends.{engine}"
    settings.SESSION_FILE_PATH = str(tmp_path)
    user = make.user()
    session = make.session(user)
    assert scopes.again(session, user.pk) is not None
    importlib.import_module(settings.SESSION_ENGINE).SessionStore(session).flush()
    assert scopes.again(session, user.pk) is None


def test_a_role_narrows_to_the_permissions_of_that_group() -> None:
    """SC1"""
    user = make.user(["shop.delete_order"])
    make.group("sales", ["shop.view_order"], [user])
    make.group("stock", ["shop.change_order"], [user])
    scope = make.scope(user=user, deskhand_role="sales")
    assert scope.role == "sales"
    assert scope.may("shop.view_order")
    assert not scope.may("shop.change_order")
    assert not scope.may("shop.delete_order")


def test_the_superuser_flag_never_widens_a_role() -> None:
    """SC1"""
    user = make.user(is_superuser=True)
    make.group("sales", ["shop.view_order"], [user])
    scope = make.scope(user=user, deskhand_role="sales")
    assert scope.may("shop.view_order")
    assert not scope.may("shop.change_order")


@pytest.mark.parametrize("role", ["stock", "nobody"])
def test_a_role_that_the_user_has_no_longer_gives_no_scope(role: str) -> None:
    """SC2"""
    user = make.user(is_superuser=True)
    make.group("stock", [])
    assert scopes.again(make.session(user, deskhand_role=role), user.pk) is None


def test_a_switched_role_is_the_role_of_the_next_scope() -> None:
    """sec_B10"""
    user = make.user()
    make.group("sales", ["shop.view_order"], [user])
    make.group("stock", ["shop.change_order"], [user])
    session = make.session(user, deskhand_role="sales")
    assert scopes.again(session, user.pk).role == "sales"
    store = importlib.import_module("django.contrib.sessions.backends.db").SessionStore(session)
    store["deskhand_role"] = "stock"
    store.save()
    switched = scopes.again(session, user.pk)
    assert (switched.role, switched.may("shop.view_order"), switched.may("shop.change_order")) == ("stock", False, True)


def test_an_object_permission_comes_from_the_backends_and_needs_the_role_as_well(settings) -> None:
    """SC1"""
    settings.AUTHENTICATION_BACKENDS = [make.BACKEND, "tests.test_scope.OrdersOfOne"]
    user = make.user(["shop.view_order"])
    make.group("sales", ["shop.view_order"], [user])
    plain = make.scope(user=user)
    assert plain.may("shop.view_order", "mine")
    assert not plain.may("shop.view_order", "another's")
    narrowed = make.scope(user=user, deskhand_role="sales")
    assert narrowed.may("shop.view_order", "mine")
    assert not narrowed.may("shop.change_order", "mine")


def test_a_superuser_never_reads_the_conversations_of_others_without_a_grant() -> None:
    """SC4, sec_B18"""
    user = make.user(is_superuser=True)
    assert make.scope(user=user).may("deskhand.use_assistant")
    assert make.scope(user=user).may("deskhand.manage_assistant")
    assert not make.scope(user=user).may("deskhand.view_any_conversation")
    make.group("auditors", ["deskhand.view_any_conversation"], [user])
    assert make.scope(user=user).may("deskhand.view_any_conversation")


def test_no_permission_at_all_is_never_allowed() -> None:
    """TO2"""
    assert not make.scope(user=make.user(is_superuser=True)).may("")


def test_without_impersonation_the_actor_is_the_user() -> None:
    """SC1"""
    scope = make.scope()
    assert scope.actor_key == scope.user_key == str(scope.user_id)


def test_each_impersonation_package_tells_the_real_actor() -> None:
    """sec_B15"""
    admin, between, user = make.user(), make.user(), make.user()
    for kept in (
        {"hijack_history": [str(admin.pk), str(between.pk)]},
        {"loginas_from_user": signing.TimestampSigner().sign(str(admin.pk))},
    ):
        scope = make.scope(user=user, **kept)
        assert (scope.user_key, scope.actor_key) == (str(user.pk), str(admin.pk))


def test_a_list_of_keys_and_backends_tells_the_real_actor(settings) -> None:
    """sec_B15"""
    settings.DESKHAND = {"IMPERSONATOR_SESSION_KEYS": ["exit_users_pk"]}
    admin, user = make.user(), make.user()
    assert make.scope(user=user, exit_users_pk=[(str(admin.pk), make.BACKEND)]).actor_key == str(admin.pk)


def test_a_session_that_stays_the_real_users_acts_as_the_other() -> None:
    """sec_B15"""
    admin, user, third = make.user(), make.user(["shop.view_order"]), make.user()
    session = make.session(admin, _impersonate=str(user.pk))
    scope = scopes.again(session, user.pk)
    assert (scope.user_key, scope.actor_key) == (str(user.pk), str(admin.pk))
    assert scope.may("shop.view_order")
    # In pages that the package leaves out the real user is themselves.
    assert scopes.again(session, admin.pk).actor_key == str(admin.pk)
    assert scopes.again(session, third.pk) is None


def test_an_impersonator_who_was_deactivated_gives_no_scope() -> None:
    """SC2, sec_B15"""
    admin, user = make.user(), make.user()
    sessions = [make.session(user, hijack_history=[str(admin.pk)]), make.session(admin, _impersonate=str(user.pk))]
    User.objects.filter(pk=admin.pk).update(is_active=False)
    assert [scopes.again(session, user.pk) for session in sessions] == [None, None]


def request(user: object, session: str | None):
    made = RequestFactory().get("/")
    made.user = user
    made.session = importlib.import_module("django.contrib.sessions.backends.db").SessionStore(session)
    return made


def test_a_request_of_somebody_with_the_right_gives_their_scope() -> None:
    """SC3"""
    user = make.user(["deskhand.use_assistant"], first_name="Ada", last_name="Tamm")
    make.group("sales", [], [user])
    make.group("board", [], [user])
    session = make.session(user)
    scope = scopes.from_request(request(user, session))
    assert (scope.user_id, scope.session_ref, scope.full_name) == (user.pk, session, "Ada Tamm")
    assert scope.groups == ("board", "sales")


def test_a_request_without_account_session_or_right_is_refused() -> None:
    """SC3, sec_B18"""
    allowed, other = make.user(["deskhand.use_assistant"]), make.user()
    for who, session in (
        (AnonymousUser(), make.session(allowed)),
        (allowed, None),
        (allowed, make.session(other)),
        (other, make.session(other)),
    ):
        with pytest.raises(errors.NotAllowed):
            scopes.from_request(request(who, session))


def test_a_hosts_own_scope_is_asked_with_a_freshly_read_user(settings) -> None:
    """SC1"""
    asked = []

    def own(session_ref: str, user: User) -> scopes.Scope | None:
        asked.append((session_ref, user))
        return scopes.Scope(user, session_ref) if session_ref == "token-7" else None

    settings.DESKHAND = {"SCOPE": own}
    user = make.user(["shop.view_order"])
    assert scopes.again("token-7", user.pk).may("shop.view_order")
    assert scopes.again("token-8", user.pk) is None
    assert asked[0][1] == user
    assert asked[0][1] is not user


def test_a_hosts_scope_of_another_user_is_never_taken(settings) -> None:
    """SC1"""
    other = make.user(is_superuser=True)
    settings.DESKHAND = {"SCOPE": lambda session_ref, user: scopes.Scope(other, session_ref)}
    with pytest.raises(errors.ConfigurationError):
        scopes.again("token-7", make.user().pk)


def test_a_scope_never_shows_the_session_key() -> None:
    """sec_K1"""
    scope = make.scope()
    assert scope.session_ref not in repr(scope)
