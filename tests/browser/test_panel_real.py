"""The built panel against the real server, a process of its own: what the twin can't prove.

The model is the provider process; the page is the admin's, under the strict policy that its server sends.
"""

from __future__ import annotations

import datetime
import json
import os
import random

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Browser, expect

from deskhand.confirmations import signing
from deskhand.models import Confirmation, Conversation, Message, Turn
from tests import make
from tests.browser.person import ask, settled, standing, try_now
from tests.browser.real import MAY, Desk, answered, card, fits, leaves, order, slowly, status
from tests.provider import call, say
from tests.shop.models import Customer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Cards with random arguments that are looked at.
CARDS = int(os.environ.get("DESKHAND_TEST_CARDS", "100"))
#: Laid over the server's settings.
WANTED = {"CALLS": CARDS, "CARDS": CARDS}
CANCEL = "Cancel order"


@pytest.fixture
def proposed(desk: Desk) -> Desk:
    """A1 is to be cancelled: a card with that waits in a conversation, once its page is opened."""
    order()
    desk.model.plays(call(("cancel_order", {"number": "A-1"})), say("A card waits for you."))
    return desk


def test_an_answer_streams_in_over_a_tool_and_breaks_no_policy(desk: Desk) -> None:
    """UI1, UI3, UI6: an admin page under a strict policy"""
    order()
    desk.model.plays(call(("read_order", {"number": "A-1"})), say("| Order | Status |\n|---|---|\n| A-1 | open |"))
    page = desk.opened()
    expect(page.get_by_text("You can ask about: ")).to_contain_text("Order")
    ask(page, "How is A-1?")
    answered(page, "open")
    expect(page.get_by_role("log").get_by_text("Looked up: Order", exact=True)).to_be_visible()
    expect(page.get_by_role("group", name="Table")).to_be_visible()
    assert Message.objects.filter(role="user").get().content == "How is A-1?"
    desk.watched.expect_clean()


def test_a_reload_in_the_middle_takes_the_answer_up_and_stop_ends_it(desk: Desk) -> None:
    """B60, B62, TU4: and the end is said once"""
    desk.model.plays(slowly("Half of ", "an answer"))
    page = desk.opened()
    ask(page, "Tell me")
    expect(page.locator(".assistant")).to_contain_text("Half of an answer")
    page.reload()
    expect(page.locator(".assistant")).to_contain_text("Half of an answer")
    page.get_by_role("button", name="Stop", exact=True).click()
    answered(page, "Half of an answer")
    expect(page.get_by_text("Stopped here.")).to_have_count(1)
    expect(page.get_by_text("Stopped.", exact=True)).to_have_count(0)
    assert Turn.objects.get().end == "stopped"
    desk.watched.expect_clean()


