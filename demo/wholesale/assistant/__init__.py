"""What the assistant can look up and propose in this back office, and what it is told about it.

Each tool is a function whose docstring the model reads to choose it, whose annotations become the schema of its arguments, and whose
permission decides who is offered it. Those here read, those in ``writing`` propose. Three habits worth copying: counts and sums come
from the database and cover all rows, also those that the limit leaves out; rows are flat, with keys that a stranger understands; and
what a colleague with fewer rights must not see is asked of the scope inside the tool too (``customer_overview``, ``show_order``).
"""

from __future__ import annotations

from demo.wholesale.assistant import customers, money, orders, sales, stock, writing
from demo.wholesale.assistant.words import about_the_page, vocabulary

__all__ = ["about_the_page", "customers", "money", "orders", "sales", "stock", "vocabulary", "writing"]
