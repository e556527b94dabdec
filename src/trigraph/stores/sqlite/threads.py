"""Threads and the places of their episodes."""

from __future__ import annotations

import json
from collections.abc import Collection

from trigraph.model.memory import Memory
from trigraph.model.scope import Scope
from trigraph.model.thread import Thread
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.rows import memory_from
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("threads")


class SqliteThreads:
    """See `contracts.Threads`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def add(self, scope: Scope, thread: Thread) -> None:
        params: Params = {
            "id": thread.id,
            "project": scope.project,
            "agent": scope.agent,
            "name": thread.name,
            "session": thread.session,
            "title": thread.title,
            "created_at": to_micros(thread.created_at),
        }
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["add"], params)

    def find(self, scope: Scope, name_or_id: str, moment: Moment) -> Thread | None:
        params: Params = {**self._home.visible(scope, moment), "wanted": name_or_id}
        with self._home.reading(scope) as connection:
            row = connection.execute(_SQL["find"], params).fetchone()
        if row is None:
            return None
        id_, name, session, title, author, created_at = row
        return Thread(id_, name, session, title, author, from_micros(created_at))

    def episodes_at(self, scope: Scope, thread_id: str, seqs: Collection[int]) -> dict[int, tuple[str, str]]:
        params: Params = {"project": scope.project, "thread_id": thread_id, "seqs": json.dumps(list(seqs))}
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["episodes_at"], params)
            return {seq: (id_, content_hash) for seq, id_, content_hash in rows}

    def around(self, scope: Scope, memory_ids: Collection[str], reach: int, moment: Moment) -> list[Memory]:
        params: Params = {**self._home.visible(scope, moment), "ids": json.dumps(list(memory_ids)), "reach": reach}
        with self._home.reading(scope) as connection:
            return [memory_from(row) for row in connection.execute(_SQL["around"], params)]

    def next_seq(self, scope: Scope, thread_id: str) -> int:
        params: Params = {"project": scope.project, "thread_id": thread_id}
        with self._home.reading(scope) as connection:
            return int(connection.execute(_SQL["next_seq"], params).get or 0)

    def count(self, scope: Scope, moment: Moment) -> int:
        with self._home.reading(scope) as connection:
            return int(connection.execute(_SQL["count"], self._home.visible(scope, moment)).get)
