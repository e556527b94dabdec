"""What every verb of the engine works with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from trigraph.contracts import Clock, Extractor, Observer, Reranker, Store
from trigraph.engine.embedding import Embedding
from trigraph.model.calibration import Thresholds
from trigraph.model.document import DEFAULT_FAMILIES
from trigraph.model.query import Fusion, QueryClass
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.order import Order


class AutomaticLink(StrEnum):
    """What the system links by itself: what was written nearby in a session, decisions on one topic, what is alike."""

    SESSION = "session"
    TOPIC = "topic"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True)
class LinkRules:
    """Which links are drawn automatically, and from which cosine on memories are alike."""

    kinds: frozenset[AutomaticLink] = frozenset(AutomaticLink)
    similar_above: float = 0.92


@dataclass(frozen=True, slots=True)
class WorkRules:
    """How queued work is done: how often a job is tried, how long it waits after it failed first (twice as long each
    time), how long whoever took it may be silent; whether turns are kept as episodes; how long a session must have
    been quiet before it is distilled, and how often it is reflected (None: only when asked for)."""

    tries: int = 5
    pause: timedelta = timedelta(seconds=2)
    lease: timedelta = timedelta(seconds=120)
    keep_episodes: bool = True
    distil_after: timedelta | None = timedelta(minutes=30)
    reflect_every: timedelta | None = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RerankRules:
    """A model that reads the question with the best candidates: so many of them, and its share in their order."""

    reranker: Reranker
    candidates: int = 30
    blend: float = 0.5


@dataclass(frozen=True, slots=True)
class ScorerRules:
    """Whether what citations taught may order hits, and in which share of recalls a hit is shown to learn from."""

    enabled: bool = True
    explore: float = 0.05


@dataclass(frozen=True, slots=True)
class InsightRules:
    """How many tokens of work a hit that was cited is taken to save, and one that saved rework; how long recalls are
    kept, and how long with all their candidates (None: for good); whether their queries are."""

    cited_tokens: int = 300
    saved_rework_tokens: int = 1500
    keep: timedelta | None = timedelta(days=400)
    keep_whole: timedelta | None = timedelta(days=90)
    keep_queries: bool = True


@dataclass(frozen=True, slots=True)
class Parts:
    """A store, an embedder, a clock, the fusion that is used unless a query or its profile asks for another, how
    long what was forgotten can be restored, the families of documents that any text may refer to by number, what is
    linked automatically, weights of legs by class of query, what the features of a candidate weigh, from which cosine
    on memories are alike or the same, what reads conversations (the first that can), how queued work is done, and
    what re-ranks, if anything, whether citations may teach how hits are ordered, what insight assumes and for how long
    recalls are kept, and who is told of the verbs: handed in by assembly, never made here."""

    store: Store
    embedding: Embedding
    clock: Clock
    fusion: Fusion = Fusion.LEARNED
    restore_window: timedelta = timedelta(days=30)
    families: tuple[str, ...] = DEFAULT_FAMILIES
    links: LinkRules = field(default_factory=LinkRules)
    weights: Mapping[QueryClass | None, Mapping[str, float]] = field(default_factory=dict)
    order: Order | None = None
    thresholds: Thresholds = field(default_factory=Thresholds)
    extractors: tuple[Extractor, ...] = ()
    work: WorkRules = field(default_factory=WorkRules)
    rerank: RerankRules | None = None
    scorer: ScorerRules = field(default_factory=ScorerRules)
    insight: InsightRules = field(default_factory=InsightRules)
    observer: Observer | None = None

    def now(self, scope: Scope) -> Moment:
        """The present: what is true and known after everything committed so far."""
        present = self.store.present(scope, self.clock())
        return Moment(as_of=present, known_at=present)
