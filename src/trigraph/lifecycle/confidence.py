"""How far a memory is to be believed: it fades while nobody refers to it, and rises when somebody does (I10)."""

from __future__ import annotations

from datetime import datetime

from trigraph.model.memory import Memory

FADES_BY = 0.05
FADES_EVERY_DAYS = 30
LEAST = 0.1
RISES_BY = 0.1
"""What a citation, a restatement or a confirmation adds."""

FACTOR_FLOOR = 0.8
"""A memory of no confidence keeps so much of its score; one of full confidence keeps all."""


def effective(confidence: float, since: datetime, now: datetime) -> float:
    """What is left of a confidence that nobody has referred to since then."""
    days = max((now - since).total_seconds() / 86_400, 0.0)
    least = min(LEAST, confidence)
    return max(confidence - FADES_BY * days / FADES_EVERY_DAYS, least)


def effective_of(memory: Memory, now: datetime) -> float:
    """The confidence that a memory has by now."""
    return effective(memory.confidence, memory.referenced_at or memory.created_at, now)


def risen(memory: Memory, now: datetime) -> float:
    """The confidence that a memory has once it is referred to: its new base."""
    return round(min(effective_of(memory, now) + RISES_BY, 1.0), 6)


def factor(confidence: float, floor: float = FACTOR_FLOOR) -> float:
    """What a score keeps: bounded, so that confidence breaks ties and never decides alone. A floor of 0 is the plain
    product."""
    return floor + (1 - floor) * confidence
