"""The repository as house tests see it: which files it has, and their syntax trees. Read once a run."""

from __future__ import annotations

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "deskhand"


@functools.cache
def files() -> tuple[Path, ...]:
    """Every file of the repository that is kept or about to be: what git knows, and what it does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    paths = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return tuple(path for path in paths if path.is_file())


@functools.cache
def python(*folders: str) -> tuple[Path, ...]:
    """The Python files below these folders, migrations left out: they are made by a command and never changed."""
    wanted = tuple(ROOT / folder for folder in folders)
    return tuple(
        path
        for path in files()
        if path.suffix == ".py" and "migrations" not in path.parts and any(path.is_relative_to(folder) for folder in wanted)
    )


@functools.cache
def syntax(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_text(), filename=str(path))


def short(path: Path) -> str:
    """The path as a message names it."""
    return str(path.relative_to(ROOT))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file, also the inner ones."""
    return (node for node in ast.walk(syntax(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
