"""A name that is nearly right is put right by one more call, or asked for."""

from __future__ import annotations

import pytest

from deskhand.core import phrases
from deskhand.endpoint.offline import correcting
from tests.endpoint.offline.talk import Talk


def test_the_only_name_that_fits_is_taken_and_said() -> None:
    talk = Talk()
    assert talk.say("what is the phone of Anna Lindt?") == [
        ("member_overview", {"member": "Anna Lindt"}),
        ("member_overview", {"member": "Ana Lind"}),
    ]
    assert "There is no “Anna Lindt”; I took **Ana Lind**." in talk.text
    assert "Phone: **555**" in talk.text


def test_other_words_of_the_question_tell_which_of_several_is_meant() -> None:
    talk = Talk()
    made = talk.say("what is the phone of Mirella Koss in Tartu?")
    assert [arguments["member"] for _, arguments in made] == ["Mirella Koss", "Mirela Kos Tartu"]


def test_of_several_that_fit_none_is_guessed_and_the_answer_picks_one() -> None:
    talk = Talk()
    assert talk.say("what is the phone of Mirella Koss?") == [("member_overview", {"member": "Mirella Koss"})]
    assert "Which one do you mean?\n\n- Mirela Kos\n- Mirela Kos Tartu" in talk.text
    assert talk.say("the second") == [("member_overview", {"member": "Mirela Kos Tartu"})]
    talk = Talk()
    talk.say("what is the phone of Mirella Koss?")
    assert talk.say("the one in Tartu") == [("member_overview", {"member": "Mirela Kos Tartu"})]


def test_a_name_that_is_like_nobodys_is_told_in_the_tools_words() -> None:
    talk = Talk()
    assert len(talk.say("what is the phone of Zoe Quist?")) == 1
    assert talk.text.endswith("No member has that name.")
    assert "The tool" not in talk.text


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("No member has it. Similar names: Ana Lind, Kos Sp. z o.o..", ("Ana Lind", "Kos Sp. z o.o.")),
        ("More than one member has that name: Ana (7), Ana (9). Say which one is meant.", ("Ana (7)", "Ana (9)")),
        ("No member has it.", ()),
    ],
)
def test_a_tools_list_of_names_is_read(said: str, names: tuple[str, ...]) -> None:
    assert correcting.listed(phrases.tool_error(said)) == names


def test_a_result_is_never_read_as_a_list_of_names() -> None:
    assert correcting.listed("Similar names: Ana Lind.") == ()
