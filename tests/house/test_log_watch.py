"""The watch over the logs sees what it must see."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import tree

_LEAKS = {
    "message": "logging.getLogger('deskhand.x').info('said %s', CANARY)",
    "debug": "logging.getLogger('deskhand.x').debug(CANARY)",
    "extra": "logging.getLogger('other').warning('a', extra={'text': CANARY})",
    "exception": "\n    try:\n        raise ValueError(CANARY)\n    except ValueError:\n        logging.getLogger('other').exception('a')",
    "deaf logger": "\n    logger = logging.getLogger('other')\n    logger.propagate = False\n    logger.error(CANARY)",
}


def _run(body: str, folder: Path) -> subprocess.CompletedProcess[str]:
    test = folder / "test_it.py"
    test.write_text(f"import logging\nfrom tests.canary import CANARY\n\ndef test_it():\n    {body}\n")
    options = ["-p", "tests.log_watch", "-p", "no:cacheprovider", "-p", "no:django", "-c", os.devnull, "--rootdir", str(folder)]
    command = [sys.executable, "-m", "pytest", *options, str(test)]
    return subprocess.run(command, cwd=tree.ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("leak", _LEAKS)
def test_a_text_in_a_log_fails_the_test_that_put_it_there(leak: str, tmp_path: Path) -> None:
    """``OP6``: logs never hold what a person, a tool or a model wrote."""
    done = _run(_LEAKS[leak], tmp_path)
    assert done.returncode == 1, done.stdout
    assert "The canary was logged by" in done.stdout


def test_a_clean_log_fails_nothing(tmp_path: Path) -> None:
    done = _run("logging.getLogger('deskhand.x').warning('prompt_addendum skipped: KeyError')", tmp_path)
    assert done.returncode == 0, done.stdout
