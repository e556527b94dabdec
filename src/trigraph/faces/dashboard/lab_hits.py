"""What a hit owes to each leg and feature: numbers, words, and how long a bar is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trigraph.faces.dashboard.cards import Card, hit_card
from trigraph.model.query import Fusion, Leg
from trigraph.model.recall import Hit, Recall

FEATURES_SHOWN = 8
LEAST = 0.005
"""What counts less is not told."""
MIDDLE = 50.0
_EVIDENCE = (Leg.GRAPH, Leg.TEMPORAL)
_LIKENESS = {
    True: ("likeness", "words and meaning together, by the learnt order"),
    False: ("adjustments", "legs that did not find it, and what moved it after fusion"),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A number as a bar: from `start`, so `wide`, of 100; those below zero lie left of the middle."""

    name: str
    value: str
    words: str
    start: float
    wide: float
    below: bool


@dataclass(frozen=True, slots=True)
class LabHit:
    """A hit: its card, what its score is made of, its standing on every leg, what the learnt order saw in it, and what
    is known of how far it is to be believed."""

    card: Card
    owes: tuple[Bar, ...]
    legs: tuple[tuple[str, str, str, str, str], ...]
    features: tuple[Bar, ...]
    features_more: int
    moved: tuple[tuple[str, str], ...]
    held: str


def lab_hits(recall: Recall) -> tuple[LabHit, ...]:
    """All hits of an answer that was asked to explain itself; bars of one sort are drawn to one scale."""
    owed = [_owed(hit, recall) for hit in recall.hits]
    weighed = [_weighed(hit, recall.plan.order) for hit in recall.hits]
    most_owed = max((abs(value) for one in owed for _, value, _ in one), default=1.0)
    most_weighed = max((abs(value) for one in weighed for _, value, _ in one), default=1.0)
    return tuple(
        LabHit(
            card=hit_card(hit, recall.conflicts),
            owes=tuple(_bar(*one, most_owed) for one in parts),
            legs=_standing(hit, recall),
            features=tuple(_bar(*one, most_weighed) for one in features[:FEATURES_SHOWN]),
            features_more=max(len(features) - FEATURES_SHOWN, 0),
            moved=tuple((name, f"{by:+.2f}" if by < 0 else f"×{by:.3f}") for name, by in hit.moved.items()),
            held=f"confidence {hit.effective_confidence:.2f}, trust {hit.memory.trust:.2f},"
            f" retention {hit.staleness.retention:.2f}",
        )
        for hit, parts, features in zip(recall.hits, owed, weighed, strict=True)
    )


_Told = tuple[str, float, str]


def _owed(hit: Hit, recall: Recall) -> list[_Told]:
    """What the score is the sum of."""
    plan = recall.plan
    if not hit.legs:
        return [("linked", hit.score, hit.why or "it follows what it is linked to")]
    learnt = plan.fusion is Fusion.LEARNED and bool(hit.features)
    alike = [leg for leg in plan.weights if plan.fusion is Fusion.RRF or leg not in _EVIDENCE]
    whole = sum(plan.weights[leg] for leg in alike) or 1.0
    parts: list[_Told] = []
    for leg, score in hit.legs.items():
        weight = plan.weights.get(leg, 0.0)
        if leg in alike and learnt:
            continue
        value = weight * score.normalised / (whole if leg in alike else 1.0)
        parts.append((leg.value, value, f"rank {score.rank}, weight {weight:g}"))
    rest = hit.score - sum(value for _, value, _ in parts)
    name, words = ("exact", hit.why) if hit.why.startswith("exactly this") else _LIKENESS[learnt]
    if abs(rest) >= LEAST:
        parts.insert(0, (name, rest, words)) if learnt else parts.append((name, rest, words))
    return [one for one in parts if abs(one[1]) >= LEAST or one[0] in list(Leg)]


def _weighed(hit: Hit, order: Mapping[str, float]) -> list[_Told]:
    """What each feature added, the strongest first."""
    told = [(name, order.get(name, 0.0) * value, value) for name, value in hit.features.items()]
    return [
        (name.replace("_", " "), much, f"{value:+.2f} × {order[name]:+.2f}")
        for name, much, value in sorted(told, key=lambda one: -abs(one[1]))
        if abs(much) >= LEAST
    ]


def _standing(hit: Hit, recall: Recall) -> tuple[tuple[str, str, str, str, str], ...]:
    """Each leg: rank, its own score, what fusion made of it, its weight."""
    rows = []
    for leg, weight in recall.plan.weights.items():
        found = hit.legs.get(leg)
        if found is None:
            rows.append((leg.value, "did not find it", "", "", f"{weight:g}"))
        else:
            rows.append((leg.value, f"{found.rank}", f"{found.raw:.3f}", f"{found.normalised:+.3f}", f"{weight:g}"))
    return tuple(rows)


def _bar(name: str, value: float, words: str, most: float) -> Bar:
    wide = round(min(abs(value) / (most or 1.0), 1.0) * MIDDLE, 1)
    below = value < 0
    return Bar(name, f"{value:+.2f}", words, MIDDLE - wide if below else MIDDLE, wide, below)
