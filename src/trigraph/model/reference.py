"""A deep reference: a question answered from the evidence, with what was replaced, what disagrees, how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trigraph.model.composition import CompositionStatus, Role
from trigraph.model.memory import Kind
from trigraph.model.recall import Outcome


class Intent(StrEnum):
    """What a question is after, told by rules."""

    FACT_CHECK = "fact_check"
    ROOT_CAUSE = "root_cause"
    TIMELINE = "timeline"
    COMPARISON = "comparison"
    SYNTHESIS = "synthesis"


class WriteStatus(StrEnum):
    """What became of the composition of an answer: kept, not kept because there was no evidence, or not kept because
    the store could not; the answer stands all the same."""

    PERSISTED = "persisted"
    SKIPPED_EMPTY = "skipped_empty"
    FAILED = "failed"


class ReplacedBy(StrEnum):
    """How it is known that one memory took the place of another: somebody said so, or the texts do. Where the newer
    changes only a part (`changed_in_part`), the older holds for the rest."""

    SUPERSEDED = "superseded"
    CORRECTED = "corrected"
    DOCUMENT = "document"
    CHANGED = "changed"
    IN_PART = "changed_in_part"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A memory that bears on the question. `relevance`, `trust` and `term_share` (the share of the question's words
    that it holds) make up `score`; `holds` is false for what was replaced or has ended; `by` says what brought it."""

    memory_id: str
    role: Role
    kind: Kind
    text: str
    at: datetime
    relevance: float
    trust: float
    term_share: float
    score: float
    holds: bool
    by: str
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True)
class Replacement:
    """One memory took the place of another: since when, how that is known, and why."""

    old_id: str
    old_text: str
    new_id: str
    new_text: str
    at: datetime
    by: ReplacedBy
    reason: str | None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two memories that both hold and disagree, the newer first, and in what."""

    newer_id: str
    newer_text: str
    older_id: str
    older_text: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimConflict:
    """A memory that denies what the question takes for granted, and in what."""

    memory_id: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """What happened when; `replaced_by` is what took its place later."""

    at: datetime
    memory_id: str
    kind: Kind
    text: str
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The memory to go by, and why that one."""

    memory_id: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class DeepReference:
    """A question answered from the evidence, without a model that writes.

    `claim` is what the question takes for granted, if anything; `confidence` is a heuristic, no probability; `status`
    is None where there is no evidence. `reasoning` says it all in plain words, with the last 8 characters of ids.
    """

    query: str
    intent: Intent
    claim: str | None
    recall_id: str
    evidence: tuple[Evidence, ...]
    recommended: Recommendation | None
    replaced: tuple[Replacement, ...]
    contradictions: tuple[Disagreement, ...]
    claim_conflicts: tuple[ClaimConflict, ...]
    timeline: tuple[TimelineEntry, ...]
    confidence: float
    status: CompositionStatus | None
    reasoning: str
    memories_analysed: int
    activation_expanded: int
    nothing_found: bool
    degraded: bool
    composition_event_id: str | None = None
    composition_write_status: WriteStatus = WriteStatus.SKIPPED_EMPTY
    composition_write_error: str | None = None
