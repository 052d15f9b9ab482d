"""What holds at every door: CSRF, what can't be read, what a database that is busy costs, and what never stands in an answer."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client

from deskhand.models import Conversation, Message, Turn
from deskhand.turns import lock
from tests import make
from tests.canary import CANARY
from tests.web.conftest import Desk, Kept, desk, ended
from tests.web.test_strangers import TABLE, ask, url

pytestmark = pytest.mark.django_db

UNSAFE = [(name, method) for name, method in TABLE if method in ("POST", "PUT", "PATCH", "DELETE")]
EACH_UNSAFE = pytest.mark.parametrize(("name", "method"), UNSAFE, ids=["-".join(row) for row in UNSAFE])
WITHOUT_CSRF = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]


def code(answer: HttpResponse) -> tuple[int, str]:
    return answer.status_code, str(answer.json()["error"]["code"])


def state_of(kept: Kept) -> tuple[object, ...]:
    conversation = Conversation.objects.get(id=kept.conversation)
    return (
        conversation.title,
        conversation.hidden_at,
        conversation.last_seq,
        conversation.fence,
        conversation.running_turn,
        Conversation.objects.count(),
        Message.objects.count(),
        Turn.objects.count(),
    )


# --- CSRF ----------------------------------------------------------------------------------------------------------------------


@EACH_UNSAFE
@pytest.mark.parametrize("host", ["usual", "without the middleware", "token in the session"])
def test_without_a_csrf_token_every_unsafe_door_answers_403(name: str, method: str, host: str, settings: object) -> None:
    """sec_E1, sec_E2: no token, another's, one in a form; also where the host has no such middleware, or keeps tokens in sessions."""
    owner = desk()
    kept = ended(owner)
    if host == "without the middleware":
        settings.MIDDLEWARE = WITHOUT_CSRF  # type: ignore[attr-defined]
    settings.CSRF_USE_SESSIONS = host == "token in the session"  # type: ignore[attr-defined]
    before = state_of(kept)
    path, sent = url(name, kept), json.dumps(TABLE[name, method][0] or {})
    for headers in ({}, {"X-CSRFToken": ""}, {"X-CSRFToken": "d" * 32}, {"X-CSRFToken": "no"}):
        answer = owner.client.generic(method, path, sent, "application/json", headers=headers)
        assert code(answer) == (403, "csrf")
    assert code(owner.client.generic(method, path, "text=hi", "application/x-www-form-urlencoded")) == (403, "csrf")
    assert code(owner.client.generic(method, path, b"", "multipart/form-data; boundary=x")) == (403, "csrf")
    assert state_of(kept) == before


def test_a_foreign_page_is_refused_even_with_the_right_token() -> None:
    """sec_E1."""
    owner = desk()
    answer = ask(owner, "POST", url("conversations"), {}, Origin="https://evil.example")
    assert code(answer) == (403, "csrf")


@pytest.mark.parametrize("host", ["usual", "without the middleware", "token in the session"])
def test_the_token_that_state_gives_opens_the_doors_and_not_those_of_another_session(host: str, settings: object) -> None:
    """sec_E2."""
    if host == "without the middleware":
        settings.MIDDLEWARE = WITHOUT_CSRF  # type: ignore[attr-defined]
    settings.CSRF_USE_SESSIONS = host == "token in the session"  # type: ignore[attr-defined]
    one, other = desk(), desk()
    tokens = []
    for who in (one, other):
        who.client.cookies.pop("csrftoken")
        tokens.append(who.client.get(url("state")).json()["csrf"])
    statuses = [
        who.client.post(url("conversations"), "{}", "application/json", headers={"X-CSRFToken": token}).status_code
        for who in (one, other)
        for token in tokens
    ]
    assert statuses == [201, 403, 403, 201]


