"""What becomes of recalls with time: their counts stay, their events go."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

import apsw

from trigraph.model.scope import Scope
from trigraph.model.times import to_micros
from trigraph.stores.sqlite.events import NO_CANDIDATES
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("retention", queries("outcomes"))


class SqliteRetention:
    """See `contracts.Retention`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def roll_up(self, scope: Scope, before: datetime, limit: int) -> int:
        due = self._due(scope, "oldest", {"before": to_micros(before), "limit": limit})
        if not due:
            return 0
        params: Params = {"project": scope.project, "recalls": json.dumps(due)}
        with self._home.reading(scope) as connection:
            params["told"] = connection.execute(_SQL["told_of"], params).get
        with self._home.of(scope).events.transaction() as connection:
            # Another process may have counted some of them meanwhile: those have no figures any more.
            for name in ("roll_up", "roll_up_shown"):
                connection.execute(_SQL[name], params)
            _drop(connection, params)
        return len(due)

    def thin(self, scope: Scope, before: datetime, limit: int) -> int:
        due = self._due(scope, "whole", {"before": to_micros(before), "limit": limit})
        return self._change(scope, due, ("thin_events", "thin_figures"))

    def unask(self, scope: Scope, limit: int) -> int:
        return self._change(scope, self._due(scope, "asked", {"limit": limit}), ("unask_events", "unask_figures"))

    def drop(self, scope: Scope, limit: int) -> int:
        params: Params = {"project": scope.project, "agent": scope.agent, "limit": limit}
        with self._home.of(scope).events.transaction() as connection:
            due = connection.execute(_SQL["own"], params).fetchall()
            _drop(connection, {**params, "recalls": json.dumps(due)})
            if len(due) < limit:
                for name in ("drop_days", "drop_shown_before", "drop_skills"):
                    connection.execute(_SQL[name], params)
        return len(due)

    def counted(self, scope: Scope) -> int:
        params: Params = {"project": scope.project, "agent": scope.agent}
        with self._home.of(scope).events.connection() as connection:
            return int(connection.execute(_SQL["counted_of"], params).get)

    def _due(self, scope: Scope, query: str, asked: Params) -> Sequence[Sequence[object]]:
        with self._home.of(scope).events.connection() as connection:
            return connection.execute(_SQL[query], {"project": scope.project, **asked}).fetchall()

    def _change(self, scope: Scope, due: Sequence[Sequence[object]], names: Sequence[str]) -> int:
        if not due:
            return 0
        ids = json.dumps([recall_id for (recall_id,) in due])
        with self._home.of(scope).events.transaction() as connection:
            for name in names:
                params: Params = {"project": scope.project, "ids": ids, "nothing": NO_CANDIDATES}
                connection.execute(_SQL[name], params)
        return len(due)


def _drop(connection: apsw.Connection, params: Params) -> None:
    for name in ("drop_shown", "drop_events", "drop_figures"):
        connection.execute(_SQL[name], params)
