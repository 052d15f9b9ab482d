"""The wheel: what a host installs holds all that the package needs at run time."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.house import tree


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=tree.ROOT, check=True)
    (wheel,) = Path(folder).glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        return set(opened.namelist())


def test_the_wheel_holds_every_file_of_the_package(wheel_names: set[str]) -> None:
    kept = {str(path.relative_to(tree.ROOT / "src")) for path in tree.files() if path.is_relative_to(tree.PACKAGE)}
    assert kept - wheel_names == set()


def test_the_wheel_holds_types_tables_and_licence(wheel_names: set[str]) -> None:
    assert {"deskhand/py.typed", "deskhand/migrations/0001_initial.py"} <= wheel_names
    assert any(name.endswith("licenses/LICENSE") for name in wheel_names)


def test_the_wheel_holds_the_built_panel(wheel_names: set[str]) -> None:
    """``UI1``: the host needs no build step."""
    assert "deskhand/static/deskhand/panel.js" in wheel_names


def test_every_translation_lies_beside_its_compiled_form() -> None:
    sources = [path for path in tree.files() if path.suffix == ".po" and path.is_relative_to(tree.PACKAGE)]
    assert [tree.short(path) for path in sources if not path.with_suffix(".mo").exists()] == []


def test_the_wheel_holds_nothing_but_the_package(wheel_names: set[str]) -> None:
    assert {name.partition("/")[0].partition("-")[0] for name in wheel_names} == {"deskhand"}
