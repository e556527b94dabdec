"""What the best hits lead to (S2): indirect, and so below every hit that the query itself found (T5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trigraph.engine.parts import Parts
from trigraph.model.ids import short_id
from trigraph.model.memory import MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.decay import decayed

EXPANDED_FROM = 5
LINKED_MOST = 50


@dataclass(frozen=True, slots=True)
class Indirect:
    """A memory that a hit leads to, and how."""

    memory_id: str
    passage: int
    why: str


def expand(
    parts: Parts, scope: Scope, hits: Sequence[str], wanted: MemoryFilter, moment: Moment, room: int
) -> list[Indirect]:
    """Memories that links join to the best hits and that are no hits themselves, the nearest first."""
    if room <= 0 or not hits:
        return []
    scores: dict[str, tuple[float, Indirect]] = {}
    for one in parts.store.graph.linked(scope, hits[:EXPANDED_FROM], wanted, moment, LINKED_MOST):
        if one.memory_id in hits:
            continue
        score = decayed(one.type, one.created_by, one.confidence, one.drawn_at, moment.known_at)
        if score > scores.get(one.memory_id, (0.0, None))[0]:
            found = Indirect(one.memory_id, one.passage, f"linked to {short_id(one.from_id)}: {one.type}")
            scores[one.memory_id] = (score, found)
    nearest = sorted(scores.values(), key=lambda item: -item[0])
    return [found for _, found in nearest[:room]]
