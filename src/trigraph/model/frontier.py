"""The frontier: pairs and sets of memories that never met in a composition and look worth it. They are hypotheses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from trigraph.model.composition import OutcomeLabel
from trigraph.model.memory import Kind

HYPOTHESIS = "hypothesis"
"""What every candidate is, until somebody tries it."""

PAIR = 2
SET_MOST = 5
SEEDS = 120
SEEDS_MOST = 5_000
CANDIDATES_MOST = 500
BOUNDARY_TAGS = ("boundary-*", "oracle", "queue", "settlement", "upgrade", "pause", "accounting", "scope")
"""Tags of places where systems meet; one that ends in * stands for all that begin so."""


class OutcomeSignal(StrEnum):
    """What came of compositions that a member of a candidate took part in."""

    CLEAN = "clean"
    PRIOR_SUCCESS = "prior_success"
    PRIOR_DUPLICATE_RISK = "prior_duplicate_risk"
    PRIOR_CLOSED_DOOR = "prior_closed_door"
    PRIOR_NEEDS_POC = "prior_needs_poc"
    MIXED_PRIOR_OUTCOMES = "mixed_prior_outcomes"


@dataclass(frozen=True, slots=True)
class FrontierQuery:
    """What combinations are asked for: how many, of how many memories each, with all of these tags on one member, with
    one of the memories `around`, as of what was known at a time or when a decision was made; and how many memories are
    looked at from."""

    limit: int = 10
    size: int = PAIR
    tags: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    known_at: datetime | None = None
    decision: str | None = None
    seeds: int = SEEDS


@dataclass(frozen=True, slots=True)
class Candidate:
    """Memories that were never used together, and why that may be worth it. Scores are from 0 to 1, but for `score`, to
    which the adjustment for prior outcomes is added. `structural_fit` compares how they are built, apart from
    `surface_similarity`, which compares what they say; `trust_score` is that of the weakest member. `shared_companions`
    are memories that each two of them were used with, by id."""

    member_ids: tuple[str, ...]
    score: float
    novelty_score: float
    bridge_score: float
    trust_score: float
    retention_score: float
    structural_fit: float
    surface_similarity: float
    outcome_score_adjustment: float
    shared_entities: tuple[str, ...]
    shared_companions: tuple[str, ...]
    shared_tags: tuple[str, ...]
    boundary_tags: tuple[str, ...]
    shared_terms: tuple[str, ...]
    prior_outcomes: Mapping[OutcomeLabel, int]
    outcome_signal: OutcomeSignal
    kinds: tuple[Kind, ...]
    previews: tuple[str, ...]
    reason: str
    composition_question: str
    evidence_status: str = HYPOTHESIS


@dataclass(frozen=True, slots=True)
class FrontierBounds:
    """How far was looked: from how many memories, at how many, at how many pairs of them, how many of those were
    weighed in full, how many had met; and what was cut, in words. Counts are of what the asker may see."""

    seeds: int
    memories: int
    pairs_looked_at: int
    pairs_scored: int
    already_composed: int
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frontier:
    """Candidates, the best first, by what was known at a time, and how far was looked for them."""

    candidates: tuple[Candidate, ...]
    bounds: FrontierBounds
    known_at: datetime
    decision_id: str | None = None


@dataclass(frozen=True, slots=True)
class Lane:
    """A composition as a way that was tried: what it was about, who took part, and how often each outcome was told."""

    composition_id: str
    query: str
    at: datetime
    member_ids: tuple[str, ...]
    tags: tuple[str, ...]
    labels: Mapping[OutcomeLabel, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bounty:
    """Where something may be found, and where it was looked already."""

    recent_composed_lanes: tuple[Lane, ...]
    never_composed_lanes: tuple[Candidate, ...]
    closed_doors: tuple[Lane, ...]
    duplicate_risk_lanes: tuple[Lane, ...]
    needs_poc_lanes: tuple[Lane, ...]
    top_weird_combinations: tuple[Candidate, ...]
    bounds: FrontierBounds
    known_at: datetime
    compositions_looked_at: int
