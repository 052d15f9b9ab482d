"""What servers do to a stream, seen from both ends of a turn: the journal, the chat, the notices, and the requests that follow.

Each case of ``cases/reports.md`` (a) that speaks of more than the reader; the reader's own tests are in ``tests/endpoint``.
"""

from __future__ import annotations

import email.utils
import json
import time

import pytest

from deskhand.core.values import TurnEnd
from deskhand.models import AIRequest, Message, Turn
from tests.flows.conftest import Model
from tests.flows.steps import ends, kinds, notices, outcomes, results_of, texts, tool_rows
from tests.person import Person
from tests.provider import DONE, Reply, call, chunk, event, fragment, refuse, say, stream, usage
from tests.shop.models import Customer, Order

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def orders(clerk: Person) -> None:
    customer = Customer.objects.get()
    for number in ("2", "3"):
        Order.objects.create(number=f"A-{number}", customer=customer, note=f"note of {number}")


def asks(*fragments: dict[str, object], finish: str = "tool_calls") -> Reply:
    """A stream of these fragments of calls, one a chunk."""
    return stream(*(chunk({"tool_calls": [each]}) for each in fragments), chunk(finish=finish), usage(100, 10), DONE)


@pytest.mark.parametrize("arguments", ["", "  ", None])
def test_a_call_without_arguments_runs_once_with_none(clerk: Person, model: Model, arguments: str | None) -> None:
    """B1 (1, 2), TU8."""
    model.plays(asks(fragment("find_orders", arguments, id="c1", index=0)), say("Three."))
    conversation = clerk.converse()
    assert texts(clerk.hear(conversation, "Which?")) == "Three."
    asked = Message.objects.get(role="assistant", seq=2)
    assert [each["arguments"] for each in asked.tool_calls] == ["{}"]
    assert outcomes() == ["ok"]
    assert json.loads(sent_calls(model, 1)[0]["function"]["arguments"]) == {}


def test_a_call_with_broken_arguments_is_still_broken(clerk: Person, model: Model) -> None:
    """B1, B17."""
    model.plays(asks(fragment("find_orders", '{"q', id="c1", index=0)), say("Sorry."))
    clerk.hear(clerk.converse(), "Which?")
    assert outcomes() == ["invalid"]


def sent_calls(model: Model, request: int) -> list[dict[str, dict[str, str]]]:
    return [asked for message in model.requests[request]["messages"] for asked in message.get("tool_calls") or ()]  # type: ignore[attr-defined]


def test_three_calls_under_one_index_are_three_rows_in_order(clerk: Person, model: Model) -> None:
    """B2, TU8."""
    numbers = ["A-1", "A-2", "A-3"]
    model.plays(
        asks(*(fragment("read_order", json.dumps({"number": each}), id=f"p{at}", index=0) for at, each in enumerate(numbers))),
        say("Three."),
    )
    model.provider.strict(model.name)
    assert ends(clerk.hear(clerk.converse(), "All three")) == "answered"
    assert [json.loads(row.tool_result)["number"] for row in tool_rows()] == numbers
    assert [json.loads(each)["number"] for each in results_of(model, 1)] == numbers


def test_calls_without_an_index_are_told_apart(clerk: Person, model: Model) -> None:
    """B3, TU8."""
    pieces = ['{"num', 'ber": "', 'A-1"}']
    model.plays(
        asks(fragment("read_order", pieces[0], id="a"), *(fragment(None, each) for each in pieces[1:])),
        asks(
            fragment("read_order", '{"number": "A-2"}', id="b"),
            fragment("read_order", '{"number": "A-3"}', id="c"),
        ),
        asks(fragment("read_order", '{"number":', id="d", index=0), fragment(None, ' "A-1"}')),
        say("Done."),
    )
    assert ends(clerk.hear(clerk.converse(), "Read")) == "answered"
    assert [json.loads(row.tool_result)["number"] for row in tool_rows()] == ["A-1", "A-2", "A-3", "A-1"]


