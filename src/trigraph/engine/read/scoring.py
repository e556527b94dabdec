"""Which weights order a recall, and whether one of its places goes to a hit that is shown to learn from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from trigraph.engine.parts import Parts
from trigraph.model.query import Fusion
from trigraph.model.recall import Plan
from trigraph.model.scope import Scope
from trigraph.model.scorer import Scorer, ScorerState
from trigraph.ranking.order import shipped_digest

SHIPPED = "shipped"
GIVEN = "given"
EXPLORED_FROM = 8
"""So many hits must be asked for before one place may be spent on learning."""
EXPLORED_AMONG = 10
"""The place goes to one of so many candidates just below the cut."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """In which share of recalls a hit is shown to learn from; which, depends on nothing but the recall's id, so that it
    can be replayed."""

    share: float = 0.0

    def draw(self, recall_id: str, limit: int, below: int) -> int | None:
        """Which of the candidates below the cut is shown in the last place; None: none of them."""
        if limit < EXPLORED_FROM or not below:
            return None
        drawn = hashlib.sha256(recall_id.encode()).digest()
        if int.from_bytes(drawn[:8], "big") >= self.share * 2**64:
            return None
        return int.from_bytes(drawn[8:16], "big") % min(below, EXPLORED_AMONG)


def with_scorer(parts: Parts, scope: Scope, plan: Plan) -> tuple[Plan, Exploration]:
    """The plan by the weights that the project's citations taught, if they have shown that they help."""
    if plan.fusion is not Fusion.LEARNED:
        return plan, Exploration()
    if parts.order is not None:
        return replace(plan, ordered_by=GIVEN), Exploration()
    scorer = parts.store.scorers.get(scope) if parts.scorer.enabled else None
    if scorer is None or scorer.state is ScorerState.OFF:
        return replace(plan, ordered_by=SHIPPED), Exploration()
    exploration = Exploration(parts.scorer.explore if scorer.evidence.positive else 0.0)
    if not in_use(scorer):
        return replace(plan, ordered_by=SHIPPED), exploration
    return replace(plan, order=scorer.weights, ordered_by=f"scorer of {scorer.trained_at:%Y-%m-%d}"), exploration


def in_use(scorer: Scorer) -> bool:
    """Whether it was promoted, and the weights that it started from are still those that ship."""
    return scorer.state is ScorerState.PROMOTED and scorer.learnt_from == shipped_digest()
