"""The keeper of conversations and messages: their only reader and writer.

One append-only table is chat and journal (``ME1``). Whoever adds to it goes through :func:`append`, which takes the conversation's row,
checks the fence and gives out the numbers in one conditional ``UPDATE``; a writer whose fence is gone writes nothing. Reading goes by
``seq`` in keyset pages and never counts or sums over a conversation.

Never here: a query that is not bound to one conversation or one user; a tool's result on its way to a browser (``ME8``: readers get
:func:`~deskhand.core.phrases.tool_summary` in its place). Limits: what a turn may write is the turn's business (``turns.lock``).
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterator, Mapping, Sequence

from django.db import connections, models
from django.db.models.functions import Length
from django.utils import timezone

from deskhand import config, faults, tools, transactions
from deskhand.core import limits, phrases, text, values
from deskhand.core.values import Line, Outcome, Role
from deskhand.errors import BadInput, FenceLost, NotFound, TooLarge
from deskhand.models import Conversation, Message

#: Rows of the first window page; each further page is four times as long, up to a bound.
WINDOW_PAGE = 128
WINDOW_PAGE_MOST = 1024
#: Messages and conversations on one page of the API.
MESSAGE_PAGE = 50
CONVERSATION_PAGE = 30
#: How long a hidden conversation can be brought back (``ME10``).
UNDO_SECONDS = 10

_NEVER_FROM_ATTRIBUTES = frozenset(
    {"conversation", "conversation_id", "ai_request", "ai_request_id", "assistant_message", "assistant_message_id"}
    | {"confirmation", "confirmation_id", "id", "pk", "seq", "size_chars"}
)


# --- builders ------------------------------------------------------------------------------------------------------------------


def full(**attributes: object) -> Message:
    """An unsaved message of any kind, cleaned (``ME7``) and shortened (``ME3``).

    For ``turns`` and ``confirmations`` alone (``ME6``). Conversation, ai_request, assistant_message and confirmation are never taken
    from the attributes: the caller sets them on what it gets.
    """
    taken = {name: value for name, value in attributes.items() if name not in _NEVER_FROM_ATTRIBUTES}
    cleaned = {name: _cleaned(value) for name, value in taken.items()}
    for field in Message._meta.fields:
        if isinstance(field, models.CharField) and field.name in cleaned:
            cleaned[field.name] = str(cleaned[field.name])[: field.max_length]
    if "tool_result" in cleaned:
        cleaned["tool_result"] = str(cleaned["tool_result"])[: config.get().tool_result_stored_chars]
    message = Message(**cleaned)
    message.size_chars = len(message.content)
    return message


def from_user(content: object, **_: object) -> Message:
    """An unsaved message of a person; everything but the text is ignored (``ME6``).

    Raises:
        BadInput: it is no text, or blank once it is cleaned.
        TooLarge: it is longer than ``MESSAGE_CHARS``.
    """
    if not isinstance(content, str):
        raise BadInput("text", "must be a text")
    cleaned = text.clean(content)
    if not cleaned.strip():
        raise BadInput("text", "is empty")
    if len(cleaned) > config.get().message_chars:
        raise TooLarge("text", f"is longer than {config.get().message_chars} characters")
    return full(role=Role.USER.value, content=cleaned)


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return text.clean(value)
    if isinstance(value, list | dict | tuple):
        return text.clean_json(value)
    return value


# --- writing -------------------------------------------------------------------------------------------------------------------


def create(user: models.Model) -> Conversation:
    """A new, empty conversation of this user."""
    return Conversation.objects.using(transactions.own_alias()).create(user_id=user.pk, user_key=str(user.pk))


def append(conversation_id: uuid.UUID, messages: Sequence[Message], *, fence: int | None, free: bool = False) -> int:
    """Store these messages at the conversation's end, in this order; gives the number of the first.

    Must be called in a write transaction. ``fence`` is the writer's; ``None`` for one that needs no turn (a card's end). ``free``
    gives the conversation's lock back as well.

    Raises:
        FenceLost: the fence is not the conversation's any more; nothing is written.
    """
    found = advance(conversation_id, len(messages), fence=fence, free=free)
    if found is None:
        raise FenceLost
    faults.point("journal.held")
    first = found - len(messages) + 1
    place(conversation_id, messages, first)
    return first


def place(conversation_id: uuid.UUID, messages: Sequence[Message], first: int) -> None:
    """Store these messages under numbers that were given out already, ``first`` and those after it."""
    for seq, message in enumerate(messages, start=first):
        message.conversation_id = conversation_id
        message.seq = seq
        # A transaction that was begun anew must not take the key that its first attempt was given: it may be another row's by now.
        message.pk = None
    Message.objects.using(transactions.own_alias()).bulk_create(messages)


def advance(conversation_id: uuid.UUID, count: int, *, fence: int | None, free: bool = False) -> int | None:
    """Lock the conversation's row, check the fence and give out ``count`` numbers, in one statement; the last of them, or ``None``.

    The lock holds until the end of the transaction: that is what makes a fence hold. A conditional INSERT alone, paused before its
    commit, would land after a takeover.
    """
    sets = ["last_seq = last_seq + %s", "active_at = %s"]
    where: list[tuple[str, object]] = [("id = %s", conversation_id)]
    if free:
        sets.append("running_turn = NULL")
    if fence is not None:
        where.append(("fence = %s", fence))
    row = update_returning(sets, [count, timezone.now()], where, "last_seq")
    return None if row is None else int(str(row[0]))


def update_returning(
    sets: Sequence[str], values_: Sequence[object], where: Sequence[tuple[str, object]], returning: str
) -> tuple[object, ...] | None:
    """One conditional ``UPDATE … RETURNING`` of one conversation's row, which Django's ORM can't say; ``None`` if none fitted.

    Names are ours and never from outside; values are bound.
    """
    connection = connections[transactions.own_alias()]
    table = connection.ops.quote_name(Conversation._meta.db_table)
    conditions = " AND ".join(condition for condition, _ in where)
    bound = [*values_, *(value for condition, value in where if "%s" in condition)]
    sql = f"UPDATE {table} SET {', '.join(sets)} WHERE {conditions} RETURNING {returning}"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(sql, [_adapted(value) for value in bound])  # type: ignore[misc]
        row: tuple[object, ...] | None = cursor.fetchone()
    return row


def _adapted(value: object) -> object:
    connection = connections[transactions.own_alias()]
    if isinstance(value, uuid.UUID):
        return value if connection.features.has_native_uuid_field else value.hex
    if isinstance(value, datetime.datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value


def rename(conversation: Conversation, title: object) -> None:
    """The conversation has this title: one line, at most ``TITLE_CHARS`` characters.

    Raises:
        BadInput: it is no text.
    """
    if not isinstance(title, str):
        raise BadInput("title", "must be a text")
    conversation.title = title_of(title)
    conversation.save(using=transactions.own_alias(), update_fields=["title"])


def title_of(raw: str) -> str:
    """A title made of any text: its first line's beginning, cleaned."""
    return text.one_line(text.clean(raw))[: limits.TITLE_CHARS].strip()


