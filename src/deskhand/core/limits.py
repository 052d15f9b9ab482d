"""Every limit of the house, with its unit in its name, and the two ways in which text is fitted into one.

Why so: a number that stands in two places will differ one day. What a site may change, ``config`` takes from here as its default;
the rest holds everywhere. A character is a Python code point.

Never here: a setting that is read, or a limit without a unit.
"""

from __future__ import annotations

from collections.abc import Sequence

# The window.
#: All that the model reads of a conversation (``HI1``).
HISTORY_CHARS = 24_000
#: What the files of one message may take of it together (``HI6``).
ATTACHMENT_SHARE = 0.5

# Texts.
#: A tool's result as the journal keeps it.
TOOL_RESULT_STORED_CHARS = 8_000
#: A tool's result as the model reads it.
TOOL_RESULT_MODEL_CHARS = 24_000
#: What a person may send at once.
MESSAGE_CHARS = 20_000
#: A user's own instructions.
INSTRUCTIONS_CHARS = 4_000
#: The admin's prompt for one user.
ADMIN_PROMPT_CHARS = 8_000
#: The path of the page, from the browser (``PR7``).
PAGE_CHARS = 200
#: The locale, from the browser (``PR7``).
LOCALE_CHARS = 35
#: What the host says about the page (``PR8``).
PAGE_TEXT_CHARS = 200
#: The reason in an off-purpose marker, as it is recorded (``TU6``).
OFF_PURPOSE_REASON_CHARS = 200
#: A conversation's title.
TITLE_CHARS = 200
#: A file's name, as the model reads it.
FILE_NAME_CHARS = 200
#: The name of a person, a role or a group in the prompt; Django's first and last name have 150 each.
NAME_CHARS = 301
#: A tool's model-facing name.
TOOL_NAME_CHARS = 64

# Turns.
#: Model calls in a turn.
ROUNDS = 8
#: Tool calls in a turn.
CALLS = 16
#: A whole turn.
TURN_SECONDS = 300
#: One reading tool.
TOOL_SECONDS = 20
#: Until a model's server has accepted the connection.
CONNECT_SECONDS = 5
#: Until its first byte.
FIRST_BYTE_SECONDS = 60
#: Between two of its bytes.
IDLE_SECONDS = 30
#: How long a turn holds its locks without a sign of life.
LEASE_SECONDS = 60
#: Times that a model call is tried again before its first byte (``TU7``).
RETRIES = 3

# Cards.
#: Cards that may wait in one conversation (``CO8``).
CARDS = 3
#: How long a card waits (``CO2``).
CARD_SECONDS = 900

# Files.
#: Files that come with one message.
FILES = 5
#: One file.
FILE_BYTES = 20_000_000

#: How deep lists and objects may lie in each other in canonical JSON.
JSON_DEPTH_LEVELS = 100


def clip(text: str, limit_chars: int, ending: str) -> str:
    """``text`` if it fits into ``limit_chars``; else so much of its beginning that it fits together with ``ending``, and that.

    The ending stands once, also when the text was clipped before and carries it already. A limit too small for the ending gives
    the ending alone, whole: that something is missing must be said, even where there is no room for it (``HI6``).
    """
    if len(text) <= limit_chars:
        return text
    room = max(limit_chars - len(ending), 0)
    return without_ending(without_ending(text, ending)[:room], ending) + ending


def without_ending(text: str, ending: str) -> str:
    """``text`` without ``ending`` at its end, however often it stands there."""
    end = len(text)
    while ending and text.endswith(ending, 0, end):
        end -= len(ending)
    return text[:end]


def share(sizes: Sequence[int], total: int) -> list[int]:
    """How much of ``total`` each of ``sizes`` gets: equal parts, and what a small one leaves over is divided among the rest.

    Nobody gets more than its size, and the sum never passes ``total``. Where the division leaves a remainder, the larger ones,
    among equals the later ones, get one more.
    """
    parts = [0] * len(sizes)
    left = max(total, 0)
    by_size = sorted(range(len(sizes)), key=lambda place: sizes[place])
    for waiting, place in zip(range(len(sizes), 0, -1), by_size, strict=True):
        parts[place] = min(sizes[place], left // waiting)
        left -= parts[place]
    return parts
