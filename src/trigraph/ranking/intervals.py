"""How sure a figure is: Wilson's interval of a share, the bootstrap interval of means."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from trigraph.model.insight import Interval, Share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Z = 1.959964
"""So many standard deviations either side hold 95 %."""
DRAWS = 1000
DIGITS = 4


def share(part: int, whole: int) -> Share:
    """A share with its interval by Wilson: sound for few cases, and never outside 0 to 1."""
    if not whole:
        return Share(part, whole)
    rate, bend = part / whole, Z * Z / whole
    middle = (rate + bend / 2) / (1 + bend)
    reach = Z * math.sqrt(rate * (1 - rate) / whole + bend / (4 * whole)) / (1 + bend)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return Share(part, whole, round(rate, DIGITS), round(low, DIGITS), round(high, DIGITS))


def means(values: Floats, clusters: NDArray[np.int64]) -> list[Interval]:
    """The mean of each column, with the interval that drawing whole clusters of rows anew gives. The same rows always
    give the same numbers."""
    import numpy as np

    count = int(clusters.max()) + 1
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, clusters, values)
    sizes = np.bincount(clusters, minlength=count).astype(np.float64)
    drawn = np.random.default_rng(0).multinomial(count, np.full(count, 1 / count), size=DRAWS)
    redone = (drawn @ sums) / (drawn @ sizes)[:, None]
    low, high = np.quantile(redone, (0.025, 0.975), axis=0)
    found = zip(values.mean(axis=0).tolist(), low.tolist(), high.tolist(), strict=True)
    return [Interval(*(round(one, DIGITS) + 0.0 for one in of_column)) for of_column in found]  # no -0.0