def test_an_id_that_comes_again_never_hides_or_mixes_up_a_call(clerk: Person, model: Model) -> None:
    """B5, TU8."""
    model.plays(
        asks(fragment("read_order", '{"number": "A-1"}', id="call_0", index=0)),
        asks(
            fragment("read_order", '{"number": "A-3"}', id="call_0", index=0),
            fragment("read_order", '{"number": "A-2"}', id="call_0", index=1),
        ),
        say("First."),
        asks(fragment("read_order", '{"number": "A-2"}', id="call_0", index=0)),
        say("Second."),
    )
    model.provider.strict(model.name)
    conversation = clerk.converse()
    assert texts(clerk.hear(conversation, "One, three and two")) == "First."
    assert texts(clerk.hear(conversation, "Two")) == "Second."
    assert [json.loads(row.tool_result)["number"] for row in tool_rows()] == ["A-1", "A-3", "A-2", "A-2"]
    assert "note of 2" in results_of(model, 4)[-1]
    ids = [asked["id"] for asked in sent_calls(model, 2)]
    assert len(ids) == len(set(ids)) == 3


def test_chunks_without_choices_cost_nothing_and_tokens_are_stored(clerk: Person, model: Model) -> None:
    """B7, ME9."""
    first = event({"choices": [], "prompt_filter_results": []})
    model.plays(stream(first, chunk({"content": "Well"}), chunk({"content": "."}), chunk(finish="stop"), usage(11, 5), DONE))
    conversation = clerk.converse()
    assert texts(clerk.hear(conversation, "?")) == "Well."
    row = AIRequest.objects.get()
    assert (row.input_tokens, row.output_tokens, row.is_estimated) == (11, 5, False)
    assert [clerk.messages(conversation)[-1][key] for key in ("input_tokens", "output_tokens")] == [11, 5]


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        (stream(event({"error": {"message": "quota exceeded"}}), DONE), ""),
        (
            stream(
                chunk({"content": "Half "}),
                chunk({"content": "said"}),
                event({"error": {"code": 502, "message": "upstream busy"}, "choices": []}),
                "close",
            ),
            "Half said",
        ),
        (stream(event({"error": "BOOM"}), DONE), ""),
    ],
)
def test_an_error_inside_a_stream_is_told_and_what_was_said_is_kept(clerk: Person, model: Model, reply: Reply, kept: str) -> None:
    """B8, TU7, TU8."""
    # Before the first byte it is tried again: three times the same.
    model.plays(reply)
    conversation = clerk.converse()
    told = clerk.hear(conversation, "Hello")
    assert ends(told) == "failed"
    assert len(notices(clerk, conversation)) == 1
    rows = [(row["content"], row["ending"]) for row in clerk.messages(conversation) if row["role"] == "assistant"]
    assert rows == ([(kept, "incomplete")] if kept else [])
    assert "quota" not in str(clerk.messages(conversation)) + str(told)
    assert AIRequest.objects.exclude(status="ok").count() == 1
    model.plays(say("Better."))
    assert texts(clerk.hear(conversation, "Again")) == "Better."


def test_an_answer_that_breaks_off_is_never_stored_as_whole(clerk: Person, model: Model) -> None:
    """B10 (1), B112, TU7."""
    model.plays(stream(chunk({"content": "The order "}), chunk({"content": "is"}), "close"))
    conversation = clerk.converse()
    assert ends(clerk.hear(conversation, "?")) == "failed"
    row = next(row for row in clerk.messages(conversation) if row["role"] == "assistant")
    assert (row["content"], row["ending"]) == ("The order is", "incomplete")
    assert AIRequest.objects.get().is_estimated


def test_half_a_call_never_runs(clerk: Person, model: Model) -> None:
    """B10 (2)."""
    model.plays(stream(chunk({"tool_calls": [fragment("read_order", '{"number": "A', id="a", index=0)]}), "close"))
    conversation = clerk.converse()
    assert ends(clerk.hear(conversation, "?")) == "failed"
    assert tool_rows() == []
    assert notices(clerk, conversation)


