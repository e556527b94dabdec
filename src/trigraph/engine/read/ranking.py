"""From what the legs found to one order of memories: rescoring with context, then fusion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from trigraph.contracts import PassageText, TermStatistics
from trigraph.engine.parts import Parts
from trigraph.engine.read.legs import Gathered
from trigraph.model.query import Fusion, Leg, RecallQuery
from trigraph.model.recall import LegScore, Plan
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.certainty import Standing
from trigraph.ranking.context import REACH, Neighbourhood, Words, lexical_scores, vector_scores, words_of
from trigraph.ranking.decay import decayed
from trigraph.ranking.features import Meanings, likeness_features
from trigraph.ranking.fusion import EVIDENCE, fuse, normalise, ranks, standardised
from trigraph.ranking.order import LIKENESS, Order
from trigraph.ranking.proximity import BESIDE_BEST, Nearness
from trigraph.ranking.recency import in_window, recency

SCORE_DIGITS = 7
"""Leg scores are cut to so many significant digits before they are fused: an event that keeps them in
few bytes keeps all there was."""

NEIGHBOUR = "neighbour"
LINKED_TO_BEST = 5
LINKED_MOST = 50

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Board:
    """The scores of all candidates on each leg, with their ranks and as they were fused; NaN where there is none."""

    columns: Sequence[tuple[Leg, Sequence[float], Sequence[int], Sequence[float]]]

    def legs(self, row: int) -> dict[Leg, LegScore]:
        """The scores of one candidate."""
        return {
            leg: LegScore(raw[row], rank_of[row], scaled[row])
            for leg, raw, rank_of, scaled in self.columns
            if not math.isnan(raw[row])
        }

    def raw(self, row: int) -> dict[Leg, float]:
        """The same as the legs gave them."""
        return {leg: raw[row] for leg, raw, _, _ in self.columns if not math.isnan(raw[row])}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that was ranked: its row on the board of scores, and what they came to; `likeness` and `features` are
    those of a learnt order, `beyond` is what else speaks for it on the scale of its likeness, `reranked` says how
    re-ranking moved it, `moved` is what adjusted the score since."""

    passage: PassageText
    brought_by: tuple[str, ...]
    board: Board
    row: int
    score: float
    likeness: float | None = None
    features: Floats | None = None
    beyond: float = 0.0
    reranked: str | None = None
    moved: Mapping[str, float] = field(default_factory=dict)

    @property
    def legs(self) -> dict[Leg, LegScore]:
        """Its scores on the legs."""
        return self.board.legs(self.row)

    def scored(self, score: float, moved: Mapping[str, float] | None = None) -> Candidate:
        """The same with another score, and what moved it."""
        if score == self.score and moved is None:
            return self
        told = self.moved if moved is None else moved
        found = (self.passage, self.brought_by, self.board, self.row)
        return Candidate(*found, score, self.likeness, self.features, self.beyond, self.reranked, told)


def rank(
    parts: Parts, scope: Scope, query: RecallQuery, plan: Plan, moment: Moment, gathered: Gathered
) -> list[Candidate]:
    """All candidates, best first."""
    brought = gathered.passages
    if not brought:
        return []
    reach = REACH if plan.context else 0
    # Twice the reach is loaded: neighbours are candidates too, and have neighbours of their own.
    texts = parts.store.search.surroundings(scope, brought, 2 * reach, query.filter, moment)
    around = Neighbourhood(texts, brought, reach=reach)
    if plan.context:
        scores = _scores_in_context(parts, scope, query, plan, gathered, around)
    else:
        scores = _scores_as_found(gathered, around)
    scores |= _evidence(plan, moment, gathered, around)
    ranked = _ordered(gathered, around, plan, {leg: _rounded(values) for leg, values in scores.items()})
    if plan.expand and _meet_linked(parts, scope, query, moment, gathered, ranked):
        scores |= _evidence(plan, moment, gathered, around)
        ranked = _ordered(gathered, around, plan, {leg: _rounded(values) for leg, values in scores.items()})
    return ranked


def _meet_linked(
    parts: Parts,
    scope: Scope,
    query: RecallQuery,
    moment: Moment,
    gathered: Gathered,
    ranked: Sequence[Candidate],
) -> bool:
    """Candidates that somebody linked to one of the best are near to it, too: a decision to what came of it. Likeness
    found them, so they may rise; what it did not find is left to expansion, below. Says whether there are any."""
    best = [one.passage.memory_id for one in best_of_each_memory(ranked)[:LINKED_TO_BEST]]
    found = {one.passage.memory_id for one in ranked}
    reached = dict(gathered.reached)
    for one in parts.store.graph.linked(scope, best, query.filter, moment, LINKED_MOST, told=True):
        if one.memory_id in found:
            held = decayed(one.type, one.created_by, one.confidence, one.drawn_at, moment.known_at)
            near = reached.setdefault(one.memory_id, Nearness())
            near.add(BESIDE_BEST * held, one.passage, f"linked to a good hit: {one.type}")
    changed = len(reached) > len(gathered.reached)
    gathered.reached = reached
    return changed


