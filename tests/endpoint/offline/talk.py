"""A conversation with the offline model about a library, whose tools answer from a few rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from deskhand.core import phrases
from deskhand.core.values import Entry, ModelRequest, Reply, Round, ToolSpec
from deskhand.endpoint import Settings
from deskhand.endpoint.offline import OfflineEndpoint
from deskhand.endpoint.offline.answering import SAYS_WHAT_IT_IS

TODAY = "2026-03-18"
TEXT = {"type": "string"}
DAY = {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None}
COUNTRY = {"enum": ["Estonia", "Germany", "United Kingdom"]}
PAGED = {"limit": {"type": "integer", "default": 2}, "page": {"type": "integer", "default": 1}}


def spec(name: str, title: str, description: str, required: Sequence[str] = (), **properties: Mapping[str, object]) -> ToolSpec:
    return ToolSpec(name, description, {"type": "object", "properties": properties, "required": list(required)}, title=title)


TOOLS = (
    spec("search_loans", "Loans", "Lists loans: which member borrowed which book and when.", member=TEXT, status={"enum": ["open", "lost"]},
         since=DAY, until=DAY, **PAGED),
    spec("overdue_loans", "Late loans", "Lists overdue loans, with so many reminders sent.", member=TEXT, reminders={"type": "integer"}),
    spec("fines_by_member", "Fines", "Ranks members by the unpaid fines that they owe.", member=TEXT, country=COUNTRY, **PAGED),
    spec("member_overview", "Member", "Shows what is known of a member: address, phone, branch.", ["member"], member=TEXT),
    spec("fees_by_month", "Fees", "Sums up the fees (income) for each month.", since=DAY, until=DAY),
    spec("members_without_loans", "Quiet members", "Lists members who borrowed nothing.", since=DAY),
    spec("show_book", "Book", "Shows one book. The number looks like BK-204.", ["number"], number=TEXT),
)  # fmt: skip
MEMBERS = ("Mirela Kos", "Mirela Kos Tartu", "Ana Lind")


def _member(arguments: Mapping[str, object]) -> object:
    found = [name for name in MEMBERS if str(arguments["member"]) == name]
    if not found:
        listed = ", ".join(name for name in MEMBERS if name[0] == str(arguments["member"])[0])
        return phrases.tool_error("No member has that name." + (f" Similar names: {listed}." if listed else ""))
    return {"member": found[0], "phone": "555", "branch": "Harbour"}


def _fines(arguments: Mapping[str, object]) -> object:
    rows = [{"member": name, "unpaid_eur": f"{9 - place}.00"} for place, name in enumerate(MEMBERS)]
    page = arguments.get("page", 1)
    assert isinstance(page, int)
    return {"count": len(rows), "total_eur": "24.00", "members": rows[(page - 1) * 2 : page * 2]}


ANSWERS: Mapping[str, Callable[[Mapping[str, object]], object]] = {
    "member_overview": _member,
    "fines_by_member": _fines,
    "search_loans": lambda _: {"count": 1, "loans": [{"member": "Ana Lind", "book": "BK-204", "date": "2026-03-01"}]},
    "show_book": lambda _: {"book": "BK-204", "borrowed by": "Ana Lind"},
    "fees_by_month": lambda _: {"total_eur": "5.00", "months": [{"month": "2026-01", "fees_eur": "5.00"}]},
}


class Talk:
    """What is said, answered and called, message by message."""

    def __init__(self, tools: Sequence[ToolSpec] = TOOLS) -> None:
        self.tools = tuple(tools)
        self.entries: list[Entry] = []
        #: The answer to the last message.
        self.text = ""

    def say(self, text: str) -> list[tuple[str, dict[str, object]]]:
        """The calls that the message led to."""
        self.entries.append(Entry("user", text))
        rounds: tuple[Round, ...] = ()
        made: list[tuple[str, dict[str, object]]] = []
        while True:
            request = ModelRequest(f"date: {TODAY}", tuple(self.entries), rounds, self.tools)
            *_, reply = OfflineEndpoint(Settings("offline", "offline", "offline")).stream(request)
            assert isinstance(reply, Reply)
            if not reply.calls:
                break
            calls = [(call.name, json.loads(call.arguments)) for call in reply.calls]
            made += calls
            results = [ANSWERS.get(name, lambda _: {"count": 0, "rows": []})(arguments) for name, arguments in calls]
            texts = tuple(result if isinstance(result, str) else json.dumps(result) for result in results)
            rounds += (Round("", "", reply.calls, texts),)
        self.entries.append(Entry("assistant", reply.text))
        self.text = reply.text.replace(SAYS_WHAT_IT_IS, "").strip()
        return made


def calls_of(*said: str) -> list[tuple[str, dict[str, object]]]:
    """What the last of these messages leads to."""
    talk = Talk()
    made: list[tuple[str, dict[str, object]]] = []
    for text in said:
        made = talk.say(text)
    return made
