"""The repository's files: nothing of one machine in them, no address of a registry in a lock file."""

from __future__ import annotations

import re

from scripts import pins
from tests.house import tree

LOCKS = ("requirements/dev.txt", "requirements/demo.txt", "requirements/build.txt", "requirements/pgserver.txt")
#: Spelled in pieces, so that this file does not hold what it looks for.
OF_ONE_MACHINE = re.compile(
    "|".join(["/ro" + "ot/", "/wo" + "rk/", "/opt/py" + "pi", "/ho" + r"me/\w", "/Us" + r"ers/\w", "/tmp/" + r"v3\d\d"])
)
REGISTRIES = re.compile(
    "|".join(["pypi" + r"\.org", "python" + r"hosted\.org", "registry" + r"\.npmjs", "npmjs" + r"\.(org|com)"])
)


def _texts() -> dict[str, str]:
    found = {}
    for path in tree.files():
        raw = path.read_bytes()
        if b"\0" not in raw[:8000]:
            found[tree.short(path)] = raw.decode("utf-8", "replace")
    return found


def test_no_lock_file_holds_an_address() -> None:
    names = [*LOCKS, *(name for name in _texts() if name.endswith("package-lock.json"))]
    texts = _texts()
    wrong = [
        f"{name}:{number}"
        for name in names
        for number, line in enumerate(texts[name].splitlines(), 1)
        # npm's lock file keeps each package's own "funding" page; it is no place to install from.
        if re.search(r"https?://", line) and not (name.endswith(".json") and re.search(r'^\s*"url":', line))
    ]
    assert not wrong, "\n".join(wrong)


def test_every_pin_has_a_hash() -> None:
    for name in LOCKS:
        for block in re.split(r"\n(?=\S)", (tree.ROOT / name).read_text()):
            assert block.startswith("#") or "--hash=sha256:" in block, f"{name}: {block[:60]}"


def test_the_pins_were_made_from_pyproject_as_it_is() -> None:
    assert pins.stale() == []


def test_no_file_names_a_place_on_one_machine() -> None:
    wrong = [f"{name}: {found[0]}" for name, text in _texts().items() if (found := OF_ONE_MACHINE.search(text))]
    assert not wrong, "\n".join(wrong)


def test_no_file_names_a_package_registry() -> None:
    wrong = [f"{name}: {found[0]}" for name, text in _texts().items() if (found := REGISTRIES.search(text))]
    assert not wrong, "\n".join(wrong)
