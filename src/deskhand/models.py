"""The tables.

One conversation's row is where everything that happens in it queues: its ``fence`` and ``last_seq`` are changed in one conditional
``UPDATE`` at the head of each writing transaction, which is lock, fence check and the giving out of numbers at once. What can be said
as a constraint is said as one, so that a wrong state can't be written by any code: ours, an admin's or a script's.

Never here: a query. Rows are read and written by their keepers alone (``conversations``, ``user_settings``, ``usage``,
``confirmations``) and by ``turns.lock`` and ``turns.events``.

Limits: messages are append-only by convention of the keepers; the database does not forbid an UPDATE.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from enum import StrEnum

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from deskhand import config
from deskhand.core.values import CARD_OUTCOMES, Ending, Outcome, Role, TurnEnd


def _words(words: Iterable[StrEnum]) -> list[str]:
    """Plain texts, so that a migration holds words and does not import ours."""
    return sorted(word.value for word in words)


class Conversation(models.Model):
    """One chat of one person."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(config.user_table(), null=True, on_delete=models.SET_NULL, related_name="+", verbose_name=_("user"))
    #: The account's primary key as text: still there when the account is gone.
    user_key = models.CharField(max_length=255)
    title = models.CharField(_("title"), max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    #: When something last happened in it.
    active_at = models.DateTimeField(default=timezone.now)
    #: Set: no door of the user's shows it any more (``ME10``).
    hidden_at = models.DateTimeField(null=True, blank=True)
    #: The number of the newest message. Given out under this row's lock.
    last_seq = models.PositiveBigIntegerField(default=0)
    #: The turn that runs now, if one does: the conversation's lock (``TU1``).
    running_turn = models.UUIDField(null=True, blank=True)
    #: Rises whenever the lock changes hands. Who writes under an older one writes nothing.
    fence = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        indexes = [models.Index(fields=["user", "-active_at"], name="deskhand_conv_user_active")]
        permissions = [
            ("use_assistant", "Can use the assistant"),
            ("manage_assistant", "Can manage the assistant"),
            ("view_any_conversation", "Can read the conversations of others"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Confirmation(models.Model):
    """A proposal that waits for, or has had, a person's click (``CO2``).

    What was proposed is signed when it is written and never changed; what becomes of it stands in its own columns. ``outcome`` and the
    notice that tells it change in one transaction.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="+")
    turn_ref = models.UUIDField(null=True, blank=True)
    # Who proposed it, in which session and role.
    user = models.ForeignKey(config.user_table(), null=True, on_delete=models.SET_NULL, related_name="+")
    user_key = models.CharField(max_length=255, blank=True)
    actor = models.CharField(max_length=255, blank=True)
    acting_role = models.CharField(max_length=150, blank=True)
    #: Emptied at its end: nothing needs it any more.
    session_ref = models.CharField(max_length=255, blank=True)
    # What was proposed.
    #: As registered.
    tool_name = models.CharField(max_length=200)
    #: Canonical JSON: what the click will run, and nothing else.
    arguments = models.TextField(default="{}")
    is_outside = models.BooleanField(default=False)
    #: What the card shows, as it was drawn at the proposal (``CO3``).
    card = models.JSONField(default=dict)
    #: ``[[model label, primary key], …]`` in the order in which they are locked.
    rows = models.JSONField(default=list)
    #: Of card, rows and version; made anew at the click and compared. Empty: no data is compared.
    print = models.CharField(max_length=64, blank=True)
    #: The language in which the card was drawn, and is drawn again.
    language = models.CharField(max_length=35, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    #: By the database's clock.
    expires_at = models.DateTimeField()
    #: Signature over all of the above.
    mac = models.CharField(max_length=64, blank=True)
    # What became of it.
    #: Somebody clicked, and nobody else can any more.
    claimed_at = models.DateTimeField(null=True, blank=True)
    #: The process that carries out an outside effect, to know whether it still lives.
    claimed_by = models.CharField(max_length=200, blank=True)
    #: ``None``: it waits.
    outcome = models.CharField(max_length=20, null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    #: Kind of the fault, for the journal.
    error = models.CharField(max_length=100, blank=True)
    #: For the person, on the card; never in a log, never for the model.
    reason = models.TextField(blank=True)
    #: Of a batch: ``[{"title", "is_done", "words"}]``.
    results = models.JSONField(default=list, blank=True)
    #: It is not known whether an outside effect happened, and the person has not yet said that they looked (``CO7``).
    is_unknown = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("confirmation")
        verbose_name_plural = _("confirmations")
        constraints = [
            models.CheckConstraint(
                name="deskhand_confirmation_outcome",
                condition=models.Q(outcome__isnull=True) | models.Q(outcome__in=_words(CARD_OUTCOMES)),
            ),
            models.CheckConstraint(
                name="deskhand_confirmation_ended",
                condition=models.Q(outcome__isnull=True, ended_at__isnull=True)
                | models.Q(outcome__isnull=False, ended_at__isnull=False),
            ),
            # A write without a claim can't be told as done.
            models.CheckConstraint(
                name="deskhand_confirmation_claimed",
                condition=~models.Q(outcome=Outcome.CONFIRMED.value, claimed_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(
                fields=["conversation", "created_at"], condition=models.Q(outcome__isnull=True), name="deskhand_confirm_open"
            ),
            models.Index(fields=["expires_at"], condition=models.Q(outcome__isnull=True), name="deskhand_confirm_expiring"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class AIRequest(models.Model):
    """One call of a language model: the truth about use and cost (``LI2``)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user_key = models.CharField(max_length=255, blank=True)
    #: What the call was for, e.g. ``agent.chat``.
    task = models.CharField(max_length=40)
    conversation_ref = models.UUIDField(null=True, blank=True)
    turn_ref = models.UUIDField(null=True, blank=True)
    #: Name of the endpoint in the settings.
    endpoint = models.CharField(max_length=100)
    model = models.CharField(max_length=200)
    #: ``ok``, ``stopped``, ``died`` (its process did), or an ``EndpointError.code``.
    status = models.CharField(max_length=30)
    input_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    output_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    reasoning_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    is_estimated = models.BooleanField(default=False)
    #: ``None`` is unknown, never free (``ME9``).
    cost_micro_usd = models.PositiveBigIntegerField(null=True, blank=True)
    #: Which price data the cost was made with.
    price_version = models.CharField(max_length=60, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    first_token_ms = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("model call")
        verbose_name_plural = _("model calls")
        indexes = [
            models.Index(fields=["user_key", "created_at"], name="deskhand_ai_user_created"),
            models.Index(fields=["created_at"], name="deskhand_ai_created"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Message(models.Model):
    """A row of the chat, which is the journal as well (``ME1``, ``ME2``). Append-only."""

    id = models.BigAutoField(primary_key=True)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="+")
    #: 1, 2, 3 … within the conversation. Order, window and paging go by it, never by time or id.
    seq = models.PositiveBigIntegerField()
    role = models.CharField(max_length=20)
    content = models.TextField(blank=True)
    size_chars = models.PositiveIntegerField(default=0)
    #: Of an assistant row: ``[{"id", "name", "arguments"}]``, names and arguments as the model gave them.
    tool_calls = models.JSONField(default=list, blank=True)
    tool_call_id = models.CharField(max_length=200, blank=True)
    #: As registered; for an unknown tool, as the model called it.
    tool_name = models.CharField(max_length=200, blank=True)
    tool_result = models.TextField(blank=True)
    tool_outcome = models.CharField(max_length=20, blank=True)
    #: Of a notice: which one (``values.Notice``). Of a call: the kind of its fault. Never anybody's words.
    error = models.CharField(max_length=200, blank=True)
    confirmation = models.ForeignKey(Confirmation, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    #: Of a tool row: the assistant row that made the call.
    assistant_message = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    #: The turn's id. No foreign key: turns are pruned long before messages.
    turn_ref = models.UUIDField(null=True, blank=True)
    #: No constraint in the database: the usage rows of a turn are written together at its end.
    ai_request = models.ForeignKey(
        AIRequest, null=True, blank=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    #: Key of the account that really acted (an impersonator's own), as text.
    actor = models.CharField(max_length=255, blank=True)
    acting_role = models.CharField(max_length=150, blank=True)
    #: How an answer ended.
    ending = models.CharField(max_length=20, blank=True)
    replaces_seq = models.PositiveBigIntegerField(null=True, blank=True)
    model = models.CharField(max_length=200, blank=True)
    input_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    output_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    cost_micro_usd = models.PositiveBigIntegerField(null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(fields=["conversation", "seq"], name="deskhand_message_seq"),
            models.CheckConstraint(name="deskhand_message_seq_from_1", condition=models.Q(seq__gte=1)),
            models.CheckConstraint(name="deskhand_message_role", condition=models.Q(role__in=_words(Role))),
            models.CheckConstraint(
                name="deskhand_message_outcome", condition=models.Q(tool_outcome="") | models.Q(tool_outcome__in=_words(Outcome))
            ),
            models.CheckConstraint(
                name="deskhand_message_ending", condition=models.Q(ending="") | models.Q(ending__in=_words(Ending))
            ),
            # ME5: each call has exactly one end.
            models.CheckConstraint(
                name="deskhand_message_call_has_outcome", condition=~models.Q(role=Role.TOOL.value, tool_outcome="")
            ),
            # ME4: a proposal and its end point to the same confirmation, and there is at most one of each.
            models.CheckConstraint(
                name="deskhand_message_proposal",
                condition=~models.Q(
                    role=Role.TOOL.value, tool_outcome=Outcome.NEEDS_CONFIRMATION.value, confirmation__isnull=True
                ),
            ),
            models.CheckConstraint(
                name="deskhand_message_card_end",
                condition=~models.Q(role=Role.NOTICE.value, confirmation__isnull=False)
                | models.Q(tool_outcome__in=_words(CARD_OUTCOMES)),
            ),
            models.UniqueConstraint(
                fields=["confirmation"],
                condition=models.Q(role=Role.TOOL.value, tool_outcome=Outcome.NEEDS_CONFIRMATION.value),
                name="deskhand_message_one_proposal",
            ),
            models.UniqueConstraint(
                fields=["confirmation"], condition=models.Q(role=Role.NOTICE.value), name="deskhand_message_one_card_end"
            ),
        ]
        indexes = [models.Index(fields=["turn_ref"], name="deskhand_message_turn")]

    def __str__(self) -> str:
        return str(self.pk)


class Turn(models.Model):
    """One user message to its end. What runs is a row with a lease and a fence, so that any process can see and end it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(config.user_table(), null=True, on_delete=models.SET_NULL, related_name="+")
    #: Which of the user's places it takes while it runs (0, 1 …): the database forbids two turns in one place.
    user_slot = models.PositiveSmallIntegerField(default=0)
    #: The client's own key for this start: the same key again is the same turn (``B66``, ``B73``).
    client_key = models.CharField(max_length=64)
    #: Seq of the user message that it answers.
    message_seq = models.PositiveBigIntegerField()
    #: The conversation's fence when this turn took it.
    fence = models.PositiveBigIntegerField()
    lease_until = models.DateTimeField()
    #: Boot id, PID namespace, pid and start time of the process that runs it; empty until one has taken it.
    owner = models.CharField(max_length=200, blank=True)
    #: When a runner took it; null while it waits for one.
    taken_at = models.DateTimeField(null=True, blank=True)
    #: Until when somebody follows from another process, and wants events in the database sooner.
    followed_until = models.DateTimeField(null=True, blank=True)
    # What only the starting process can know. Emptied at the end.
    session_ref = models.CharField(max_length=255, blank=True)
    acting_role = models.CharField(max_length=150, blank=True)
    actor = models.CharField(max_length=255, blank=True)
    locale = models.CharField(max_length=35, blank=True)
    page = models.CharField(max_length=200, blank=True)
    page_text = models.CharField(max_length=200, blank=True)
    addendum = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    #: How it ended (``values.TurnEnd``); empty while it runs.
    end = models.CharField(max_length=20, blank=True)
    #: Number of its last event, once ended.
    last_event = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        constraints = [
            models.UniqueConstraint(fields=["conversation", "client_key"], name="deskhand_turn_client_key"),
            models.UniqueConstraint(
                fields=["conversation"], condition=models.Q(ended_at__isnull=True), name="deskhand_turn_one_a_conversation"
            ),
            models.UniqueConstraint(
                fields=["user", "user_slot"], condition=models.Q(ended_at__isnull=True), name="deskhand_turn_one_a_slot"
            ),
            models.CheckConstraint(
                name="deskhand_turn_end",
                condition=models.Q(ended_at__isnull=True, end="") | models.Q(ended_at__isnull=False, end__in=_words(TurnEnd)),
            ),
        ]
        indexes = [models.Index(fields=["lease_until"], condition=models.Q(ended_at__isnull=True), name="deskhand_turn_running")]

    def __str__(self) -> str:
        return str(self.pk)


class Event(models.Model):
    """What a running turn told since the last tick, for those who watch from another process. Cleaned up after the turn's end."""

    id = models.BigAutoField(primary_key=True)
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="+")
    #: Number of the last event in ``told``; numbers are 1, 2, 3 … within the turn.
    number = models.PositiveBigIntegerField()
    #: ``[[number, kind, payload], …]``
    told = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [models.UniqueConstraint(fields=["turn", "number"], name="deskhand_event_number")]

    def __str__(self) -> str:
        return f"{self.turn_id}/{self.number}"


class Switch(models.Model):
    """What an administrator has switched off for everybody: a tool, or the assistant (``OP9``). No row: it is on."""

    id = models.BigAutoField(primary_key=True)
    #: Registered name of the tool; empty: the assistant as a whole.
    tool = models.CharField(_("tool"), max_length=200, blank=True, unique=True)
    switched_at = models.DateTimeField(_("switched off at"), default=timezone.now)
    #: The account that did it, as text; empty: from the command line.
    switched_by = models.CharField(_("by"), max_length=255, blank=True)

    class Meta:
        verbose_name = _("switch")
        verbose_name_plural = _("switches")

    def __str__(self) -> str:
        return self.tool or str(_("the assistant"))


class UserSettings(models.Model):
    """What holds for one user: the admin's prompt and limits for them, and their own instructions."""

    user = models.OneToOneField(config.user_table(), primary_key=True, on_delete=models.CASCADE, related_name="deskhand_settings")
    #: The admin's prompt for this user (``PR1`` part 3).
    prompt = models.TextField(_("prompt"), blank=True)
    #: The user's own instructions (``PR5``).
    instructions = models.TextField(_("instructions"), blank=True)
    #: Name of an endpoint in the settings; empty: the default one.
    endpoint = models.CharField(_("endpoint"), max_length=100, blank=True)
    #: The admin turned the assistant off for this user.
    is_off = models.BooleanField(_("off"), default=False)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("user settings")
        verbose_name_plural = _("user settings")

    def __str__(self) -> str:
        return str(self.pk)
