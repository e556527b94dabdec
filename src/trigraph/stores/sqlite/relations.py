"""Relations between entities, and where they stand written."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from trigraph.contracts import Written
from trigraph.errors import StoreError
from trigraph.model.memory import EntityType
from trigraph.model.relation import Evidence, Relation, RelationEnd, RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.rows import time_from
from trigraph.stores.sqlite.visibility import Params, array, queries

_SQL = queries("relations")


class SqliteRelations:
    """See `contracts.Relations`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def add(self, scope: Scope, written: Written, ordinal: int, at: datetime) -> None:
        params = {**_params(scope, written, at), "ordinal": ordinal}
        with self._home.writing(scope) as connection:
            found = connection.execute(_SQL["add"], params).fetchall()
            if not found:
                raise StoreError(f"a relation needs both its ends and a memory: {written}")
            connection.execute(_SQL["add_evidence"], {**params, "relation_key": found[0][0]})

    def close(self, scope: Scope, written: Written, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["close_evidence"], _params(scope, written, at))

    def written_in(self, scope: Scope, memory_ids: Collection[str], known_at: datetime) -> list[Written]:
        params: Params = {
            "ids": json.dumps(list(memory_ids)),
            "project": scope.project,
            "known_at": to_micros(known_at),
        }
        with self._home.reading(scope) as connection:
            return [
                Written(memory_id, source_id, RelationType(type_), target_id, section)
                for memory_id, source_id, type_, target_id, section in connection.execute(_SQL["written_in"], params)
            ]

    def of(
        self,
        scope: Scope,
        entity_ids: Collection[str],
        moment: Moment,
        types: Collection[RelationType] = (),
        limit: int = 1000,
    ) -> list[Relation]:
        params: Params = {
            **self._home.visible(scope, moment),
            "ids": json.dumps(list(entity_ids)),
            "types": array(types),
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            rows: list[Sequence[Any]] = connection.execute(_SQL["of"], params).fetchall()  # type: ignore[assignment]
        found = []
        for _, group in groupby(rows, key=lambda row: row[0]):
            told = list(group)
            _, source_id, source_type, source_name, target_id, target_type, target_name, type_, *_ = told[0]
            evidence = tuple(
                Evidence(memory_id, section, from_micros(start), time_from(end), from_micros(known))
                for *_, memory_id, section, start, end, known in told
            )
            source = RelationEnd(source_id, source_name, EntityType(source_type))
            target = RelationEnd(target_id, target_name, EntityType(target_type))
            found.append(Relation(source, RelationType(type_), target, evidence))
        return found

    def count(self, scope: Scope, moment: Moment) -> int:
        with self._home.reading(scope) as connection:
            return int(connection.execute(_SQL["count"], self._home.visible(scope, moment)).get)


def _params(scope: Scope, written: Written, at: datetime) -> Params:
    return {
        "project": scope.project,
        "memory_id": written.memory_id,
        "source_id": written.source_id,
        "type": written.type,
        "target_id": written.target_id,
        "section": written.section,
        "at": to_micros(at),
    }
