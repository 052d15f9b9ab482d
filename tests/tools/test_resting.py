"""A tool that hung three times is not offered for ten minutes (``TO6``)."""

from __future__ import annotations

from deskhand.tools.resting import Resting


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_three_hangs_send_a_tool_to_rest_for_ten_minutes() -> None:
    """TO6"""
    clock = Clock()
    resting = Resting(clock)
    assert [resting.note_hang("slow") for _ in range(3)] == [False, False, True]
    clock.now = 599
    assert resting.is_resting("slow")
    clock.now = 600
    assert not resting.is_resting("slow")


def test_after_its_rest_a_tool_may_hang_three_times_again() -> None:
    """TO6"""
    clock = Clock()
    resting = Resting(clock)
    for _ in range(3):
        resting.note_hang("slow")
    clock.now = 700
    assert [resting.note_hang("slow") for _ in range(3)] == [False, False, True]


def test_hangs_far_apart_never_send_a_tool_to_rest() -> None:
    """TO6"""
    clock = Clock()
    resting = Resting(clock)
    for clock.now in range(0, 10_000, 400):
        assert not resting.note_hang("slow")


def test_another_tool_does_not_rest() -> None:
    """TO6"""
    resting = Resting(Clock())
    for _ in range(3):
        resting.note_hang("slow")
    assert not resting.is_resting("quick")
