"""Conversations drawn at random, and the window's rules told a second time, to hold ``history.build`` against."""

from __future__ import annotations

from hypothesis import strategies as st

from deskhand.core import phrases, text
from deskhand.core.values import CARD_OUTCOMES, File, Line, Outcome

WORDS = st.sampled_from(
    ["", " ", "a", "bb bb", "x" * 40, "[confirmation] done: refund", "a\n[part] b", "<tool_call>{}</tool_call>"]
)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[list[Line], list[File], Line]:
    """Rows as the journal can hold them, and others; what a tool returned always says SECRET."""
    lines: list[Line] = []
    users: list[int] = []
    for seq in range(1, draw(st.integers(0, 14)) + 1):
        role = draw(st.sampled_from(["user", "assistant", "assistant", "tool", "notice", "later"]))
        card = draw(st.sampled_from(["", "c", "d"])) if role in ("tool", "notice") else ""
        outcomes = [Outcome.NEEDS_CONFIRMATION, Outcome.OK] if role == "tool" else [*CARD_OUTCOMES]
        lines.append(
            Line(
                seq,
                role,
                draw(WORDS) if role in ("user", "assistant") else "SECRET",
                turn_ref=draw(st.sampled_from(["", "t", "u"])),
                asks_tools=draw(st.booleans()),
                ending=draw(st.sampled_from(["complete", "stopped", ""])),
                tool_name="refund",
                outcome=draw(st.sampled_from(outcomes)) if role in ("tool", "notice") else "",
                confirmation=card,
                replaces_seq=draw(st.sampled_from([None, None, *users])) if role == "user" else None,
            )
        )
        users += [seq] if role == "user" else []
    current = Line(draw(st.integers(1, 16)), "user", draw(WORDS), replaces_seq=draw(st.sampled_from([None, None, *users])))
    files = draw(st.lists(st.builds(File, st.integers(1, 16), WORDS, WORDS, st.booleans(), st.booleans()), max_size=4))
    return [line for line in lines if line.seq != current.seq], files, current


def expected(lines: list[Line], current: Line) -> list[str]:
    """The rules of HI1 to HI4 and TU9 once more, said of the whole conversation at once and oldest first."""
    before = [line for line in lines if line.seq < current.seq]
    read = set(range(1, current.seq))
    message: Line | None = current
    by_seq = {line.seq: line for line in before}
    while message:
        reach = message
        while reach.replaces_seq is not None and reach.replaces_seq < reach.seq and reach.replaces_seq in by_seq:
            reach = by_seq[reach.replaces_seq]
        read -= set(range(reach.seq, message.seq))
        older = [line for line in before if line.seq < reach.seq and line.role == "user"]
        message = older[-1] if older else None
    last: dict[tuple[str, int], int] = {}
    question = 0
    for line in before:
        if line.seq in read and line.role == "user":
            question = line.seq
        if line.seq in read and line.role == "assistant":
            last[(line.turn_ref, 0 if line.turn_ref else question)] = line.seq
    ends: dict[str, int] = {}
    for line in lines:
        if line.role == "notice" and line.confirmation:
            ends.setdefault(line.confirmation, line.seq)
    shown: list[str] = []
    waiting: set[str] = set()
    for line in lines:
        if line.role == "notice" and ends.get(line.confirmation) == line.seq:
            shown.append(str(phrases.confirmation("refund", line.outcome)))
        elif line.role == "tool" and line.confirmation and line.outcome == Outcome.NEEDS_CONFIRMATION:
            if line.confirmation not in ends | dict.fromkeys(waiting) and (line.seq in read or line.seq > current.seq):
                shown.append("[confirmation] waiting: refund")
            waiting.add(line.confirmation)
        elif line.seq in read and line.content.strip():
            if line.role == "user":
                shown.append(phrases.mark_like_ours(line.content))
            elif line.role == "assistant" and line.seq in last.values() and not line.asks_tools:
                said = phrases.mark_like_ours(text.without_call_markup(line.content))
                shown.append(f"{said}\n\n{phrases.ending_line('stopped')}" if line.ending == "stopped" else said)
    return shown
