from __future__ import annotations

import datetime as dt
import decimal
import enum
import hashlib
import json
import uuid

import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskhand.core import canonical

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


class Colour(enum.StrEnum):
    RED = "red"


class Old(str, enum.Enum):  # noqa: UP042 - a host's enum may still be written so
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e3, "1000.0"),
        (1000, "1000"),
        ("1000", '"1000"'),
        (True, "true"),
        (1, "1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (0.3, "0.3"),
        (2**53 + 1, "9007199254740993"),
        (2.0**53, "9007199254740992.0"),
        (-0.0, "0.0"),
        (1e300, "1e+300"),
    ],
)
def test_numbers_that_differ_in_effect_never_share_a_text(value: object, text: str) -> None:
    """sec_C27."""
    assert canonical.dumps(value) == text
    assert canonical.fingerprint(value) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "number", [float("nan"), float("inf"), float("-inf"), decimal.Decimal("NaN"), decimal.Decimal("-Infinity")]
)
def test_a_number_that_is_not_finite_is_refused(number: object) -> None:
    """sec_C27."""
    with pytest.raises(ValueError, match="not finite"):
        canonical.dumps({"n": [number]})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (False, "false"),
        ({"b": 1, "a": [1, (2, "ü")], "B": {}}, '{"B":{},"a":[1,[2,"ü"]],"b":1}'),
        ('"\\\n\x00', '"\\"\\\\\\n\\u0000"'),
        (decimal.Decimal("1.10"), '"1.1"'),
        (decimal.Decimal("1.1"), '"1.1"'),
        (decimal.Decimal("1000"), '"1E+3"'),
        (decimal.Decimal("-0.00"), '"0"'),
        (decimal.Decimal("-12.340"), '"-12.34"'),
        (decimal.Decimal("1234567890123456789012345678901234567890.5"), '"1234567890123456789012345678901234567890.5"'),
        (dt.date(2026, 1, 2), '"2026-01-02"'),
        (dt.time(9, 5), '"09:05:00"'),
        (dt.datetime(2026, 1, 2, 3, 4, 5, 6), '"2026-01-02T03:04:05.000006"'),  # noqa: DTZ001
        (dt.datetime(2026, 1, 2, 3, tzinfo=dt.timezone(dt.timedelta(hours=2))), '"2026-01-02T01:00:00+00:00"'),
        (uuid.UUID(int=7), '"00000000-0000-0000-0000-000000000007"'),
        (Colour.RED, '"red"'),
        (Old.RED, '"red"'),
        (Level.HIGH, "3"),
        ({Colour.RED: 1}, '{"red":1}'),
        ({Old.RED: 1}, '{"red":1}'),
        ({3, 1, 2}, "[1,2,3]"),
        (frozenset({"b", "a"}), '["a","b"]'),
    ],
)
def test_each_type_has_the_text_of_the_rule(value: object, text: str) -> None:
    assert canonical.dumps(value) == text


@pytest.mark.parametrize("value", [b"x", bytearray(b"x"), dt.timedelta(1), object(), {1: 2}, {None: 1}, {"a": b"x"}])
def test_a_type_without_a_rule_is_refused_without_its_value(value: object) -> None:
    with pytest.raises(TypeError, match=r"has no canonical text|not text"):
        canonical.dumps(value)


def test_half_a_surrogate_pair_is_refused_and_never_stands_in_the_message() -> None:
    with pytest.raises(ValueError, match="half a surrogate pair") as raised:
        canonical.dumps({"a\ud800": 1})
    assert raised.value.__cause__ is None
    assert "\\ud800" not in str(raised.value)


def test_however_a_float_is_written_it_has_one_text() -> None:
    """sec_C27."""
    assert canonical.dumps(1e3) == canonical.dumps(1000.0) == canonical.dumps(float("1000"))


def test_what_is_nested_too_deeply_is_refused_before_the_stack_ends() -> None:
    deep: list[object] = []
    for _ in range(99):
        deep = [deep]
    assert canonical.dumps(deep) == "[" * 100 + "]" * 100
    endless: list[object] = []
    endless.append(endless)
    for value in ([deep], endless):
        with pytest.raises(ValueError, match="deeply"):
            canonical.dumps(value)


def test_a_time_beyond_the_calendar_is_refused() -> None:
    with pytest.raises(ValueError, match="out of range"):
        canonical.dumps(dt.datetime.max.replace(tzinfo=dt.timezone(dt.timedelta(hours=-1))))


@settings(max_examples=100, deadline=None)
@given(JSON)
def test_json_reads_back_as_it_was_and_has_one_text(value: object) -> None:
    """sec_C27, CO2."""
    text = canonical.dumps(value)
    assert json.loads(text) == value
    assert canonical.dumps(json.loads(text)) == text


@settings(max_examples=100, deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False), st.integers(0, 5))
def test_equal_decimals_have_one_text_that_reads_back_exactly(number: decimal.Decimal, zeros: int) -> None:
    """sec_C27."""
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    longer = decimal.Decimal((sign, digits + (0,) * zeros, exponent - zeros))
    assert canonical.dumps(longer) == canonical.dumps(number)
    assert decimal.Decimal(json.loads(canonical.dumps(number))) == number


@settings(max_examples=50, deadline=None)
@given(st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1)), st.integers(-14, 14), st.integers(-14, 14))  # noqa: DTZ001
def test_equal_instants_have_one_text(moment: dt.datetime, first: int, second: int) -> None:
    utc = moment.replace(tzinfo=dt.UTC)
    texts = {canonical.dumps(utc.astimezone(dt.timezone(dt.timedelta(hours=hours)))) for hours in (first, second)}
    assert len(texts) == 1


def test_the_text_reads_back_through_the_schema_it_came_from() -> None:
    """CO2: what is stored is what is carried out."""

    class Arguments(pydantic.BaseModel):
        day: dt.date
        at: dt.datetime
        price: decimal.Decimal
        key: uuid.UUID
        colour: Colour
        count: int
        rate: float

    given_arguments = Arguments(
        day=dt.date(2026, 1, 2),
        at=dt.datetime(2026, 1, 2, 3, tzinfo=dt.UTC),
        price=decimal.Decimal("1000.00"),
        key=uuid.UUID(int=1),
        colour=Colour.RED,
        count=2**53 + 1,
        rate=0.1 + 0.2,
    )
    text = canonical.dumps(given_arguments.model_dump())
    assert Arguments.model_validate_json(text) == given_arguments
