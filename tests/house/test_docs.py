"""The docs: their Python runs, their links lead somewhere, the tests that they name are there."""

from __future__ import annotations

import importlib
import re
import sys
import types
from pathlib import Path

import pytest

from tests.house import tree

PAGES = [path for path in tree.files() if path.suffix == ".md" and (path.parent == tree.ROOT or path.parent.name == "docs")]
#: Made by a command that needs a browser; may be missing in a fresh checkout.
PICTURES = {"docs/panel.png", "docs/panel-dark.png", "docs/panel-phone.png"}


def _examples(path: Path) -> list[str]:
    found = re.findall(r"^( *)```python\n(.*?)^ *```", path.read_text(), re.S | re.M)
    return [re.sub(rf"^{indent}", "", body, flags=re.M) for indent, body in found]


@pytest.mark.parametrize("path", [path for path in PAGES if _examples(path)], ids=lambda path: path.name)
def test_the_python_in_the_docs_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page's examples run one after the other in one module, with the test project's ``shop`` as the host's app.

    What ``startproject`` has written before is there to add to.
    """
    from deskhand import config

    monkeypatch.setitem(sys.modules, "shop", importlib.import_module("tests.shop"))
    monkeypatch.setitem(sys.modules, "shop.models", importlib.import_module("tests.shop.models"))
    module = types.ModuleType(f"docs_{path.stem}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    page = vars(module)
    page.update(INSTALLED_APPS=[], MIDDLEWARE=[], urlpatterns=[], DATABASES={"default": {}})
    for example in _examples(path):
        exec(compile(example, str(path), "exec"), page)
        if "DESKHAND" in page:
            from django.test import override_settings

            with override_settings(DESKHAND=page.pop("DESKHAND")):
                config.get()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_within_the_docs_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
        if re.match(r"https?:|mailto:", target):
            continue
        name, _, anchor = target.partition("#")
        leads_to = (path.parent / name).resolve() if name else path
        assert leads_to.exists() or str(leads_to.relative_to(tree.ROOT)) in PICTURES, target
        if anchor:
            heads = re.findall(r"^#+ (.+)$", leads_to.read_text(), re.M)
            assert anchor in {re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-") for head in heads}, target


def test_the_docs_name_no_make_target_that_is_not_there() -> None:
    targets = set(re.findall(r"^([a-z]+):", (tree.ROOT / "Makefile").read_text(), re.M))
    named = {name for path in PAGES for name in re.findall(r"(?:^|`)make ([a-z]+)", path.read_text(), re.M)}
    assert named <= targets


def test_the_tests_that_the_docs_name_are_there() -> None:
    """A page that says which test proves a promise names one that exists, or a file of tests."""
    there = {function.name for path in tree.python("tests") for function in tree.functions(path)}
    there |= {path.stem for path in tree.python("tests")}
    named = {(tree.short(path), name) for path in PAGES for name in re.findall(r"\btest_\w+", path.read_text())}
    assert {each for each in named if each[1] not in there} == set()


def test_the_page_on_security_names_a_test_for_every_threat() -> None:
    page = (tree.ROOT / "docs" / "security.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| What ")]
    assert len(rows) > 20
    assert [row for row in rows if "`test_" not in row] == []
