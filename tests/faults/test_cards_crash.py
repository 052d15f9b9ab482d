"""A process that is killed at any step of a click: no effect twice, none untold, and the conversation goes on."""

from __future__ import annotations

import contextlib
import pathlib
import random
import threading

import pytest
import urllib3

from deskhand import faults
from tests.faults import checker, figures
from tests.faults import desk as desks
from tests.faults.conftest import SEEDS
from tests.faults.desk import Desk
from tests.faults.servers import Killable
from tests.flows.steps import texts
from tests.person import Person
from tests.provider import Provider, say

pytestmark = pytest.mark.django_db(transaction=True)


def clicks_die(desk: Desk, server: Killable, card: str, point: str, seed: int) -> None:
    """One click, or with a seed several at once, in a process that dies at that point of the first one; another one answers then."""
    dies = server.arm(f"{point}=kill")
    count = 1 if seed == 0 else random.Random(seed).randint(1, 4)
    threads = [threading.Thread(target=click_and_lose, args=(desk.person, card)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    server.renew(dies)


def click_and_lose(person: Person, card: str) -> None:
    with contextlib.suppress(urllib3.exceptions.HTTPError):
        person.ask("POST", f"cards/{card}/confirm", {})


def goes_on(person: Person, provider: Provider, server: Killable, conversation: object) -> None:
    """The next question is answered."""
    provider.script(server.model, [say("On we go.")])
    assert texts(person.hear(str(conversation), "And now?")) == "On we go."


def read(person: Person, card: str) -> dict[str, object]:
    return person.ask("GET", f"cards/{card}").json


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("point", faults.CLICK)
def test_a_click_that_dies_has_one_effect_or_none_and_the_next_click_tells_which(
    killable: Killable, provider: Provider, point: str, seed: int
) -> None:
    """CO4, CO5, CO10, TU5; sec_I11, sec_I12, sec_I13, sec_I14."""
    desk = Desk([killable.url])
    (card,) = desk.cards(1)
    clicks_die(desk, killable, card, point, seed)
    is_done = point == "click.committed"
    if seed == 0:
        assert desks.raised(card) == is_done
    assert desks.raised(card) in (0, 1)
    assert read(desk.person, card)["outcome"] == ("confirmed" if desks.raised(card) else None)
    assert desks.ends(card) == ["confirmed"] * desks.raised(card)
    for _ in range(2):
        answer = desk.person.ask("POST", f"cards/{card}/confirm", {})
        assert (answer.status, answer.json["card"]["outcome"]) == (200, "confirmed")  # type: ignore[index]
    assert (desks.raised(card), desks.logged(card), desks.ends(card)) == (1, 1, ["confirmed"])
    goes_on(desk.person, provider, killable, desk.conversation)
    assert checker.wrong() == []
    figures.record("kill", point, seed, 0.0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("point", faults.OUTSIDE)
def test_an_outside_effect_that_dies_is_told_as_not_known_and_never_run_again(
    killable: Killable, provider: Provider, outbox: pathlib.Path, point: str, seed: int
) -> None:
    """CO7, HI5; sec_I12, sec_I13, sec_I14."""
    desk = Desk([killable.url])
    card = desk.reminder(f"{point} {seed}")
    clicks_die(desk, killable, card, point, seed)
    before = desks.sent(outbox, card)
    assert before == (point == "outside.returned")
    second = desk.person.ask("POST", f"cards/{card}/confirm", {})
    assert second.status == 200, second.raw
    shown = read(desk.person, card)
    assert (shown["outcome"], shown["must_acknowledge"]) == ("failed", True)
    assert "not known" in str(shown["reason"])
    assert (desks.sent(outbox, card), desks.ends(card)) == (before, ["failed"])
    goes_on(desk.person, provider, killable, desk.conversation)
    assert checker.wrong(outbox=outbox) == []
    figures.record("kill", point, seed, 0.0)