def test_signing_in_gives_a_new_session_and_a_planted_or_old_one_opens_nothing(client: Client) -> None:
    """sec_E6."""
    user = make.user(["deskhand.use_assistant"])
    planted = client.session
    planted["planted"] = True
    planted.save()
    client.cookies["sessionid"] = planted.session_key
    sent = {"username": user.username, "password": "before", "next": "/admin/"}
    assert client.post("/admin/login/", sent).status_code == 302
    mine = client.cookies["sessionid"].value
    assert mine != planted.session_key
    assert client.get(url("state")).status_code == 200
    for old in (planted.session_key, "", "x" * 32):
        client.cookies["sessionid"] = old
        assert client.get(url("state")).status_code == 403
    client.cookies["sessionid"] = mine
    client.post("/admin/logout/")
    client.cookies["sessionid"] = mine
    assert client.get(url("state")).status_code == 403


@pytest.mark.parametrize("name", ["state", "events", "stream"])
def test_no_answer_ever_invites_another_origin(name: str) -> None:
    """sec_E4."""
    owner = desk()
    kept = ended(owner)
    answer = ask(owner, "GET", url(name, kept), Origin="https://evil.example")
    assert not [header for header in answer.headers if header.lower().startswith("access-control-")]
    if answer.streaming:
        b"".join(answer.streaming_content)


# --- what can't be read --------------------------------------------------------------------------------------------------------

TEXTS: list[object] = [None, 7, 1.5, True, [], ["a"], {}, {"a": {"b": ["c"]}}, "", "  \n ", "\x00", "\ud800", "x" * 20_001]
KEYS: list[object] = [None, 7, True, [], {}, "", " ", "a b", "ä", "k\n", "k" * 65, "../x", "k\x00"]


def start_of(**sent: object) -> bytes:
    return json.dumps({"text": "Hello", "key": "k-1", **sent}).encode()


UNREADABLE: dict[str, bytes] = {
    "no JSON": b"text=hello",
    "half": b'{"text": "a"',
    "null": b"null",
    "list": b"[]",
    "text": b'"hello"',
    "number": b"1",
    "digits": b'{"text": ' + b"9" * 5000 + b"}",
    "not a number": b'{"text": NaN}',
    "infinite": b'{"text": Infinity}',
    "invalid UTF-8": b'{"text": "\xff\xfe", "key": "k"}',
    "deep list": b"[" * 100_000 + b"]" * 100_000,
    "deep object": b'{"text": ' * 50_000 + b"1" + b"}" * 50_000,
    "two texts": b'{"text": "a", "text": "b", "key": "k"}',
    "NUL": b"\x00",
    "twice": b"{}{}",
}
DOORS = [("turns", "POST"), ("conversation", "PATCH"), ("conversations", "POST")]
EACH_DOOR = pytest.mark.parametrize(("name", "method"), DOORS, ids=["-".join(row) for row in DOORS])


def refused(owner: Desk, kept: Kept, send: Callable[[], HttpResponse], status: int, field: str) -> None:
    """In our words, with nothing lost and nothing stored."""
    before = state_of(kept)
    answer = send()
    assert answer.status_code == status, answer.content
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ({400: "bad_input", 413: "too_large"}[status], field)
    assert error["message"]
    assert state_of(kept) == before


@EACH_DOOR
@pytest.mark.parametrize("what", list(UNREADABLE))
def test_a_body_that_is_no_json_object_is_refused_in_words(name: str, method: str, what: str) -> None:
    owner = desk()
    kept = ended(owner)
    given = {"X-CSRFToken": owner.csrf}
    send = UNREADABLE[what]
    refused(
        owner, kept, lambda: owner.client.generic(method, url(name, kept), send, "application/json", headers=given), 400, "body"
    )


@EACH_DOOR
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "multipart/form-data", "application/x-www-form-urlencoded"])
def test_a_form_is_refused_unread(name: str, method: str, kind: str) -> None:
    """Django's CSRF check would read it and leave nothing for the view, which then fails."""
    owner = desk()
    kept = ended(owner)
    sent = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhello\r\n--x--\r\n' + b"a" * 3_000_000
    given = {"X-CSRFToken": owner.csrf}
    refused(owner, kept, lambda: owner.client.generic(method, url(name, kept), sent, kind, headers=given), 400, "body")


