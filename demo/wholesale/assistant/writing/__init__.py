"""The tools that change something: each proposes, and a person's click on the card does it.

Each has two functions, the change and its preview, and one private function that finds and checks what both are about: so the card and
the click can't have different ideas of what is allowed. What is refused is said by a ``ToolError`` in words for a colleague. Rows are
named parents first, in which order the click locks them; the two batches change the rows that the click locked and look for none anew.
"""

from __future__ import annotations

from demo.wholesale.assistant.writing import invoices, limits, notes, prices, returns, statuses, stock

__all__ = ["invoices", "limits", "notes", "prices", "returns", "statuses", "stock"]
