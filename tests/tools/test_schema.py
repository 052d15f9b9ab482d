"""What a tool's schema tells the model, and what a server can make of it (``TO1``)."""

from __future__ import annotations

import json
from typing import Annotated

import pytest
from pydantic import BaseModel, Field, StringConstraints

from deskhand import tools
from deskhand.errors import InvalidArguments
from deskhand.tools import tool

Code = Annotated[str, StringConstraints(pattern=r"^[A-Z]-\d{4}$"), Field(description="The order's code")]
Text = Annotated[str, Field(min_length=1, max_length=2000, description="What to write.")]


class Part(BaseModel):
    code: Code
    remarks: list[Text] | None = None


@tool(permission="shop.view_order", reads=True)
def write_down(code: Code, text: Text, short: Annotated[str, Field(max_length=40)], parts: list[Part]) -> str:
    """Writes down."""
    return ""


def test_a_pattern_or_a_great_length_is_never_in_a_schema_at_any_depth() -> None:
    """TO1: llama.cpp refuses the whole request, so every question of the person, for one of them in one of the tools"""
    told = json.dumps(write_down.parameters)
    assert '"pattern"' not in told
    assert '"maxLength": 2000' not in told


def test_what_the_schema_leaves_out_is_told_in_words() -> None:
    """TO1"""
    properties = write_down.parameters["properties"]
    assert isinstance(properties, dict)
    assert properties["code"]["description"] == r"The order's code. Of the form ^[A-Z]-\d{4}$"
    assert properties["text"] == {"type": "string", "minLength": 1, "description": "What to write. At most 2000 characters."}
    assert properties["short"] == {"type": "string", "maxLength": 40}


def test_what_may_be_left_out_is_told_with_null_and_its_default() -> None:
    """TO1: a small model writes every parameter of a call; where it may not write null, it makes up a value"""

    @tool(permission="shop.view_order", reads=True)
    def search(code: Code | None = None, limit: int = 10) -> str:
        """Searches."""
        return ""

    told = {"type": "string", "description": r"The order's code. Of the form ^[A-Z]-\d{4}$"}
    assert search.parameters["properties"] == {
        "code": {"anyOf": [told, {"type": "null"}], "default": None},
        "limit": {"type": "integer", "default": 10},
    }
    assert tools.arguments(search, '{"code": null}') == {"code": None, "limit": 10}


@pytest.mark.parametrize(
    "wrong",
    [{"code": "A-42"}, {"text": "x" * 2001}, {"parts": [{"code": "4"}]}, {"parts": [{"code": "A-1042", "remarks": [""]}]}],
)
def test_what_is_told_in_words_is_checked_all_the_same(wrong: dict[str, object]) -> None:
    """TO1, TO4"""
    right = {"code": "A-1042", "text": "x" * 2000, "short": "", "parts": [{"code": "A-1042", "remarks": ["y"]}]}
    assert tools.arguments(write_down, json.dumps(right))["code"] == "A-1042"
    with pytest.raises(InvalidArguments):
        tools.arguments(write_down, json.dumps({**right, **wrong}))
