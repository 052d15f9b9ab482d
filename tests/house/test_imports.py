"""No path leads from the model to a write: by the import contract, and by the imports themselves."""

from __future__ import annotations

import ast
import configparser
from collections.abc import Iterator
from pathlib import Path

from tests.house import tree

#: Where a model's words are read, and what calls a tool's function.
SOURCES = ("deskhand.turns.loop", "deskhand.turns.calls", "deskhand.turns.runner", "deskhand.endpoint")
WRITES = ("deskhand.confirmations.effect", "deskhand.confirmations.clicking")
#: Who may call the function at all.
CLICK = {"deskhand.confirmations.clicking", "deskhand.web.cards"}


def test_the_contract_forbids_the_path() -> None:
    """``CO1``: this test fails if the contract is taken away or made weaker."""
    contracts = configparser.ConfigParser()
    contracts.read(tree.ROOT / ".importlinter")
    contract = contracts["importlinter:contract:no-write-path"]
    assert contract["type"] == "forbidden"
    assert set(SOURCES) <= set(contract["source_modules"].split())
    assert set(WRITES) <= set(contract["forbidden_modules"].split())
    assert not contract.get("ignore_imports")
    assert contract.get("allow_indirect_imports", "false").lower() in ("false", "")


def test_no_chain_of_imports_leads_from_a_turn_to_the_effect() -> None:
    """``CO1``: looked up anew here, imports inside functions included."""
    imports = _imports()
    for source in SOURCES:
        reached = _reached(imports, source)
        assert len(reached) > 3, f"{source} was not read"
        assert not reached & set(WRITES), source


def test_nobody_but_the_click_leads_to_the_effect() -> None:
    """``CO1``."""
    imports = _imports()
    direct = {name for name, found in imports.items() if set(WRITES) & found}
    assert direct == CLICK


def test_the_effect_is_the_one_place_that_calls_a_writing_function() -> None:
    """``CO1``, ``TO2``: a tool's function is called in two modules, and the other one refuses a tool that writes."""
    callers = {
        tree.short(path)
        for path in tree.python("src")
        for node in ast.walk(tree.syntax(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "function"
    }
    assert callers == {
        "src/deskhand/confirmations/effect.py",
        "src/deskhand/tools/execution.py",
        # The tool called as the plain function it is, by the host's own code.
        "src/deskhand/tools/declare.py",
    }


def _imports() -> dict[str, set[str]]:
    """Each module of ours and what it imports of ours, directly or as a package's name."""
    paths = {_name(path): path for path in tree.PACKAGE.rglob("*.py") if "migrations" not in path.parts}
    found = {}
    for name, path in paths.items():
        asked = set(_asked(tree.syntax(path)))
        found[name] = {each for each in asked if each in paths} | {
            each.rpartition(".")[0] for each in asked if each.rpartition(".")[0] in paths
        }
        # Whoever asks for a package by name may reach all that its own module imports; a package stands for its parts.
        found[name] |= {other for other in paths if name == other.rpartition(".")[0] and name == "deskhand.endpoint"}
        found[name].discard(name)
    return found


def _name(path: Path) -> str:
    parts = path.relative_to(tree.PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _asked(syntax: ast.AST) -> Iterator[str]:
    for node in ast.walk(syntax):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _reached(imports: dict[str, set[str]], source: str) -> set[str]:
    reached: set[str] = set()
    ahead = [source]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += imports.get(name, ())
    return reached