@pytest.mark.parametrize("arguments", ['{"number": "long tex', '{"number": "A-1"}'])
def test_a_call_that_was_cut_never_runs_and_the_model_hears_why(clerk: Person, model: Model, arguments: str) -> None:
    """B12, TU8."""
    model.plays(asks(fragment("read_order", arguments, id="a", index=0), finish="length"), say("Too long."))
    model.provider.strict(model.name)
    assert texts(clerk.hear(clerk.converse(), "?")) == "Too long."
    assert outcomes() == ["truncated"]
    assert "cut" in results_of(model, 1)[0].lower()
    assert "left at the gate" not in str(model.requests)


def test_a_model_whose_calls_are_always_cut_is_stopped_at_the_cap(clerk: Person, model: Model) -> None:
    """B12."""
    model.plays(asks(fragment("read_order", '{"number": "A-1"}', id="a", index=0), finish="length"))
    conversation = clerk.converse()
    assert ends(clerk.hear(conversation, "?")) == "capped"
    assert len(model.requests) == 8
    assert set(outcomes()) == {"truncated"}


def test_a_call_under_the_wrong_finish_reason_runs(clerk: Person, model: Model) -> None:
    """B14, TU8."""
    model.plays(asks(fragment("read_order", '{"number": "A-1"}', id="a", index=0), finish="stop"), say("At the gate."))
    assert texts(clerk.hear(clerk.converse(), "?")) == "At the gate."
    assert outcomes() == ["ok"]


def test_invented_and_forbidden_tools_read_the_same_and_the_valid_call_runs(clerk: Person, model: Model) -> None:
    """B15, TO3."""
    model.plays(
        call(
            ("delete_everything", {"sure": True}),
            ("read_order", {"number": "A-1"}),
            ("count_customers", {}),
            ("READ_ORDER", {"number": "A-1"}),
        ),
        say("Only one."),
    )
    model.provider.strict(model.name)
    conversation = clerk.converse()
    told = clerk.hear(conversation, "?")
    assert texts(told) == "Only one."
    assert outcomes() == ["unknown", "ok", "denied", "unknown"]
    results = results_of(model, 1)
    assert results[0] == results[2] == results[3]
    shown = [row["tool"] for row in clerk.messages(conversation) if row["tool"]]
    assert shown[0]["summary"] == shown[2]["summary"] == shown[3]["summary"]  # type: ignore[index]


def test_arguments_that_are_no_object_never_run_and_the_chat_can_be_told_again(clerk: Person, model: Model) -> None:
    """B17."""
    wrong = ["[]", "null", "42", '"x"', '{"number": "A-1", "colour": "red"}', '{"number": 5}']
    model.plays(*(call(("read_order", each)) for each in wrong), say("I give up."), say("Hello."))
    model.provider.strict(model.name)
    conversation = clerk.converse()
    assert texts(clerk.hear(conversation, "?")) == "I give up."
    assert outcomes() == ["invalid"] * len(wrong)
    assert texts(clerk.hear(conversation, "Hi")) == "Hello."


def test_a_call_written_as_text_never_runs_and_is_no_example_for_the_next_turn(clerk: Person, model: Model) -> None:
    """B18."""
    markup = '<tool_call>{"name":"read_order","arguments":{"number":"A-1"}}</tool_call>'
    model.plays(stream(chunk({"content": markup}), chunk(finish="stop"), DONE), say("Fine."))
    conversation = clerk.converse()
    clerk.hear(conversation, "?")
    assert tool_rows() == []
    assert texts(clerk.hear(conversation, "Now?")) == "Fine."
    assert "<tool_call>" not in json.dumps(model.requests[1])


def test_thoughts_in_the_text_are_never_seen_at_any_moment(clerk: Person, model: Model) -> None:
    """B19 (1)."""
    pieces = ["<thi", "nk>sec", "ret</th", "ink>An", "swer"]
    model.plays(stream(*(part for each in pieces for part in (chunk({"content": each}), 0.02)), chunk(finish="stop"), DONE))
    conversation = clerk.converse()
    told = clerk.hear(conversation, "?")
    so_far = ""
    for _, kind, payload in told:
        so_far += str(payload["text"]) if kind == "text" else ""
        assert "Answer".startswith(so_far)
    assert clerk.messages(conversation)[-1]["content"] == so_far == "Answer"
    assert "secret" not in str(told)


