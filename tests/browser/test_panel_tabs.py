"""Several tabs, several browsers, and a network that comes and goes: one tab leads, all show the same, and no word is lost.

Most of it is against the twin, whose list of requests says how many streams were asked for; what needs sessions and rights is against
the real server.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, Page, expect

from deskhand.models import Turn
from tests import make
from tests.browser.conftest import Twin
from tests.browser.person import CONFIRM, ask, finished, line, proposed, standing, try_now, verdicts
from tests.browser.real import MAY, Desk, answered, slowly
from tests.browser.watched import Watched
from tests.provider import DONE, Reply, chunk, stream

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LINES = 60


def joined(page: Page) -> Page:
    """Afterwards that tab shows the answer that is being written elsewhere."""
    page.get_by_role("button", name="Show that conversation").click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    return page


def begun(watched: Watched, twin: Twin, tabs: int) -> list[Page]:
    """So many tabs that show the same long answer, which is under way. The first has asked."""
    twin.control(pieceMs=60)
    first = watched.opened()
    ask(first, "a long answer")
    expect(line(first, 1)).to_be_visible()
    return [first, *(joined(watched.opened()) for _ in range(tabs - 1))]


def whole(page: Page, twin: Twin) -> None:
    """Returns once the long answer stands there to its end, each line of it once and in order."""
    twin.control(pieceMs=1)
    finished(page)
    lines = page.locator(".answer p")
    expect(lines).to_have_text([f"Line {number} of a long answer." for number in range(1, LINES + 1)])


def streams(twin: Twin) -> int:
    """How many streams the browser has asked for."""
    return len(twin.requests("GET", "/stream"))


def until(page: Page, holds: Callable[[], bool], seconds: float = 10) -> None:
    """Returns once it holds."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, f"not within {seconds} s"
        page.wait_for_timeout(50)


def said_lost(page: Page) -> None:
    """Returns once that tab says that the connection is lost, and what it does about it."""
    expect(page.locator("deskhand-composer .link")).to_contain_text("Connection lost. Trying again")


def test_three_tabs_hold_one_stream_and_show_the_same(browser_context: Watched, twin: Twin) -> None:
    """UI6, TU4: each event once and in order, also in a tab that came late"""
    pages = begun(browser_context, twin, 3)
    for page in pages:
        expect(line(page, 1)).to_be_visible()
        expect(line(page, 5)).to_be_visible()
    for page in pages:
        whole(page, twin)
    assert streams(twin) == 1
    browser_context.expect_clean()


def test_the_answer_goes_on_in_the_others_when_the_tab_that_leads_is_closed(browser_context: Watched, twin: Twin) -> None:
    """UI6, TU4"""
    first, second, third = begun(browser_context, twin, 3)
    first.close()
    for page in (second, third):
        whole(page, twin)
    assert streams(twin) == 2
    browser_context.expect_clean()


def test_a_reload_of_the_tab_that_leads_shows_the_same_in_all(browser_context: Watched, twin: Twin) -> None:
    """UI6, B62"""
    first, second = begun(browser_context, twin, 2)
    first.reload()
    for page in (first, second):
        whole(page, twin)
    assert streams(twin) == 2
    browser_context.expect_clean()


def test_a_tab_that_sleeps_never_starves_the_others(browser_context: Watched, twin: Twin) -> None:
    """UI6: the lead is taken from it, and it has everything when it wakes"""
    first, second = begun(browser_context, twin, 2)
    sleeper = browser_context.context.new_cdp_session(first)
    sleeper.send("Debugger.enable")
    sleeper.send("Debugger.pause")
    until(second, lambda: streams(twin) == 2)
    before = second.locator(".answer p").count()
    until(second, lambda: second.locator(".answer p").count() > before)
    sleeper.send("Debugger.resume")
    sleeper.send("Debugger.disable")
    for page in (first, second):
        whole(page, twin)
    browser_context.expect_clean()


def test_offline_in_the_middle_of_an_answer_is_said_in_every_tab_and_all_of_it_is_there_when_the_network_is_back(
    browser_context: Watched, twin: Twin
) -> None:
    """UI6, B66"""
    pages = begun(browser_context, twin, 2)
    browser_context.context.set_offline(True)
    for page in pages:
        said_lost(page)
        expect(page.get_by_role("button", name="Try now")).to_be_visible()
        expect(line(page, 1)).to_be_visible()
    browser_context.context.set_offline(False)
    for page in pages:
        expect(page.locator("deskhand-composer .link")).to_have_count(0)
        whole(page, twin)
    assert len(twin.requests("POST", "/turns")) == 1


