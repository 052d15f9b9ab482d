"""Tool calls from the fragments that servers send; each fragment goes over real HTTP in a chunk of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from deskhand.endpoint.calls import unique_id
from deskhand.errors import EndpointBroken
from tests.endpoint.conftest import Server
from tests.provider import DONE, chunk, fragment, stream

CallsOf = Callable[..., list[tuple[str, str]]]
THREE = [("get_order", f'{{"number":"A-{number}"}}') for number in (1, 2, 3)]


@pytest.mark.parametrize("arguments", ["", "  ", None])
def test_empty_arguments_are_an_empty_object(calls_of: CallsOf, arguments: str | None) -> None:
    """B1"""
    assert calls_of(fragment("list_warehouses", arguments, id="c", index=0)) == [("list_warehouses", "{}")]


def test_broken_arguments_stay_broken(calls_of: CallsOf) -> None:
    """B1"""
    assert calls_of(fragment("t", '{"q', id="c", index=0)) == [("t", '{"q')]


def test_parallel_calls_that_all_have_index_zero_are_never_glued(calls_of: CallsOf) -> None:
    """B2"""
    assert calls_of(*(fragment(name, raw, id=f"p{at}", index=0) for at, (name, raw) in enumerate(THREE))) == THREE


def test_parallel_calls_with_index_zero_in_pieces_stay_apart(calls_of: CallsOf) -> None:
    """B2"""
    pieces = []
    for at, (name, raw) in enumerate(THREE):
        pieces += [fragment(name, raw[:5], id=f"p{at}", index=0), fragment(None, raw[5:], index=0)]
    assert calls_of(*pieces) == THREE


def test_parallel_calls_with_interleaved_pieces_that_repeat_their_ids(calls_of: CallsOf) -> None:
    """B2"""
    first = [fragment(name, raw[:5], id=f"p{at}", index=0) for at, (name, raw) in enumerate(THREE)]
    second = [fragment(None, raw[5:], id=f"p{at}", index=0) for at, (_, raw) in enumerate(THREE)]
    assert calls_of(*first, *second) == THREE


def test_one_call_without_index_in_three_pieces(calls_of: CallsOf) -> None:
    """B3 A"""
    assert calls_of(fragment("t", '{"a"', id="c"), fragment(None, ": "), fragment(None, "1}")) == [("t", '{"a": 1}')]


def test_two_calls_without_index(calls_of: CallsOf) -> None:
    """B3 B"""
    assert calls_of(fragment("t", '{"a":', id="c"), fragment(None, "1}"), fragment("t", "{}", id="d")) == [
        ("t", '{"a":1}'),
        ("t", "{}"),
    ]


def test_an_index_that_comes_and_goes(calls_of: CallsOf) -> None:
    """B3 C, both ways round"""
    assert calls_of(fragment("t", '{"a":', id="c", index=0), fragment(None, "1}")) == [("t", '{"a":1}')]
    assert calls_of(fragment("t", '{"a":', id="c"), fragment(None, "1}", index=0)) == [("t", '{"a":1}')]


def test_calls_with_neither_index_nor_id(calls_of: CallsOf) -> None:
    """B3"""
    assert calls_of(*(fragment(name, raw) for name, raw in THREE)) == THREE
    assert calls_of(fragment("a", ""), fragment("b", "")) == [("a", "{}"), ("b", "{}")]


def test_two_calls_under_one_id(calls_of: CallsOf) -> None:
    """B5: with and without an index of their own"""
    assert calls_of(*(fragment(name, raw, id="call_0", index=at) for at, (name, raw) in enumerate(THREE))) == THREE
    assert calls_of(*(fragment(name, raw, id="call_0", index=0) for name, raw in THREE)) == THREE
    assert calls_of(*(fragment(name, raw, id="call_0") for name, raw in THREE)) == THREE


def test_id_and_name_in_each_piece_are_no_new_calls(calls_of: CallsOf) -> None:
    """B2"""
    pieces = [fragment("t", part, id="c", index=0) for part in ('{"a"', ":", "1}", "")]
    assert calls_of(*pieces) == [("t", '{"a":1}')]


def test_a_name_in_pieces_is_one_name(calls_of: CallsOf) -> None:
    """TU8"""
    assert calls_of(fragment("get_", "", id="c", index=0), fragment("order", "", index=0), fragment(None, "{}", index=0)) == [
        ("get_order", "{}")
    ]


def test_arguments_sent_as_an_object_are_read(calls_of: CallsOf) -> None:
    """TU8"""
    assert calls_of({"index": 0, "id": "c", "function": {"name": "t", "arguments": {"a": 1}}}) == [("t", '{"a": 1}')]


def test_a_stray_empty_fragment_is_no_call(calls_of: CallsOf) -> None:
    """TU8"""
    assert calls_of(fragment("t", "{}", id="c", index=0), fragment(None, "", index=1)) == [("t", "{}")]


def test_the_call_of_old_servers_is_read(server: Server) -> None:
    """TU8"""
    chunks = [chunk({"function_call": {"name": "t", "arguments": '{"a"'}}), chunk({"function_call": {"arguments": ": 1}"}})]
    (made,) = server.ask(stream(*chunks, chunk(finish="function_call"), DONE)).reply.calls
    assert (made.name, made.arguments) == ("t", '{"a": 1}')


def test_arguments_without_a_name_never_become_a_call(server: Server) -> None:
    """TU7"""
    said = server.ask(
        stream(chunk({"tool_calls": [fragment(None, '{"a": 1}', id="c", index=0)]}), chunk(finish="tool_calls"), DONE)
    )
    assert type(said.error) is EndpointBroken


def test_an_id_is_kept_if_it_is_usable_and_new() -> None:
    """B5"""
    assert unique_id("functions.get:0", set()) == "functions.get:0"
    for raw, used in (("", set()), ("a b", set()), ("x" * 65, set()), ("a", {"a"}), ("a\0", set())):
        ours = unique_id(raw, used | {"d00000000"})
        assert len(ours) == 9
        assert ours.isalnum()
        assert ours not in used