def test_a_code_sample_about_thinking_stays_whole(clerk: Person, model: Model) -> None:
    """B19 (3)."""
    model.plays(say("Write `<think>x</think>` in the template"))
    conversation = clerk.converse()
    clerk.hear(conversation, "?")
    assert clerk.messages(conversation)[-1]["content"] == "Write `<think>x</think>` in the template"


def test_reasoning_goes_back_with_the_calls_and_never_to_the_next_turn(clerk: Person, model: Model) -> None:
    """B20."""
    model.plays(
        stream(
            chunk({"reasoning_content": "let me "}),
            chunk({"reasoning_content": "see"}),
            chunk({"tool_calls": [fragment("read_order", '{"number": "A-1"}', id="a", index=0)]}),
            chunk(finish="tool_calls"),
            DONE,
        ),
        say("At the gate."),
        say("Yes."),
    )
    model.provider.strict(model.name, reasoning=True)
    conversation = clerk.converse()
    told = clerk.hear(conversation, "?")
    assert texts(told) == "At the gate."
    assert "let me see" not in str(told) + str(clerk.messages(conversation))
    assert "let me see" in json.dumps(model.requests[1])
    clerk.hear(conversation, "Sure?")
    assert "let me see" not in json.dumps(model.requests[2])


def test_characters_that_come_byte_by_byte_are_whole_everywhere(clerk: Person, model: Model) -> None:
    """B24."""
    text = "Žluťoučký 北京 🌍"
    raw = event({"choices": [{"index": 0, "delta": {"content": text}}]}).replace(b"\n", b"\r\n")
    raw = raw.replace(json.dumps(text)[1:-1].encode(), text.encode())
    model.plays(Reply([("bytes", raw), ("send", chunk(finish="stop")), ("send", DONE)]))
    conversation = clerk.converse()
    assert texts(clerk.hear(conversation, "?")) == text
    assert clerk.messages(conversation)[-1]["content"] == text
    assert Message.objects.get(role="assistant").content == text


def test_halves_of_a_character_are_joined_and_lone_ones_are_cut(clerk: Person, model: Model) -> None:
    """B25, ME7."""
    raw = [
        b'data: {"choices":[{"index":0,"delta":{"content":"%b"}}]}\n\n' % half for half in (rb"\ud83d", rb"\ude00", rb" \udc81!")
    ]
    model.plays(
        asks(fragment("read_order", '{"number": "A-1\udc81"}', id="a", index=0)),
        stream(*(part for each in raw for part in (each, 0.02)), chunk(finish="stop"), DONE),
        say("Next."),
    )
    conversation = clerk.converse()
    assert texts(clerk.hear(conversation, "\udc81Which?")) == "\U0001f600 !"
    assert clerk.messages(conversation)[0]["content"] == "Which?"
    assert clerk.messages(conversation)[-1]["content"] == "\U0001f600 !"
    assert outcomes() == ["ok"]
    assert texts(clerk.hear(conversation, "And?")) == "Next."


def test_nul_is_cut_everywhere_and_nothing_is_lost(clerk: Person, model: Model) -> None:
    """B26, ME7."""
    Order.objects.filter(number="A-2").delete()
    model.plays(
        call(("read_order", {"number": "A-\x001"}), ("no\x00tool", {}), ("find_orders", {"status": "x\x00y"})),
        stream(chunk({"content": "ab\x00cd"}), chunk(finish="stop"), DONE),
    )
    conversation = clerk.converse()
    told = clerk.hear(conversation, "ask\x00ed")
    assert texts(told) == "abcd"
    assert [row["content"] for row in clerk.messages(conversation) if row["role"] != "tool"] == ["asked", "", "abcd"]
    assert outcomes() == ["ok", "unknown", "ok"]
    assert "\x00" not in str(list(Message.objects.values_list("tool_calls", "tool_name", "tool_result"))) + str(model.requests[1])


def test_a_server_that_asks_to_wait_is_waited_for_once(clerk: Person, model: Model) -> None:
    """B28 (1, 2), TU7."""
    soon = email.utils.formatdate(time.time() + 1, usegmt=True)
    for after in ("1", soon):
        model.plays(refuse(429, Retry_After=after), say("Here."))
        conversation = clerk.converse()
        began = time.monotonic()
        told = clerk.hear(conversation, "?")
        assert time.monotonic() - began < 25
        assert texts(told) == "Here."
        assert "waiting" in kinds(told)
        assert len(model.requests) == 2
        assert [row["role"] for row in clerk.messages(conversation)] == ["user", "assistant"]
    assert AIRequest.objects.filter(status="ok").count() == AIRequest.objects.count() == 2


