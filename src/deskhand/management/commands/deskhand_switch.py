"""``manage.py deskhand_switch off|on [tool]``: the kill switch, from the command line (``OP9``).

    manage.py deskhand_switch off                  the assistant, for everybody
    manage.py deskhand_switch off shop.refund      one tool
    manage.py deskhand_switch on                   the assistant again; tools that are off stay off
    manage.py deskhand_switch                      what is off

It holds in all processes within seconds, in turns that run as well. Never here: a tool that does not exist is switched off by a slip of
the pen. Limits: who did it is not known; the admin's page knows.
"""

from __future__ import annotations

import difflib

from django.core.management.base import BaseCommand, CommandError, CommandParser

from deskhand import switches, tools


class Command(BaseCommand):
    """Switches off, or on again, and prints what is off."""

    help = "Switches the assistant, or one tool, off for everybody, or on again; prints what is off."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("to", nargs="?", choices=("off", "on"), help="without it, only prints what is off")
        parser.add_argument(
            "tool", nargs="?", default=switches.ASSISTANT, help="registered name of a tool; without it, the assistant"
        )

    def handle(self, *args: object, **options: object) -> None:
        tool = str(options["tool"])
        if options["to"] == "off":
            _refuse_unknown(tool)
            switches.switch_off(tool)
        elif options["to"] == "on" and not switches.switch_on(tool):
            _refuse_unknown(tool)
        names = [row.tool for row in switches.rows()]
        if not names:
            self.stdout.write("Nothing is off.")
        for name in names:
            self.stdout.write(f"off: tool {name}" if name else "off: the assistant, for everybody")


def _refuse_unknown(name: str) -> None:
    known = [tool.name for tool in tools.registry().all()]
    if name == switches.ASSISTANT or name in known:
        return
    near = difflib.get_close_matches(name, known, n=5, cutoff=0.5)
    raise CommandError(
        f"There is no tool of that name. {'Near it are: ' + ', '.join(near) if near else 'Tools: ' + ', '.join(known)}."
    )
