"""The signature of a proposal: a row that was changed in the database is refused at the click (``CO2``, ``B54``).

An HMAC over all that was proposed, under a key made of Django's ``SECRET_KEY``; older keys of ``SECRET_KEY_FALLBACKS`` still verify.
Never here: what became of a proposal; that may change. Limits: who knows the secret key can sign.
"""

from __future__ import annotations

import hashlib

from django.utils.crypto import constant_time_compare, salted_hmac

from deskhand import config
from deskhand.core import canonical
from deskhand.models import Confirmation

_SALT = "deskhand.confirmation"


def sign(row: Confirmation) -> str:
    """The signature of this row as it is, as 64 hex digits."""
    return _mac(row, config.signing_keys()[0])


def is_genuine(row: Confirmation) -> bool:
    """Whether the row is as it was signed."""
    return any(constant_time_compare(row.mac, _mac(row, key)) for key in config.signing_keys())


def _mac(row: Confirmation, key: str) -> str:
    signed = {
        "id": row.id,
        "conversation": row.conversation_id,
        "turn": row.turn_ref,
        "user": row.user_key,
        "actor": row.actor,
        "role": row.acting_role,
        # The session's key is a secret: only its print goes into the signed text.
        "session": hashlib.sha256(row.session_ref.encode()).hexdigest(),
        "tool": row.tool_name,
        "arguments": row.arguments,
        "outside": row.is_outside,
        "card": row.card,
        "rows": row.rows,
        "print": row.print,
        "language": row.language,
        "expires": row.expires_at,
    }
    return salted_hmac(_SALT, canonical.dumps(signed), secret=key, algorithm="sha256").hexdigest()
