"""What a text must be before it is kept, and what makes two texts the same."""

from __future__ import annotations

import hashlib
import unicodedata

from trigraph.errors import InvalidInput
from trigraph.model.memory import Kind

TEXT_LIMIT_BYTES = 1_000_000
DOCUMENT_LIMIT_BYTES = 10_000_000
LABEL_LIMIT_CHARS = 200


def check_text(text: object, kind: Kind, field: str = "text") -> str:
    """The text as it was given, or a clear error. Texts are kept verbatim."""
    if not isinstance(text, str):
        raise InvalidInput(
            f"{field} must be a string, not {type(text).__name__}.", field=field, fix="Give the text itself."
        )
    if not text.strip():
        raise InvalidInput(f"{field} is empty.", field=field, fix="Give at least one word.")
    size = _size_bytes(text, field)
    limit = DOCUMENT_LIMIT_BYTES if kind is Kind.DOCUMENT else TEXT_LIMIT_BYTES
    if size > limit:
        fix = "Split it into several memories."
        if kind is not Kind.DOCUMENT and size <= DOCUMENT_LIMIT_BYTES:
            fix = "Store it with kind document (up to 10 MB), or split it into several memories."
        raise InvalidInput(
            f"{field} has {size:,} bytes; a memory of kind {kind} holds at most {limit:,}.",
            field=field,
            fix=fix,
        )
    return text


def check_label(value: object, field: str, limit: int = LABEL_LIMIT_CHARS) -> str:
    """A short name such as a topic, tag, speaker or session: one line, no control characters."""
    if not isinstance(value, str):
        raise InvalidInput(
            f"{field} must be a string, not {type(value).__name__}.", field=field, fix="Give a short name."
        )
    label = value.strip()
    if not label or len(label) > limit:
        raise InvalidInput(
            f"{field} must have 1 to {limit} characters, not {len(label)}.",
            field=field,
            fix="Shorten it." if label else "Leave it out, or give a name.",
        )
    _size_bytes(label, field)
    if any(unicodedata.category(char) == "Cc" for char in label):
        raise InvalidInput(
            f"{field} holds a control character.",
            field=field,
            fix="Write it on one line, in plain characters.",
        )
    return label


def optional_label(value: object, field: str, limit: int = LABEL_LIMIT_CHARS) -> str | None:
    """A label that may be left out."""
    return None if value is None else check_label(value, field, limit)


def content_hash(text: str) -> str:
    """Equal for texts that differ only in white space or Unicode composition."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return hashlib.sha256(plain.encode()).hexdigest()


def _size_bytes(text: str, field: str) -> int:
    if "\x00" in text:
        raise InvalidInput(
            f"{field} holds a NUL byte at character {text.index(chr(0))}.",
            field=field,
            fix="Remove it; if this was read from a binary file, give its text instead.",
        )
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{field} is not valid Unicode (a lone surrogate at character {error.start}).",
            field=field,
            fix="Decode the bytes as UTF-8 before handing them over.",
        ) from error
