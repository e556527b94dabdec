"""How much a word says: the fewer passages hold it, the more."""

from __future__ import annotations

import math


def rarity(passages: int, holding: int) -> float:
    """BM25's idf of a term that so many of the passages hold, never negative."""
    return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))
