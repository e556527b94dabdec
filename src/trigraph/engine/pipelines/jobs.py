"""Names of queued work, and how long it waits after it failed."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

JOB_PREFIX = "j"
PAUSE_MOST = timedelta(hours=1)


class JobName(StrEnum):
    """What is queued."""

    TURN = "turn"
    DISTIL = "distil"
    REFLECT = "reflect"


def pause_after(attempts: int, first: timedelta) -> timedelta:
    """Twice as long after each failure."""
    return min(first * float(2 ** min(attempts - 1, 20)), PAUSE_MOST)
