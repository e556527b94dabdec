"""What telemetry keeps of a recall: enough to recompute its fusion exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from trigraph.model.query import Leg, QueryClass
from trigraph.model.recall import LegReport


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """A candidate passage: its final score per leg, and what brought it (legs, or `neighbour`).

    A leg that did not find it has no score here. Normalising and fusing these scores again, with the
    event's weights and fusion, gives the order that fusion gave exactly; where a model ordered them, `likeness` is what
    it said, in place of the legs of likeness.
    """

    memory_id: str
    ordinal: int
    brought_by: tuple[str, ...]
    scores: Mapping[Leg, float]
    likeness: float | None = None


@dataclass(frozen=True, slots=True)
class ShownHit:
    """A hit as a learnt order saw it: its rank, what spoke for it beside its features, and these, as the event names
    them. The scorer learns from it."""

    memory_id: str
    rank: int
    beyond: float
    features: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RecallEvent:
    """Exactly one per recall. `query` is empty where queries are not kept, in time `candidates` too. `top_n_selected`
    counts the hits that were returned; `exact_ids` are those that came first because the query was exactly their id or
    topic. `shown` are hits that a learnt order ranked, at most 50, with the features that `feature_names` names;
    `explored` is the one that was shown to learn from."""

    recall_id: str
    tenant: str
    project: str
    agent: str
    session: str | None
    query: str
    query_class: QueryClass
    profile: str
    fusion: str
    result_count: int
    result_ids: tuple[str, ...]
    top_n_selected: int
    payload_bytes: int
    exact_ids: tuple[str, ...]
    weights: Mapping[Leg, float]
    candidates: tuple[CandidateRecord, ...]
    legs: tuple[LegReport, ...]
    milliseconds: float
    at: datetime
    feature_names: tuple[str, ...] = ()
    shown: tuple[ShownHit, ...] = ()
    explored: str | None = None