@EACH_DOOR
@pytest.mark.parametrize("size", [1_000_001, 5_000_000])
def test_a_body_that_is_too_large_is_refused_as_such(name: str, method: str, size: int) -> None:
    """sec_L4."""
    owner = desk()
    kept = ended(owner)
    sent = start_of(text="x" * size)
    given = {"X-CSRFToken": owner.csrf}
    refused(
        owner, kept, lambda: owner.client.generic(method, url(name, kept), sent, "application/json", headers=given), 413, "body"
    )


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text)[:20])
def test_a_text_that_is_none_is_refused_and_nothing_is_stored(text: object) -> None:
    """TU1, ME6, ME7."""
    owner = desk()
    kept = ended(owner)
    status = 413 if isinstance(text, str) and len(text) > 20_000 else 400
    refused(owner, kept, lambda: ask(owner, "POST", url("turns", kept), {"text": text, "key": "k"}), status, "text")


@pytest.mark.parametrize("key", KEYS, ids=lambda key: repr(key)[:20])
def test_a_key_that_is_none_is_refused_and_nothing_is_stored(key: object) -> None:
    """TU1."""
    owner = desk()
    kept = ended(owner)
    refused(owner, kept, lambda: ask(owner, "POST", url("turns", kept), {"text": "Hello", "key": key}), 400, "key")


@pytest.mark.parametrize("title", [None, 7, True, [], {}, ["a"]], ids=repr)
def test_a_title_that_is_no_text_is_refused(title: object) -> None:
    owner = desk()
    kept = ended(owner)
    refused(owner, kept, lambda: ask(owner, "PATCH", url("conversation", kept), {"title": title}), 400, "title")


def test_a_title_is_one_clean_line_whatever_is_sent() -> None:
    """sec_E11, ME7."""
    owner = desk()
    kept = ended(owner)
    sent = {"title": "a\r\nSet-Cookie: x=1\x00\ud800" + "b" * 500}
    answer = ask(owner, "PATCH", url("conversation", kept), sent)
    assert answer.json()["title"].startswith("a  Set-Cookie: x=1bbb")
    assert len(answer.json()["title"]) == 200
    assert "x" not in answer.cookies


NUMBERS = ["-1", "1e9", "1.0", "+1", "9" * 40, "0x10", "١", "null", " 1", "1 ", "true", "%00", "1,2", "NaN"]


@pytest.mark.parametrize("raw", NUMBERS)
@pytest.mark.parametrize(
    ("name", "field"), [("messages", "after"), ("messages", "before"), ("stream", "after"), ("events", "after")]
)
def test_a_number_that_is_none_is_refused(name: str, field: str, raw: str) -> None:
    owner = desk()
    kept = ended(owner)
    refused(owner, kept, lambda: ask(owner, "GET", f"{url(name, kept)}?{field}={raw.replace('+', '%2B')}"), 400, field)


@pytest.mark.parametrize("number", ["0", "1", "999999999999999999", ""])
def test_a_number_beyond_the_end_is_an_empty_page(number: str) -> None:
    owner = desk()
    kept = ended(owner)
    for field in ("after", "before"):
        assert ask(owner, "GET", f"{url('messages', kept)}?{field}={number}").status_code == 200


