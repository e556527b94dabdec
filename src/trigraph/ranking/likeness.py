"""How likeness counts between kinds of memories (L4): for links, traces and references, not for recall."""

from __future__ import annotations

from trigraph.model.memory import Kind

_FACTORS = {
    (Kind.DECISION, Kind.CHECKPOINT): 1.2,
    (Kind.DECISION, Kind.DECISION): 1.0,
    (Kind.CHECKPOINT, Kind.CHECKPOINT): 0.8,
    (Kind.INSIGHT, Kind.DECISION): 1.1,
    (Kind.DECISION, Kind.INSIGHT): 0.9,
}


def kinds_factor(earlier: Kind, later: Kind) -> float:
    """What a likeness is multiplied by, from the earlier memory's kind to the later one's."""
    return _FACTORS.get((earlier, later), 1.0)
