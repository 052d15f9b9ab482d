"""Who queries the tables: their keepers alone. The import contract says who may know them; this says who may ask them."""

from __future__ import annotations

import ast

from tests.house import tree

KEEPERS = {
    "conversations.py",
    "user_settings.py",
    "switches.py",
    "usage.py",
    "turns/lock.py",
    "turns/events/rows.py",
    "confirmations/clicking.py",
    "confirmations/ends.py",
    "confirmations/proposing.py",
    "confirmations/reading.py",
}
TABLES = {"Conversation", "Confirmation", "AIRequest", "Message", "Turn", "Event", "EventBatch", "UserSettings", "Switch"}


def test_nobody_but_a_keeper_ever_queries_a_table_of_ours() -> None:
    """``ME1``: what is written by one hand can be kept append-only by it."""
    wrong = [
        f"{tree.short(path)}:{node.lineno}"
        for path in tree.python("src")
        if str(path.relative_to(tree.PACKAGE)) not in KEEPERS
        for node in ast.walk(tree.syntax(path))
        if isinstance(node, ast.Attribute)
        and node.attr in ("objects", "_default_manager", "_base_manager")
        and isinstance(node.value, ast.Name | ast.Attribute)
        and (node.value.id if isinstance(node.value, ast.Name) else node.value.attr) in TABLES
    ]
    assert not wrong, "\n".join(wrong)
