"""The four legs: each ranks passages for a query, and says how it fared."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trigraph.contracts import PASSAGES_PER_MEMORY, Scan, ScoredPassage, TermStatistics
from trigraph.engine.embedding import Unusable
from trigraph.engine.parts import Parts
from trigraph.engine.read.stages import StageClock
from trigraph.engine.read.talking import leaning
from trigraph.engine.read.walking import walk
from trigraph.errors import ModelUnavailable
from trigraph.model.memory import MemoryFilter
from trigraph.model.query import Fusion, Leg, RecallQuery, TimeWindow
from trigraph.model.recall import LegReport, LegStatus, Plan
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.proximity import Nearness
from trigraph.text.dates import anchor_in, window_around
from trigraph.text.people import without_names
from trigraph.text.terms import analyse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trigraph.contracts import Embedder, Vectors
    from trigraph.ranking.certainty import Standing

WINDOW_MOST = 50
"""So many passages of a window are looked at for each of the query's words and its meaning."""
ANCHORS_MOST = 5
SLOW_MILLISECONDS = 2000
WAITING_MOST = 1000
_ASKED = (Leg.LEXICAL, Leg.GRAPH, Leg.VECTOR, Leg.TEMPORAL)
"""The order in which legs are asked: vectors may be scanned while words are looked up."""
TERMS_MOST = 24
"""Of a very long query, only the rarest terms are looked up: common ones cost most and say least."""


