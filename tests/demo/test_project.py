"""The demo as a newcomer meets it: its commands, and its own tests under its own settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, *command: str) -> str:
    """What the command printed; fails with it if the command failed."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("DEMO_", "DJANGO_", "PYTEST_"))},
        "DEMO_SQLITE": str(folder / "demo.sqlite3"),
        "PYTHONPATH": str(ROOT / "src"),
    }
    done = subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    run(folder, "demo/manage.py", "migrate", "-v0")
    return folder


def test_the_demo_has_no_change_without_a_migration_and_no_complaint_of_a_check(folder: Path) -> None:
    run(folder, "demo/manage.py", "makemigrations", "--check", "--dry-run")
    run(folder, "demo/manage.py", "check", "--fail-level", "WARNING")


def test_seeding_prints_the_logins_and_a_second_time_leaves_the_rows_alone(folder: Path) -> None:
    first = run(folder, "demo/manage.py", "seed_demo", "--orders", "50", "--today", "2026-03-18")
    assert "50 orders" in first
    for login in ("clerk", "accountant", "owner"):
        assert f"{login} " in first
    assert "no rows made" in run(folder, "demo/manage.py", "seed_demo")


def test_the_password_in_the_readme_is_the_one_that_works() -> None:
    from demo.wholesale.seed.password import PASSWORD

    assert f"`{PASSWORD}`" in (ROOT / "demo" / "README.md").read_text()


def test_the_demos_own_tests_pass_under_its_settings(tmp_path: Path) -> None:
    run(tmp_path, "-m", "pytest", "--ds=demo.settings", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/demo/wholesale")
