"""Job: a piece of queued work, and how it fares."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JobState(StrEnum):
    """Where a job stands. A dead one failed too often: it waits for somebody to look at it."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Job:
    """Queued work. `payload` and `result` are JSON; `not_before` is when it is due, or, while it runs, when its lease
    ends."""

    id: str
    author: str
    name: str
    payload: str
    attempts: int
    state: JobState
    not_before: datetime
    created_at: datetime
    finished_at: datetime | None = None
    last_error: str | None = None
    result: str | None = None
