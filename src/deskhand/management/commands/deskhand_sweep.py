"""The command that ends what nobody holds any more: turns, cards, and events that nobody waits for (``OP4``).

Each process that serves the panel does the same by itself, so this is for a site whose processes are all down or idle, for a timer that
wants to be sure, and for who wants to see the numbers. Never here: a turn that still lives, or one run again. Limits: a dead process of
another machine, or of another PID namespace, is known by its lease alone.
"""

from __future__ import annotations

from django.core.management.base import BaseCommand

from deskhand.confirmations import ends
from deskhand.turns import closing, runner


class Command(BaseCommand):
    """``manage.py deskhand_sweep``"""

    help = "Ends turns whose process died and cards whose time is over; removes events that nobody waits for."

    def handle(self, *args: object, **options: object) -> None:
        """Sweep until nothing is left to end, and print how much it was."""
        turns = closing.sweep()
        cards = 0
        while ended := ends.sweep():
            cards += ended
        self.stdout.write(f"turns ended: {turns}")
        self.stdout.write(f"cards ended: {cards}")
        self.stdout.write(f"events removed: {runner.clean()}")