@dataclass(slots=True)
class Gathered:
    """What the legs found: passages by leg, what each leg says of itself, and what rescoring needs again: the
    query's vector, whole and without its names, and the scan by it, its terms' statistics, the passages found by an
    identifier, what the graph leg reached, the entities that it started from (None if it was not asked), the window of
    time that is meant, the features of the candidates, and how they fare as a whole."""

    rankings: dict[Leg, list[ScoredPassage]] = field(default_factory=dict)
    named: set[int] = field(default_factory=set)
    statistics: TermStatistics | None = None
    reports: list[LegReport] = field(default_factory=list)
    vector: Vectors | None = None
    unnamed: Vectors | None = None
    names: frozenset[str] = frozenset()
    scan: Scan | None = None
    reached: Mapping[str, Nearness] = field(default_factory=dict)
    entities: Mapping[str, str] | None = None
    window: TimeWindow | None = None
    features: NDArray[np.float64] | None = None
    standing: Standing | None = None
    truncated: bool = False

    @property
    def passages(self) -> set[int]:
        """Every passage that some leg brought."""
        return {found.passage for ranking in self.rankings.values() for found in ranking}


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The query as the model sees it; None when nothing is stored, or, with `failure`, when it could not be made.
    `leans` says that the talk has a part in it; `unnamed` is the query without its `names`."""

    vector: Vectors | None
    failure: str | None
    milliseconds: float
    leans: bool = False
    unnamed: Vectors | None = None
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Nothing:
    """Why a leg has no ranking."""

    status: LegStatus
    reason: str


_Ranking = list[ScoredPassage] | _Nothing


def gather(
    parts: Parts,
    scope: Scope,
    query: RecallQuery,
    plan: Plan,
    moment: Moment,
    asked: QueryVector,
    clock: StageClock,
) -> Gathered:
    """Ask every leg of the plan. A leg that fails does not take the others with it."""
    gathered = Gathered()
    if asked.vector is not None:
        gathered.vector, gathered.unnamed, gathered.names = asked.vector, asked.unnamed, asked.names
        gathered.scan = parts.store.search.scan(scope, asked.vector)
    legs: dict[Leg, Callable[[], _Ranking]] = {
        Leg.VECTOR: lambda: _vector(parts, scope, query, plan, moment, asked, gathered),
        Leg.LEXICAL: lambda: _lexical(parts, scope, query, plan, moment, gathered),
        Leg.GRAPH: lambda: _graph(parts, scope, query, plan, moment, gathered),
        Leg.TEMPORAL: lambda: _temporal(parts, scope, query, plan, moment, gathered),
    }
    reports: dict[Leg, LegReport] = {}
    rankings: dict[Leg, list[ScoredPassage]] = {}
    for leg in sorted(plan.weights, key=_ASKED.index):
        started = time.perf_counter()
        ranking = legs[leg]()
        milliseconds = (time.perf_counter() - started) * 1000
        if leg is Leg.VECTOR:
            milliseconds += asked.milliseconds
        report = _report(leg, ranking, milliseconds, gathered)
        if leg is Leg.VECTOR and report.status is LegStatus.OK:
            report = _with_what_is_missing(parts, scope, moment, report)
        reports[leg] = report
        clock.lap(leg.value)
        if not isinstance(ranking, _Nothing):
            rankings[leg] = ranking
    gathered.reports = [reports[leg] for leg in plan.weights]
    gathered.rankings = {leg: rankings[leg] for leg in plan.weights if leg in rankings}
    return gathered


def embed_query(parts: Parts, scope: Scope, query: RecallQuery, plan: Plan, talk: str | None = None) -> QueryVector:
    """The query's vector, leaning towards the talk it is asked in; made before any store is held: an embedder may be
    far away and slow."""
    started = time.perf_counter()
    vector, reason, leans = None, None, False
    unnamed, names = None, frozenset[str]()
    if Leg.VECTOR in plan.weights:
        embedder = parts.embedding.usable(parts.store, scope)
        if isinstance(embedder, Unusable):
            reason = embedder.reason
        elif parts.store.space.pinned(scope) is not None:
            try:
                vector = embedder.embed_query(query.text)
                if talk is not None and plan.context_weight:
                    mixed = leaning(vector, embedder.embed_query(talk), plan.context_weight)
                    vector, leans = (vector, False) if mixed is None else (mixed, True)
                if plan.fusion is Fusion.LEARNED and not leans:
                    unnamed, names = _without_names(embedder, query.text)
            except ModelUnavailable as error:
                reason = str(error)
    return QueryVector(vector, reason, (time.perf_counter() - started) * 1000, leans, unnamed, names)


def _without_names(embedder: Embedder, text: str) -> tuple[Vectors | None, frozenset[str]]:
    rest, names = without_names(text)
    return (embedder.embed_query(rest), names) if names and analyse(rest) else (None, frozenset())


def _vector(
    parts: Parts,
    scope: Scope,
    query: RecallQuery,
    plan: Plan,
    moment: Moment,
    asked: QueryVector,
    gathered: Gathered,
) -> _Ranking:
    if asked.failure is not None:
        return _Nothing(LegStatus.FAILED, asked.failure)
    if asked.vector is None:
        return _nothing_stored(parts, scope, moment)
    assert gathered.scan is not None
    found = gathered.scan.nearest(query.filter, moment, plan.candidates_per_leg)
    return found or _Nothing(LegStatus.NOT_APPLICABLE, "nothing visible matches the filter")


def _with_what_is_missing(parts: Parts, scope: Scope, moment: Moment, report: LegReport) -> LegReport:
    """A ranking in which some memories could not take part is no sound one, and says so."""
    waiting = parts.store.queue.unembedded(scope, moment, WAITING_MOST)
    if not waiting:
        return report
    many = f"{waiting} memories" if waiting < WAITING_MOST else f"{WAITING_MOST} memories or more"
    reason = f"{many} wait for their vector and were left out. Run `trigraph reembed`."
    return replace(report, status=LegStatus.FAILED, reason=reason)


def _nothing_stored(parts: Parts, scope: Scope, moment: Moment) -> _Nothing:
    if parts.store.queue.unembedded(scope, moment, 1):
        return _Nothing(LegStatus.FAILED, "no memory has a vector yet. Run `trigraph reembed`.")
    return _Nothing(LegStatus.EMPTY_STORE, "nothing is stored yet")


def _lexical(
    parts: Parts, scope: Scope, query: RecallQuery, plan: Plan, moment: Moment, gathered: Gathered
) -> _Ranking:
    if not plan.terms:
        return _Nothing(LegStatus.NOT_APPLICABLE, "the query has no words to look up")
    gathered.statistics = statistics = parts.store.search.statistics(scope, plan.terms)
    if statistics.passages == 0:
        return _Nothing(LegStatus.EMPTY_STORE, "nothing is stored yet")
    rarest = _rarest(plan, statistics)
    search, limit = parts.store.search, plan.candidates_per_leg
    found = search.lexical(scope, rarest, query.filter, moment, limit)
    named = search.identifiers(scope, plan.identifiers, query.filter, moment, limit)
    gathered.named = {passage.passage for passage in named}
    known = {passage.passage for passage in found}
    weakest = min((passage.score for passage in found), default=1.0)
    return found + [ScoredPassage(one.passage, weakest) for one in named if one.passage not in known]


def _graph(parts: Parts, scope: Scope, query: RecallQuery, plan: Plan, moment: Moment, gathered: Gathered) -> _Ranking:
    """Passages of memories near the entities that the query names."""
    walked = walk(parts, scope, query.text, query.filter, moment)
    gathered.truncated = walked.truncated
    gathered.entities = walked.seeds
    if not walked.seeds:
        if walked.spoken and not parts.store.graph.stocked(scope):
            return _Nothing(LegStatus.EMPTY_STORE, "no memory is tied to an entity or a link yet")
        return _Nothing(LegStatus.NOT_APPLICABLE, "the query names no entity")
    gathered.reached = walked.reached
    found = [
        ScoredPassage(passage, near.score)
        for near in walked.reached.values()
        for passage in sorted(near.passages)[:PASSAGES_PER_MEMORY]
    ]
    return sorted(found, key=lambda one: -one.score)[: plan.candidates_per_leg]


def _temporal(
    parts: Parts, scope: Scope, query: RecallQuery, plan: Plan, moment: Moment, gathered: Gathered
) -> _Ranking:
    """Passages of memories from the window that the query names, the likest ones. Recency alone finds nothing: it
    ranks what others found."""
    window = plan.window or _anchored(parts, scope, query, moment)
    if window is None:
        return _Nothing(LegStatus.NOT_APPLICABLE, "the query names no time; recency ranks what the others found")
    gathered.window = window
    within = replace(query.filter, happened_from=window.start, happened_until=window.until)
    found: dict[int, float] = {}
    if plan.terms and gathered.statistics is not None:
        rarest = _rarest(plan, gathered.statistics)
        for one in parts.store.search.lexical(scope, rarest, within, moment, WINDOW_MOST):
            found[one.passage] = 1.0
    if gathered.scan is not None:
        for one in gathered.scan.nearest(within, moment, WINDOW_MOST):
            found.setdefault(one.passage, 1.0)
    return [ScoredPassage(passage, score) for passage, score in found.items()]


def _anchored(parts: Parts, scope: Scope, query: RecallQuery, moment: Moment) -> TimeWindow | None:
    """A time told by an event, where a memory tells when that was: the one that holds all of its words."""
    anchor = anchor_in(query.text)
    terms = list(dict.fromkeys(analyse(anchor.phrase))) if anchor else []
    if anchor is None or not terms:
        return None
    found = parts.store.search.lexical(scope, terms, MemoryFilter(), moment, ANCHORS_MOST)
    texts = parts.store.search.surroundings(scope, [one.passage for one in found], 0, MemoryFilter(), moment)
    by_passage = {text.passage: text for text in texts}
    for one in found:
        text = by_passage.get(one.passage)
        if text is not None and text.at is not None and set(terms) <= set(text.terms.split(" ")):
            return window_around(anchor, text.at)
    return None


def _rarest(plan: Plan, statistics: TermStatistics) -> list[str]:
    return sorted(plan.terms, key=lambda term: statistics.holding.get(term, 0))[:TERMS_MOST]


def _report(leg: Leg, ranking: _Ranking, milliseconds: float, gathered: Gathered) -> LegReport:
    if isinstance(ranking, _Nothing):
        return LegReport(leg, ranking.status, 0, round(milliseconds, 3), ranking.reason)
    status, reasons = LegStatus.OK, []
    truncated = leg is Leg.GRAPH and gathered.truncated
    if milliseconds > SLOW_MILLISECONDS:
        status = LegStatus.SLOW
        reasons.append(f"took over {SLOW_MILLISECONDS} ms")
    if truncated:
        reasons.append("there was more than its budget of nodes and time allows: the nearest were taken")
    reason = "; ".join(reasons) or None
    return LegReport(leg, status, len(ranking), round(milliseconds, 3), reason, truncated=truncated)