def test_try_now_works_in_a_tab_that_does_not_lead(browser_context: Watched, twin: Twin) -> None:
    """UI6"""
    _, second = begun(browser_context, twin, 2)
    twin.control(cut=1, cutAfter=1, refuse=1_000)
    # The waits grow: after the third attempt there are seconds to wait, which nobody has to sit out.
    expect(second.locator("deskhand-composer .link")).to_contain_text(re.compile("in [3-9] seconds"), timeout=15_000)
    asked = streams(twin)
    try_now(second)
    until(second, lambda: streams(twin) > asked, seconds=2)
    twin.control(refuse=0)
    try_now(second)
    whole(second, twin)


def test_a_tab_out_of_sight_gives_the_lead_to_one_in_sight_while_the_connection_is_lost(
    browser_context: Watched, twin: Twin
) -> None:
    """UI6: a browser slows the clocks of hidden tabs, and the next attempt goes by the clock"""
    first, second = begun(browser_context, twin, 2)
    asked: list[Page | None] = []
    browser_context.context.on("request", lambda one: asked.append(one.frame.page) if "/stream?" in one.url else None)
    first.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })")
    twin.control(cut=1, cutAfter=1, refuse=1_000)
    until(second, lambda: second in asked)
    twin.control(refuse=0)
    try_now(second)
    for page in (first, second):
        whole(page, twin)


def test_offline_before_sending_keeps_the_text_and_says_what_to_do(browser_context: Watched, twin: Twin) -> None:
    """UI6, B66: and one turn comes of it, however often it is sent"""
    page = browser_context.opened()
    browser_context.context.set_offline(True)
    ask(page, "hello")
    expect(page.get_by_role("alert")).to_contain_text("The server could not be reached. Check your connection and try again.")
    expect(page.get_by_role("alert")).to_contain_text("Your text is still here.")
    expect(page.locator("textarea")).to_have_value("hello")
    browser_context.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("textarea")).to_have_value("hello")
    page.locator("textarea").press("Enter")
    finished(page)
    expect(page.locator("textarea")).to_have_value("")
    assert len(twin.requests("POST", "/turns")) == 1


def test_offline_at_a_click_on_a_card_is_asked_about_when_the_network_is_back_and_never_guessed(
    browser_context: Watched, twin: Twin
) -> None:
    """CO5, UI6"""
    page = proposed(browser_context)
    browser_context.context.set_offline(True)
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text("Asking the server…")
    expect(page.locator("deskhand-card .said")).to_contain_text("The connection broke.")
    browser_context.context.set_offline(False)
    expect(page.locator("deskhand-card .said")).to_contain_text("The server has not carried it out so far.")
    page.wait_for_timeout(750)
    page.get_by_role("button", name=CONFIRM).click()
    expect(standing(page)).to_have_text("Done")
    assert verdicts(twin) == ["confirm"]


def furnished(watched: Watched, twin: Twin, notice: str, words: str) -> Page:
    """A tab with a conversation whose only answer ended with that notice."""
    rows = [["user", "Tell me"], {"role": "notice", "notice": notice, "content": words}]
    twin.control(conversations=[{"title": "Tell me", "rows": rows}])
    page = watched.opened()
    page.get_by_role("button", name="Conversations").click()
    page.locator("deskhand-conversations .open").click()
    expect(page.get_by_role("log").get_by_text(words)).to_be_visible()
    return page


@pytest.mark.parametrize("notice", ["died", "restarted", "off"])
def test_an_answer_that_the_server_broke_off_can_be_asked_for_again(browser_context: Watched, twin: Twin, notice: str) -> None:
    """TU5"""
    page = furnished(browser_context, twin, notice, "The answer was ended. Your message is kept.")
    page.get_by_role("button", name="Try again").click()
    finished(page)
    expect(page.locator(".user")).to_have_count(1)


def test_a_message_at_which_the_server_crashes_says_so_and_never_lures_again(browser_context: Watched, twin: Twin) -> None:
    """TU5, UI4: the sentence stands where the button stood, and is read out; other words are free"""
    words = (
        "The server was interrupted each time it worked on this message. Please word it differently, or tell your administrator."
    )
    page = furnished(browser_context, twin, "died", "The answer broke off.")
    twin.control(refuseStarts={"status": 409, "code": "crashed_too_often", "message": words})
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("log").get_by_text(words)).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("log")).to_be_focused()
    expect(page.locator("[aria-live=polite]")).to_contain_text(words)
    twin.control(refuseStarts=None)
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Edit your message").fill("Tell me in other words")
    page.get_by_label("Edit your message").press("Enter")
    finished(page)
    expect(page.get_by_role("log").get_by_text(words)).to_have_count(0)


