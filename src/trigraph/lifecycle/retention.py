"""How likely a memory still is to be of use, by the spaced-repetition model FSRS over what was done with it.

A review is a citation, never an exposure. What FSRS starts with is meant for flash cards (two days); a memory that
was just written is taken to be of use for months, so the first stability is longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from fsrs import Card, Rating, Scheduler, State

from trigraph.model.change import CitationKind
from trigraph.model.memory import Memory, Strength

FIRST = Strength(stability_days=69.0, difficulty=5.0)
"""Thirty times what FSRS gives a card that was answered well once; of middling difficulty."""

RATINGS: Mapping[CitationKind, Rating] = MappingProxyType(
    {
        CitationKind.CITED: Rating.Good,
        CitationKind.SAVED_REWORK: Rating.Easy,
        CitationKind.DISMISSED: Rating.Hard,
        CitationKind.FLAGGED_STALE: Rating.Again,
        CitationKind.REWROTE: Rating.Again,
    }
)
CONFIRMED = Rating.Good
"""What a restatement or a confirmation counts as."""

_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def retention(memory: Memory, now: datetime) -> float:
    """The chance, from 0 to 1, that the memory is still of use."""
    return float(_SCHEDULER.get_card_retrievability(_card(memory), max(now, _since(memory))))


def reviewed(memory: Memory, rating: Rating, now: datetime) -> Strength:
    """How firmly a memory is held after a use of it."""
    card, _ = _SCHEDULER.review_card(_card(memory), rating, max(now, _since(memory)))
    if card.stability is None or card.difficulty is None:
        raise AssertionError("a reviewed card has both")
    return Strength(round(card.stability, 6), round(card.difficulty, 6))


def _card(memory: Memory) -> Card:
    strength = memory.strength or FIRST
    since = _since(memory)
    return Card(
        card_id=0,
        state=State.Review,
        stability=strength.stability_days,
        difficulty=strength.difficulty,
        due=since,
        last_review=since,
    )


def _since(memory: Memory) -> datetime:
    return memory.referenced_at or memory.created_at
