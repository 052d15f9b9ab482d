"""The demo's outbox: letters as files in a folder, each written once, however often it is handed in.

The letter's ``Message-ID`` is the key: one that lies in the folder already is refused. A mail provider's API takes such a key
with the request; where there is none, a table with a unique column does this. Limits: two processes that write the same key in the same
instant are not told apart; the click's claim lets one of them through alone.
"""

from __future__ import annotations

from pathlib import Path

from django.core.mail import EmailMessage
from django.core.mail.backends.filebased import EmailBackend

from deskhand.tools import ToolError


def write(letter: EmailMessage, folder: str) -> None:
    """The letter lies in the folder.

    Raises:
        ToolError: a letter with the same ``Message-ID`` lies there.
    """
    key = letter.extra_headers["Message-ID"]
    Path(folder).mkdir(parents=True, exist_ok=True)
    if any(key in written.read_text() for written in Path(folder).glob("*.log")):
        raise ToolError("This letter was sent before and is not sent twice.")
    EmailBackend(file_path=folder).send_messages([letter])
