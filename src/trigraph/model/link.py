"""Link: memory → memory, read `from` VERB `to`."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

LINK_PREFIX = "l"


class LinkType(StrEnum):
    """How one memory bears on another: the newer `supersedes` the older, a checkpoint `implements` a decision."""

    SUPERSEDES = "supersedes"
    IMPLEMENTS = "implements"
    OUTCOME_OF = "outcome_of"
    RELATES_TO = "relates_to"
    TEMPORAL = "temporal"
    CONTRADICTS = "contradicts"
    CORRECTS = "corrects"
    DUPLICATE_OF = "duplicate_of"
    DERIVED_FROM = "derived_from"


class LinkOrigin(StrEnum):
    """Who drew a link."""

    USER = "user"
    LLM = "llm"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Link:
    """A link, as one version of it stood at the moment of the read. `similarity` and `gap_seconds` are what the
    system drew it by: how alike its ends are, or how far apart in time; `span` are the words of its end that it was
    derived from. `drawn_at` is when it was first known: its
    age, whatever was voted since."""

    id: str
    from_id: str
    to_id: str
    type: LinkType
    confidence: float
    created_by: LinkOrigin
    author: str
    reason: str | None
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    known_until: datetime | None = None
    similarity: float | None = None
    gap_seconds: float | None = None
    span: tuple[int, int] | None = None
    drawn_at: datetime | None = field(default=None, compare=False)