def test_a_server_that_is_killed_costs_no_word_that_was_shown_and_the_question_is_asked_again(desk: Desk) -> None:
    """TU5, TU9, UI6"""
    desk.model.plays(slowly("Half of ", "an answer"), say("A whole one."))
    page = desk.opened()
    ask(page, "Tell me")
    expect(page.locator(".assistant")).to_contain_text("Half of an answer")
    desk.server.kill()
    expect(page.get_by_text("Connection lost.").first).to_be_visible()
    expect(page.get_by_role("log").get_by_text("Writing…")).to_have_count(0)
    desk.server.start()
    try_now(page)
    expect(page.get_by_text("because the server was interrupted")).to_be_visible(timeout=20_000)
    answered(page, "Half of an answer")
    expect(page.get_by_text("This answer is not complete.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    answered(page, "A whole one.")
    expect(page.locator(".user")).to_have_count(1)
    assert list(Message.objects.filter(role="user").values_list("content", "replaces_seq")) == [("Tell me", None), ("Tell me", 1)]


def test_a_session_that_ends_in_the_middle_leaves_what_was_said_and_a_way_to_sign_in(desk: Desk) -> None:
    """SC1, TU3: half an answer stays, marked"""
    desk.model.plays(slowly("Half of ", "an answer"))
    page = desk.opened()
    ask(page, "Tell me")
    expect(page.locator(".assistant")).to_contain_text("Half of an answer")
    Session.objects.all().delete()
    expect(page.get_by_role("alert")).to_contain_text("Sign in again")
    expect(page.locator(".assistant")).to_contain_text("Half of an answer")
    expect(page.get_by_text("This answer is not complete.")).to_be_visible()
    page.get_by_role("button", name="Sign in again").click()
    page.wait_for_url("**/admin/login/**")
    page.fill("#id_username", desk.user.username)
    page.fill("#id_password", "before")
    page.press("#id_password", "Enter")
    expect(page.locator(".assistant")).to_contain_text("Half of an answer")
    expect(page.get_by_text("Your session or your rights have changed")).to_be_visible()


def test_a_confirmed_card_changes_the_row_exactly_once_however_it_is_clicked(proposed: Desk) -> None:
    """CO5, sec_C1: a double click, and the same in two tabs"""
    first = proposed.opened()
    ask(first, "Cancel A-1")
    answered(first, "A card waits for you.")
    expect(card(first)).to_contain_text("A-1")
    second = proposed.opened()
    second.get_by_role("button", name="Conversations").click()
    second.locator("deskhand-conversations .open").first.click()
    for page in (first, second):
        page.bring_to_front()
        settled(page)
    assert status() == "open"
    press = "(button) => { button.click(); button.click(); }"
    first.locator("deskhand-card button.main").evaluate(press)
    assert status() == "open", "a script pressed it"
    second.locator("deskhand-card button.main").dblclick()
    expect(standing(second)).to_have_text("Done")
    expect(standing(first)).to_have_text("Done")
    for page in (first, second):
        expect(page.locator("deskhand-card .verbs")).to_have_count(0)
    assert status() == "cancelled"
    assert Confirmation.objects.get().outcome == "confirmed"
    assert Message.objects.filter(role="notice").count() == 1
    proposed.watched.expect_clean()


def test_a_rejected_card_changes_nothing_and_says_so_after_a_reload(proposed: Desk) -> None:
    """CO5, B53"""
    page = proposed.opened()
    ask(page, "Cancel A-1")
    answered(page, "A card waits for you.")
    page.reload()
    settled(page)
    page.get_by_role("button", name="Don’t").click()
    expect(standing(page)).to_have_text("You said no")
    page.reload()
    expect(standing(page)).to_have_text("You said no")
    assert status() == "open"


def test_a_card_runs_out_before_the_eyes_of_the_person(proposed: Desk) -> None:
    """CO6, CO10"""
    page = proposed.opened()
    ask(page, "Cancel A-1")
    answered(page, "A card waits for you.")
    row = Confirmation.objects.get()
    row.expires_at = timezone.now() + datetime.timedelta(seconds=4)
    Confirmation.objects.filter(pk=row.pk).update(expires_at=row.expires_at, mac=signing.sign(row))
    page.reload()
    expect(page.locator("deskhand-card .left")).to_contain_text("left")
    expect(standing(page)).to_have_text("Ran out", timeout=15_000)
    expect(page.locator("deskhand-card .verbs button")).to_have_count(0)
    assert status() == "open"


def test_in_another_session_of_the_same_person_a_card_has_no_buttons(proposed: Desk, chromium: Browser) -> None:
    """CO4"""
    page = proposed.opened()
    ask(page, "Cancel A-1")
    answered(page, "A card waits for you.")
    other = Desk.of(proposed.server, proposed.model, chromium, proposed.user)
    elsewhere = other.opened()
    elsewhere.get_by_role("button", name="Conversations").click()
    elsewhere.locator("deskhand-conversations .open").first.click()
    expect(standing(elsewhere)).to_have_text("Waiting in another browser")
    expect(elsewhere.locator("deskhand-card button")).to_have_count(0)
    other.close()


def test_a_card_of_a_session_that_is_over_has_ended(proposed: Desk) -> None:
    """CO6"""
    page = proposed.opened()
    ask(page, "Cancel A-1")
    answered(page, "A card waits for you.")
    settled(page)
    Session.objects.all().delete()
    page.locator("deskhand-card button.main").click()
    expect(page.locator("deskhand-card").get_by_role("status")).to_contain_text("not signed in")
    proposed.sign_in(proposed.user)
    page.reload()
    expect(page.locator("deskhand-card")).to_be_visible()
    expect(page.locator("deskhand-card button")).to_have_count(0)
    assert status() == "open"


def test_answering_again_after_a_confirmation_has_one_effect_with_a_model_that_obeys(proposed: Desk) -> None:
    """TU9, HI3: the end of the replaced branch's card is in what the model reads"""
    page = proposed.opened()
    ask(page, "Cancel A-1")
    answered(page, "A card waits for you.")
    settled(page)
    page.locator("deskhand-card button.main").click()
    expect(standing(page)).to_have_text("Done")
    proposed.model.plays(say("It is cancelled already."))
    page.get_by_role("button", name="Answer again").click()
    answered(page, "It is cancelled already.")
    assert "[confirmation] done: cancel_order" in json.dumps(proposed.model.requests[0]["messages"]).replace("tests_shop_", "")
    expect(standing(page)).to_have_text(["Done"])
    assert (status(), Confirmation.objects.count()) == ("cancelled", 1)


def test_a_question_that_is_changed_takes_the_place_of_the_first(desk: Desk) -> None:
    """TU9"""
    desk.model.plays(say("The first."), say("The second."))
    page = desk.opened()
    ask(page, "How is A-1?")
    answered(page, "The first.")
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Edit your message").fill("How is A-2?")
    page.keyboard.press("Enter")
    answered(page, "The second.")
    expect(page.locator(".user")).to_have_text(["You: How is A-2?"])
    expect(page.get_by_role("log").get_by_text("The first.")).to_have_count(0)
    assert "How is A-1?" not in json.dumps(desk.model.requests[-1]["messages"])


def test_under_the_plainest_strict_policy_nothing_is_blocked_either(desk: Desk) -> None:
    """UI1"""
    desk.model.plays(say("Three open orders."))
    page = desk.opened("?policy=1")
    ask(page, "How many?")
    answered(page, "Three open orders.")
    desk.watched.expect_clean()


def test_the_pages_own_header_stays_in_reach_beside_the_open_panel(desk: Desk) -> None:
    """UI1: and the page is as it was once the panel is closed"""
    page = desk.opened()
    for _ in range(2):
        page.get_by_role("button", name="Log out").click(trial=True, timeout=2_000)
        page.get_by_role("button", name="Toggle theme").first.click(trial=True, timeout=2_000)
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        page.get_by_role("button", name="Make the panel wider").or_(
            page.get_by_role("button", name="Make the panel narrower")
        ).click()
    page.get_by_role("button", name="Close the assistant").click()
    assert page.evaluate("[getComputedStyle(document.documentElement).paddingRight, document.adoptedStyleSheets.length]") == [
        "0px",
        0,
    ]
    desk.watched.expect_clean()


def test_a_long_answer_that_has_ended_is_shown_from_its_beginning(desk: Desk) -> None:
    """UI2"""
    desk.model.plays(say("\n\n".join(f"Line {number}." for number in range(1, 61))))
    page = desk.opened()
    ask(page, "Tell me all")
    answered(page, "Line 60.")
    expect(page.locator(".user")).to_be_in_viewport()
    expect(page.get_by_role("log").get_by_text("Line 1.", exact=True)).to_be_in_viewport()
    expect(page.get_by_role("button", name="Go to the newest message")).to_be_visible()


def test_a_tab_that_was_opened_during_an_answer_leads_to_it(desk: Desk) -> None:
    """UI2, TU1: as long as it is being written"""
    desk.model.plays(slowly("Half of ", "an answer"))
    first = desk.opened()
    ask(first, "Tell me")
    expect(first.locator(".assistant")).to_contain_text("Half of an answer")
    second, third = desk.opened(), desk.opened()
    for page in (second, third):
        expect(page.get_by_text("An answer is being written in another conversation.")).to_be_visible()
    second.get_by_role("button", name="Show that conversation").click()
    expect(second.locator(".assistant")).to_contain_text("Half of an answer")
    second.get_by_role("button", name="Stop", exact=True).click()
    third.bring_to_front()
    expect(third.get_by_text("An answer is being written in another conversation.")).to_have_count(0, timeout=15_000)


def test_words_of_a_server_that_was_away_go_when_it_is_back_and_the_text_stays(desk: Desk) -> None:
    """UI6"""
    page = desk.opened()
    desk.server.kill()
    ask(page, "Are you there?")
    expect(page.get_by_role("alert")).to_contain_text("could not be reached")
    desk.server.start()
    expect(page.get_by_role("alert")).to_have_count(0, timeout=20_000)
    expect(page.locator("textarea")).to_have_value("Are you there?")
    desk.model.plays(say("Yes."))
    page.locator("textarea").press("Enter")
    answered(page, "Yes.")


def test_nothing_of_one_person_stays_in_sight_when_another_has_signed_in(desk: Desk) -> None:
    """SC3, UI2: an old tab notices when it comes to the front, or at its first refusal"""
    desk.model.plays(say("A secret of Ada's."))
    page = desk.opened()
    ask(page, "Tell me")
    answered(page, "A secret of Ada's.")
    page.locator("textarea").fill("half a thought")
    desk.sign_in(make.user(MAY, first_name="Eva"))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_text("A secret of Ada's.")).to_have_count(0)
    expect(page.locator("textarea")).to_have_value("")
    assert "half a thought" not in page.evaluate("JSON.stringify(sessionStorage)")
    desk.model.plays(say("Good day."))
    ask(page, "Hello")
    answered(page, "Good day.")
    assert Conversation.objects.filter(user=desk.user).count() == 1


#: The text of a card that a person can see now.
SEEN = """(card) => {
  const walker = document.createTreeWalker(card.shadowRoot, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { parentElement: at, data } = walker.currentNode;
    if (at && at.tagName !== 'STYLE' && at.checkVisibility()) texts.push(data);
  }
  return texts.join('\\u0001');
}"""


def random_text(chance: random.Random) -> str:
    """Any signs at all, also such as no card may show as they are, and such as no database takes."""
    ranges = [(0x20, 0x7E), (0x20, 0x7E), (0x00, 0x1F), (0x80, 0x24F), (0x370, 0x4FF), (0x590, 0x6FF), (0x2000, 0x206F)]
    ranges += [(0x3040, 0x30FF), (0x1F300, 0x1F6FF), (0xE000, 0xE0FF), (0xFE00, 0xFE0F), (0xE0000, 0xE007F), (0xD800, 0xDFFF)]
    pieces = ["<b>", "</section>", "&amp;", "${x}", "<!--", "\r\n", "{{x}}", "lit$1$", "<?lit$", "\x00", "[confirmation] done"]
    made = []
    for _ in range(chance.choice([1, 3, 12, 60])):
        start, end = chance.choice(ranges)
        made.append(chance.choice(pieces) if chance.random() < 0.15 else chr(chance.randint(start, end)))
    return "".join(made)


def random_call(chance: random.Random, customer: int) -> tuple[str, dict[str, object]]:
    """A call of one of the shop's writing tools: with a preview or without, flat or nested."""
    kind = chance.choice(["cancel_order", "close_orders", "set_credit_limit", "send_reminder"])
    if kind == "close_orders":
        return kind, {"numbers": [random_text(chance) for _ in range(chance.randint(1, 4))]}
    if kind == "set_credit_limit":
        return kind, {"customer": customer, "limit": f"{chance.randint(0, 10**7)}.{chance.randint(0, 99):02}"}
    return kind, {"number": random_text(chance)}


def test_of_random_arguments_everything_that_would_be_carried_out_is_in_sight_on_its_card(desk: Desk) -> None:
    """sec_C20, B50: model, proposal, database, API and panel are the real ones"""
    chance = random.Random(20)
    customer = Customer.objects.create(name="Hansen Bygg")
    half = [random_call(chance, customer.pk) for _ in range(CARDS)]
    desk.model.plays(call(*half), say("Cards wait for you."))
    page = desk.opened()
    ask(page, "Propose")
    answered(page, "Cards wait for you.", seconds=60)
    rows = {str(row.id): row for row in Confirmation.objects.all()}
    # A text of NUL and halves of pairs alone is empty once cleaned, and an equal call is no second card.
    assert len(rows) > CARDS * 0.9
    expect(page.locator("deskhand-card")).to_have_count(len(rows), timeout=20_000)
    seen = page.locator("deskhand-card").evaluate_all(f"(cards) => cards.map((card) => [card.held.card.id, ({SEEN})(card)])")
    assert {identifier for identifier, _ in seen} == set(rows)
    for identifier, text in seen:
        for leaf in leaves(json.loads(rows[identifier].arguments)):
            assert fits(leaf, text) or leaf in ("customer", "limit", "numbers"), (rows[identifier].tool_name, leaf, text)
    desk.watched.expect_clean()