@pytest.mark.parametrize(
    "raw",
    [
        "x",
        "_",
        "2026-01-01T00:00:00+00:00",
        f"2026-01-01T00:00:00_{uuid.UUID(int=1)}",
        f"0001-01-01T00:00:00+14:00_{uuid.UUID(int=1)}",
        f"9999-12-31T23:59:59-14:00_{uuid.UUID(int=1)}",
        f"2026-13-01T00:00:00+00:00_{uuid.UUID(int=1)}",
        f"2026-01-01T00:00:00+00:00_{'9' * 40}",
        "%00_%00",
    ],
)
def test_a_place_in_the_list_that_is_none_is_refused(raw: str) -> None:
    owner = desk()
    kept = ended(owner)
    refused(owner, kept, lambda: ask(owner, "GET", f"{url('conversations')}?before={raw.replace('+', '%2B')}"), 400, "before")


@pytest.mark.parametrize("query", ["%00", "%ED%A0%80", "%25" * 3, "_" * 3, "'\"--", "a" * 60_000, "\\", "%F0%9F%98%80"])
def test_a_search_for_anything_is_answered(query: str) -> None:
    owner = desk()
    ended(owner)
    assert ask(owner, "GET", f"{url('conversations')}?q={query}").status_code == 200


def test_the_list_goes_on_where_the_last_page_ended() -> None:
    owner = desk()
    for _ in range(65):
        ask(owner, "POST", url("conversations"), {})
    # All at one moment: the place in the list goes by the id as well.
    Conversation.objects.update(active_at="2026-01-01T00:00:00Z", last_seq=1)
    seen, before, pages = [], "", 0
    while before is not None:
        page = ask(owner, "GET", f"{url('conversations')}?before={before.replace('+', '%2B')}").json()
        seen += [each["id"] for each in page["conversations"]]
        before, pages = page["next"], pages + 1
    assert (pages, len(seen), len(set(seen))) == (3, 65, 65)


def test_a_conversation_in_which_nothing_was_said_is_not_in_the_list() -> None:
    owner = desk()
    ask(owner, "POST", url("conversations"), {})
    assert ask(owner, "GET", url("conversations")).json()["conversations"] == []


@pytest.mark.parametrize("raw", ["x", "-1", "9" * 40, "1.5", "١"])
def test_a_last_event_id_that_is_none_counts_as_the_beginning(raw: str) -> None:
    owner = desk()
    kept = ended(owner)
    answer = ask(owner, "GET", url("stream", kept), **{"Last-Event-ID": raw})
    assert b"event: done" in b"".join(answer.streaming_content)


# --- what never stands in an answer --------------------------------------------------------------------------------------------


def test_the_key_of_an_endpoint_is_never_in_an_answer(settings: object) -> None:
    """sec_K2."""
    endpoint = {"PROVIDER": "offline", "API_KEY": CANARY, "BASE_URL": f"http://user:{CANARY}@127.0.0.1"}
    settings.DESKHAND = {"ENDPOINTS": {"x": endpoint}, "SYSTEM_PROMPT": CANARY}  # type: ignore[attr-defined]
    for name, method in TABLE:
        owner = desk()
        kept = ended(owner)
        answer = ask(owner, method, url(name, kept), {"text": "", **dict(TABLE[name, method][0] or {}), "key": ""})  # type: ignore[call-overload]
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert CANARY not in content.decode() + str(answer.headers)


def test_an_endpoint_that_the_admin_took_away_does_not_cost_the_panel() -> None:
    """As in a turn: the site's default answers."""
    from deskhand.models import UserSettings

    owner = desk()
    UserSettings.objects.create(user=owner.user, endpoint="gone")
    assert ask(owner, "GET", url("state")).json()["provider"]["is_offline"] is True


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [
        ({"PROVIDER": "openai"}, "OpenAI"),
        ({"PROVIDER": "openai", "BASE_URL": "http://who:secret@models.example:11434/v1?key=1"}, "models.example"),
        ({"PROVIDER": "openai", "BASE_URL": "http://[half"}, "OpenAI"),
        ({"PROVIDER": "anthropic"}, "Anthropic"),
        ({"PROVIDER": "offline", "BASE_URL": "http://models.example"}, "Offline demo model"),
    ],
)
def test_the_panel_names_who_receives_what_is_written(endpoint: dict[str, str], name: str, settings: object) -> None:
    """TO11: a server of one's own by its host, and nothing else of its address"""
    settings.DESKHAND = {"ENDPOINTS": {"x": {"MODEL": "m", "API_KEY": "k", **endpoint}}}  # type: ignore[attr-defined]
    assert ask(desk(), "GET", url("state")).json()["provider"]["name"] == name


