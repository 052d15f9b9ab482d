"""The demo's writing tools: what their cards show, what a click does, and what is refused."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db.models import F

from demo.wholesale import outbox
from demo.wholesale.models import Customer, Invoice, Note, Order, OrderLine, Payment, Product, Return, Stock, StockCorrection
from deskhand.confirmations import clicking, reading
from deskhand.core.values import Outcome, ToolCall
from deskhand.models import Confirmation
from deskhand.testing import run_turn, scope_of, script, sign_in
from deskhand.tools import ToolError


class Desk:
    """One of the logins at work: proposes by a scripted model, looks at the card, clicks."""

    def __init__(self, login: str) -> None:
        self.user = get_user_model().objects.get(username=login)
        self.session_ref = sign_in(self.user)
        self.told = ""

    def propose(self, tool: str, **arguments: object) -> Confirmation | None:
        """The card, or none; what the model heard is in ``told``."""
        seen = set(Confirmation.objects.values_list("id", flat=True))
        call = ToolCall("c1", tool, json.dumps(arguments, default=str))
        ran = run_turn(self.user, "Please", script(call, "It waits."), session_ref=self.session_ref)
        self.told = ran.requests[1].rounds[0].results[0]
        return Confirmation.objects.exclude(id__in=seen).first()

    def card(self, tool: str, **arguments: object) -> dict[str, Any]:
        """What the person sees of the proposal."""
        proposed = self.propose(tool, **arguments)
        assert proposed is not None, self.told
        return reading.card(scope_of(self.user, self.session_ref), proposed.id)

    def click(self, card: dict[str, Any]) -> Outcome:
        return clicking.confirm(scope_of(self.user, self.session_ref), Confirmation.objects.get(id=card["id"]).id)

    def refused(self, tool: str, **arguments: object) -> str:
        """What the model hears of a proposal that can't be made."""
        assert self.propose(tool, **arguments) is None
        return self.told


@pytest.fixture
def clerk() -> Desk:
    return Desk("clerk")


@pytest.fixture
def accountant() -> Desk:
    return Desk("accountant")


@pytest.fixture
def owner() -> Desk:
    return Desk("owner")


