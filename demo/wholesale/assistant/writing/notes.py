"""Writing down what the office should know of a customer."""

from __future__ import annotations

from typing import Annotated

from django.utils import timezone
from pydantic import Field

from demo.wholesale.assistant.asking import CustomerName
from demo.wholesale.assistant.writing import finding
from demo.wholesale.models import Note
from deskhand.scope import Scope
from deskhand.tools import Change, Preview, ToolError, tool

NoteText = Annotated[str, Field(min_length=1, max_length=2000, description="The note's whole text, in the person's own words")]


@tool(permission="wholesale.add_note", writes=True, title="New note")
def add_note(scope: Scope, customer: CustomerName, text: NoteText) -> None:
    """Adds a note about a customer, signed with the user's name."""
    Note.objects.create(customer=finding.customer(customer), written_at=timezone.now(), author=scope.full_name[:60], text=text)


@add_note.preview
def _note_card(scope: Scope, customer: str, text: str) -> Preview:
    if not text.strip():
        raise ToolError("A note must say something.")
    row = finding.customer(customer)
    return Preview(
        title=f"Write a note about {row.name}",
        verb="Write note",
        target=row,
        changes=[Change("Note", None, text), Change("Signed", None, scope.full_name[:60])],
        rows=[row],
    )
