"""How far a piece of evidence is to be relied on: a documented heuristic of what is known about a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from trigraph.lifecycle.confidence import effective_of
from trigraph.lifecycle.retention import retention
from trigraph.model.composition import CLOSED_LABELS, SUCCESS_LABELS, OutcomeLabel
from trigraph.model.memory import Memory, OutcomeResult
from trigraph.model.recall import Outcome

RETENTION, CONFIDENCE, PROVENANCE, OUTCOMES = 0.35, 0.2, 0.25, 0.2
"""What each of them counts; together 1."""
NOT_HOLDING = 0.1
"""What is left of the trust in what does not hold now."""
_GOOD = {OutcomeResult.SUCCESS: 1.0, OutcomeResult.PARTIAL: 0.5, OutcomeResult.FAILED: 0.0}


def trust_of(
    memory: Memory,
    now: datetime,
    outcomes: Sequence[Outcome] = (),
    labels: Mapping[OutcomeLabel, int] | None = None,
    *,
    holds: bool = True,
) -> float:
    """From 0 to 1: 0.35 retention + 0.2 confidence by now + 0.25 trust of its source + 0.2 what came of it; a tenth of
    that where it does not hold now."""
    whole = (
        RETENTION * retention(memory, now)
        + CONFIDENCE * effective_of(memory, now)
        + PROVENANCE * memory.trust
        + OUTCOMES * success(outcomes, labels or {})
    )
    return round(whole if holds else NOT_HOLDING * whole, 4)


def success(outcomes: Sequence[Outcome], labels: Mapping[OutcomeLabel, int]) -> float:
    """The share of good ends among those that are known, as if one good and one bad had been before: ½ of nothing."""
    good = sum(_GOOD[one.result] for one in outcomes) + sum(labels.get(one, 0) for one in SUCCESS_LABELS)
    bad = sum(1 - _GOOD[one.result] for one in outcomes) + sum(labels.get(one, 0) for one in CLOSED_LABELS)
    return (1 + good) / (2 + good + bad)
