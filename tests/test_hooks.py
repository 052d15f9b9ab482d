"""A host's hook never costs more than its own part (``PR4``, ``PR8``, ``PR9``, ``sec_J16``)."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Callable, Iterator

import pytest
from django.utils.translation import gettext_lazy

from deskhand import hooks

FACTS = {"user_id": 7, "locale": "de"}


def greeting() -> str:
    return "Orders are called jobs here."


class Clock:
    """A clock that moves by so many seconds at each look."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_a_hooks_text_comes_back() -> None:
    """PR4"""
    assert hooks.ask("prompt_addendum", greeting) == "Orders are called jobs here."


def test_a_hook_may_be_named_by_its_path() -> None:
    """PR4"""
    assert hooks.ask("prompt_addendum", "tests.test_hooks.greeting") == greeting()


def test_a_translated_text_is_text() -> None:
    """PR4"""
    assert hooks.ask("prompt_addendum", lambda: gettext_lazy("user")) == "user"


@pytest.mark.parametrize("hook", [None, lambda: None, lambda: "", lambda: " \n"])
def test_a_hook_that_is_not_set_or_says_nothing_gives_no_part_and_no_warning(hook, caplog) -> None:
    """PR4"""
    assert hooks.ask("prompt_addendum", hook) is None
    assert not caplog.records


@pytest.mark.parametrize(
    ("hook", "told"),
    [
        (lambda facts: f"{facts}", f"{FACTS}"),
        (lambda facts=None: f"{facts}", f"{FACTS}"),
        (lambda *facts: f"{facts[0]}", f"{FACTS}"),
        (lambda: "none", "none"),
        (lambda *, facts="none": facts, "none"),
    ],
)
def test_the_addendum_gets_its_facts_if_it_can_take_one_argument(hook: Callable[..., object], told: str) -> None:
    """PR4"""
    assert hooks.addendum(hook, FACTS) == told


def raises() -> str:
    raise KeyError("secret-canary")


def exits() -> str:
    sys.exit("secret-canary")


async def is_async() -> str:
    return "secret-canary"


@pytest.mark.parametrize(
    ("hook", "kind"),
    [
        (raises, "KeyError"),
        (exits, "SystemExit"),
        (lambda: b"secret-canary", "TypeError"),
        (lambda: ["secret-canary"], "TypeError"),
        (lambda one, two: "secret-canary", "TypeError"),
        (is_async, "TypeError"),
        ("tests.test_hooks.secret_canary", "ImportError"),
        ("no.such.secret_canary", "ModuleNotFoundError"),
        ("secret_canary", "ImportError"),
    ],
)
def test_a_fault_costs_the_part_alone_and_never_logs_more_than_its_class(hook, kind: str, caplog) -> None:
    """PR4, sec_J16, sec_K1"""
    caplog.set_level(logging.DEBUG)
    assert hooks.ask("prompt_addendum", hook, FACTS) is None
    assert [record.getMessage() for record in caplog.records] == [f"prompt_addendum skipped: {kind}"]
    assert "canary" not in caplog.text


def test_a_line_is_flattened_stripped_and_shortened() -> None:
    """PR8"""
    assert hooks.ask("page_context", lambda path: f" order\n{path}\x00 " + "x" * 300, "/a", max_chars=12) == "order /a  xx"


def test_a_line_that_cannot_be_encoded_is_skipped(caplog) -> None:
    """PR8"""
    assert hooks.ask("page_context", lambda: "order \udc81", max_chars=200) is None
    assert caplog.messages == ["page_context skipped: UnicodeEncodeError"]


def test_a_slow_hook_is_named_with_its_time(caplog) -> None:
    """PR9"""
    assert hooks.ask("page_context", greeting, clock=Clock(1.5)) == greeting()
    assert caplog.messages == ["page_context took 1.5 s"]


def test_a_quick_hook_is_not_named(caplog) -> None:
    """PR9"""
    assert hooks.ask("page_context", greeting, clock=Clock(0.9)) == greeting()
    assert not caplog.messages


def test_a_hook_that_makes_no_context_manager_is_refused(settings: object) -> None:
    """OP10"""
    settings.DESKHAND = {"AROUND_TURN": greeting}  # type: ignore[attr-defined]
    with pytest.raises(TypeError), hooks.around(7, "key"):
        pytest.fail("never entered")


def test_the_hosts_surroundings_are_found_by_path_and_hear_for_whom_they_are(settings: object) -> None:
    """OP10: one that takes nothing is called without."""
    heard: list[object] = []

    @contextlib.contextmanager
    def tenant(facts: object) -> Iterator[None]:
        heard.append(facts)
        yield
        heard.append("left")

    settings.DESKHAND = {"AROUND_TURN": tenant}  # type: ignore[attr-defined]
    with hooks.around(7, "key"):
        heard.append("inside")
    assert heard == [{"user_id": 7, "session_ref": "key"}, "inside", "left"]
    settings.DESKHAND = {"AROUND_TURN": "contextlib.ExitStack"}  # type: ignore[attr-defined]
    with hooks.around(7, "key"):
        pass


def test_surroundings_that_hide_faults_never_hide_one_of_ours(settings: object) -> None:
    """OP10, sec_J16: a refusal that got lost would read as done."""
    settings.DESKHAND = {"AROUND_TURN": lambda: contextlib.suppress(BaseException)}  # type: ignore[attr-defined]
    with pytest.raises(KeyError), hooks.around(7, "key"):
        raise KeyError