def test_a_server_that_asks_to_wait_for_long_is_told_at_once(clerk: Person, model: Model) -> None:
    """B28 (3)."""
    model.plays(refuse(429, Retry_After="3600"))
    conversation = clerk.converse()
    began = time.monotonic()
    assert ends(clerk.hear(conversation, "?")) == "failed"
    assert time.monotonic() - began < 25
    assert notices(clerk, conversation) == ["endpoint_limited"]
    assert len(model.requests) == 1
    assert [row.status for row in AIRequest.objects.all()] == ["rate_limited"]


@pytest.mark.parametrize(
    ("reply", "most", "notice"),
    [
        (refuse(429), 3, "endpoint_limited"),
        (refuse(500), 3, "endpoint"),
        (refuse(401, {"message": "Invalid key sk-test-SECRET123"}), 1, "endpoint_denied"),
    ],
)
def test_a_server_that_refuses_is_asked_a_few_times_and_the_message_is_kept_once(
    clerk: Person, model: Model, reply: Reply, most: int, notice: str
) -> None:
    """B28 (4), B127, sec_J1, TU7."""
    model.plays(reply)
    conversation = clerk.converse()
    told = clerk.hear(conversation, "?")
    assert notices(clerk, conversation) == [notice]
    assert len(model.requests) == most
    assert [row["role"] for row in clerk.messages(conversation)] == ["user", "notice"]
    assert "SECRET123" not in str(told) + str(clerk.messages(conversation)) + str(list(Message.objects.values()))
    assert AIRequest.objects.count() == 1


def test_one_huge_result_never_kills_the_chat(clerk: Person, model: Model) -> None:
    """B29, sec_L4."""
    Order.objects.filter(number="A-1").update(note="x" * 2_000_000)
    model.plays(call(("read_order", {"number": "A-1"})), say("Long."), say("Fine."))
    model.provider.strict(model.name, most_bytes=200_000)
    conversation = clerk.converse()
    assert texts(clerk.hear(conversation, "?")) == "Long."
    assert len(results_of(model, 1)[0]) <= 24_000
    assert "part" in results_of(model, 1)[0][-200:]
    assert texts(clerk.hear(conversation, "And now?")) == "Fine."


@pytest.mark.parametrize(
    "shape",
    [
        [("read_order", {"number": "A-1"})],
        [("read_order", {"number": "A-1"}), ("find_orders", {})],
        [("read_order", {"number": "none"})],
    ],
)
def test_a_model_that_never_ends_is_stopped_at_the_cap(clerk: Person, model: Model, shape: list[tuple[str, object]]) -> None:
    """B32, sec_L1."""
    model.plays(*(call(shape[number % len(shape)]) for number in range(20)))
    conversation = clerk.converse()
    assert ends(clerk.hear(conversation, "?")) == "capped"
    assert notices(clerk, conversation) == ["rounds"]
    assert len(model.requests) == 8
    assert AIRequest.objects.filter(input_tokens=100).count() == 8
    model.plays(say("Fine."))
    assert texts(clerk.hear(conversation, "And now?")) == "Fine."


def test_as_many_results_as_calls_in_the_same_order(clerk: Person, model: Model) -> None:
    """B33."""
    model.plays(
        call(("read_order", {"number": "A-2"}), ("read_order", {"number": "none"}), ("cancel_order", {"number": "A-1"})),
        say("Done."),
    )
    model.provider.strict(model.name)
    assert texts(clerk.hear(clerk.converse(), "?")) == "Done."
    results = results_of(model, 1)
    assert len(results) == 3
    assert "note of 2" in results[0]
    assert "no order with that number" in results[1]
    assert Order.objects.get(number="A-1").status == "open"


