"""A message that kills its process each time somebody asks it again: each time an honest end, and nobody else loses anything."""

from __future__ import annotations

import pytest

from tests.faults import checker
from tests.faults.desk import STEP
from tests.faults.scene import QUESTION, Scene
from tests.faults.servers import Killable
from tests.flows.steps import until
from tests.provider import Provider

pytestmark = pytest.mark.django_db(transaction=True)


def crashes(scene: Scene, server: Killable, times: int) -> None:
    """The question is asked, and asked again, and each time the process dies behind the first tool."""
    server.arm(*["call.returned=kill"] * times)
    for _ in range(times):
        scene.plays()
        last = scene.turn()
        worker = server.worker()
        more = {} if last is None else {"replaces": last.message_seq}
        listening = scene.witness.says_and_hears(scene.conversation, QUESTION, **more)
        server.died(worker)
        until(scene.is_quiet, 30)
        listening.join(30)
        turn = scene.turn()
        assert turn is not None
        assert turn.end == "died"
        assert turn != last


def test_a_message_that_kills_its_process_each_time_ends_each_time_and_is_refused_the_fourth(
    killable: Killable, provider: Provider
) -> None:
    """TU5, sec_J14: that message alone; its person may write another one, and nobody else loses anything."""
    scene = Scene([killable.url], provider, killable.model)
    crashes(scene, killable, 3)
    turn = scene.turn()
    assert turn is not None
    scene.plays(pause_seconds=0)
    answer = scene.desk.person.say(scene.conversation, QUESTION, replaces=turn.message_seq)
    assert (answer.status, answer.json["error"]["code"]) == (409, "crashed_too_often")  # type: ignore[index]
    assert scene.turn() == turn
    other_words = scene.witness.says(scene.conversation, "Only tell me where A-1 is.", replaces=turn.message_seq)
    assert scene.witness.hears(other_words)[-1][2]["end"] == "answered"
    assert checker.wrong(scene.witness) == []
    other = Scene([killable.url], provider, killable.model)
    other.goes_on()
    other.customer.refresh_from_db()
    assert other.customer.credit_limit == STEP
