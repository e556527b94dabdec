"""Rankings → one order. Every candidate has a score on every leg that was asked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from trigraph.model.query import Fusion, Leg

RRF_K = 60

Floats = NDArray[np.float64]
Scores = Mapping[Leg, Floats]


def normalise(scores: Scores, fusion: Fusion) -> dict[Leg, Floats]:
    """Leg scores on one scale: z-scores, or reciprocal ranks. NaN marks what a leg did not find.

    With z-scores a candidate that a leg did not find counts as the worst that it found; with reciprocal
    ranks it gets nothing.
    """
    return {leg: (_z(values) if fusion is Fusion.SCORE else _reciprocal(values)) for leg, values in scores.items()}


def fuse(normalised: Scores, weights: Mapping[Leg, float]) -> Floats:
    """The weighted mean of the legs that took part."""
    total = sum(weights[leg] for leg in normalised)
    fused = sum(weights[leg] * values for leg, values in normalised.items())
    return np.asarray(fused / total)


def ranks(values: Floats) -> NDArray[np.int64]:
    """Place of each value, the greatest first, counted from 1; equal values share a place."""
    falling = np.sort(-np.nan_to_num(values, nan=-np.inf))
    return 1 + np.searchsorted(falling, -np.nan_to_num(values, nan=-np.inf), side="left")


def _z(values: Floats) -> Floats:
    found = values[~np.isnan(values)]
    if not len(found):
        return np.zeros(len(values))
    filled = np.where(np.isnan(values), found.min(), values)
    spread = filled.std()
    return np.asarray((filled - filled.mean()) / spread) if spread > 0 else np.zeros(len(values))


def _reciprocal(values: Floats) -> Floats:
    return np.where(np.isnan(values), 0.0, 1.0 / (RRF_K + ranks(values)))
