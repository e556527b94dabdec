"""Composition: memories used together for one answer, with the part that each played and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from trigraph.model.change import Changed

COMPOSITION_PREFIX = "c"
OUTPUT_PREVIEW_CHARACTERS = 280
REASONING_PREVIEW_CHARACTERS = 600
MEMBER_PREVIEW_CHARACTERS = 120


class Role(StrEnum):
    """The part that a memory played in an answer."""

    PRIMARY = "primary"
    SUPPORTING = "supporting"
    CONTRADICTING = "contradicting"
    SUPERSEDED = "superseded"


class CompositionStatus(StrEnum):
    """How the evidence of an answer stood, the first that holds: the question claims what memory denies; what
    disagreed was settled by a newer memory; memories disagree; there is some evidence and nothing against it."""

    CLAIM_CONTRADICTS_MEMORY = "claim_contradicts_memory"
    RESOLVED = "resolved"
    CONTRADICTIONS_FOUND = "contradictions_found"
    PARTIAL_EVIDENCE = "partial_evidence"


class OutcomeLabel(StrEnum):
    """What came of a composition."""

    HELPFUL = "helpful"
    DEAD_END = "dead_end"
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DUPLICATE_RISK = "duplicate_risk"
    NEEDS_POC = "needs_poc"
    BAD_SEVERITY = "bad_severity"
    USER_PROMOTED = "user_promoted"
    USER_DEMOTED = "user_demoted"
    CLOSED_BY_SCOPE = "closed_by_scope"
    CLOSED_BY_DUPLICATE = "closed_by_duplicate"
    CLOSED_BY_FALSE_ASSUMPTION = "closed_by_false_assumption"
    CLOSED_BY_USER = "closed_by_user"
    EXPIRED_LANE = "expired_lane"


SUCCESS_LABELS = frozenset(
    {OutcomeLabel.HELPFUL, OutcomeLabel.SUBMITTED, OutcomeLabel.ACCEPTED, OutcomeLabel.USER_PROMOTED}
)
"""Something came of it."""

DUPLICATE_LABELS = frozenset({OutcomeLabel.DUPLICATE_RISK, OutcomeLabel.CLOSED_BY_DUPLICATE})
"""Somebody was there before, or may have been."""

CLOSED_LABELS = frozenset(
    {
        OutcomeLabel.DEAD_END,
        OutcomeLabel.REJECTED,
        OutcomeLabel.BAD_SEVERITY,
        OutcomeLabel.CLOSED_BY_SCOPE,
        OutcomeLabel.CLOSED_BY_DUPLICATE,
        OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION,
        OutcomeLabel.CLOSED_BY_USER,
        OutcomeLabel.EXPIRED_LANE,
    }
)
"""The door is closed."""


@dataclass(frozen=True, slots=True)
class Member:
    """A memory that took part, as it was then: `memory_id` is a historical reference, and `tags` and `text` are copies,
    so that it stays known what took part whatever became of the memory. What was erased keeps its id and has no copy.
    `rank` counts from 1; `replaced_by` is what took the place of a superseded one, if that took part as well."""

    memory_id: str
    role: Role
    rank: int
    trust: float | None = None
    score: float | None = None
    preview: str = ""
    tags: tuple[str, ...] = ()
    text: str = ""
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class CompositionOutcome:
    """What somebody said came of a composition, and by how much that moves its confidence. `source` is who or what
    judged: user, agent, a tool's name."""

    label: OutcomeLabel
    source: str
    author: str
    at: datetime
    confidence_delta: float = 0.0
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class CompositionMetadata:
    """What else is kept of how an answer came about: what was asked for, how many memories were looked at, how many of
    them the graph brought, and the beginning of the reasoning."""

    intent: str | None = None
    memories_analysed: int = 0
    activation_expanded: int = 0
    reasoning_preview: str = ""


@dataclass(frozen=True, slots=True)
class CompositionEvent:
    """Memories used together for one answer. `tool` and `mode` say what composed them; `query_hash` is that of the
    query as it is compared, empty when the query was erased. `members` are those that the reader may see; where there
    are others, neither they nor what was made of them (`output_preview`, `metadata.reasoning_preview`) is told. Without
    `told` the question and what was made of it are its author's alone, as those of a recall are."""

    id: str
    project: str
    author: str
    at: datetime
    tool: str
    mode: str
    query: str
    query_hash: str
    members: tuple[Member, ...]
    told: bool = True
    confidence: float | None = None
    status: CompositionStatus | None = None
    output_preview: str = ""
    metadata: CompositionMetadata = field(default_factory=CompositionMetadata)
    outcomes: tuple[CompositionOutcome, ...] = ()


@dataclass(frozen=True, slots=True)
class Companion:
    """A memory that was used together with another: in how many compositions, when last, and what came of those."""

    memory_id: str
    events: int
    last_at: datetime
    labels: Mapping[OutcomeLabel, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompositionTally:
    """In how many compositions a memory took part, and how often each label was given to one of them."""

    events: int = 0
    labels: Mapping[OutcomeLabel, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Composed:
    """What a caller says was used together: memories by id with the parts they played, for what question, by which
    tool, and what was made of it."""

    members: tuple[tuple[str, Role], ...]
    query: str = ""
    tool: str = "compose"
    mode: str = "manual"
    output: str = ""
    confidence: float | None = None
    status: CompositionStatus | None = None


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label that was given. `suggested` is a more telling one that fits the composition's own facts, `advice` what to
    look at next."""

    changed: Changed
    label: OutcomeLabel
    suggested: OutcomeLabel | None = None
    advice: tuple[str, ...] = ()
