"""Recall: a query answered, with everything needed to judge the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from trigraph.model.memory import Kind, Memory, OutcomeResult
from trigraph.model.query import Fusion, Leg, QueryClass, TimeWindow

RECALL_PREFIX = "r"


class LegStatus(StrEnum):
    """How a leg fared. The last three are degraded; not_applicable is normal."""

    OK = "ok"
    NOT_APPLICABLE = "not_applicable"
    EMPTY_STORE = "empty_store"
    SLOW = "slow"
    FAILED = "failed"

    @property
    def degraded(self) -> bool:
        """Whether the answer may lack something because of this leg."""
        return self in (LegStatus.EMPTY_STORE, LegStatus.SLOW, LegStatus.FAILED)


@dataclass(frozen=True, slots=True)
class LegReport:
    """What one leg brought to a recall; `truncated` says that a walk ended at its budget."""

    leg: Leg
    status: LegStatus
    count: int = 0
    milliseconds: float = 0.0
    reason: str | None = None
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """How the query was understood and which way it went; printed by `--explain`. `order` is what the features of a
    candidate weigh, where a learnt model orders them, and `ordered_by` where that comes from: shipped, given, or the
    scorer and when it was trained."""

    profile: str
    query_class: QueryClass
    fusion: Fusion
    context: bool
    superseded: bool
    weights: Mapping[Leg, float]
    candidates_per_leg: int
    terms: tuple[str, ...]
    identifiers: tuple[str, ...]
    recency: float = 0.0
    window: TimeWindow | None = None
    expand: bool = False
    confidence_floor: float = 1.0
    order: Mapping[str, float] = field(default_factory=dict)
    ordered_by: str | None = None


@dataclass(frozen=True, slots=True)
class LegScore:
    """A hit's standing on one leg. `raw` is the leg's own score, `normalised` what fusion added up."""

    raw: float
    rank: int
    normalised: float


@dataclass(frozen=True, slots=True)
class Staleness:
    """How old an answer is, and whether it still stands; `superseded_by` is what replaced it, if the asker may see
    that. `temporal_score` is its recency: 1 for what is new, 1/e after 180 days. `document_superseded_by` names the
    document that superseded the one whose text it is: the text still stands, the document does not. `retention` is
    the chance that it is still of use, by what was done with it."""

    age_days: float
    last_verified_at: datetime | None
    superseded: bool = False
    superseded_by: str | None = None
    temporal_score: float = 0.0
    document_superseded_by: str | None = None
    retention: float = 1.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a memory, and why."""

    id: str
    result: OutcomeResult
    reason: str | None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The passage at which a hit matched best: a span of the memory's text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Attached:
    """A memory that shares a hit's place: its source, or something else that was derived from that."""

    id: str
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two memories that disagree, the newer first, and in what."""

    first_id: str
    first_text: str
    second_id: str
    second_text: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory in a recall, and the reason it is there. `effective_confidence` is how far it is to be believed by
    now; `attached` share its place; `features` are those that a learnt order weighed, if they were asked for."""

    memory: Memory
    rank: int
    score: float
    legs: Mapping[Leg, LegScore]
    excerpt: Excerpt
    why: str
    staleness: Staleness
    outcomes: tuple[Outcome, ...] = ()
    effective_confidence: float = 1.0
    attached: tuple[Attached, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recall:
    """A query answered. `left_out` counts hits that fell to the token budget; `conflicts` are memories that disagree
    with a hit."""

    id: str
    query: str
    hits: tuple[Hit, ...]
    legs: tuple[LegReport, ...]
    plan: Plan
    milliseconds: float
    left_out: int = 0
    event_written: bool = True
    conflicts: tuple[Conflict, ...] = ()

    @property
    def degraded(self) -> bool:
        """Whether any leg that was asked could not do its part."""
        return any(report.status.degraded for report in self.legs)
