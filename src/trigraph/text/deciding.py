"""What a record of a decision decides: the section under that heading."""

from __future__ import annotations

import re

_DECISION = re.compile(
    r"^#{1,4}\s+(?:\d+[.)]\s*)?(?:decisions?(?: outcome| made)?|the decision|resolution|what we decided)\s*:?\s*$\n"
    r"(.*?)(?=^#{1,4}\s|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def decision_in(text: str) -> str | None:
    """The text of the section in which a document says what was decided; None where it has none."""
    found = _DECISION.search(text)
    return found[1].strip() or None if found else None
