"""``manage.py seed_demo``: logins and invented rows."""

from __future__ import annotations

import datetime
import time

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from demo.wholesale.models import Customer
from demo.wholesale.seed import fill, logins
from demo.wholesale.seed.password import PASSWORD


class Command(BaseCommand):
    """Fills the demo's database; what is there already stays unless ``--again`` is given."""

    help = "Makes the logins clerk, accountant and owner, and fills empty tables with invented rows."

    def add_arguments(self, parser: CommandParser) -> None:
        """``--again`` empties the wholesaler's tables first, ``--today`` is the day on which the trade ends."""
        parser.add_argument("--again", action="store_true", help="empty the wholesaler's tables first")
        parser.add_argument("--today", default="", help="ISO date on which the trade ends (default: today)")
        parser.add_argument("--orders", type=int, default=3200, help="how many orders (default: 3200)")

    def handle(self, *args: object, again: bool, today: str, orders: int, **options: object) -> None:
        """Fills, and prints what was made and how to sign in."""
        started = time.monotonic()
        try:
            day = datetime.date.fromisoformat(today) if today else timezone.localdate()
        except ValueError as error:
            raise CommandError("--today needs a date like 2026-11-30") from error
        if again:
            fill.empty()
        if Customer.objects.exists():
            self.stdout.write("There are customers already: no rows made (--again begins anew).")
        else:
            counts = fill.fill(day, orders=orders)
            self.stdout.write(", ".join(f"{count} {kind}" for kind, count in counts.items()))
        for username, rights in logins.make_logins():
            self.stdout.write(f"  {username:<11} password {PASSWORD}  ({rights})")
        self.stdout.write(f"Done in {time.monotonic() - started:.1f} s.")
