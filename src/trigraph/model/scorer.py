"""The scorer: what a project's citations taught of how to order candidates, and whether that is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from trigraph.model.change import CitationKind
from trigraph.model.events import ShownHit


class ScorerState(StrEnum):
    """Whether what was learnt is used: promoted is, waiting has not shown that it helps, off was switched off."""

    OFF = "off"
    WAITING = "waiting"
    PROMOTED = "promoted"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What there was to learn from: citations of hits, recalls that had features and some such citation, those of them
    with a hit of use, and from how many it was learnt; `trusted` is how far that moves the weights, from 0 to 1."""

    citations: int = 0
    labelled: int = 0
    positive: int = 0
    learnt_from: int = 0
    trusted: float = 0.0


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How what was learnt fared on later recalls: NDCG@10 corrected for position, by the shipped weights and by those
    that were learnt, and the lift with its 99 % interval."""

    recalls: int
    shipped_ndcg: float
    learnt_ndcg: float
    lift: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scorer:
    """What is kept of a project's scorer. `learnt_from` names the shipped weights that it started from."""

    state: ScorerState
    why: str
    weights: Mapping[str, float] = field(default_factory=dict)
    learnt_from: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    held_out: HeldOut | None = None
    trained_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class WeightChange:
    """What a feature weighs as shipped and as learnt, and what that means in words."""

    feature: str
    shipped: float
    learnt: float
    told: str


@dataclass(frozen=True, slots=True)
class ScorerReport:
    """The figures of a scorer: numbers only, of all agents of the project. `used` says whether recall orders by it
    now; `enabled` and `explore` are the settings."""

    state: ScorerState
    why: str
    used: bool
    enabled: bool
    explore: float
    evidence: Evidence
    held_out: HeldOut | None
    changes: tuple[WeightChange, ...]
    trained_at: datetime | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an agent did with a hit of a recall."""

    recall_id: str
    agent: str
    memory_id: str
    kind: CitationKind


@dataclass(frozen=True, slots=True)
class ShownList:
    """What is kept of a recall to learn from: who asked, the names of the features, and the hits."""

    recall_id: str
    agent: str
    at: datetime
    names: tuple[str, ...]
    shown: tuple[ShownHit, ...]