def changes(card: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Field → before and after."""
    return {each["field"]: (each["before"], each["after"]) for each in card["changes"]}


def order_with(status: str) -> Order:
    """An order of that status, made so if there is none left."""
    found = Order.objects.filter(status=status).order_by("pk").first()
    assert found is not None
    return found


def unpaid_invoice(today: datetime.date) -> Invoice:
    """An overdue invoice of which nothing was paid."""
    found = Invoice.objects.overdue(today).filter(paid=0).order_by("pk").first()
    assert found is not None
    return found


def sent_line() -> OrderLine:
    """A line of a delivered order from which nothing came back, of at least three pieces."""
    lines = OrderLine.objects.filter(order__status="delivered", order__returns__isnull=True, quantity__gte=3)
    found = lines.select_related("order", "product").order_by("pk").first()
    assert found is not None
    return found


def test_an_orders_status_moves_on_by_a_click(clerk: Desk) -> None:
    order = order_with("confirmed")
    card = clerk.card("change_order_status", order=order.number, status="packed")
    assert card["title"] == f"Mark order {order.number} of {order.customer.name} as packed"
    assert (card["verb"], changes(card)) == ("Mark as packed", {"Status": ("Confirmed", "Packed")})
    assert card["object"]["url"] == f"/admin/wholesale/order/{order.pk}/change/"
    assert card["arguments"] == [{"name": "order", "value": order.number}, {"name": "status", "value": "packed"}]
    order.refresh_from_db()
    assert order.status == "confirmed"
    assert [clerk.click(card), clerk.click(card)] == [Outcome.CONFIRMED] * 2
    order.refresh_from_db()
    assert order.status == "packed"


def test_a_shipped_order_gets_its_invoice_which_the_card_tells_beforehand(clerk: Desk, today: datetime.date) -> None:
    order = order_with("packed")
    card = clerk.card("change_order_status", order=order.number, status="shipped")
    due = today + datetime.timedelta(days=order.customer.payment_days)
    assert card["touches"] == [f"An invoice of {order.total} EUR is made, due on {due}."]
    assert clerk.click(card) is Outcome.CONFIRMED
    invoice = Invoice.objects.get(order=order)
    assert (invoice.total, invoice.due_on, invoice.customer) == (order.total, due, order.customer)
    assert int(invoice.number[4:]) == Invoice.objects.count() + 5000


@pytest.mark.parametrize(
    ("status", "wanted", "words"),
    [
        ("delivered", "cancelled", "can't become cancelled. It stays as it is."),
        ("confirmed", "shipped", "can't become shipped. It can become packed or cancelled."),
        ("packed", "packed", "is packed already."),
    ],
)
def test_a_status_that_may_not_follow_is_never_proposed(clerk: Desk, status: str, wanted: str, words: str) -> None:
    assert words in clerk.refused("change_order_status", order=order_with(status).number, status=wanted)


def test_an_order_that_was_moved_meanwhile_is_never_moved_again(clerk: Desk) -> None:
    order = order_with("confirmed")
    card = clerk.card("change_order_status", order=order.number, status="packed")
    Order.objects.filter(pk=order.pk).update(status="cancelled")
    assert clerk.click(card) is Outcome.CHANGED
    order.refresh_from_db()
    assert order.status == "cancelled"


def test_all_orders_that_were_sent_long_ago_are_delivered_by_one_click(clerk: Desk, today: datetime.date) -> None:
    until = today - datetime.timedelta(days=10)
    orders = Order.objects.filter(status="shipped", ordered_on__lte=until).order_by("pk")
    numbers = list(orders.values_list("number", flat=True))
    card = clerk.card("deliver_shipped_orders", until=until)
    assert [item["title"].split(",")[0] for item in card["items"]] == numbers
    assert card["items"][0]["changes"] == [{"field": "Status", "before": "Shipped", "after": "Delivered"}]
    assert clerk.click(card) is Outcome.CONFIRMED
    assert set(Order.objects.filter(number__in=numbers).values_list("status", flat=True)) == {"delivered"}
    results = Confirmation.objects.get(id=card["id"]).results
    assert [(each["title"], each["is_done"]) for each in results] == [(number, True) for number in numbers]


def test_a_batch_that_is_another_one_by_now_is_never_done(clerk: Desk, today: datetime.date) -> None:
    until = today - datetime.timedelta(days=10)
    card = clerk.card("deliver_shipped_orders", until=until)
    gone = Order.objects.filter(status="shipped", ordered_on__lte=until).order_by("pk")[0]
    Order.objects.filter(pk=gone.pk).update(status="cancelled")
    before = Order.objects.filter(status="delivered").count()
    assert clerk.click(card) is Outcome.CHANGED
    assert Order.objects.filter(status="delivered").count() == before


def test_a_credit_limit_is_set_by_a_click_and_the_card_says_what_is_owed(accountant: Desk, today: datetime.date) -> None:
    customer = unpaid_invoice(today).customer
    before = customer.credit_limit
    card = accountant.card("set_credit_limit", customer=customer.number, limit_eur=1)
    assert changes(card) == {"Credit limit (EUR)": (f"{before}", "1.00")}
    assert "above the new limit" in card["touches"][0]
    assert accountant.click(card) is Outcome.CONFIRMED
    customer.refresh_from_db()
    assert customer.credit_limit == 1


def test_a_credit_limit_that_changed_meanwhile_is_never_overwritten(accountant: Desk) -> None:
    customer = Customer.objects.get(name="Hansen Elektro AS")
    card = accountant.card("set_credit_limit", customer="Hansen Elektro AS", limit_eur="5001.50")
    Customer.objects.filter(pk=customer.pk).update(credit_limit=77)
    assert accountant.click(card) is Outcome.CHANGED
    customer.refresh_from_db()
    assert customer.credit_limit == 77


def test_a_name_of_several_customers_is_never_guessed(accountant: Desk) -> None:
    assert "More than one customer" in accountant.refused("set_credit_limit", customer="Hansen", limit_eur=1)


def test_a_payment_is_booked_and_its_card_says_what_stays_unpaid(accountant: Desk, today: datetime.date) -> None:
    invoice = unpaid_invoice(today)
    part = Decimal("10.50")
    card = accountant.card("book_payment", invoice=invoice.number, amount_eur=part)
    seen = changes(card)
    assert seen["Still unpaid (EUR)"] == (f"{invoice.total}", f"{invoice.total - part}")
    assert seen["Status"] == ("Unpaid", "Partly paid")
    assert accountant.click(card) is Outcome.CONFIRMED
    rest = invoice.total - part
    card = accountant.card("book_payment", invoice=invoice.number, amount_eur=rest, method="card")
    assert changes(card)["Still unpaid (EUR)"] == (f"{rest}", "0.00")
    assert changes(card)["Status"] == ("Partly paid", "Paid")
    assert accountant.click(card) is Outcome.CONFIRMED
    assert not Invoice.objects.unpaid().filter(pk=invoice.pk).exists()
    assert list(invoice.payments.order_by("pk").values_list("method", flat=True)) == ["bank_transfer", "card"]


def test_a_payment_that_came_in_twice_is_never_booked_twice(accountant: Desk, today: datetime.date) -> None:
    invoice = unpaid_invoice(today)
    card = accountant.card("book_payment", invoice=invoice.number, amount_eur=invoice.total)
    Payment.objects.create(invoice=invoice, amount=invoice.total, paid_on=today)
    assert accountant.click(card) is Outcome.CHANGED
    assert invoice.payments.count() == 1


@pytest.mark.parametrize(("amount", "words"), [("0", "more than nothing"), ("999999.00", "would be too much")])
def test_a_payment_of_nothing_or_too_much_is_never_proposed(
    accountant: Desk, today: datetime.date, amount: str, words: str
) -> None:
    assert words in accountant.refused("book_payment", invoice=unpaid_invoice(today).number, amount_eur=amount)


def test_goods_are_taken_back_by_a_click(clerk: Desk, today: datetime.date) -> None:
    line = sent_line()
    card = clerk.card("create_return", order=line.order.number, product=line.product.number, quantity=2, reason="damaged")
    assert changes(card)[f"Returned of {line.quantity}"] == ("0", "2")
    assert changes(card)["Reason"][1] == "Damaged"
    assert clerk.click(card) is Outcome.CONFIRMED
    made = Return.objects.get(order=line.order)
    assert (made.product, made.quantity, made.reason, made.status) == (line.product, 2, "damaged", "announced")
    assert made.returned_on == today


def test_more_than_was_sent_never_comes_back(clerk: Desk, today: datetime.date) -> None:
    line = sent_line()
    asked = {"order": line.order.number, "product": line.product.number, "reason": "late"}
    assert "can't come back" in clerk.refused("create_return", quantity=line.quantity + 1, **asked)
    card = clerk.card("create_return", quantity=line.quantity, **asked)
    Return.objects.create(number="RT-1", order=line.order, product=line.product, returned_on=today, quantity=1, reason="damaged")
    assert clerk.click(card) is Outcome.CHANGED
    assert line.order.returns.count() == 1


def test_a_stock_correction_keeps_its_reason_and_who_made_it(clerk: Desk, today: datetime.date) -> None:
    stock = Stock.objects.select_related("product").get(product__number="P-2001", warehouse__name="Harbour")
    card = clerk.card("correct_stock", product="P-2001", warehouse="Harbour", quantity=stock.quantity + 7, reason="counted")
    assert changes(card)["In stock in Harbour"] == (str(stock.quantity), str(stock.quantity + 7))
    assert changes(card)["Counted on"][1] == today.isoformat()
    assert clerk.click(card) is Outcome.CONFIRMED
    kept = StockCorrection.objects.get()
    assert (kept.quantity_before, kept.quantity_after, kept.reason) == (stock.quantity, stock.quantity + 7, "counted")
    assert kept.corrected_by == "Demo Clerk"
    stock.refresh_from_db()
    assert (stock.quantity, stock.counted_on) == (kept.quantity_after, today)


def test_a_quantity_that_moved_meanwhile_is_never_overwritten(clerk: Desk) -> None:
    card = clerk.card("correct_stock", product="P-2001", warehouse="North", quantity=12345, reason="found")
    Stock.objects.filter(product__number="P-2001").update(quantity=F("quantity") + 1)
    assert clerk.click(card) is Outcome.CHANGED
    assert not StockCorrection.objects.exists()


def test_a_reminder_is_written_once_and_counted(accountant: Desk, today: datetime.date, tmp_path: Path, settings: Any) -> None:
    """``CO7``: the card's id is the letter's Message-ID."""
    settings.OUTBOX = str(tmp_path / "outbox")
    invoice = unpaid_invoice(today)
    card = accountant.card("send_payment_reminder", invoice=invoice.number, customer=invoice.customer.number)
    seen = changes(card)
    assert seen["Reminders sent"] == (str(invoice.reminders), str(invoice.reminders + 1))
    assert (seen["To"][1], card["is_outside"]) == (invoice.customer.email, True)
    assert str(invoice.total) in seen["Text"][1]
    assert [accountant.click(card), accountant.click(card)] == [Outcome.CONFIRMED] * 2
    (written,) = Path(settings.OUTBOX).iterdir()
    letter = message_from_string(written.read_text())
    assert letter["Message-ID"] == f"<{card['id']}@wholesaler.example>"
    assert letter["To"] == invoice.customer.email
    invoice.refresh_from_db()
    assert str(invoice.reminders) == seen["Reminders sent"][1]


def test_the_outbox_never_takes_the_same_key_twice(tmp_path: Path) -> None:
    """``CO7``"""
    from django.core.mail import EmailMessage

    letter = EmailMessage("Reminder", "Pay.", "a@wholesaler.example", ["b@customer.example"], headers={"Message-ID": "<k1@x>"})
    outbox.write(letter, str(tmp_path))
    with pytest.raises(ToolError, match="not sent twice"):
        outbox.write(letter, str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 1


def test_who_has_paid_meanwhile_is_never_reminded(accountant: Desk, today: datetime.date, tmp_path: Path, settings: Any) -> None:
    settings.OUTBOX = str(tmp_path / "outbox")
    invoice = unpaid_invoice(today)
    card = accountant.card("send_payment_reminder", invoice=invoice.number)
    Payment.objects.create(invoice=invoice, amount=invoice.total, paid_on=today)
    assert accountant.click(card) is Outcome.CHANGED
    assert not Path(settings.OUTBOX).exists()
    assert "is paid" in accountant.refused("send_payment_reminder", invoice=invoice.number)


def test_nobody_is_reminded_of_an_invoice_of_somebody_else(accountant: Desk, today: datetime.date) -> None:
    invoice = unpaid_invoice(today)
    other = Customer.objects.exclude(pk=invoice.customer_id).order_by("pk")[0]
    told = accountant.refused("send_payment_reminder", invoice=invoice.number, customer=other.number)
    assert "not that customer's" in told


def test_prices_of_a_category_rise_together_and_each_is_told(owner: Desk) -> None:
    products = list(Product.objects.filter(category="Lighting").order_by("pk"))
    card = owner.card("raise_prices", category="Lighting", percent=10)
    shown = {item["title"]: (item["changes"][0]["before"], item["changes"][0]["after"]) for item in card["items"]}
    first = products[0]
    after = (first.price * Decimal("1.1")).quantize(Decimal("0.01"), "ROUND_HALF_UP")
    assert shown[str(first)] == (str(first.price), str(after))
    assert len(shown) == len(products)
    assert owner.click(card) is Outcome.CONFIRMED
    first.refresh_from_db()
    assert first.price == after
    results = Confirmation.objects.get(id=card["id"]).results
    assert [each["is_done"] for each in results] == [True] * len(products)


def test_prices_never_rise_if_one_of_them_changed_meanwhile(owner: Desk) -> None:
    card = owner.card("raise_prices", category="Lighting", percent=10)
    before = dict(Product.objects.filter(category="Lighting").values_list("pk", "price"))
    changed = max(before)
    Product.objects.filter(pk=changed).update(price=1)
    assert owner.click(card) is Outcome.CHANGED
    assert dict(Product.objects.filter(category="Lighting").values_list("pk", "price")) == {**before, changed: 1}


def test_a_note_is_written_word_for_word_and_the_card_shows_what_is_unseen_in_it(clerk: Desk) -> None:
    """``CO3``"""
    customer = Customer.objects.get(name="Hansen Elektro AS")
    text = "Call first!\u202e"
    card = clerk.card("add_note", customer=customer.number, text=text)
    assert changes(card)["Note"] == ("—", "Call first!⟨U+202E⟩")
    assert clerk.click(card) is Outcome.CONFIRMED
    assert Note.objects.filter(customer=customer, text=text, author="Demo Clerk").count() == 1


def test_a_note_about_a_customer_who_was_renamed_is_never_written(clerk: Desk) -> None:
    customer = Customer.objects.get(name="Hansen Elektro AS")
    before = customer.notes.count()
    card = clerk.card("add_note", customer=customer.number, text="Wants pallets back.")
    Customer.objects.filter(pk=customer.pk).update(name="Another AS")
    assert clerk.click(card) is Outcome.CHANGED
    assert customer.notes.count() == before


def test_payment_days_are_set_by_a_click_and_never_touch_the_credit_limit(accountant: Desk, today: datetime.date) -> None:
    before = Customer.objects.get(name="Hansen Elektro AS")
    card = accountant.card("set_payment_days", customer=before.number, days=before.payment_days + 15)
    accountant.click(card)
    after = Customer.objects.get(pk=before.pk)
    assert (after.payment_days, after.credit_limit) == (before.payment_days + 15, before.credit_limit)
