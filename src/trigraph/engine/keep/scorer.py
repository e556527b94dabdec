"""The scorer: learning what features weigh from the citations of a project, and judging whether it helps.

It learns from the events and citations of all agents of the project, and tells numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from trigraph.engine.parts import Parts
from trigraph.engine.read.scoring import in_use
from trigraph.model.scope import Scope
from trigraph.model.scorer import Evidence, HeldOut, Scorer, ScorerReport, ScorerState, WeightChange
from trigraph.ranking import scoring
from trigraph.ranking.order import shipped, shipped_digest

CITATIONS_MOST = 20_000
RECALLS_MOST = 5_000
"""So much of the past is learnt from; what is older has faded."""
CHANGES_MOST = 8
CHANGE_LEAST = 0.005
FIGURE_DIGITS = 4

NEVER = "nothing was learnt yet"
SWITCHED_OFF = "it was switched off; `trigraph scorer on` trains it and lets it be used again"
OTHER_PRIOR = "the weights that ship have changed since it was trained; train it again"


def train(parts: Parts, scope: Scope) -> ScorerReport:
    """Learn anew from all citations. It is used from now on if it helped on recalls that it did not learn from, and
    no longer if it did not; switched off, it stays so."""
    citations, lessons = _lessons(parts, scope)
    trained = scoring.train(lessons, shipped().weights)
    held_out = _held_out(trained.judged)
    state, why = _verdict(held_out, citations, sum(one.teaches for one in lessons))
    before = parts.store.scorers.get(scope)
    if before is not None and before.state is ScorerState.OFF:
        state, why = ScorerState.OFF, SWITCHED_OFF
    evidence = replace(
        _evidence(citations, lessons), learnt_from=trained.lessons, trusted=round(trained.trusted, FIGURE_DIGITS)
    )
    with parts.store.transaction(scope, parts.clock()) as at:
        scorer = Scorer(state, why, trained.weights, shipped_digest(), evidence, held_out, at)
        parts.store.scorers.put(scope, scorer)
    return _told(parts, scorer)


def report(parts: Parts, scope: Scope) -> ScorerReport:
    """What was learnt last and how it fared; before that, what there is to learn from."""
    scorer = parts.store.scorers.get(scope)
    if scorer is None:
        scorer = Scorer(ScorerState.WAITING, NEVER, evidence=_evidence(*_lessons(parts, scope)))
    return _told(parts, scorer)


def off(parts: Parts, scope: Scope) -> ScorerReport:
    """Order by the shipped weights, whatever was learnt."""
    with parts.store.transaction(scope, parts.clock()):
        scorer = parts.store.scorers.get(scope) or Scorer(ScorerState.OFF, SWITCHED_OFF)
        scorer = replace(scorer, state=ScorerState.OFF, why=SWITCHED_OFF)
        parts.store.scorers.put(scope, scorer)
    return _told(parts, scorer)


def on(parts: Parts, scope: Scope) -> ScorerReport:
    """Let it be used again, after it was trained and judged by what there is now."""
    with parts.store.transaction(scope, parts.clock()):
        scorer = parts.store.scorers.get(scope) or Scorer(ScorerState.WAITING, NEVER)
        parts.store.scorers.put(scope, replace(scorer, state=ScorerState.WAITING, why=NEVER))
    return train(parts, scope)


def _lessons(parts: Parts, scope: Scope) -> tuple[int, list[scoring.Lesson]]:
    """How many citations of hits there are, and what they teach, the oldest first. Only whoever asked says what a hit
    was worth; of several words on one hit the latest counts."""
    said: dict[tuple[str, str], dict[str, float]] = {}
    judgements = parts.store.scorers.judgements(scope, CITATIONS_MOST)
    for one in judgements:
        of_recall = said.setdefault((one.recall_id, one.agent), {})
        of_recall.setdefault(one.memory_id, scoring.REWARDS[one.kind])
    recalls = list(dict.fromkeys(one.recall_id for one in judgements))[:RECALLS_MOST]
    lessons = []
    for shown in parts.store.events.lists(scope, recalls):
        worth = said.get((shown.recall_id, shown.agent), {})
        rewards = [worth.get(hit.memory_id) for hit in shown.shown]
        if any(one is not None for one in rewards):
            features, beyond = [hit.features for hit in shown.shown], [hit.beyond for hit in shown.shown]
            ranks = [hit.rank for hit in shown.shown]
            lessons.append(scoring.lesson(shown.names, features, beyond, ranks, rewards))
    return len(judgements), lessons


def _evidence(citations: int, lessons: list[scoring.Lesson]) -> Evidence:
    return Evidence(citations, len(lessons), sum(one.teaches for one in lessons))


def _held_out(judged: scoring.Judged | None) -> HeldOut | None:
    if judged is None:
        return None
    figures = (judged.shipped, judged.learnt, judged.lift, judged.low, judged.high)
    return HeldOut(judged.lessons, *(round(one, FIGURE_DIGITS) for one in figures))


def _verdict(held_out: HeldOut | None, citations: int, positive: int) -> tuple[ScorerState, str]:
    if not citations:
        return ScorerState.WAITING, "no hit was cited yet"
    if held_out is None:
        least = round(scoring.HELD_OUT_LEAST / scoring.HELD_OUT)
        return ScorerState.WAITING, f"{positive} recalls with a hit of use; it takes {least} to judge it"
    if held_out.low > 0:
        return ScorerState.PROMOTED, f"it helped on {held_out.recalls} later recalls"
    return ScorerState.WAITING, f"it did not clearly help on {held_out.recalls} later recalls"


def _told(parts: Parts, scorer: Scorer) -> ScorerReport:
    stale = scorer.state is ScorerState.PROMOTED and not in_use(scorer)
    return ScorerReport(
        state=scorer.state,
        why=OTHER_PRIOR if stale else scorer.why,
        used=parts.scorer.enabled and parts.order is None and in_use(scorer),
        enabled=parts.scorer.enabled,
        explore=parts.scorer.explore,
        evidence=scorer.evidence,
        held_out=scorer.held_out,
        changes=_changes(shipped().weights, scorer.weights),
        trained_at=scorer.trained_at,
    )


def _changes(before: Mapping[str, float], after: Mapping[str, float]) -> tuple[WeightChange, ...]:
    """What changed most, the largest change first."""
    moved = {name: weight - before.get(name, 0.0) for name, weight in after.items()}
    most = sorted((name for name in moved if abs(moved[name]) >= CHANGE_LEAST), key=lambda name: -abs(moved[name]))
    return tuple(
        WeightChange(
            name,
            round(before.get(name, 0.0), FIGURE_DIGITS),
            round(after[name], FIGURE_DIGITS),
            _in_words(name, before.get(name, 0.0), after[name]),
        )
        for name in most[:CHANGES_MOST]
    )


def _in_words(name: str, before: float, after: float) -> str:
    spoken = name.replace("_", " ")
    if before * after < 0:
        return f"{spoken} now counts {'for' if after > 0 else 'against'} a hit"
    way = "for" if max(before, after) > 0 else "against"
    return f"{spoken} counts {'more' if abs(after) > abs(before) else 'less'} {way} a hit"
