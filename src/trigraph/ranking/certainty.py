"""Whether memory has anything on a query at all (X5): a calibrated chance, from how the best candidates fare.

A logistic model over a few signals that do not depend on how large a store is. `trigraph bench locomo --abstain` fits
and measures it; the weights can be read in `certainty_weights.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BEST = 5
FEW_OF = 4
"""Of few candidates, a quarter are the nearest few: in a store of three memories two have nothing to do with it."""
CANDIDATES_LEAST = 20
SOFTENED_BY = 2
"""One word that nobody used says less of a query of two words than of its share: so many usual ones are added."""

SIGNALS = (
    "nearest",
    "nearest_few",
    "usual",
    "best_meaning",
    "best_words",
    "best_coverage",
    "unknown",
    "undecided",
    "terms",
)
"""Likeness in meaning of the nearest candidate, of the nearest few and of the middle one; how the best in the order
fares by meaning, by words and by what its surroundings cover, of the words that any memory holds; the share of the
query that none does; how evenly the order spreads its belief; how many terms the query has."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the candidates of a query fare: cosines, scores by words in context, coverage by a candidate and what stands
    around it, the learnt order's scores; and of the query's terms their rarity, and that of those nobody holds."""

    cosines: Floats
    words: Floats
    coverage: Floats
    likeness: Floats
    rarity: float
    unknown: float
    terms: int


@dataclass(frozen=True, slots=True)
class Certainty:
    """What each signal weighs, and below which chance recall says that memory has nothing."""

    weights: Mapping[str, float]
    intercept: float
    abstains_below: float

    def chance(self, told: Mapping[str, float]) -> float:
        """The chance by these signals that something answers the query, where half of all queries have an answer."""
        logit = self.intercept + sum(self.weights[name] * told[name] for name in SIGNALS)
        return 1 / (1 + math.exp(-max(min(logit, 30.0), -30.0)))

    def nothing(self, standing: Standing, chance: float) -> bool:
        """Whether memory seems to have nothing. Among very few candidates what is usual cannot be told: then only if
        none holds a word of the query."""
        if len(standing.cosines) < CANDIDATES_LEAST and standing.words.any():
            return False
        return chance < self.abstains_below


def signals(standing: Standing) -> dict[str, float]:
    """The signals of a query, each on a scale of its own."""
    import numpy as np

    falling = np.sort(standing.cosines)[::-1]
    best = int(np.argmax(standing.likeness))
    belief = np.exp(standing.likeness - standing.likeness.max())
    belief /= belief.sum()
    spread = -float((belief * np.log(belief + 1e-12)).sum())
    known = standing.rarity - standing.unknown
    usual_term = standing.rarity / max(standing.terms, 1)
    return {
        "nearest": float(falling[0]),
        "nearest_few": float(falling[: max(min(BEST, len(falling) // FEW_OF), 1)].mean()),
        "usual": float(np.median(falling)),
        "best_meaning": float(standing.cosines[best]),
        "best_words": float(standing.words[best]) / known if known > 0 else 0.0,
        "best_coverage": float(standing.coverage[best]) * standing.rarity / known if known > 0 else 0.0,
        "unknown": standing.unknown / max(standing.rarity + SOFTENED_BY * usual_term, 1e-9),
        "undecided": spread / math.log(len(belief)) if len(belief) > 1 else 0.0,
        "terms": math.log1p(standing.terms),
    }


@cache
def shipped_certainty() -> Certainty:
    """The weights that come with the package."""
    from importlib.resources import files

    read = json.loads(files("trigraph.ranking").joinpath("certainty_weights.json").read_text(encoding="utf-8"))
    return Certainty(read["weights"], read["intercept"], read["abstains_below"])
