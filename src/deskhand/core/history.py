"""The window: what of a conversation the model reads, computed from the rows of the conversation alone (``HI9``).

Why so: a tool's result was read with rights that may be gone, and a card's end must be told by nobody but us. So the window is not a
copy of the chat. It holds, each as one entry:

- of each earlier turn, what the person asked, with the text of its files, and the answer that closed it: the turn's last assistant
  message, if it asked for no tool and is not blank. One that was stopped or broke off counts and ends with a line that says so
  (``HI1``). Messages of one turn share ``turn_ref``; where that is empty, a turn goes from one user message to the next;
- with such an answer, the names of the tools by whose calls its turn made cards. Without them the model reads only that it was asked for a
  change and answered "a card waits", takes that for the way to do it, and says so from then on instead of calling the tool;
- each card once, in role ``user``, in our words: as waiting in the place of its proposal, or with its end in the place of its end
  (``HI3``, ``HI4``). What happened to a card after the new message was written is told before it, for the new message stands last.

It walks from the newest row to the oldest. The new message is counted first and stays even alone over the limit; older entries are
added while the sum of characters does not pass the limit, and at the first that would, filling stops for good (``HI8``). So the
oldest entry may be an answer whose question did not fit, and two entries of one role may follow each other.

A user message with ``replaces_seq`` stands for the turn that began there: rows from that one up to it are not read, nor those which
the replaced message had replaced itself, but the ends of their cards are (``TU9``). If no file came with it, it has those of the
message that it replaces, for a question asked again is asked with its files.

Never in it: the arguments of a call and what it returned, a notice's own words, a tool call that the model wrote as text (``B18``). A line of
anybody's text that begins like a phrase of ours has a mark before it (``HI11``), a model's own text not excepted: it may have been
told to write one. Limits: what a person pasted into a question is read as it is.

``turns.brief`` calls :func:`build` once a turn.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from deskhand.core import limits, phrases, text
from deskhand.core.values import CARD_OUTCOMES, Entry, File, Line, Outcome, Role


def build(
    messages: Sequence[Line],
    attachments: Sequence[File],
    current: Line,
    limit: int,
    share: float = limits.ATTACHMENT_SHARE,
) -> list[Entry]:
    """The entries that the model reads, in chat order, the one for ``current`` last.

    ``messages`` are rows of the conversation, oldest first, a page of the newest ones or all; kinds that the window does not know,
    and other rows that are not older than ``current``, are ignored. ``current`` is a user message, or the end of a card (``CO13``).
    ``attachments`` are all ready files, in the order in which they were attached. ``limit`` is in characters, ``share`` what the
    files of one message may take of it. Raises ``ValueError`` if ``limit`` is under 1.
    """
    _check(limit)
    replaced = _replaced(messages, current)
    files = _files_by_message(attachments, replaced)
    proposed_by = _proposed_by(messages)
    newest = _entry(current, files, limit, share) or Entry(Role.USER.value, "")
    entries = [newest]
    room = limit - len(newest.content)
    for line in _told(messages, current, replaced):
        entry = _entry(line, files, limit, share)
        if entry is None:
            continue
        room -= len(entry.content)
        if room < 0:
            break
        if line.role == Role.ASSISTANT and line.turn_ref:
            entry = dataclasses.replace(entry, proposed_by=proposed_by.get(line.turn_ref, ()))
        entries.append(entry)
    entries.reverse()
    return entries


def user_content(text: str, attachments: Sequence[File], limit: int, share: float = limits.ATTACHMENT_SHARE) -> str:
    """What the model reads of one user message: its text, then each of its files in the order given, a blank line between two.

    The texts of the files have together ``share`` of ``limit`` characters, blank lines, headings and cut lines included: equal
    parts, what a short one leaves over divided among the rest (``HI6``). One that is cut, or was not whole before, ends with
    ``phrases.part_line()``; a part with no room for heading and line is that line alone. A picture is a line with its name and
    takes no part (``HI7``). The message's own text is never cut here. Raises ``ValueError`` if ``limit`` is under 1.
    """
    _check(limit)
    blocks = [_block(file) for file in attachments]
    sizes = [0 if file.is_picture else len(_GAP + block) for file, block in zip(attachments, blocks, strict=True)]
    parts = limits.share(sizes, int(limit * share))
    pieces = [_readable(text)]
    for file, block, part_chars in zip(attachments, blocks, parts, strict=True):
        pieces.append(block if file.is_picture else _fitted(file, block, part_chars - len(_GAP)))
    return _GAP.join(piece for piece in pieces if piece.strip())


_GAP = "\n\n"


def _check(limit: int) -> None:
    if limit < 1:
        raise ValueError("the window's limit must be at least 1 character")


def _readable(raw: str) -> str:
    return phrases.mark_like_ours(text.clean(raw))


def _block(file: File) -> str:
    """A file as the model reads it if there is room for all that we have of it."""
    if file.is_picture:
        return phrases.picture_line(file.name)
    ending = "\n" + phrases.part_line()
    kept = text.without_hidden(text.clean(file.text)).rstrip()
    body = limits.without_ending("\n" + kept, ending).rstrip()
    # A text that was cut when it was stored carries our line already: it is ours, so it gets no mark and stands once.
    is_whole = file.is_whole and body == ("\n" + kept).rstrip()
    return phrases.file_heading(file.name) + phrases.mark_like_ours(body) + ("" if is_whole else ending)


def _fitted(file: File, block: str, part_chars: int) -> str:
    line = phrases.part_line()
    if len(block) > part_chars and part_chars < len(phrases.file_heading(file.name)) + 1 + len(line):
        return line
    return limits.clip(block, part_chars, "\n" + line)


def _replaced(messages: Sequence[Line], current: Line) -> Mapping[int, int]:
    """For each user message that replaces an older one, the seq of that one."""
    return {
        line.seq: line.replaces_seq
        for line in (*messages, current)
        if line.role == Role.USER and line.replaces_seq is not None and line.replaces_seq < line.seq
    }


def _files_by_message(attachments: Sequence[File], replaced: Mapping[int, int]) -> Mapping[int, Sequence[File]]:
    files: dict[int, list[File]] = {}
    for file in attachments:
        files.setdefault(file.message_seq, []).append(file)
    # Oldest first: what one hands on may have been handed to it.
    for seq in sorted(replaced):
        if seq not in files and replaced[seq] in files:
            files[seq] = files[replaced[seq]]
    return files


def _told(messages: Sequence[Line], current: Line, replaced: Mapping[int, int]) -> Iterator[Line]:
    """The lines of which the window may speak, newest first, without ``current``."""
    places = _card_places([*messages, current])
    # Older rows from this one on are not read: those which a message further up replaces.
    skip_from = replaced.get(current.seq, current.seq)
    closed: set[str] = set()
    for line in sorted(messages, key=lambda line: line.seq, reverse=True):
        if line.seq == current.seq:
            continue
        if _is_proposal(line) or _is_card_end(line):
            is_replaced = skip_from <= line.seq < current.seq and not _is_card_end(line)
            if places[line.confirmation] == line.seq and not is_replaced:
                yield line
        elif line.seq < current.seq:
            if line.seq < skip_from and _is_told_of_turn(line, closed):
                yield line
            if line.seq <= skip_from:
                skip_from = replaced.get(line.seq, skip_from)


def _is_told_of_turn(line: Line, closed: set[str]) -> bool:
    """Whether a line is a question or the last assistant message of its turn and fit to close it.

    Asked from the newest line to the oldest. ``closed`` holds the turns of which an assistant message was met, and ``""`` if one
    without a turn was met since the last question.
    """
    if line.role == Role.USER:
        closed.discard("")
        return True
    if line.role != Role.ASSISTANT or line.turn_ref in closed:
        return False
    closed.add(line.turn_ref)
    return not line.asks_tools


def _is_proposal(line: Line) -> bool:
    return bool(line.confirmation) and line.role == Role.TOOL and line.outcome == Outcome.NEEDS_CONFIRMATION


def _is_card_end(line: Line) -> bool:
    return bool(line.confirmation) and line.role == Role.NOTICE and line.outcome in CARD_OUTCOMES


def _proposed_by(messages: Sequence[Line]) -> Mapping[str, tuple[str, ...]]:
    """For each turn that made cards, the tools' names."""
    names: dict[str, tuple[str, ...]] = {}
    for line in messages:
        if _is_proposal(line):
            names[line.turn_ref] = (*names.get(line.turn_ref, ()), line.tool_name)
    return names


