"""What is queued by itself: a session that has gone quiet is distilled, and now and then it is reflected."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

from trigraph.contracts import NewJob
from trigraph.engine.parts import Parts
from trigraph.engine.pipelines.jobs import JOB_PREFIX, JobName
from trigraph.model.ids import new_id
from trigraph.model.scope import Scope

REFLECT_DAYS = 90
"""How far a reflection looks back."""


def schedule(parts: Parts, scope: Scope) -> int:
    """Queue what is due of itself in the scope's project; returns how many jobs that is."""
    rules, now = parts.work, parts.clock()
    queued = 0
    with parts.store.transaction(scope, now) as at:
        if rules.distil_after is not None:
            for author, session in parts.store.queue.quiet(scope, now - rules.distil_after):
                queued += _put(parts, replace(scope, agent=author), JobName.DISTIL, {"session": session}, at)
        if rules.reflect_every is not None:
            for author in parts.store.queue.unreflected(scope, now - rules.reflect_every):
                queued += _put(parts, replace(scope, agent=author), JobName.REFLECT, {"days": REFLECT_DAYS}, at)
    return queued


def _put(parts: Parts, scope: Scope, name: JobName, payload: dict[str, object], at: datetime) -> int:
    parts.store.queue.put(scope, NewJob(new_id(JOB_PREFIX, at), name, json.dumps(payload)), at)
    return 1
