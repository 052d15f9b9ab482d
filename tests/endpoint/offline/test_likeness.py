"""Names that are nearly right."""

from __future__ import annotations

from deskhand.endpoint.offline import likeness


def test_case_accents_and_a_letter_or_two_make_no_other_name() -> None:
    assert likeness.of("SHRODER sanitar", "Schröder Sanitär KG") >= likeness.ALIKE
    assert likeness.of("Lund", "Larsen") < likeness.ALIKE
    assert likeness.of("", "Lund") == 0


def test_names_that_hold_the_words_letter_for_letter_go_before_those_that_are_like_them() -> None:
    assert likeness.fitting(["Hansen"], ["Hansen Bygg", "Hanssen Bygg"]) == ["Hansen Bygg"]
    assert likeness.fitting(["Hansenn"], ["Hansen Bygg", "Hanssen Bygg"]) == ["Hansen Bygg", "Hanssen Bygg"]
