"""What a hub passes on of what reaches it."""

from __future__ import annotations

HUB_DEGREE = 20
"""An entity that so many memories speak of passes on half of what reaches it."""


def damping(degree: int) -> float:
    """What a hub passes on: the more memories speak of it, the less being near it says."""
    return 1 / (1 + degree / HUB_DEGREE)
