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


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines of one embedding model. Below `alike` two texts are not about the same thing; from `duplicate` on they
    may say the same, if nothing in their words differs. `overlap` is the share of the shorter text's words of weight
    that the other must have."""

    duplicate: float = 0.90
    alike: float = 0.60
    overlap: float = 0.50
