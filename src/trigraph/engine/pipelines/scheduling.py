"""What is queued by itself: a session that has gone quiet is distilled, and now and then it is reflected."""

from __future__ import annotations

from dataclasses import replace

from trigraph.engine.parts import Parts
from trigraph.engine.pipelines.jobs import JobName, queue_job
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
                queue_job(parts, replace(scope, agent=author), JobName.DISTIL, {"session": session}, at)
                queued += 1
        if rules.reflect_every is not None:
            for author in parts.store.queue.unreflected(scope, now - rules.reflect_every):
                queue_job(parts, replace(scope, agent=author), JobName.REFLECT, {"days": REFLECT_DAYS}, at)
                queued += 1
    return queued
