"""The order of candidates by a model that was learnt: a weighted sum of named features.

The weights are fitted by `trigraph bench locomo --fit` and can be read in `order_weights.json`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LIKENESS = (
    "words",
    "words_alone",
    "meaning",
    "meaning_alone",
    "meaning_beside",
    "words_rank",
    "meaning_rank",
    "coverage",
    "coverage_around",
    "either",
    "both",
    "thread_best",
    "thread_mean",
    "thread_words",
    "thread_meaning",
    "thread_rank",
    "beside",
    "beside_two",
    "feedback",
    "length",
    "words_alone_rank",
    "meaning_alone_rank",
    "weaker",
    "rarest",
    "place_in_thread",
    "before",
    "thread_near",
    "asks",
    "ends_asking",
    "answers",
    "of_speaker",
    "tells_time",
    "tells_number",
    "of_named",
    "words_meant",
    "words_meant_around",
    "thread_meant",
    "meaning_unnamed",
    "meaning_unnamed_around",
    "thread_unnamed",
)
"""The features, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Order:
    """What each feature weighs."""

    weights: Mapping[str, float]

    def scores(self, features: Floats) -> Floats:
        """One score of each candidate; only differences between them mean something."""
        import numpy as np

        return np.asarray(features @ np.array([self.weights.get(name, 0.0) for name in LIKENESS]))


@cache
def shipped() -> Order:
    """The weights that come with the package."""
    from importlib.resources import files

    read = json.loads(files("trigraph.ranking").joinpath("order_weights.json").read_text(encoding="utf-8"))
    return Order(read["weights"])


@cache
def shipped_digest() -> str:
    """What names these weights: another package may ship others."""
    return hashlib.sha256(json.dumps(dict(shipped().weights), sort_keys=True).encode()).hexdigest()[:16]
