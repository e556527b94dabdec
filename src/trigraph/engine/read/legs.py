"""The four legs: each ranks passages for a query, and says how it fared."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trigraph.contracts import ScoredPassage, TermStatistics
from trigraph.engine.embedding import Unusable
from trigraph.engine.parts import Parts
from trigraph.errors import ModelUnavailable
from trigraph.model.query import Leg, RecallQuery
from trigraph.model.recall import LegReport, LegStatus, Plan
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

SLOW_MILLISECONDS = 2000
WAITING_MOST = 1000
TERMS_MOST = 24
"""Of a very long query, only the rarest terms are looked up: common ones cost most and say least."""


@dataclass(slots=True)
class Gathered:
    """What the legs found: passages by leg, what each leg says of itself, and what rescoring needs again: the
    query's vector, its terms' statistics, and the passages found by an identifier."""

    rankings: dict[Leg, list[ScoredPassage]] = field(default_factory=dict)
    named: set[int] = field(default_factory=set)
    statistics: TermStatistics | None = None
    reports: list[LegReport] = field(default_factory=list)
    vector: Vectors | None = None

    @property
    def passages(self) -> set[int]:
        """Every passage that some leg brought."""
        return {found.passage for ranking in self.rankings.values() for found in ranking}


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The query as the model sees it; None when nothing is stored, or, with `failure`, when it could not be made."""

    vector: Vectors | None
    failure: str | None
    milliseconds: float


@dataclass(frozen=True, slots=True)
class _Nothing:
    """Why a leg has no ranking."""

    status: LegStatus
    reason: str


_Ranking = list[ScoredPassage] | _Nothing


def gather(parts: Parts, scope: Scope, query: RecallQuery, plan: Plan, moment: Moment, asked: QueryVector) -> Gathered:
    """Ask every leg of the plan. A leg that fails does not take the others with it."""
    gathered = Gathered()
    legs: dict[Leg, Callable[[], _Ranking]] = {
        Leg.VECTOR: lambda: _vector(parts, scope, query, plan, moment, asked, gathered),
        Leg.LEXICAL: lambda: _lexical(parts, scope, query, plan, moment, gathered),
        Leg.GRAPH: lambda: _Nothing(LegStatus.NOT_APPLICABLE, "the query names no entity"),
        Leg.TEMPORAL: lambda: _Nothing(LegStatus.NOT_APPLICABLE, "the query names no time"),
    }
    for leg in plan.weights:
        started = time.perf_counter()
        ranking = legs[leg]()
        milliseconds = (time.perf_counter() - started) * 1000
        if leg is Leg.VECTOR:
            milliseconds += asked.milliseconds
        report = _report(leg, ranking, milliseconds)
        if leg is Leg.VECTOR and report.status is LegStatus.OK:
            report = _with_what_is_missing(parts, scope, moment, report)
        gathered.reports.append(report)
        if not isinstance(ranking, _Nothing):
            gathered.rankings[leg] = ranking
    return gathered


def embed_query(parts: Parts, scope: Scope, query: RecallQuery, plan: Plan) -> QueryVector:
    """The query's vector, made before any store is held: an embedder may be far away and slow."""
    started = time.perf_counter()
    vector, reason = None, None
    if Leg.VECTOR in plan.weights:
        embedder = parts.embedding.usable(parts.store, scope)
        if isinstance(embedder, Unusable):
            reason = embedder.reason
        elif parts.store.space.pinned(scope) is not None:
            try:
                vector = embedder.embed_query(query.text)
            except ModelUnavailable as error:
                reason = str(error)
    return QueryVector(vector, reason, (time.perf_counter() - started) * 1000)


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
    gathered.vector = asked.vector
    found = parts.store.search.nearest(scope, asked.vector, query.filter, moment, plan.candidates_per_leg)
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
    rarest = sorted(plan.terms, key=lambda term: statistics.holding.get(term, 0))[:TERMS_MOST]
    search, limit = parts.store.search, plan.candidates_per_leg
    found = search.lexical(scope, rarest, query.filter, moment, limit)
    named = search.identifiers(scope, plan.identifiers, query.filter, moment, limit)
    gathered.named = {passage.passage for passage in named}
    known = {passage.passage for passage in found}
    weakest = min((passage.score for passage in found), default=1.0)
    return found + [ScoredPassage(one.passage, weakest) for one in named if one.passage not in known]


def _report(leg: Leg, ranking: _Ranking, milliseconds: float) -> LegReport:
    if isinstance(ranking, _Nothing):
        return LegReport(leg, ranking.status, 0, round(milliseconds, 3), ranking.reason)
    if milliseconds > SLOW_MILLISECONDS:
        reason = f"took over {SLOW_MILLISECONDS} ms"
        return LegReport(leg, LegStatus.SLOW, len(ranking), round(milliseconds, 3), reason)
    return LegReport(leg, LegStatus.OK, len(ranking), round(milliseconds, 3))
