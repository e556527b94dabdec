"""The text of a token: `tg_`, its id, and a secret. It is handed out once; what is kept of it is a hash."""

from __future__ import annotations

import hashlib
import re
import secrets

from trigraph.model.ids import is_full_id

TOKEN_PREFIX = "k"
TEXT_PREFIX = "tg_"
SECRET_BYTES = 32
_TEXT = re.compile(rf"{TEXT_PREFIX}([0-9a-z]{{26}})_[A-Za-z0-9_-]{{43}}")


def new_text(token_id: str) -> str:
    """The text of a new token: 256 random bits behind the id by which it is found again."""
    return f"{TEXT_PREFIX}{token_id.removeprefix(TOKEN_PREFIX + '_')}_{secrets.token_urlsafe(SECRET_BYTES)}"


def id_in(text: object) -> str | None:
    """The id that the text of a token tells; None if it is no such text."""
    match = _TEXT.fullmatch(text) if isinstance(text, str) else None
    told = f"{TOKEN_PREFIX}_{match.group(1)}" if match else ""
    return told if is_full_id(told, TOKEN_PREFIX) else None


def digest(text: str) -> str:
    """What is kept of a token's text."""
    return hashlib.sha256(text.encode()).hexdigest()
