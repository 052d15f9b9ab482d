"""``docs/settings.md`` and ``Config`` say the same."""

from __future__ import annotations

import dataclasses

from deskhand.config import Config
from scripts import settings_table


def test_the_settings_page_is_what_the_code_says() -> None:
    """``OP2``: one table in the docs, made from the code."""
    assert settings_table.PAGE.read_text() == settings_table.page()


def test_every_setting_has_a_row_and_a_sentence() -> None:
    """``OP2``."""
    for field in dataclasses.fields(Config):
        assert f"| `{field.name.upper()}` |" in settings_table.table()
        assert str(field.metadata["doc"]).endswith((".", "?", "`.")), field.name