def best_of_each_memory(candidates: Sequence[Candidate]) -> list[Candidate]:
    """A hit is the memory, shown at its best passage."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        best.setdefault(candidate.passage.memory_id, candidate)
    return list(best.values())


def _scores_in_context(
    parts: Parts, scope: Scope, query: RecallQuery, plan: Plan, gathered: Gathered, around: Neighbourhood
) -> dict[Leg, Floats]:
    scores: dict[Leg, Floats] = {}
    rows = around.candidates
    statistics = gathered.statistics
    words = lexical = None
    if Leg.LEXICAL in gathered.rankings and statistics is not None:
        words = words_of(plan.terms, statistics, around)
        lexical = lexical_scores(words, around)
        if gathered.named:
            rarity = math.log(1 + statistics.passages / len(gathered.named))
            lexical += rarity * np.array([text.passage in gathered.named for text in around.passages])
        scores[Leg.LEXICAL] = lexical[rows]
    if Leg.VECTOR in gathered.rankings and gathered.vector is not None:
        vectors = parts.store.search.vectors(scope, [text.passage for text in around.passages])
        cosines = (vectors @ gathered.vector).astype(np.float64)
        scores[Leg.VECTOR] = vector_scores(cosines, around)[rows]
        if plan.fusion is Fusion.LEARNED and words is not None and lexical is not None and statistics is not None:
            known = vectors.astype(np.float64)
            asked = Meanings(gathered.vector.astype(np.float64), *_unnamed(gathered))
            gathered.features = likeness_features(query.text, words, lexical, known, asked, around)
            gathered.standing = _standing(plan, statistics, words, cosines[rows], lexical[rows], gathered.features)
    return scores


def _unnamed(gathered: Gathered) -> tuple[Floats | None, frozenset[str]]:
    return (None if gathered.unnamed is None else gathered.unnamed.astype(np.float64)), gathered.names


def _standing(
    plan: Plan, statistics: TermStatistics, words: Words, cosines: Floats, lexical: Floats, features: Floats
) -> Standing:
    missing = np.array([not statistics.holding.get(term) for term in plan.terms], dtype=bool)
    return Standing(
        cosines=cosines,
        words=lexical,
        coverage=features[:, LIKENESS.index("coverage_around")],
        likeness=Order(plan.order).scores(features),
        rarity=float(words.rarity.sum()),
        unknown=float(words.rarity[missing].sum()),
        terms=len(plan.terms),
    )


def _evidence(plan: Plan, moment: Moment, gathered: Gathered, around: Neighbourhood) -> dict[Leg, Floats]:
    """What speaks for a candidate beside its likeness: how near it is to what the query names, and its time."""
    texts = [around.passages[row] for row in around.candidates]
    scores: dict[Leg, Floats] = {}
    if gathered.reached:
        reached = gathered.reached
        scores[Leg.GRAPH] = np.array([reached[t.memory_id].score if t.memory_id in reached else np.nan for t in texts])
    if Leg.TEMPORAL in plan.weights and (plan.recency or gathered.window is not None):
        scores[Leg.TEMPORAL] = np.array([_temporal_score(text, plan, moment, gathered) for text in texts])
    return scores


def _temporal_score(text: PassageText, plan: Plan, moment: Moment, gathered: Gathered) -> float:
    assert text.at is not None
    score = plan.recency * recency((moment.as_of - text.at).total_seconds() / 86_400)
    return score + (in_window(text.at, gathered.window) if gathered.window is not None else 0.0)


def _scores_as_found(gathered: Gathered, around: Neighbourhood) -> dict[Leg, Floats]:
    scores: dict[Leg, Floats] = {}
    for leg, ranking in gathered.rankings.items():
        if leg in EVIDENCE:
            continue
        found = {one.passage: one.score for one in ranking}
        scores[leg] = np.array([found.get(around.passages[row].passage, np.nan) for row in around.candidates])
    return scores


def _rounded(values: Floats) -> Floats:
    sizes = np.floor(np.log10(np.maximum(np.abs(np.nan_to_num(values)), 1e-30)))
    scale = 10.0 ** (SCORE_DIGITS - 1 - sizes)
    return np.asarray(np.round(values * scale) / scale)


def _ordered(gathered: Gathered, around: Neighbourhood, plan: Plan, scores: Mapping[Leg, Floats]) -> list[Candidate]:
    normalised = normalise(scores, plan.fusion)
    likeness = None
    if gathered.features is not None:
        likeness = _rounded(Order(plan.order).scores(gathered.features))
    alike = None if likeness is None else standardised(likeness)
    fused = fuse(normalised, plan.weights, plan.fusion, alike)
    beyond = np.zeros(len(fused)) if likeness is None or alike is None else (fused - alike) * float(likeness.std())
    found = {leg: {one.passage for one in ranking} for leg, ranking in gathered.rankings.items()}
    board = Board(
        [(leg, values.tolist(), ranks(values).tolist(), normalised[leg].tolist()) for leg, values in scores.items()]
    )
    features = gathered.features
    told = None if likeness is None else likeness.tolist()
    scored, further = fused.tolist(), beyond.tolist()
    candidates = []
    for place in np.argsort(-fused, kind="stable").tolist():
        text = around.passages[around.candidates[place]]
        candidates.append(
            Candidate(
                passage=text,
                brought_by=tuple([leg for leg, there in found.items() if text.passage in there]) or (NEIGHBOUR,),
                board=board,
                row=place,
                score=scored[place],
                likeness=None if told is None else told[place],
                features=None if features is None else features[place],
                beyond=further[place],
            )
        )
    return candidates