def hide(conversation: Conversation) -> None:
    """No door of the user's shows it any more (``ME10``). Its running turn is the caller's to stop, before."""
    conversation.hidden_at = timezone.now()
    conversation.save(using=transactions.own_alias(), update_fields=["hidden_at"])


def running_turn(conversation_id: uuid.UUID) -> uuid.UUID | None:
    """The turn that holds this conversation now, hidden or not."""
    rows = Conversation.objects.using(transactions.own_alias()).filter(id=conversation_id)
    return rows.values_list("running_turn", flat=True).first()


def restore(user: models.Model, conversation_id: uuid.UUID) -> Conversation:
    """The conversation that the user just hid is shown again.

    Raises:
        NotFound: it is not theirs, does not exist, or the time for it is over.
    """
    since = timezone.now() - datetime.timedelta(seconds=UNDO_SECONDS)
    rows = Conversation.objects.using(transactions.own_alias()).filter(id=conversation_id, user_id=user.pk, hidden_at__gte=since)
    if not rows.update(hidden_at=None):
        raise NotFound
    return owned(user, conversation_id)


# --- reading -------------------------------------------------------------------------------------------------------------------


def owned(user: models.Model, conversation_id: uuid.UUID) -> Conversation:
    """This user's conversation.

    Raises:
        NotFound: another's, hidden, or none at all: the same for all three (``SC3``).
    """
    found = (
        Conversation.objects.using(transactions.own_alias())
        .filter(id=conversation_id, user_id=user.pk, hidden_at__isnull=True)
        .first()
    )
    if found is None:
        raise NotFound
    return found


def listing(
    user: models.Model, *, before: tuple[datetime.datetime, uuid.UUID] | None = None, search: str = ""
) -> list[Conversation]:
    """This user's conversations in which something was said, newest first: one page, and one more row if there is a next page."""
    rows = Conversation.objects.using(transactions.own_alias()).filter(user_id=user.pk, hidden_at__isnull=True, last_seq__gt=0)
    if search:
        mine = Message.objects.using(transactions.own_alias()).filter(
            role__in=[Role.USER.value, Role.ASSISTANT.value], content__icontains=search
        )
        rows = rows.filter(models.Q(title__icontains=search) | models.Exists(mine.filter(conversation_id=models.OuterRef("pk"))))
    if before is not None:
        active_at, last = before
        rows = rows.filter(models.Q(active_at__lt=active_at) | models.Q(active_at=active_at, id__lt=last))
    return list(rows.order_by("-active_at", "-id")[: CONVERSATION_PAGE + 1])


def messages_before(conversation_id: uuid.UUID, before: int | None) -> list[Message]:
    """The page of messages that ends before this number (the newest page for ``None``), oldest first; one row more if older ones are."""
    rows = _shown(conversation_id)
    if before is not None:
        rows = rows.filter(seq__lt=before)
    return list(rows.order_by("-seq")[: MESSAGE_PAGE + 1])[::-1]


