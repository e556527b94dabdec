"""Rankings → one order. Every candidate has a score on every leg that was asked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from trigraph.model.query import Fusion, Leg

RRF_K = 60
EVIDENCE = frozenset({Leg.GRAPH, Leg.TEMPORAL})
"""Legs that say why a memory may matter, not how like the query it is: nothing found is no evidence, not a bad mark."""

Floats = NDArray[np.float64]
Scores = Mapping[Leg, Floats]


def normalise(scores: Scores, fusion: Fusion) -> dict[Leg, Floats]:
    """Leg scores on one scale: z-scores, or reciprocal ranks. NaN marks what a leg did not find.

    With z-scores a candidate that a leg of likeness did not find counts as the worst that it found; with reciprocal
    ranks it gets nothing. Evidence is between 0 and 1 as it is, and stays so beside z-scores.
    """
    if fusion is Fusion.RRF:
        return {leg: _reciprocal(values) for leg, values in scores.items()}
    return {leg: np.nan_to_num(values) if leg in EVIDENCE else standardised(values) for leg, values in scores.items()}


def fuse(
    normalised: Scores,
    weights: Mapping[Leg, float],
    fusion: Fusion = Fusion.SCORE,
    likeness: Floats | None = None,
) -> Floats:
    """One score of each candidate, from the legs that took part.

    Reciprocal ranks: their weighted mean. Scores: the weighted mean of the legs of likeness, or the likeness that is
    given, and on top of it what the evidence weighs. Of what the graph leg reached, the likest keeps its place: nothing
    that is merely related stands above the memory that is meant.
    """
    alike = [leg for leg in normalised if fusion is Fusion.RRF or leg not in EVIDENCE]
    nothing = np.zeros(len(next(iter(normalised.values()))))
    if likeness is None:
        summed = sum((weights[leg] * normalised[leg] for leg in alike), nothing)
        likeness = np.asarray(summed / (sum(weights[leg] for leg in alike) or 1.0))
    evidence = sum((weights[leg] * values for leg, values in normalised.items() if leg not in alike), nothing)
    if fusion is not Fusion.RRF and alike and Leg.GRAPH in normalised:
        reached = np.flatnonzero(normalised[Leg.GRAPH] > 0)
        if len(reached):
            evidence = np.asarray(evidence)
            evidence[reached[int(np.argmax(likeness[reached]))]] = evidence.max()
    return np.asarray(likeness + evidence)


def ranks(values: Floats) -> NDArray[np.int64]:
    """Place of each value, the greatest first, counted from 1; equal values share a place."""
    turned = np.where(np.isnan(values), np.inf, -values)
    return 1 + np.searchsorted(np.sort(turned), turned, side="left")


def standardised(values: Floats) -> Floats:
    """In standard deviations from the mean; what was not found counts as the worst that was."""
    found = values[~np.isnan(values)]
    if not len(found):
        return np.zeros(len(values))
    filled = np.where(np.isnan(values), found.min(), values)
    spread = filled.std()
    return np.asarray((filled - filled.mean()) / spread) if spread > 0 else np.zeros(len(values))


def _reciprocal(values: Floats) -> Floats:
    return np.where(np.isnan(values), 0.0, 1.0 / (RRF_K + ranks(values)))
