"""Hits that do not all say the same: each loses a little for what better ones have said already (maximal marginal
relevance), and for those of its own thread, so that an answer that needs several memories finds them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SAME = 0.95
"""Likeness from which two passages say the same thing: of such, two are enough (I14)."""
SAME_MOST = 2
THREAD_MOST = 5
"""More than so many before it in its thread cost a hit no more."""

Floats = NDArray[np.float64]


def diverse(
    scores: Floats,
    vectors: NDArray[np.float32],
    numbers: Sequence[frozenset[str]],
    threads: Sequence[int | None],
    *,
    weight: float,
    spread: float = 0.0,
) -> tuple[list[int], list[float]]:
    """Places in the new order, and what each lost.

    A candidate loses up to `weight` standard deviations of the scores for the likest of those placed before it, in
    proportion to how alike they are beyond what is usual among these, and `spread` for each of them that is of its
    thread. What says the same as two before it loses all its lead; where other `numbers` stand it does not say the
    same: vectors do not see those. O(candidates²)."""
    # Two copies: a matrix times its own transpose is shared out to all cores, and so few rows only wait for them.
    alike = (np.asfortranarray(vectors) @ np.ascontiguousarray(vectors.T)).astype(np.float64)
    usual = float(np.median(alike[np.triu_indices(len(scores), 1)])) if len(scores) > 1 else 0.0
    beyond = weight * float(scores.std()) * np.clip((alike - usual) / max(1 - usual, 1e-6), 0.0, 1.0)
    kinds: dict[frozenset[str], int] = {}
    kind_of = np.array([kinds.setdefault(one, len(kinds)) for one in numbers])
    lead = float(scores.max() - scores.min())
    step = spread * float(scores.std())
    thread_of = np.array([-1 if one is None else one for one in threads])
    same = (alike >= SAME) & (kind_of[:, None] == kind_of)
    beside = (thread_of[:, None] == thread_of) & (thread_of >= 0)
    losses, likest = np.zeros(len(scores)), np.zeros(len(scores))
    said, of_thread = np.zeros(len(scores), dtype=np.int64), np.zeros(len(scores), dtype=np.int64)
    left = scores.copy()
    places: list[int] = []
    lost: list[float] = []
    for _ in range(len(scores)):
        best = int(np.argmax(left))
        places.append(best)
        lost.append(float(losses[best]))
        said += same[best]
        likest = np.maximum(likest, np.where(said >= SAME_MOST, lead, beyond[best]))
        of_thread += beside[best]
        losses = likest + step * np.minimum(of_thread, THREAD_MOST)
        left = scores - losses
        left[places] = -np.inf
    return places, lost
