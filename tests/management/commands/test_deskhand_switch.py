"""The kill switch from the command line (``OP9``)."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command

from deskhand import switches
from deskhand.models import Switch

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    switches.forget()


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("deskhand_switch", *arguments, stdout=out)
    return out.getvalue().strip()


def test_it_switches_off_and_on_and_says_what_is_off() -> None:
    """OP9"""
    assert run() == "Nothing is off."
    assert run("off", "read_order") == "off: tool read_order"
    assert run("off") == "off: the assistant, for everybody\noff: tool read_order"
    assert run("on") == "off: tool read_order"
    assert Switch.objects.get().switched_by == ""
    assert run("on", "read_order") == "Nothing is off."
    assert run("on", "read_order") == "Nothing is off."


def test_a_name_that_no_tool_has_is_refused_with_those_that_are_near() -> None:
    """OP9: a switch that is thrown by a slip of the pen switches nothing, and that must be said."""
    for word in ("off", "on"):
        with pytest.raises(CommandError, match=r"no tool of that name.*read_order"):
            run(word, "raed_order")
    assert Switch.objects.count() == 0


def test_a_tool_that_is_gone_from_the_code_can_be_switched_on_again() -> None:
    """OP9: else its row would stay for good."""
    switches.switch_off("was_there_once")
    assert run("on", "was_there_once") == "Nothing is off."
