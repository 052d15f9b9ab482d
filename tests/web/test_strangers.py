"""The stranger's table: every URL with every method, for everybody who may come. A door without a row fails."""

from __future__ import annotations

import json
import uuid

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern

from deskhand import conversations, urls
from deskhand.models import Conversation, Message, Turn
from tests.web.conftest import Desk, Kept, desk, ended, running

pytestmark = pytest.mark.django_db

START = {"text": "Hello", "key": "k-1"}
#: Name of the URL and method: what is sent, and how the owner of an ended turn is answered.
TABLE: dict[tuple[str, str], tuple[object, int]] = {
    ("state", "GET"): (None, 200),
    ("conversations", "GET"): (None, 200),
    ("conversations", "POST"): ({}, 201),
    ("conversation", "GET"): (None, 200),
    ("conversation", "PATCH"): ({"title": "Mine"}, 200),
    ("conversation", "DELETE"): (None, 200),
    ("restore", "POST"): ({}, 200),
    ("messages", "GET"): (None, 200),
    ("turns", "POST"): (START, 409),
    ("conversation-cards", "GET"): (None, 200),
    ("card", "GET"): (None, 200),
    ("confirm", "POST"): ({}, 200),
    ("reject", "POST"): ({}, 200),
    ("acknowledge", "POST"): ({}, 200),
    ("turn", "GET"): (None, 200),
    ("stop", "POST"): ({}, 200),
    ("stream", "GET"): (None, 200),
    ("events", "GET"): (None, 200),
    **{("nothing", method): (None, 404) for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")},
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
PATTERNS: dict[str, URLPattern] = {str(pattern.name): pattern for pattern in urls.urlpatterns}
#: Doors that stand for one thing of somebody's.
ABOUT_ONE = [(name, method) for name, method in TABLE if "<str:" in str(PATTERNS[name].pattern)]
SAME = pytest.mark.parametrize(("name", "method"), list(TABLE), ids=["-".join(row) for row in TABLE])
ONE = pytest.mark.parametrize(("name", "method"), ABOUT_ONE, ids=["-".join(row) for row in ABOUT_ONE])


def url(name: str, kept: Kept | None = None, raw: str = "") -> str:
    path = str(PATTERNS[name].pattern)
    conversation, turn, card = (str(kept.conversation), str(kept.turn), str(kept.card)) if kept else (raw, raw, raw)
    if name == "nothing":
        path = "api/never/heard/of"
    path = path.replace("<str:conversation>", conversation).replace("<str:turn>", turn).replace("<str:card>", card)
    return f"/assistant/{path}"


def ask(who: Desk, method: str, path: str, sent: object = None, **headers: str) -> HttpResponse:
    body = "" if sent is None else json.dumps(sent)
    given = {"X-CSRFToken": who.csrf, **headers}
    # Django's client says that it is a server of one thread.
    extra = {"wsgi.multithread": True}
    return who.client.generic(method, path, body, "application/json", headers=given, **extra)  # type: ignore[return-value, arg-type]


def leave(answer: HttpResponse) -> None:
    """A stream is read to its end, so that its place is free."""
    if answer.streaming:
        assert b"event: done" in b"".join(answer.streaming_content)


def knock(who: Desk, name: str, method: str, path: str) -> tuple[int, bytes]:
    answer = ask(who, method, path, TABLE[name, method][0])
    leave(answer)
    return answer.status_code, b"" if answer.streaming else answer.content


def test_the_table_has_a_row_for_every_door_that_the_urlconf_knows() -> None:
    """SC3, sec_D1."""
    doors = {(name, method) for name, pattern in PATTERNS.items() for method in pattern.callback.methods}
    assert set(TABLE) == doors
    assert len(PATTERNS) == len(urls.urlpatterns)


@SAME
def test_the_owner_is_answered(name: str, method: str) -> None:
    owner = desk()
    kept = running(owner) if name == "turns" else ended(owner)
    if name == "restore":
        ask(owner, "DELETE", url("conversation", kept))
    assert knock(owner, name, method, url(name, kept))[0] == TABLE[name, method][1]


@ONE
def test_anothers_and_what_does_not_exist_are_the_same_404_with_the_same_body(name: str, method: str) -> None:
    """SC3, sec_D1, sec_D5: also a hidden one, a malformed id, and a superuser who was granted nothing."""
    owner, other = desk(), desk()
    superuser = desk((), is_superuser=True)
    hidden = ended(owner)
    ask(owner, "DELETE", url("conversation", hidden))
    Conversation.objects.update(hidden_at="2020-01-01T00:00:00Z")
    kept = running(owner) if name in ("turns", "stop", "stream") else ended(owner)
    before = [(Conversation.objects.in_bulk().values()), Message.objects.count(), Turn.objects.values_list("end")]
    raw = str(kept.conversation)
    malformed = [
        "0",
        "x" * 400,
        raw[:-1],
        "{" + raw + "}",
        "urn:uuid:" + raw,
        raw.replace("-", ""),
        "%00",
        "%0A",
        "١" * 32,
        raw + "%20",
    ]
    answers = {
        "another's": knock(other, name, method, url(name, kept)),
        "for a superuser": knock(superuser, name, method, url(name, kept)),
        "random": knock(owner, name, method, url(name, raw=str(uuid.uuid4()))),
        "hidden": knock(owner, name, method, url(name, hidden)),
        **{f"malformed {each}": knock(owner, name, method, url(name, raw=each)) for each in malformed},
    }
    assert {key: status for key, (status, _) in answers.items()} == dict.fromkeys(answers, 404)
    assert len({body for _, body in answers.values()}) == 1, answers
    after = [(Conversation.objects.in_bulk().values()), Message.objects.count(), Turn.objects.values_list("end")]
    assert str(after) == str(before)


@SAME
def test_without_the_permission_every_door_answers_403(name: str, method: str) -> None:
    """SC3, sec_B18: to things of one's own, too."""
    owner = desk()
    kept = ended(owner)
    owner.user.user_permissions.clear()
    answers = [knock(owner, name, method, url(name, kept)), knock(owner, name, method, url(name, raw="0"))]
    assert [status for status, _ in answers] == [403, 403]
    assert json.loads(answers[0][1] or '{"error": {"code": "not_allowed"}}')["error"]["code"] == "not_allowed"


@SAME
def test_anonymous_is_answered_403_by_every_door(name: str, method: str) -> None:
    """SC3, sec_D1."""
    kept = ended(desk())
    stranger = Desk(None, "", Client(enforce_csrf_checks=True), "c" * 32)  # type: ignore[arg-type]
    stranger.client.cookies["csrftoken"] = stranger.csrf
    missing = knock(stranger, name, method, url(name, raw=str(uuid.uuid4())))
    assert knock(stranger, name, method, url(name, kept)) == missing
    assert missing[0] == 403


@pytest.mark.parametrize("name", [name for name in PATTERNS if name != "nothing"])
def test_a_method_that_a_door_does_not_know_is_answered_405_and_does_nothing(name: str) -> None:
    """sec_C19's rule for all of the API: GET and HEAD of a door that changes something have no effect."""
    owner = desk()
    kept = running(owner)
    for method in sorted(set(METHODS) - set(PATTERNS[name].callback.methods)):
        answer = ask(owner, method, url(name, kept))
        assert (answer.status_code, answer["Allow"]) == (405, ", ".join(sorted(PATTERNS[name].callback.methods)))
    assert Turn.objects.get().ended_at is None
    assert Conversation.objects.get().hidden_at is None


@SAME
def test_no_answer_may_be_kept_by_a_shared_cache_or_framed(name: str, method: str) -> None:
    """sec_D10, sec_E5."""
    owner = desk()
    kept = ended(owner)
    for who, path in ((owner, url(name, kept)), (owner, url(name, raw="0")), (desk(()), url(name, kept))):
        answer = ask(who, method, path, TABLE[name, method][0])
        assert answer["Cache-Control"].startswith("private, no-store")
        assert (answer["X-Content-Type-Options"], answer["X-Frame-Options"]) == ("nosniff", "DENY")
        leave(answer)


def test_a_search_finds_never_anothers_conversation() -> None:
    """sec_D9."""
    owner, other = desk(), desk()
    ended(owner)
    path = url("conversations") + "?q=paid"
    assert len(ask(owner, "GET", path).json()["conversations"]) == 1
    assert ask(other, "GET", path).json()["conversations"] == []


def test_a_conversation_whose_time_to_undo_is_over_never_comes_back() -> None:
    """ME10."""
    owner = desk()
    kept = ended(owner)
    assert ask(owner, "DELETE", url("conversation", kept)).json() == {"undo_seconds": conversations.UNDO_SECONDS}
    Conversation.objects.update(hidden_at="2020-01-01T00:00:00Z")
    assert ask(owner, "POST", url("restore", kept), {}).status_code == 404


@SAME
def test_a_page_that_another_account_left_open_is_answered_403_at_every_door_and_changes_nothing(name: str, method: str) -> None:
    """SC3: the page says whose it is; a word that nobody sent is not missed"""
    owner, before = desk(), desk()
    kept = running(owner) if name in ("turns", "stop") else ended(owner)
    stood = [str(list(model.objects.order_by("pk").values())) for model in (Conversation, Message, Turn)]
    answer = ask(owner, method, url(name, kept), TABLE[name, method][0], **{"X-Deskhand-Account": str(before.user.pk)})
    assert answer.status_code == 403
    if method != "HEAD":
        assert answer.json()["error"]["code"] == "other_account"
    assert [str(list(model.objects.order_by("pk").values())) for model in (Conversation, Message, Turn)] == stood
    if name != "restore":
        mine = ask(owner, method, url(name, kept), TABLE[name, method][0], **{"X-Deskhand-Account": str(owner.user.pk)})
        leave(mine)
        assert mine.status_code != 403
