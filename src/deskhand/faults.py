"""Points at which a process can be made to fail, so that a test proves what a crash leaves behind.

``point("click.claimed")`` does nothing unless the environment variable ``DESKHAND_FAULTS`` named that point when the process began:
``click.claimed=kill``, ``=stop`` (as by SIGSTOP), ``=raise``, ``=sleep:0.5``, each maybe with ``@n`` for the n-th time only; several are separated by commas. Why
so: a kill from outside hits a step of some microseconds by luck alone.

=====================  ================================================================================================
``click.begun``        the click's transaction is open, nothing is claimed
``click.claimed``      the card is claimed, not committed
``click.asked``        rights, tool and arguments are right
``click.locked``       the rows of the print are locked
``click.compared``     the card was drawn anew and is the same
``effect.begun``       in the savepoint, the tool's function is about to be called
``effect.returned``    in the savepoint, it has returned
``effect.kept``        the savepoint is released, the host's log entry with it
``click.ended``        outcome and notice are written, not committed
``click.committed``    all is committed, nobody was answered
``outside.claimed``    an outside effect is claimed and committed
``outside.begun``      it is about to be run
``outside.returned``   it has run, and its outcome is not written
``start.held``         a start's transaction holds the conversation, nothing else is written
``start.kept``         locks and message are committed, nothing was handed over
``start.said``         what the host's hooks said is on the turn's row, nothing was handed over
``turn.begun``         its thread has it, nothing is gathered
``turn.gathered``      all is read, the model is about to be asked
``model.answering``    the model's first delta came
``model.writing``      a piece of its text is about to be told (``@n``: the n-th)
``model.ended``        its answer is whole, and not stored
``journal.held``       a transaction that adds to the journal holds the conversation, nothing is added
``call.kept``          the answer that asks for tools is in the journal, none of them has run
``tool.running``       in a reading transaction, a tool's function, or a preview, is about to be called
``call.returned``      a tool has run, and its row is not stored
``call.answered``      its row is stored, and the model has not heard of it
``end.held``           the end's transaction holds the conversation, nothing else is written
``end.kept``           the end is committed, and nobody was told
``store.held``         a tick's transaction holds the conversations, no event is written
``take.held``          a takeover's transaction holds the conversation, nothing else is written
``proposal.drawn``     a card is drawn, no transaction is open
``proposal.begun``     the proposal's transaction holds the conversation
``proposal.stored``    the card and its row are written, not committed
``proposal.committed`` they are committed, and nobody was told
=====================  ================================================================================================

Never here: a word of anybody's; a way to set a fault from a request. Limits: with the variable unset a point costs one look at an empty
dictionary.
"""

from __future__ import annotations

import dataclasses
import os
import re
import signal
import threading
import time

VARIABLE = "DESKHAND_FAULTS"
# Every point, in the order in which a card, or a turn, meets them.
PROPOSAL = ("proposal.drawn", "proposal.begun", "proposal.stored", "proposal.committed")
CLICK = (
    "click.begun",
    "click.claimed",
    "click.asked",
    "click.locked",
    "click.compared",
    "effect.begun",
    "effect.returned",
    "effect.kept",
    "click.ended",
    "click.committed",
)
OUTSIDE = ("outside.claimed", "outside.begun", "outside.returned")
#: In which a transaction of a turn stands open.
HELD = ("start.held", "journal.held", "end.held", "store.held", "take.held")
TURN = (
    "start.kept",
    "start.said",
    "turn.begun",
    "turn.gathered",
    "model.answering",
    "model.writing",
    "model.ended",
    "call.kept",
    "tool.running",
    "call.returned",
    "call.answered",
    "end.kept",
    *HELD,
)
POINTS = (*PROPOSAL, *CLICK, *OUTSIDE, *TURN)
_ENTRY = re.compile(r"(?P<name>[a-z.]+)=(?P<act>kill|stop|raise|sleep:(?P<seconds>\d+(\.\d+)?))(@(?P<nth>[1-9]\d*))?")


class Injected(BaseException):
    """A fault that was asked for; no net for a stranger's exceptions catches it."""


@dataclasses.dataclass(slots=True)
class _Fault:
    act: str
    seconds: float
    #: The time at which it happens; 0: each time.
    nth: int
    met: int = 0


_lock = threading.Lock()


def point(name: str) -> None:
    """Nothing; or, where a fault is set for this point, that fault."""
    if _faults:
        _meet(name)


def _meet(name: str) -> None:
    fault = _faults.get(name)
    if fault is None:
        return
    with _lock:
        fault.met += 1
        is_due = fault.nth in (0, fault.met)
    if not is_due:
        return
    if fault.act == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault.act == "stop":
        # To this thread: sent to the process, another thread may take it, and this one runs on for a while.
        signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
        return
    if fault.act == "raise":
        raise Injected(name)
    time.sleep(fault.seconds)


def read(raw: str) -> dict[str, _Fault]:
    """The faults of this text by their points.

    Raises:
        ValueError: it names no point, or nothing that can be done there.
    """
    found = {}
    for entry in filter(None, (part.strip() for part in raw.split(","))):
        match = _ENTRY.fullmatch(entry)
        if match is None or match["name"] not in POINTS:
            raise ValueError(f"{VARIABLE} is not readable")
        act = match["act"].partition(":")[0]
        found[match["name"]] = _Fault(act, float(match["seconds"] or 0), int(match["nth"] or 0))
    return found


def set_faults(raw: str) -> None:
    """From now on this process has the faults of this text and no others (tests). Raises ``ValueError`` as :func:`read`."""
    global _faults
    _faults = read(raw)


_faults = read(os.environ.get(VARIABLE, ""))
