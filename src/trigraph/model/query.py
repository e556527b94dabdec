"""What is asked of recall, and by which plan it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from trigraph.model.memory import MemoryFilter

CONSTRAINT_TOKENS = 400


class Leg(StrEnum):
    """One way of ranking memories for a query."""

    VECTOR = "vector"
    LEXICAL = "lexical"
    GRAPH = "graph"
    TEMPORAL = "temporal"


class Fusion(StrEnum):
    """How rankings become one order: by normalised scores, by reciprocal ranks, or by a model that was learnt."""

    SCORE = "score"
    RRF = "rrf"
    LEARNED = "learned"


class QueryClass(StrEnum):
    """What a query is after, told by rules."""

    HISTORICAL = "historical"
    ARCHITECTURAL = "architectural"
    CURRENT_STATE = "current_state"
    DECISION = "decision"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A time that a query names: [start, until), each open where it is None; `phrase` are the words."""

    start: datetime | None
    until: datetime | None
    phrase: str


@dataclass(frozen=True, slots=True)
class Dampening:
    """What a hit keeps of its lead over the weakest (S3), 1 for all of it: `wordless` if meaning alone found it and it
    holds no word of the query, `hubs` if all that it speaks of is spoken of everywhere, `guiding` if it is a constraint
    or a decision."""

    wordless: float = 1.0
    hubs: float = 1.0
    guiding: float = 1.0


@dataclass(frozen=True, slots=True)
class Profile:
    """How a recall is carried out. A leg without a weight is off; without a fusion the engine's is used.

    `recency` is what being recent counts on the temporal leg, where happening within a window that the query names
    counts 1; `by_class` are weights for queries of some classes; `confidence_floor` is what a memory of no confidence
    keeps of its score (1: confidence moves nothing); `diversity` is what a hit loses, in standard deviations of the
    scores, for saying what a better one says (0: nothing), and beside it `spread` what it loses for each better one of
    its thread; `context_weight` is what the talk's vector counts beside the query's, if a talk is given.
    """

    name: str
    weights: Mapping[Leg, float]
    fusion: Fusion | None = None
    recency: float = 0.0
    by_class: Mapping[QueryClass, Mapping[str, float]] = field(default_factory=dict)
    expand: bool = False
    context: bool = True
    candidates_per_leg: int = 100
    confidence_floor: float = 1.0
    dampening: Dampening = field(default_factory=Dampening)
    diversity: float = 0.0
    spread: float = 0.0
    context_weight: float = 0.3


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """One question to memory. Without a profile the engine's default answers; a profile may be named or given.

    `superseded` asks for what was replaced as well, marked; left out, the query's class decides. `expand` lets what
    the best hits are linked to follow them; `explain` has every hit tell its features; `rerank` lets the re-ranker
    have its part, if one is configured. Without `all_domains` an agent that has domains is answered from those, or
    from those that the filter names, and from what is of none. `constraint_tokens` are the budget of the constraints'
    block: 0 leaves it out. `context` is what is being talked about, and `in_thread` a thread that tells it; the
    query's meaning leans towards that, its words do not. `neighbours` is how far before and after a hit is shown what
    stands there. `threads` is how many of the likeliest threads are told as well.
    """

    text: str
    limit: int = 10
    budget_tokens: int | None = None
    filter: MemoryFilter = field(default_factory=MemoryFilter)
    as_of: datetime | None = None
    known_at: datetime | None = None
    session: str | None = None
    superseded: bool | None = None
    expand: bool = True
    profile: str | Profile | None = None
    fusion: Fusion | None = None
    explain: bool = False
    rerank: bool = True
    all_domains: bool = False
    constraint_tokens: int = CONSTRAINT_TOKENS
    context: str | None = None
    in_thread: str | None = None
    neighbours: int = 0
    threads: int = 0