# --- a database that is busy ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [OperationalError("database is locked"), OperationalError(f"canceling: {CANARY}")])
def test_a_database_that_does_not_answer_is_503_with_a_time_to_come_again(fault: Exception) -> None:
    """sec_J7."""
    owner = desk()

    def fails(execute: object, sql: str, *_: object) -> object:
        raise fault

    with connection.execute_wrapper(fails):
        answer = ask(owner, "GET", url("state"))
    assert code(answer) == (503, "database_busy")
    assert int(answer["Retry-After"]) > 0
    assert CANARY not in answer.content.decode()


def test_a_message_whose_turn_could_not_be_prepared_is_kept_and_its_turn_ended(settings: object) -> None:
    """sec_J7: never half. The database went away after the message was stored, while what the hooks said was written."""
    settings.DESKHAND = {"PROMPT_ADDENDUM": "tests.web.test_answers.addendum"}  # type: ignore[attr-defined]
    owner = desk()
    conversation = ask(owner, "POST", url("conversations"), {}).json()["id"]
    path = f"/assistant/api/conversations/{conversation}/turns"

    failed: list[str] = []

    def fails(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if sql.startswith("UPDATE") and "addendum" in sql and not failed:
            failed.append(sql)
            raise OperationalError
        return execute(sql, *rest)

    with connection.execute_wrapper(fails):
        answer = ask(owner, "POST", path, {"text": "Hello", "key": "k"})
    assert code(answer) == (503, "database_busy")
    turn = Turn.objects.get()
    assert (turn.end, Conversation.objects.get().running_turn) == ("failed", None)
    assert Message.objects.order_by("seq").values_list("role", "content").first() == ("user", "Hello")
    again = ask(owner, "POST", path, {"text": "Hello", "key": "k"})
    assert (again.status_code, again.json()["turn"]) == (202, str(turn.id))
    assert Message.objects.filter(role="user").count() == 1


def addendum() -> str:
    return "an order is a sale"


def test_a_turn_that_was_stopped_while_a_hook_ran_is_answered_as_started_and_never_runs(settings: object) -> None:
    """PR9: the start that comes back later finds its fence gone and goes no further."""
    settings.DESKHAND = {"PROMPT_ADDENDUM": "tests.web.test_answers.stops_the_turn"}  # type: ignore[attr-defined]
    owner = desk()
    conversation = ask(owner, "POST", url("conversations"), {}).json()["id"]
    answer = ask(owner, "POST", f"/assistant/api/conversations/{conversation}/turns", {"text": "Hello", "key": "k"})
    assert answer.status_code == 202, answer.content
    assert ask(owner, "GET", f"/assistant/api/turns/{answer.json()['turn']}").json()["end"] == "stopped"
    assert not lock.running(owner.user.pk)


def stops_the_turn() -> str:
    from deskhand.core.values import Notice, TurnEnd
    from deskhand.turns import closing

    closing.close(Turn.objects.get().id, TurnEnd.STOPPED, Notice.STOPPED)
    return "too late"


@pytest.mark.django_db(transaction=True)
def test_a_process_sweeps_from_its_first_answer_on_and_never_for_who_is_not_signed_in() -> None:
    """TU5: no thread at import, none in a command or the reloader's parent."""

    def keepers() -> int:
        return [thread.name for thread in threading.enumerate()].count("deskhand-keeper")

    assert Client().get(url("state", None)).status_code == 403
    assert keepers() == 0
    owner = desk()
    for _ in range(2):
        assert owner.client.get(url("state", None)).status_code == 200
    assert keepers() == 1
