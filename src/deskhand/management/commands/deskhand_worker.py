"""``manage.py deskhand_worker``: runs turns, where ``ENGINE`` is procrastinate, until it is told to end."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from deskhand import config


class Command(BaseCommand):
    """Refuses to start where turns run in the web processes."""

    help = "Runs turns of the assistant until it is told to end. Any number may run, on any machines over the same database."

    def add_arguments(self, parser: CommandParser) -> None:
        """Both may be left out."""
        parser.add_argument("--concurrency", type=int, default=0, help="Turns at the same time. Default: RUNNER_THREADS.")
        parser.add_argument(
            "--no-listen", action="store_true", help="Look for turns every second and don't listen: behind a transaction pooler."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Returns after SIGTERM or SIGINT.

        Raises:
            CommandError: turns do not run on workers, or the tables of jobs are missing.
        """
        settings = config.get()
        if settings.engine != "procrastinate":
            raise CommandError("Turns run in the web processes: DESKHAND['ENGINE'] is not \"procrastinate\".")
        from deskhand.turns import worker

        # More than there are threads for would wait here, while other workers have places.
        places = min(options["concurrency"] or settings.runner_threads, settings.runner_threads)
        self.stdout.write(f"A worker for {places} turns at a time; SIGTERM or Ctrl-C ends it. What goes wrong stands in the log.")
        self.stdout.flush()
        try:
            worker.run(places, listens=not options["no_listen"])
        except worker.TablesMissing:
            raise CommandError(
                "Procrastinate's tables are not in the database, or not those of this version: run manage.py migrate first."
            ) from None