def messages_after(conversation_id: uuid.UUID, after: int) -> list[Message]:
    """Messages with greater numbers, oldest first: one page, and one row more if there are more."""
    return list(_shown(conversation_id).filter(seq__gt=after).order_by("seq")[: MESSAGE_PAGE + 1])


def _shown(conversation_id: uuid.UUID) -> models.QuerySet[Message]:
    # ME8: the result itself is not even read on the way to a browser.
    return (
        Message.objects.using(transactions.own_alias())
        .filter(conversation_id=conversation_id)
        .annotate(result_chars=Length("tool_result"))
        .defer("tool_result")
    )


def shown(message: Message) -> dict[str, object]:
    """A message as a browser gets it: plain values, and of a tool's result no more than its size (``ME8``)."""
    size = getattr(message, "result_chars", None)
    tool = None
    if message.tool_outcome:
        tool = {
            "title": title_of_tool(message.tool_name),
            "outcome": message.tool_outcome,
            "summary": phrases.tool_summary(
                Outcome(message.tool_outcome), len(message.tool_result) if size is None else size, message.error
            ),
        }
    return {
        "seq": message.seq,
        "role": message.role,
        "content": message.content,
        "created_at": message.created_at.isoformat(),
        "turn": str(message.turn_ref) if message.turn_ref else None,
        "ending": message.ending,
        "notice": message.error if message.role == Role.NOTICE else "",
        "confirmation": str(message.confirmation_id) if message.confirmation_id else None,
        "card": None,
        "replaces_seq": message.replaces_seq,
        "tool": tool,
        "calls": [{"title": title_of_tool(call["name"])} for call in message.tool_calls],
        "model": message.model,
        "input_tokens": message.input_tokens,
        "output_tokens": message.output_tokens,
        "cost_micro_usd": message.cost_micro_usd,
    }


def title_of_tool(name: str) -> str:
    """A tool in plain words, by either of its names; for one that nobody knows, what it was called."""
    known = tools.registry()
    tool = known.by_name(name) or known.by_model_name(name)
    return tool.title if tool else name[:64]


def window(conversation_id: uuid.UUID, limit_chars: int) -> list[Line]:
    """What the window may be filled from, oldest first: the newest rows until their sizes pass the limit (``HI10``)."""
    lines: list[Line] = []
    for line in _backwards(conversation_id):
        lines.append(line)
        limit_chars -= len(line.content)
        if limit_chars < 0:
            break
    return lines[::-1]


def _backwards(conversation_id: uuid.UUID) -> Iterator[Line]:
    size = WINDOW_PAGE
    rows = (
        Message.objects.using(transactions.own_alias())
        .filter(conversation_id=conversation_id)
        .filter(
            models.Q(role=Role.USER.value)
            | models.Q(role=Role.ASSISTANT.value, tool_calls=[])
            | models.Q(confirmation__isnull=False)
        )
        .order_by("-seq")
        .values_list(
            "seq", "role", "content", "turn_ref", "ending", "tool_name", "tool_outcome", "confirmation_id", "replaces_seq"
        )
    )
    while True:
        page = list(rows[:size])
        for seq, role, content, turn_ref, ending, tool_name, outcome, confirmation, replaces_seq in page:
            yield Line(
                seq=seq,
                role=role,
                content=content if role in (Role.USER, Role.ASSISTANT) else "",
                turn_ref=str(turn_ref or ""),
                ending=ending or values.Ending.COMPLETE,
                tool_name=tools.model_name(tool_name),
                outcome=outcome,
                confirmation=str(confirmation or ""),
                replaces_seq=replaces_seq,
            )
        if len(page) < size:
            return
        rows = rows.filter(seq__lt=page[-1][0])
        size = min(size * 4, WINDOW_PAGE_MOST)


def message(conversation_id: uuid.UUID, seq: int) -> Message:
    """One message.

    Raises:
        NotFound: there is none of that number.
    """
    found = Message.objects.using(transactions.own_alias()).filter(conversation_id=conversation_id, seq=seq).first()
    if found is None:
        raise NotFound
    return found


def newest_questions(conversation_id: uuid.UUID, count: int) -> list[Message]:
    """The person's newest messages here, the newest first, at most so many."""
    rows = Message.objects.using(transactions.own_alias()).filter(conversation_id=conversation_id, role=Role.USER.value)
    return list(rows.order_by("-seq")[:count])


def of_turn(turn_ref: uuid.UUID) -> list[Message]:
    """All messages of one turn, oldest first."""
    return list(Message.objects.using(transactions.own_alias()).filter(turn_ref=turn_ref).order_by("seq"))


def open_calls(messages: Sequence[Message]) -> list[tuple[Message, Mapping[str, str]]]:
    """Calls of these messages that have no row yet: the assistant row and the call, in order."""
    longest = Message._meta.get_field("tool_call_id").max_length
    answered = {(row.assistant_message_id, row.tool_call_id) for row in messages if row.role == Role.TOOL}
    return [
        (row, call)
        for row in messages
        if row.role == Role.ASSISTANT
        for call in row.tool_calls
        if (row.pk, call["id"][:longest]) not in answered
    ]
