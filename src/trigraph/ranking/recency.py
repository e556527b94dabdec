"""Time as evidence: how recent a memory is, and whether it happened when the query says (T10)."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from trigraph.model.query import TimeWindow

RECENCY_DAYS = 180.0
"""The time constant of recency: after so many days it is 1/e; its half-life is 125 days."""
NEAR_WINDOW = 0.7
"""What counts just outside of a window. People tell of a thing days after it happened, and may err about the day."""
MARGIN_BEFORE_DAYS = 7.0
MARGIN_AFTER_DAYS = 14.0
"""The time constants by which that falls, before and after; for a long window a half and the whole of its length."""
_DAY = timedelta(days=1)


def recency(age_days: float) -> float:
    """1 for what is new, falling to 0."""
    return math.exp(-max(age_days, 0.0) / RECENCY_DAYS)


def in_window(at: datetime, window: TimeWindow) -> float:
    """1 for what happened within the window, less the further off it was: never a filter."""
    length = (window.until - window.start) / _DAY if window.start and window.until else 0.0
    if window.start is not None and at < window.start:
        return NEAR_WINDOW * math.exp(-((window.start - at) / _DAY) / max(MARGIN_BEFORE_DAYS, length / 2))
    if window.until is not None and at >= window.until:
        return NEAR_WINDOW * math.exp(-((at - window.until) / _DAY) / max(MARGIN_AFTER_DAYS, length))
    return 1.0
