"""What the assistant can look up in this back office, and what it is told about it.

Each tool is a function whose docstring the model reads to choose it, whose annotations become the schema of its arguments, and whose
permission decides who is offered it. All of them read. Three habits worth copying: counts and sums come from the database and cover
all rows, also those that the limit leaves out; rows are flat, with keys that a stranger understands; and what a colleague with fewer
rights must not see is asked of the scope inside the tool too (``customer_overview``, ``show_order``).
"""

from __future__ import annotations

from demo.wholesale.assistant import customers, money, orders, sales, stock
from demo.wholesale.assistant.words import about_the_page, vocabulary

__all__ = ["about_the_page", "customers", "money", "orders", "sales", "stock", "vocabulary"]
