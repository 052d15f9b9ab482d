"""Inline thinking is never shown, and nothing else is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskhand.endpoint.thinking import Thinking


def shown(*pieces: str) -> list[str]:
    """What is shown after each piece, and at the end."""
    thinking = Thinking()
    return [*map(thinking.feed, pieces), thinking.finish()]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>secret</think>Answer", "Answer"),
        ("\n <thinking>secret</thinking>\n\nAnswer", "Answer"),
        ("<think>one</think><think>two</think>Answer", "Answer"),
        ("<think>a < b and </thin> and `code`</think>Answer", "Answer"),
        ("Well. <think>secret</think>Answer", "Well. Answer"),
        ("secret</think>Answer", "secretAnswer"),
        ("<think>secret", ""),
        ("<think></think>", ""),
        ("Write `<think>x</think>` in the template", "Write `<think>x</think>` in the template"),
        ("```\n<think>x</think>\n```\n<think>y</think>z", "```\n<think>x</think>\n```\nz"),
        ("``a ` <think>x</think>`` <think>y</think>z", "``a ` <think>x</think>`` z"),
        ("an odd ` tick\n\n<think>y</think>z", "an odd ` tick\n\nz"),
        ("Use the <think> tag for it", "Use the <think> tag for it"),
        ("a < b, <b>c</b>, <thin", "a < b, <b>c</b>, <thin"),
        ("  leading space", "  leading space"),
        (" \n ", " \n "),
        ("", ""),
        ("<", "<"),
        ("`", "`"),
    ],
)
@given(st.data())
def test_the_answer_is_the_same_however_it_is_cut(text: str, answer: str, data: st.DataObject) -> None:
    """B19"""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    pieces = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert "".join(shown(*pieces)) == answer


@pytest.mark.parametrize("text", ["<think>secret</think>Answer", "Well. <think>secret</think>Answer"])
def test_no_piece_of_a_thought_is_shown_at_any_moment(text: str) -> None:
    """B19"""
    answer = text.replace("<think>secret</think>", "")
    so_far = ""
    for piece in shown(*text):
        so_far += piece
        assert answer.startswith(so_far)


def test_text_is_never_held_back_without_need() -> None:
    """goal 3"""
    assert shown("Hello ", "dear ", "a < b ", "world") == ["Hello ", "dear ", "a < b ", "world", ""]


@given(st.text(alphabet="ab<>/`\n think", max_size=60))
def test_text_without_tags_is_never_changed(text: str) -> None:
    """B19"""
    if "<think" not in text and "</think" not in text:
        assert "".join(shown(*text)) == text


def test_it_says_when_the_model_thinks() -> None:
    """UI3"""
    thinking = Thinking()
    thinking.feed("<think>so")
    assert thinking.is_inside
    thinking.feed("</think>")
    assert not thinking.is_inside