def test_an_assistant_that_is_switched_off_keeps_the_text_and_is_not_taken_for_a_lost_connection(
    browser_context: Watched, twin: Twin
) -> None:
    """UI6, TU1"""
    words = "The assistant is switched off at the moment. Please try again later."
    twin.control(refuseStarts={"status": 503, "code": "switched_off", "message": words})
    page = browser_context.opened()
    ask(page, "hello")
    expect(page.get_by_role("alert")).to_contain_text(words)
    expect(page.locator("textarea")).to_have_value("hello")
    # A look at the server, which answers, does not take the sentence away.
    with page.expect_response("**/state"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("alert")).to_contain_text(words)
    twin.control(refuseStarts=None)
    page.locator("textarea").press("Enter")
    finished(page)


def asked_streams(desk: Desk) -> list[str]:
    """Grows by each stream that this browser asks for."""
    asked: list[str] = []
    desk.watched.context.on("request", lambda request: asked.append(request.url) if "/stream?" in request.url else None)
    return asked


def no_turn_runs() -> bool:
    """Whether each turn has its end."""
    return not Turn.objects.filter(ended_at=None).exists()


def counting(upto: int, pause_seconds: float) -> Reply:
    """An answer that counts, one number after each pause."""
    steps = [step for number in range(1, upto + 1) for step in (chunk({"content": f"{number} "}), pause_seconds)]
    return stream(*steps, chunk(finish="stop"), DONE)


def test_stop_in_another_browser_ends_the_answer_in_all_tabs_of_each(desk: Desk, chromium: Browser) -> None:
    """TU4: one stream in each browser"""
    desk.model.plays(slowly("Half of ", "an answer"))
    asked = asked_streams(desk)
    first = desk.opened()
    ask(first, "Tell me")
    expect(first.locator(".assistant")).to_contain_text("Half of an answer")
    second = joined(desk.opened())
    other = Desk.of(desk.server, desk.model, chromium, desk.user)
    third = joined(other.opened())
    for page in (second, third):
        expect(page.locator(".assistant")).to_contain_text("Half of an answer")
    assert len(asked) == 1
    third.get_by_role("button", name="Stop", exact=True).click()
    for page in (first, second, third):
        expect(page.get_by_text("Stopped here.")).to_be_visible()
        answered(page, "Half of an answer")
    assert len(asked) == 1
    desk.watched.expect_clean()
    other.watched.expect_clean()
    other.close()
    assert Turn.objects.get().end == "stopped"


def test_of_the_real_servers_events_none_is_lost_or_doubled_when_the_lead_passes_on(desk: Desk) -> None:
    """UI6, TU4: over a closed tab, and a network that was away"""
    desk.model.plays(counting(40, 0.1))
    first = desk.opened()
    ask(first, "Count")
    expect(first.locator(".assistant")).to_contain_text("1 2 3")
    second = joined(desk.opened())
    first.close()
    expect(second.locator(".assistant")).to_contain_text("12 13")
    desk.watched.context.set_offline(True)
    said_lost(second)
    desk.watched.context.set_offline(False)
    answered(second, " ".join(str(number) for number in range(1, 41)))
    expect(second.locator(".answer")).to_have_text(" ".join(str(number) for number in range(1, 41)))


def test_a_session_that_ends_cuts_every_tab_and_each_says_so(desk: Desk) -> None:
    """SC2, UI6: rights are asked for the one stream, and all learn"""
    desk.model.plays(slowly("Half of ", "an answer"))
    first = desk.opened()
    ask(first, "Tell me")
    expect(first.locator(".assistant")).to_contain_text("Half of an answer")
    second = joined(desk.opened())
    Session.objects.all().delete()
    for page in (first, second):
        expect(page.get_by_role("alert")).to_contain_text("Sign in again", timeout=10_000)
        expect(page.locator(".assistant")).to_contain_text("Half of an answer")
    until(first, no_turn_runs)


def test_nothing_of_a_running_answer_stays_in_any_tab_when_another_person_has_signed_in(desk: Desk) -> None:
    """SC3, UI6"""
    desk.model.plays(slowly("A secret ", "of Ada's"))
    first = desk.opened()
    ask(first, "Tell me")
    expect(first.locator(".assistant")).to_contain_text("A secret of Ada's")
    second = joined(desk.opened())
    desk.sign_in(make.user(MAY, first_name="Eva"))
    third = desk.opened()
    expect(third.get_by_role("button", name="Show that conversation")).to_have_count(0)
    Session.objects.exclude(session_key=desk.session_ref).delete()
    for page in (first, second, third):
        expect(page.get_by_text("A secret of Ada's")).to_have_count(0, timeout=15_000)
    until(first, no_turn_runs)
