"""Recall: a query answered, with everything needed to judge the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from trigraph.model.memory import Kind, Memory, OutcomeResult
from trigraph.model.query import Dampening, Fusion, Leg, QueryClass, TimeWindow

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
class Reranked:
    """How the re-ranker fared; unless it is ok, the order is that of the fusion."""

    model: str
    status: LegStatus
    reason: str | None = None
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How the query was understood and which way it went; printed by `--explain`. `order` is what the features of a
    candidate weigh, where a learnt model orders them, and `ordered_by` where that comes from: shipped, given, or the
    scorer and when it was trained; `domains` are those that the answer keeps to, if any; `context_weight` is what the
    talk counted in the query's vector: None without a talk, 0 where it added nothing; `entities` are those that the
    query names, by id, with their names."""

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
    dampening: Dampening = field(default_factory=Dampening)
    diversity: float = 0.0
    spread: float = 0.0
    order: Mapping[str, float] = field(default_factory=dict)
    domains: tuple[str, ...] = ()
    context_weight: float | None = None
    ordered_by: str | None = None
    entities: Mapping[str, str] = field(default_factory=dict)


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
class Neighbour:
    """What stands just before or after a hit: a message of its thread, or (with the hit's own id) text of its memory.
    Without a text it is shown elsewhere in the answer: as a hit, or beside a better one."""

    id: str
    speaker: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class LikelyThread:
    """A thread that speaks of what was asked: the chance that it, of all that was found, holds the answer (None where
    the order tells none), and the memory in it that speaks of it best."""

    id: str
    name: str | None
    session: str | None
    chance: float | None
    best_id: str


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint that is pinned or concerns what the query names, whatever its rank; `rank` is its own as a hit."""

    id: str
    text: str
    shortened: bool
    pinned: bool
    why: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory in a recall, and the reason it is there. `effective_confidence` is how far it is to be believed by
    now; `attached` share its place; `features` are those that a learnt order weighed and `moved` is what moved it after
    fusion, by what factor or amount, if they were asked for; so are `before` and `after`, in the order of reading."""

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
    moved: Mapping[str, float] = field(default_factory=dict)
    before: tuple[Neighbour, ...] | None = None
    after: tuple[Neighbour, ...] | None = None


@dataclass(frozen=True, slots=True)
class Recall:
    """A query answered. `left_out` counts hits that fell to the token budget, `neighbours_left_out` neighbours of those
    that did not; `conflicts` are memories that disagree with a hit; `constraints` hold whatever was found, and
    `constraints_left_out` counts those that are not shown; `threads` are the likeliest, if they were asked for;
    `certainty` is the chance that memory has something on the
    query, None where that cannot be told, and `nothing_found` says that it seems to have nothing: the hits are merely
    the nearest; `signals` are what that was told from, if they were asked for; `reranked` is None where no re-ranker
    was asked; `stages` is where the time went, in milliseconds: they make up the whole, the event's writing with it,
    which `milliseconds` leaves out; `explained` says that reasons were asked for."""

    id: str
    query: str
    hits: tuple[Hit, ...]
    legs: tuple[LegReport, ...]
    plan: Plan
    milliseconds: float
    left_out: int = 0
    event_written: bool = True
    conflicts: tuple[Conflict, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    constraints_left_out: int = 0
    neighbours_left_out: int = 0
    threads: tuple[LikelyThread, ...] | None = None
    certainty: float | None = None
    nothing_found: bool = False
    signals: Mapping[str, float] = field(default_factory=dict)
    reranked: Reranked | None = None
    stages: Mapping[str, float] = field(default_factory=dict)
    explained: bool = False

    @property
    def degraded(self) -> bool:
        """Whether any leg that was asked, or the re-ranker, could not do its part."""
        legs = any(report.status.degraded for report in self.legs)
        return legs or (self.reranked is not None and self.reranked.status.degraded)
