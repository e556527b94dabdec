"""The job table: work kept with the memories, in their transactions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import apsw

from trigraph.contracts import NewJob
from trigraph.model.job import Job, JobState
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.rows import time_from
from trigraph.stores.sqlite.visibility import Params, array, queries

_SQL = queries("queue")


class SqliteQueue:
    """See `contracts.Queue`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def put(self, scope: Scope, job: NewJob, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            add_job(connection, scope, job.id, job.name, job.payload, at)

    def claim(self, scope: Scope, at: datetime, leased_until: datetime) -> Job | None:
        params: Params = {"project": scope.project, "at": to_micros(at), "leased_until": to_micros(leased_until)}
        with self._home.writing(scope) as connection:
            rows = connection.execute(_SQL["claim"], params).fetchall()
        return _job_from(rows[0]) if rows else None

    def finish(self, scope: Scope, job: Job, result: str, at: datetime) -> bool:
        params: Params = {"id": job.id, "attempts": job.attempts, "result": result, "at": to_micros(at)}
        with self._home.writing(scope) as connection:
            return bool(connection.execute(_SQL["finish"], params).fetchall())

    def fail(self, scope: Scope, job: Job, error: str, again_at: datetime | None, at: datetime) -> None:
        params: Params = {
            "id": job.id,
            "attempts": job.attempts,
            "state": JobState.DEAD if again_at is None else JobState.WAITING,
            "not_before": to_micros(again_at or at),
            "error": error,
            "at": to_micros(at),
        }
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["fail"], params)

    def revive(self, scope: Scope, job_id: str, at: datetime) -> bool:
        params: Params = {"id": job_id, "project": scope.project, "agent": scope.agent, "at": to_micros(at)}
        with self._home.writing(scope) as connection:
            return bool(connection.execute(_SQL["revive"], params).fetchall())

    def jobs(self, scope: Scope, states: Collection[JobState], limit: int, job_id: str | None = None) -> list[Job]:
        params: Params = {
            "project": scope.project,
            "agent": scope.agent,
            "states": array(states),
            "id": job_id,
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            return [_job_from(row) for row in connection.execute(_SQL["jobs"], params)]

    def counts(self, scope: Scope) -> dict[JobState, int]:
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["counts"], {"project": scope.project})
            return {JobState(state): count for state, count in rows}

    def next_due(self, scope: Scope) -> datetime | None:
        with self._home.reading(scope) as connection:
            return time_from(connection.execute(_SQL["next_due"], {"project": scope.project}).get)

    def quiet(self, scope: Scope, before: datetime) -> list[tuple[str, str]]:
        params: Params = {"project": scope.project, "before": to_micros(before)}
        with self._home.reading(scope) as connection:
            return [(author, session) for author, session in connection.execute(_SQL["quiet"], params)]

    def unreflected(self, scope: Scope, since: datetime) -> list[str]:
        params: Params = {"project": scope.project, "since": to_micros(since)}
        with self._home.reading(scope) as connection:
            return [str(author) for (author,) in connection.execute(_SQL["unreflected"], params)]

    def embedding_due(self, scope: Scope) -> bool:
        with self._home.reading(scope) as connection:
            return bool(connection.execute(_SQL["embedding_due"], {"project": scope.project}).get)

    def sweepable(self, scope: Scope, before: datetime) -> bool:
        params: Params = {"project": scope.project, "before": to_micros(before)}
        with self._home.reading(scope) as connection:
            return bool(connection.execute(_SQL["sweepable"], params).get)

    def sweep(self, scope: Scope, before: datetime) -> None:
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["sweep"], {"project": scope.project, "before": to_micros(before)})

    def waiting(self, scope: Scope, name: str) -> int:
        with self._home.reading(scope) as connection:
            params: Params = {"project": scope.project, "agent": scope.agent, "name": name}
            return int(connection.execute(_SQL["waiting"], params).get)

    def unembedded(self, scope: Scope, moment: Moment, most: int) -> int:
        with self._home.reading(scope) as connection:
            params: Params = {**self._home.visible(scope, moment), "most": most}
            return int(connection.execute(_SQL["unembedded"], params).get)


def _job_from(row: Sequence[Any]) -> Job:
    id_, author, name, payload, attempts, state, not_before, created_at, finished_at, last_error, result = row
    return Job(
        id=id_,
        author=author,
        name=name,
        payload=payload,
        attempts=attempts,
        state=JobState(state),
        not_before=from_micros(not_before),
        created_at=from_micros(created_at),
        finished_at=time_from(finished_at),
        last_error=last_error,
        result=result,
    )


def add_job(connection: apsw.Connection, scope: Scope, job_id: str, name: str, payload: str, at: datetime) -> None:
    """Queue a job in the open transaction."""
    params = {
        "id": job_id,
        "project": scope.project,
        "agent": scope.agent,
        "name": name,
        "payload": payload,
        "at": to_micros(at),
    }
    connection.execute(_SQL["put"], params)
