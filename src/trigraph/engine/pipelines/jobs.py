"""Queued work: its names, how it is queued, and how long it waits after it failed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from trigraph.contracts import NewJob
from trigraph.engine.parts import Parts
from trigraph.model.ids import new_id
from trigraph.model.scope import Scope

JOB_PREFIX = "j"
PAUSE_MOST = timedelta(hours=1)


class JobName(StrEnum):
    """What is queued."""

    TURN = "turn"
    DISTIL = "distil"
    REFLECT = "reflect"


def queue_job(parts: Parts, scope: Scope, name: JobName, payload: Mapping[str, object], at: datetime) -> str:
    """Queue work of the scope's agent, in the open transaction; returns its id."""
    job = NewJob(new_id(JOB_PREFIX, at), name, json.dumps(payload))
    parts.store.queue.put(scope, job, at)
    return job.id


def pause_after(attempts: int, first: timedelta) -> timedelta:
    """Twice as long after each failure."""
    return min(first * float(2 ** min(attempts - 1, 20)), PAUSE_MOST)
