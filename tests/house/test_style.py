"""The style of the code, as far as a program can see it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house import tree

OURS = ("src", "scripts", "demo", "bench")
FILE_LINES = 400
FUNCTION_LINES = 60
#: Words that say nothing about what a thing is; no module, class or function ends in one.
EMPTY_WORDS = {"util", "utils", "helper", "helpers", "manager", "service", "data", "handler"}
#: Where a stranger's code is called, or the last net hangs. Nowhere else may all exceptions be caught.
WIDE_NETS = (
    "src/deskhand/hooks.py",
    "src/deskhand/tools/execution.py",
    # A click calls two strangers: the tool's function and its preview.
    "src/deskhand/confirmations/clicking.py",
    "src/deskhand/confirmations/effect.py",
    "src/deskhand/endpoint/others.py",
    "src/deskhand/turns/running.py",
    # A follower's rights are asked of the host's SCOPE, inside its AROUND_TURN, after the request is over.
    "src/deskhand/web/following.py",
)


def test_every_module_says_in_its_first_line_what_it_is() -> None:
    wrong = []
    for path in tree.python(*OURS):
        if path.name == "__init__.py" and not path.read_text().strip():
            continue
        first = (ast.get_docstring(tree.syntax(path)) or "").partition("\n\n")[0].strip()
        if (
            not re.match(r"[A-Z`]", first)
            or not first.endswith((".", ":"))
            or re.match(r"(This|Module|A module|Contains)\b", first)
        ):
            wrong.append(f"{tree.short(path)}: {first[:60]!r}")
    assert not wrong, "\n".join(wrong)


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    sizes = {tree.short(path): len(path.read_text().splitlines()) for path in tree.python(*OURS)}
    assert not {name: size for name, size in sizes.items() if size > FILE_LINES}


def test_no_function_is_longer_than_sixty_lines() -> None:
    long = [
        f"{tree.short(path)}:{function.lineno} {function.name}"
        for path in tree.python(*OURS)
        for function in tree.functions(path)
        if (function.end_lineno or function.lineno) - function.lineno + 1 > FUNCTION_LINES
    ]
    assert not long, "\n".join(long)


def test_no_name_ends_in_a_word_that_says_nothing() -> None:
    wrong = [f"{tree.short(path)}: {name}" for path in tree.python(*OURS) for name in _names(path) if _says_nothing(name)]
    assert not wrong, "\n".join(wrong)


def _names(path: Path) -> Iterator[str]:
    yield path.parent.name if path.name == "__init__.py" else path.stem
    for node in ast.walk(tree.syntax(path)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def _says_nothing(name: str) -> bool:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    # Python's own word for a thing is the right one.
    return words.rpartition("_")[2] in EMPTY_WORDS and not words.endswith("context_manager")


def test_all_exceptions_are_kept_only_where_a_strangers_code_is_called() -> None:
    """Elsewhere one may catch all to put something right, and then raises them again."""
    wrong = [
        f"{tree.short(path)}:{node.lineno}"
        for path in tree.python("src")
        for node in ast.walk(tree.syntax(path))
        if _keeps_all(node) and tree.short(path) not in WIDE_NETS
    ]
    assert not wrong, "\n".join(wrong)


def _keeps_all(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name == "suppress" and any(map(_is_everything, node.args))
    if not isinstance(node, ast.ExceptHandler):
        return False
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    last = node.body[-1]
    is_raised_again = isinstance(last, ast.Raise) and last.exc is None
    return any(map(_is_everything, kinds)) and not is_raised_again


def _is_everything(kind: ast.expr | None) -> bool:
    return kind is None or (isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException"))


def test_only_config_reads_djangos_settings() -> None:
    wrong = []
    for path in tree.python("src"):
        if tree.short(path) == "src/deskhand/config.py":
            continue
        for node in ast.walk(tree.syntax(path)):
            imported = (
                isinstance(node, ast.ImportFrom) and node.module == "django.conf" and {"settings"} & {n.name for n in node.names}
            )
            whole = isinstance(node, ast.Import) and any(name.name.startswith("django.conf") for name in node.names)
            if imported and _reads_user_table_alone(path):
                continue
            if imported or whole:
                wrong.append(f"{tree.short(path)}:{node.lineno}")
    assert not wrong, "\n".join(wrong)


def _reads_user_table_alone(path: Path) -> bool:
    """Tables name the host's user table the way Django's own documentation does, so that migrations stay swappable."""
    read = {
        node.attr
        for node in ast.walk(tree.syntax(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "settings"
    }
    return path.name == "models.py" and read <= {"AUTH_USER_MODEL"}


def test_only_the_module_for_other_providers_loads_the_agent_library() -> None:
    wrong = [
        f"{tree.short(path)}:{node.lineno}"
        for path in tree.python("src")
        if tree.short(path) != "src/deskhand/endpoint/others.py"
        for node in ast.walk(tree.syntax(path))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pydantic_ai"))
        or (isinstance(node, ast.Import) and any(name.name.startswith("pydantic_ai") for name in node.names))
    ]
    assert not wrong, "\n".join(wrong)