def test_a_turn_that_was_stopped_before_its_first_word_leaves_nothing_empty_behind(clerk: Person, model: Model) -> None:
    """B31, B112."""
    model.plays(Reply(wait_seconds=-1))
    conversation = clerk.converse()
    turn = str(clerk.say(conversation, "?").json["turn"])
    model.provider.wait_for(model.name, 1)
    clerk.ask("POST", f"turns/{turn}/stop", {})
    assert [row["role"] for row in clerk.messages(conversation)] == ["user", "notice"]
    row = AIRequest.objects.get()
    assert (row.status, row.cost_micro_usd, row.output_tokens) == ("stopped", None, None)
    model.plays(say("Here."))
    model.provider.strict(model.name)
    assert texts(clerk.hear(conversation, "Again")) == "Here."
    assert Turn.objects.get(id=turn).end == TurnEnd.STOPPED


def test_cached_tokens_are_charged_once(clerk: Person, model: Model, settings: object) -> None:
    """B108, LI3: 200 at 10, 800 at 1 and 100 at 30 are 5,800 micro-USD."""
    endpoint = {
        **settings.DESKHAND["ENDPOINTS"]["test"],
        "PRICES": {"input": 10_000_000, "cached": 1_000_000, "output": 30_000_000},
    }  # type: ignore[attr-defined]
    settings.DESKHAND = {**settings.DESKHAND, "ENDPOINTS": {"test": endpoint}}  # type: ignore[attr-defined]
    counted = usage(1000, 100, prompt_tokens_details={"cached_tokens": 800})
    model.plays(stream(chunk({"content": "Well."}), chunk(finish="stop"), counted, DONE))
    conversation = clerk.converse()
    clerk.hear(conversation, "?")
    assert AIRequest.objects.get().cost_micro_usd == 5_800
    assert clerk.messages(conversation)[-1]["cost_micro_usd"] == 5_800


@pytest.mark.parametrize(
    "counted",
    [(), ({"usage": None},), ({"usage": {"prompt_tokens": 0, "completion_tokens": 0}},)],
)
def test_usage_that_the_server_does_not_tell_is_estimated_and_never_zero(
    clerk: Person, model: Model, counted: tuple[dict[str, object], ...]
) -> None:
    """B119, ME9."""
    model.plays(
        stream(chunk({"content": "Well."}), chunk(finish="stop"), *(event({"choices": [], **each}) for each in counted), DONE)
    )
    clerk.hear(clerk.converse(), "?")
    row = AIRequest.objects.get()
    assert row.is_estimated
    assert row.input_tokens
    assert row.output_tokens
    assert row.cost_micro_usd is None


def test_a_server_that_sends_a_byte_now_and_then_is_ended_by_the_turns_time(
    clerk: Person, model: Model, settings: object
) -> None:
    """sec_J3, TU3."""
    settings.DESKHAND = {**settings.DESKHAND, "TURN_SECONDS": 0.5}  # type: ignore[attr-defined]
    drops = [part for _ in range(100) for part in (b": ", 0.1)]
    model.plays(stream(chunk({"content": "Slowly "}), *drops))
    conversation = clerk.converse()
    began = time.monotonic()
    assert ends(clerk.hear(conversation, "?")) == "capped"
    assert time.monotonic() - began < 5
    assert notices(clerk, conversation) == ["time"]
    model.provider.wait_for(model.name, 1, closed=True)


def test_a_browser_that_leaves_at_any_event_never_ends_the_turn(clerk: Person, model: Model) -> None:
    """sec_J5, TU4, B66: the same key again is the same turn, and its text is told once."""
    model.plays(call(("read_order", {"number": "A-1"})), say("Left at the gate, I read."))
    conversation = clerk.converse()
    whole = clerk.hear(conversation, "?")
    turn = str(clerk.messages(conversation)[0]["turn"])
    for leaves_after in range(len(whole) + 1):
        heard: list[tuple[int, str, dict[str, object]]] = []
        for told in clerk.follow(turn):
            if len(heard) == leaves_after:
                break
            heard.append(told)
        after = heard[-1][0] if heard else 0
        rest = list(clerk.follow(turn, after=after))
        assert texts([*heard, *rest]) == texts(whole)
        assert kinds(rest)[-1] == "done"
