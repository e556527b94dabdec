"""What a measurement of the embedding model says about thresholds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Calibration:
    """Cosines of pairs of texts that have nothing to do with each other, and the thresholds that follow from them,
    beside those that are configured."""

    model: str
    drawn_from: str
    texts: int
    pairs: int
    mean: float
    deviation: float
    duplicate_above: float
    alike_above: float
    configured_duplicate_above: float
    configured_alike_above: float
