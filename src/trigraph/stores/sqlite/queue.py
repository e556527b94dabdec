"""The job table: work kept with the memories, in their transactions."""

from __future__ import annotations

from datetime import datetime

import apsw

from trigraph.contracts import Job
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("queue")


class SqliteQueue:
    """See `contracts.Queue`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def put(self, scope: Scope, job: Job, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            add_job(connection, scope, job.id, job.name, job.payload, at)

    def waiting(self, scope: Scope, name: str) -> int:
        with self._home.reading(scope) as connection:
            params: Params = {"project": scope.project, "agent": scope.agent, "name": name}
            return int(connection.execute(_SQL["waiting"], params).get)

    def unembedded(self, scope: Scope, moment: Moment, most: int) -> int:
        with self._home.reading(scope) as connection:
            params: Params = {**self._home.visible(scope, moment), "most": most}
            return int(connection.execute(_SQL["unembedded"], params).get)


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
