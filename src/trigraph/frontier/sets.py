"""Sets of three memories and more: grown from pairs, held together by their weakest edge."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from trigraph.frontier.pairs import Bridge

BASES_MOST = 300
"""So many of the best pairs are grown."""

OVERLAP_PENALTY = 0.25
"""What a set loses that shares all its members with one told before it."""

LEAST = 1e-6

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Edge:
    """A pair as part of a set: its score, what joins it, and whether the two met in a composition already."""

    score: float
    bridges: frozenset[Bridge]
    met: bool = False


@dataclass(frozen=True, slots=True)
class Grown:
    """A set that never met as a whole, and its score: the harmonic mean of its edges', less what it repeats."""

    members: tuple[str, ...]
    score: float


def pair_of(one: str, other: str) -> Pair:
    """Two ids as they are kept: the smaller first."""
    return (one, other) if one < other else (other, one)


def edges_of(members: Collection[str]) -> list[Pair]:
    """Every two of them."""
    return [pair_of(one, other) for one, other in combinations(sorted(members), 2)]


def harmonic_mean(scores: Sequence[float]) -> float:
    """Drawn towards the weakest: a set is no better than the edge that holds it least."""
    return len(scores) / sum(1 / max(score, LEAST) for score in scores)


def adds_a_bridge_each(edges: Iterable[Edge]) -> bool:
    """Whether every edge, the strongest first, is joined by something that none before it was: where one word joins
    them all, the set says no more than its best pair."""
    seen: frozenset[Bridge] = frozenset()
    for edge in sorted(edges, key=lambda edge: -edge.score):
        if edge.bridges <= seen:
            return False
        seen |= edge.bridges
    return True


def grow(edges: Mapping[Pair, Edge], size: int, limit: int) -> list[Grown]:
    """The best sets of that size, in which each two are joined and at least two never met; sets that repeat members of
    better ones come later. Cost: at most `BASES_MOST` bases times their common neighbours times `size` squared."""
    around: dict[str, set[str]] = {}
    for one, other in edges:
        around.setdefault(one, set()).add(other)
        around.setdefault(other, set()).add(one)
    found: dict[tuple[str, ...], float] = {}
    for base in sorted(edges, key=lambda pair: (-edges[pair].score, pair))[:BASES_MOST]:
        members = _grown(base, edges, around, size)
        if members is not None and any(not edges[pair].met for pair in edges_of(members)):
            found[members] = harmonic_mean([edges[pair].score for pair in edges_of(members)])
    return _without_repetition(found, limit)


def _grown(base: Pair, edges: Mapping[Pair, Edge], around: Mapping[str, set[str]], size: int) -> tuple[str, ...] | None:
    members: tuple[str, ...] = base
    while len(members) < size:
        best: tuple[float, tuple[str, ...]] | None = None
        for one in sorted(set.intersection(*(around[member] for member in members)) - set(members)):
            wider = tuple(sorted((*members, one)))
            joined = [edges[pair] for pair in edges_of(wider)]
            mean = harmonic_mean([edge.score for edge in joined])
            if (best is None or mean > best[0]) and adds_a_bridge_each(joined):
                best = (mean, wider)
        if best is None:
            return None
        members = best[1]
    return members


def _without_repetition(found: Mapping[tuple[str, ...], float], limit: int) -> list[Grown]:
    told: list[Grown] = []
    left = dict(found)
    while left and len(told) < limit:
        worth = {members: mean - _repeated(members, told) for members, mean in left.items()}
        best = min(worth, key=lambda members: (-worth[members], members))
        told.append(Grown(best, worth[best]))
        del left[best]
    return told


def _repeated(members: tuple[str, ...], told: Sequence[Grown]) -> float:
    shared = max((len(set(members) & set(one.members)) for one in told), default=0)
    return OVERLAP_PENALTY * shared / len(members)
