"""Bounded adjustments of fused scores, before the cut: confidence, dampening (S3) and diversity (I14).

Each has a switch in the profile, and a hit that is asked to explain itself says what moved it. Factors apply to a
score's lead over the weakest that is looked at: a score may be negative, a lead is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trigraph.contracts import Held
from trigraph.engine.parts import Parts
from trigraph.engine.read.ranking import Candidate
from trigraph.lifecycle.confidence import factor
from trigraph.model.memory import Kind
from trigraph.model.query import Leg
from trigraph.model.recall import Plan
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.diversity import diverse

GUIDING = frozenset({Kind.CONSTRAINT, Kind.DECISION})
HUB_SHARE = 0.9
HUB_LEAST = 2
"""An entity that one memory speaks of is no hub, however few the others are spoken of."""
DEGREE_MOST = 10_000
DIVERSE_AMONG = 40


def adjust(
    parts: Parts,
    scope: Scope,
    plan: Plan,
    moment: Moment,
    top: Sequence[Candidate],
    held: Mapping[str, Held],
    confidences: Mapping[str, float],
) -> list[Candidate]:
    """The candidates in the order in which they are to be answered."""
    if not top:
        return []
    factors: list[dict[str, float]] = [{} for _ in top]
    _by_confidence(plan, top, confidences, factors)
    _by_words(plan, top, factors)
    _by_hubs(parts, scope, plan, moment, top, factors)
    _by_kind(plan, top, held, factors)
    moved = _weighed(top, factors)
    if plan.confidence_floor < 1:  # between equals, confidence decides
        moved.sort(key=lambda one: -confidences.get(one.passage.memory_id, 1.0))
    moved.sort(key=lambda one: -one.score)
    return _diversified(parts, scope, plan, moved)


def _by_confidence(
    plan: Plan, top: Sequence[Candidate], confidences: Mapping[str, float], factors: list[dict[str, float]]
) -> None:
    if plan.confidence_floor >= 1 or len(set(confidences.values())) < 2:
        return
    for one, moved in zip(top, factors, strict=True):
        moved["confidence"] = factor(confidences.get(one.passage.memory_id, 1.0), plan.confidence_floor)


def _by_words(plan: Plan, top: Sequence[Candidate], factors: list[dict[str, float]]) -> None:
    asked = set(plan.terms)
    if plan.dampening.wordless == 1 or not asked:
        return
    for one, moved in zip(top, factors, strict=True):
        if one.brought_by == (Leg.VECTOR,) and asked.isdisjoint(one.passage.terms.split(" ")):
            moved["wordless"] = plan.dampening.wordless


def _by_hubs(
    parts: Parts,
    scope: Scope,
    plan: Plan,
    moment: Moment,
    top: Sequence[Candidate],
    factors: list[dict[str, float]],
) -> None:
    if plan.dampening.hubs == 1:
        return
    spoken: dict[str, set[str]] = {}
    for mention in parts.store.entities.mentions_of(scope, [one.passage.memory_id for one in top], moment):
        spoken.setdefault(mention.memory_id, set()).add(mention.entity_id)
    entities = set().union(*spoken.values())
    if not entities:
        return
    degrees = parts.store.graph.degrees(scope, entities, DEGREE_MOST)
    ordered = sorted(degrees.get(entity, 0) for entity in entities)
    hub = max(ordered[min(int(HUB_SHARE * len(ordered)), len(ordered) - 1)], HUB_LEAST)
    for one, moved in zip(top, factors, strict=True):
        of = spoken.get(one.passage.memory_id)
        if of and all(degrees.get(entity, 0) >= hub for entity in of):
            moved["hubs"] = plan.dampening.hubs


def _by_kind(plan: Plan, top: Sequence[Candidate], held: Mapping[str, Held], factors: list[dict[str, float]]) -> None:
    if plan.dampening.guiding == 1:
        return
    for one, moved in zip(top, factors, strict=True):
        told = held.get(one.passage.memory_id)
        if told is not None and told.kind in GUIDING:
            moved["guiding"] = plan.dampening.guiding


def _weighed(top: Sequence[Candidate], factors: Sequence[Mapping[str, float]]) -> list[Candidate]:
    least = min(one.score for one in top)
    weighed = []
    for one, moved in zip(top, factors, strict=True):
        lead = one.score - least
        for times in moved.values():
            lead *= times
        told = {name: times for name, times in moved.items() if times != 1}
        weighed.append(one.scored(least + lead, told) if told else one)
    return weighed


def _diversified(parts: Parts, scope: Scope, plan: Plan, ordered: list[Candidate]) -> list[Candidate]:
    """The best in an order that does not repeat itself; always as many are looked at, whatever is asked for, so that
    who asks for more sees the same first."""
    best, rest = ordered[:DIVERSE_AMONG], ordered[DIVERSE_AMONG:]
    if not plan.diversity or len(best) < 3:
        return ordered
    vectors = parts.store.search.vectors(scope, [one.passage.passage for one in best])
    if not vectors.any():
        return ordered
    import numpy as np

    scores = np.array([one.score for one in best])
    threads = [one.passage.thread for one in best]
    numbers = [frozenset(term for term in one.passage.terms.split(" ") if any(map(str.isdigit, term))) for one in best]
    told = []
    for place, loss in zip(
        *diverse(scores, vectors, numbers, threads, weight=plan.diversity, spread=plan.spread), strict=True
    ):
        one = best[place]
        told.append(one.scored(one.score - loss, {**one.moved, "said before": -round(loss, 4)}) if loss else one)
    return told + [one.scored(min(one.score, told[-1].score)) for one in rest]
