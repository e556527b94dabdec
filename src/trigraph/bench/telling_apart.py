"""How well scores tell what came true from what did not, and whether one does so better than another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

RESAMPLED = 1_000
Scores = NDArray[np.float64]


def average_precision(scores: Sequence[float] | Scores, true: Sequence[bool] | NDArray[np.bool_]) -> float:
    """The area under the curve of precision and recall; among equal scores it counts what chance would give."""
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    sorted_scores = np.asarray(scores, dtype=np.float64)[order]
    hits = np.asarray(true, dtype=np.float64)[order]
    ends = np.flatnonzero(np.append(np.diff(sorted_scores) != 0, True))
    found, seen = np.cumsum(hits)[ends], ends + 1.0
    gained = np.diff(found, prepend=0.0)
    return float(np.sum(gained * found / seen) / max(hits.sum(), 1.0))


def precision_at(cut: int, scores: Sequence[float] | Scores, true: Sequence[bool] | NDArray[np.bool_]) -> float:
    """The share of true ones among the first; where scores tie across the cut, the share that chance would give."""
    told, hits = np.asarray(scores, dtype=np.float64), np.asarray(true, dtype=np.float64)
    cut = min(cut, len(told))
    edge = np.sort(told)[::-1][cut - 1]
    above, tied = told > edge, told == edge
    left = cut - int(above.sum())
    return float((hits[above].sum() + left * hits[tied].mean()) / cut)


def beside(
    scores: Mapping[str, Sequence[float]], true: Sequence[bool], groups: Sequence[str], ours: str, seed: int
) -> dict[str, dict[str, float]]:
    """Each score's average precision and precision of the first ten; and by how much ours is better, with an interval
    of 95 % from a paired bootstrap over groups (whose pairs belong together)."""
    arrays = {name: np.asarray(of_one, dtype=np.float64) for name, of_one in scores.items()}
    hits = np.asarray(true, dtype=bool)
    rows_of: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        rows_of.setdefault(group, []).append(row)
    parts = [np.asarray(rows) for rows in rows_of.values()]
    dice = np.random.default_rng(seed)
    gains: dict[str, list[float]] = {name: [] for name in arrays if name != ours}
    for _ in range(RESAMPLED):
        drawn = np.concatenate([parts[one] for one in dice.integers(0, len(parts), len(parts))])
        own = average_precision(arrays[ours][drawn], hits[drawn])
        for name, of_name in gains.items():
            of_name.append(own - average_precision(arrays[name][drawn], hits[drawn]))
    found: dict[str, dict[str, float]] = {}
    for name, array in arrays.items():
        found[name] = {
            "auprc": round(average_precision(array, hits), 4),
            "p_at_10": round(precision_at(10, array, hits), 3),
        }
        if name != ours:
            low, high = np.percentile(gains[name], (2.5, 97.5))
            found[name] |= {"ours_better_from": round(float(low), 4), "ours_better_to": round(float(high), 4)}
    return found
