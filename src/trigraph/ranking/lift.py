"""What each leg adds: recalls fused again from what their events kept, without some of the legs.

A set of legs gives the order that the engine would have given had the other legs found nothing. What only they brought
is not there. Where a learnt model ordered, it needs words and meaning: with both of these legs its likeness stands,
with one of them that leg's own scores do, as in the engine. The temporal leg looks among what words and meaning are
like, so that without both of them it brings nothing, as neighbours of what was found do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from trigraph.model.events import RecallEvent
from trigraph.model.insight import Interval, UsefulRecall
from trigraph.model.query import Fusion, Leg
from trigraph.ranking.fusion import EVIDENCE, fuse, normalise, standardised
from trigraph.ranking.intervals import DIGITS, means

TOP = 10
LEGS = tuple(Leg)
ALL = frozenset(LEGS)
ALIKE = ALL - EVIDENCE
SUBSETS = tuple(frozenset(some) for size in range(len(LEGS) + 1) for some in combinations(LEGS, size))
WHOLE = SUBSETS.index(ALL)
_BIT: Mapping[str, int] = {leg.value: 1 << place for place, leg in enumerate(LEGS)}

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Legs = frozenset[Leg]


@dataclass(frozen=True, slots=True)
class Gain:
    """What one leg adds. See `model.insight.LegLift`."""

    leave_one_out: Interval
    shapley: Interval
    only_with: int
    pushed_out: int
    places: float | None


@dataclass(frozen=True, slots=True)
class Lifted:
    """The gain of every leg, the mean reciprocal rank with all of them, and what it rests on."""

    gains: Mapping[Leg, Gain]
    whole: float
    recalls: int
    memories: int
    learnt: int


class _Stored:
    """The candidates of one recall as columns."""

    def __init__(self, event: RecallEvent, useful: Sequence[str]) -> None:
        places: dict[str, int] = {}
        self.memory_of = np.array([places.setdefault(one.memory_id, len(places)) for one in event.candidates])
        self.memories = len(places)
        self.useful = [places[id_] for id_ in useful if id_ in places]
        self.weights = event.weights
        self.fusion = Fusion(event.fusion)
        self.brought = np.array([sum(_BIT.get(by, 0) for by in one.brought_by) for one in event.candidates], dtype=int)
        columns = {leg: [one.scores.get(leg, math.nan) for one in event.candidates] for leg in event.weights}
        self.scores = {leg: np.array(column) for leg, column in columns.items()}
        self.scores = {leg: column for leg, column in self.scores.items() if not np.isnan(column).all()}
        likeness = [math.nan if one.likeness is None else one.likeness for one in event.candidates]
        self.likeness = None if not likeness or math.isnan(likeness[0]) else np.array(likeness)
        named = int(np.bitwise_or.reduce(self.brought, initial=0))
        self.told = frozenset(leg for leg in LEGS if leg in self.scores or named & _BIT[leg])
        self._known: dict[Legs, list[float]] = {}

    def ranks(self, legs: Legs) -> list[float]:
        """Where each memory that was of use stands by these legs, infinite where it is not found; equal scores share
        the middle of their places."""
        legs &= self.told  # a leg that had nothing to say changes nothing
        if legs not in self._known:
            self._known[legs] = self._ranks(legs)
        return self._known[legs]

    def _ranks(self, legs: Legs) -> list[float]:
        there = self._there(legs)
        scores = {leg: column[there] for leg, column in self.scores.items() if leg in legs}
        if not there.any() or not scores:
            return [math.inf] * len(self.useful)
        likeness = None
        if self.likeness is not None and legs >= ALIKE:
            likeness = standardised(self.likeness[there])
        fused = fuse(normalise(scores, self.fusion), self.weights, self.fusion, likeness)
        best = np.full(self.memories, -np.inf)
        np.maximum.at(best, self.memory_of[there], fused)
        found = [float(best[place]) for place in self.useful]
        return [math.inf if score == -math.inf else _place(best, score) for score in found]

    def _there(self, legs: Legs) -> Bools:
        """Which candidates these legs bring."""
        able = legs if legs & ALIKE else legs - {Leg.TEMPORAL}
        there = self.brought & sum(_BIT[leg] for leg in able) != 0
        return np.asarray(there | (self.brought == 0) if legs & ALIKE else there)


def lift(recalls: Sequence[UsefulRecall]) -> Lifted | None:
    """The lift of each leg over recalls of which something was of use; None if none of them has it among its
    candidates."""
    stored = [(one, _Stored(one.event, one.useful)) for one in recalls]
    kept = [(one, kept) for one, kept in stored if kept.useful]
    if not kept:
        return None
    values = np.array([[_reciprocal(of_one.ranks(legs)) for legs in SUBSETS] for _, of_one in kept])
    apart = {leg: values[:, WHOLE] - values[:, SUBSETS.index(ALL - {leg})] for leg in LEGS}
    shared = {leg: values @ _shapley_weights(leg) for leg in LEGS}
    columns = np.column_stack([*apart.values(), *shared.values()])
    intervals = means(columns, _clusters([one.event for one, _ in kept]))
    gains = {
        leg: Gain(intervals[place], intervals[len(LEGS) + place], *_moves([of_one for _, of_one in kept], leg))
        for place, leg in enumerate(LEGS)
    }
    memories = sum(len(of_one.useful) for _, of_one in kept)
    learnt = sum(of_one.likeness is not None for _, of_one in kept)
    return Lifted(gains, round(float(values[:, WHOLE].mean()), DIGITS), len(kept), memories, learnt)


def _place(best: Floats, score: float) -> float:
    return 1 + float((best > score).sum()) + (float((best == score).sum()) - 1) / 2


def _reciprocal(ranks: Sequence[float]) -> float:
    return sum(1 / rank for rank in ranks) / len(ranks)


@cache
def _shapley_weights(leg: Leg) -> Floats:
    """What the value of each set of legs counts in the fair share of one: the mean of what it adds, over all orders in
    which the legs may come."""
    size = len(LEGS)
    weights = np.zeros(len(SUBSETS))
    for place, legs in enumerate(SUBSETS):
        others = len(legs - {leg})
        counts = math.factorial(others) * math.factorial(size - others - 1) / math.factorial(size)
        weights[place] = counts if leg in legs else -counts
    return weights


def _clusters(events: Sequence[RecallEvent]) -> NDArray[np.int64]:
    """Recalls of one session are not independent; those without a session stand alone."""
    names: dict[tuple[str, ...], int] = {}
    keys = [(one.agent, one.session) if one.session is not None else (one.recall_id,) for one in events]
    return np.array([names.setdefault(key, len(names)) for key in keys], dtype=np.int64)


def _moves(stored: Sequence[_Stored], leg: Leg) -> tuple[int, int, float | None]:
    """How many are among the first only with the leg, only without it, and how much lower they rank without it."""
    pairs = [pair for one in stored for pair in zip(one.ranks(ALL), one.ranks(ALL - {leg}), strict=True)]
    only_with = sum(with_ <= TOP < without for with_, without in pairs)
    pushed_out = sum(without <= TOP < with_ for with_, without in pairs)
    both = [math.log2(without / with_) for with_, without in pairs if math.isfinite(with_) and math.isfinite(without)]
    return only_with, pushed_out, round(sum(both) / len(both), DIGITS) if both else None
