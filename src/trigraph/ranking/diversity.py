"""Hits that do not all say the same: each loses a little for what better ones have said already (maximal marginal
relevance), so that an answer that needs several memories finds them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SAME = 0.95
"""Likeness from which two passages say the same thing: of such, two are enough (I14)."""
SAME_MOST = 2

Floats = NDArray[np.float64]


def diverse(scores: Floats, vectors: NDArray[np.float32], weight: float, count: int) -> tuple[list[int], list[float]]:
    """The first `count` places in the new order, and what each lost.

    A candidate loses up to `weight` standard deviations of the scores for the likest of those placed before it, in
    proportion to how alike they are beyond what is usual among these. What says the same as two before it loses all
    its lead. O(count · candidates)."""
    alike = (vectors @ vectors.T).astype(np.float64)
    usual = float(np.median(alike[np.triu_indices(len(scores), 1)])) if len(scores) > 1 else 0.0
    beyond = weight * float(scores.std()) * np.clip((alike - usual) / max(1 - usual, 1e-6), 0.0, 1.0)
    lead = float(scores.max() - scores.min())
    losses, said = np.zeros(len(scores)), np.zeros(len(scores), dtype=np.int64)
    left = scores.copy()
    places: list[int] = []
    for _ in range(min(count, len(scores))):
        best = int(np.argmax(left))
        places.append(best)
        said += alike[best] >= SAME
        better = np.maximum(losses, np.where(said >= SAME_MOST, lead, beyond[best]))
        open_ = np.isfinite(left)
        open_[best] = False
        losses = np.where(open_, better, losses)
        left = np.where(open_, scores - losses, -np.inf)
    return places, [float(losses[place]) for place in places]
