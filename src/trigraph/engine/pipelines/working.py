"""Working off the queue: claim, do, and finish in the transaction that keeps what came of it.

A job that is killed half-way has written nothing; when its lease ends it is done again. One that fails is tried again
after a while, a few times; then it is dead, and waits for somebody to look at it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from trigraph.engine.keep.retention import let_go
from trigraph.engine.keep.upkeep import embed_waiting
from trigraph.engine.parts import Parts
from trigraph.engine.pipelines.jobs import pause_after
from trigraph.engine.pipelines.making import make, write
from trigraph.engine.pipelines.scheduling import schedule as queue_due
from trigraph.errors import Conflict, NotFound, StoreClosed, StoreError
from trigraph.model.job import Job
from trigraph.model.scope import DEFAULT_NAME, Scope

DONE_KEPT = timedelta(days=7)
ERROR_MOST_CHARS = 500


class _LeaseLost(Exception):
    """Somebody else took the job over while it was done here."""


@dataclass(frozen=True, slots=True)
class Worked:
    """What became of a run over the queue."""

    done: int = 0
    failed: int = 0
    embedded: int = 0

    def __add__(self, other: Worked) -> Worked:
        return Worked(self.done + other.done, self.failed + other.failed, self.embedded + other.embedded)


def work(
    parts: Parts,
    scope: Scope,
    *,
    most: int | None = None,
    progress: Callable[[Job], None] | None = None,
    stop: threading.Event | None = None,
) -> Worked:
    """Do what is due in the scope's project, whoever queued it, until nothing is left that can be done now."""
    worked = Worked(embedded=embed_waiting(parts, scope))
    while (most is None or worked.done + worked.failed < most) and not (stop and stop.is_set()):
        job = _claim(parts, scope)
        if job is None:
            break
        worked += _do(parts, replace(scope, agent=job.author), job)
        if progress:
            progress(job if job.author == scope.agent else replace(job, id="", author="", payload="{}"))
    stale = parts.now(scope).known_at - DONE_KEPT
    if parts.store.queue.sweepable(scope, stale):
        with parts.store.transaction(scope, parts.clock()):
            parts.store.queue.sweep(scope, stale)
    let_go(parts, scope)
    return worked + Worked(embedded=embed_waiting(parts, scope))


def _claim(parts: Parts, scope: Scope) -> Job | None:
    now = parts.now(scope).as_of  # what was queued by a clock that was ahead is due, too
    due = parts.store.queue.next_due(scope)
    if due is None or due > now:
        return None
    with parts.store.transaction(scope, now):
        return parts.store.queue.claim(scope, now, now + parts.work.lease)


def _do(parts: Parts, scope: Scope, job: Job) -> Worked:
    if job.attempts > parts.work.tries:  # whoever had it never came back
        _failed(parts, scope, job, TimeoutError(f"taken {job.attempts - 1} times and never finished"))
        return Worked(failed=1)
    try:
        made = make(parts, scope, job)
        with parts.store.transaction(scope, parts.clock()) as at:
            result = write(parts, scope, made, at)
            if not parts.store.queue.finish(scope, job, result, at):
                raise _LeaseLost
    except _LeaseLost:
        return Worked()
    except StoreClosed:
        raise
    except Exception as error:  # whatever it was: the job is tried again, and its error is kept with it
        _failed(parts, scope, job, error)
        return Worked(failed=1)
    return Worked(done=1)


def _failed(parts: Parts, scope: Scope, job: Job, error: Exception) -> None:
    now = max(parts.clock(), job.not_before - parts.work.lease)  # never before it was taken
    again_at: datetime | None = None
    if job.attempts < parts.work.tries or isinstance(error, StoreError):
        again_at = now + pause_after(job.attempts, parts.work.pause)
    with parts.store.transaction(scope, now) as at:
        parts.store.queue.fail(scope, job, f"{type(error).__name__}: {error}"[:ERROR_MOST_CHARS], again_at, at)


def work_everywhere(parts: Parts, *, schedule: bool, stop: threading.Event | None = None) -> Worked:
    """The same for every project of every tenant; with `schedule`, after queueing what is due of itself."""
    worked = Worked()
    for tenant in parts.store.registry.tenants():
        for project in parts.store.registry.projects(tenant):
            scope = Scope(tenant, project.name, DEFAULT_NAME)
            if schedule:
                queue_due(parts, scope)
            worked += work(parts, scope, stop=stop)
    return worked


def find_job(parts: Parts, scope: Scope, name: str) -> Job:
    """A job of the agent, by its id or the end of it."""
    found = parts.store.queue.jobs(scope, (), 2, name) if len(name) >= 8 else []
    if not found:
        raise NotFound(f"There is no job {name[:80]!r} of yours.", fix="`trigraph jobs` shows what there is.")
    if len(found) > 1:
        raise Conflict(f"Several jobs end with {name!r}.", fix="Give more of its id.")
    return found[0]


def retry(parts: Parts, scope: Scope, name: str) -> Job:
    """Let a dead job be tried again."""
    job = find_job(parts, scope, name)
    with parts.store.transaction(scope, parts.clock()) as at:
        if not parts.store.queue.revive(scope, job.id, at):
            raise Conflict(f"{job.id} is {job.state}, not dead.", fix="Only what failed for good is tried again.")
    return find_job(parts, scope, job.id)