def _card_places(lines: Sequence[Line]) -> Mapping[str, int]:
    """For each card, the seq at which it is told: that of its first end, else of its proposal."""
    # Of two entries with the same key the later one stays: ends behind proposals, older ones behind newer ones.
    newest_first = sorted(lines, key=lambda line: line.seq, reverse=True)
    proposals = [line for line in newest_first if _is_proposal(line)]
    ends = [line for line in newest_first if _is_card_end(line)]
    return {line.confirmation: line.seq for line in (*proposals, *ends)}


def _entry(line: Line, files: Mapping[int, Sequence[File]], limit: int, share: float) -> Entry | None:
    """A line as the model reads it; ``None`` if nothing of it is left to read."""
    role = Role.USER
    if line.role == Role.USER:
        content = user_content(line.content, files.get(line.seq, ()), limit, share)
    elif line.role == Role.ASSISTANT:
        role = Role.ASSISTANT
        content = _answer(line)
    else:
        content = phrases.confirmation(line.tool_name, line.outcome) or ""
    return Entry(role.value, content) if content.strip() else None


def _answer(line: Line) -> str:
    said = _readable(text.without_call_markup(text.clean(line.content)))
    ending = phrases.ending_line(line.ending)
    return f"{said}{_GAP}{ending}" if ending and said.strip() else said
