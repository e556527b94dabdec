"""Steps of a walk over mentions, relations and links."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from trigraph.contracts import Alike, Bound, Edge, Linked, Naming
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import Kind, Memory, MemoryFilter
from trigraph.model.relation import RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries, wanted
from trigraph.text.terms import topic_key

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

_SQL = queries("graph")
_SPACE = queries("space")
_SEPARATOR = "\x1f"
_SESSION_LOOKED_AT = 50
"""Of a session that goes on and on, so many of the newest memories are looked at."""


class SqliteGraph:
    """See `contracts.Graph`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def edges(self, scope: Scope, entity_ids: Collection[str], moment: Moment, limit: int) -> list[Edge]:
        params: Params = {
            **self._home.visible(scope, moment),
            "ids": json.dumps(list(entity_ids)),
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            return [
                Edge(own, other, RelationType(type_), bool(outgoing), place)
                for own, other, type_, outgoing, place in connection.execute(_SQL["edges"], params)
            ]

    def about(
        self, scope: Scope, entity_ids: Collection[str], asked: MemoryFilter, moment: Moment, limit: int
    ) -> list[Naming]:
        return self._naming("about", scope, {"ids": json.dumps(list(entity_ids)), "limit": limit}, asked, moment)

    def naming(self, scope: Scope, entity_id: str, asked: MemoryFilter, moment: Moment, limit: int) -> list[Naming]:
        return self._naming("naming", scope, {"entity_id": entity_id, "limit": limit}, asked, moment)

    def speaking(
        self, scope: Scope, entity_ids: Collection[str], moment: Moment, each: int, limit: int
    ) -> list[Naming]:
        which: Params = {"ids": json.dumps(list(entity_ids)), "each": each, "limit": limit}
        return self._naming("speaking", scope, which, MemoryFilter(), moment)

    def degrees(self, scope: Scope, entity_ids: Collection[str], most: int) -> Mapping[str, int]:
        params: Params = {"ids": json.dumps(list(entity_ids)), "project": scope.project, "limit": most}
        with self._home.reading(scope) as connection:
            return dict(connection.execute(_SQL["degrees"], params))

    def linked(
        self,
        scope: Scope,
        memory_ids: Collection[str],
        asked: MemoryFilter,
        moment: Moment,
        limit: int,
        *,
        told: bool = False,
    ) -> list[Linked]:
        params: Params = {
            **self._home.visible(scope, moment),
            **wanted(asked),
            "ids": json.dumps(list(memory_ids)),
            "limit": limit,
            "told": told,
        }
        with self._home.reading(scope) as connection:
            return [
                Linked(own, other, passage, LinkType(type_), confidence, LinkOrigin(origin), from_micros(drawn))
                for own, other, passage, type_, confidence, origin, drawn in connection.execute(_SQL["linked"], params)
            ]

    def stocked(self, scope: Scope) -> bool:
        with self._home.reading(scope) as connection:
            return bool(connection.execute(_SQL["stocked"], {"project": scope.project}).get)

    def constrained(self, scope: Scope) -> bool:
        with self._home.reading(scope) as connection:
            return bool(connection.execute(_SQL["constrained"], {"project": scope.project}).get)

    def constraints(
        self, scope: Scope, entity_ids: Collection[str], asked: MemoryFilter, moment: Moment, most: int
    ) -> list[Bound]:
        params: Params = {
            **self._home.visible(scope, moment),
            **wanted(asked),
            "ids": json.dumps(list(entity_ids)),
            "most": most,
        }
        with self._home.reading(scope) as connection:
            return [
                Bound(id_, bool(pinned), tuple(json.loads(spoken_of)))
                for id_, pinned, spoken_of in connection.execute(_SQL["constraints"], params)
            ]

    def sharing(
        self, scope: Scope, memory: Memory, entity_ids: Collection[str], at: datetime, most: int
    ) -> list[Alike]:
        params: Params = {
            **self._home.visible(scope, Moment(at, at)),
            "ids": json.dumps(list(entity_ids)),
            "topic_key": topic_key(memory.topic) if memory.topic else None,
            "subject_id": memory.subject.id if memory.subject else None,
            "memory_id": memory.id,
            "limit": most,
        }
        with self._home.reading(scope) as connection:
            return [
                Alike(id_, Kind(kind), tuple(shared.split(_SEPARATOR)))
                for id_, kind, shared in connection.execute(_SQL["sharing"], params)
            ]

    def of_session(
        self, scope: Scope, memory: Memory, since: datetime, until: datetime, most: int
    ) -> list[tuple[str, Kind, datetime]]:
        at = memory.created_at
        params: Params = {
            **self._home.visible(scope, Moment(at, at)),
            "session": memory.provenance.session,
            "since": to_micros(since),
            "until": to_micros(until),
            "memory_id": memory.id,
            "looked_at": _SESSION_LOOKED_AT,
            "limit": most,
        }
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["of_session"], params)
            return [(id_, Kind(kind), from_micros(created)) for id_, kind, created in rows]

    def decisions_on(self, scope: Scope, memory: Memory, most: int) -> list[tuple[str, Kind]]:
        at = memory.created_at
        params: Params = {
            **self._home.visible(scope, Moment(at, at)),
            "topic_key": topic_key(memory.topic) if memory.topic else None,
            "memory_id": memory.id,
            "limit": most,
        }
        with self._home.reading(scope) as connection:
            return [(id_, Kind(kind)) for id_, kind in connection.execute(_SQL["decisions_on"], params)]

    def first_vectors(self, scope: Scope, memory_ids: Sequence[str]) -> tuple[list[str], Vectors] | None:
        params: Params = {"ids": json.dumps(list(memory_ids)), "project": scope.project}
        with self._home.reading(scope) as connection:
            rows: list[tuple[str, bytes]] = connection.execute(_SQL["first_vectors"], params).fetchall()  # type: ignore[assignment]
            pinned = connection.execute(_SPACE["pinned"], params).fetchone()
        if not rows or pinned is None:
            return None
        from trigraph.stores.sqlite.vectors import decode  # numpy: only when there are vectors

        return [id_ for id_, _ in rows], decode([blob for _, blob in rows], int(pinned[2]))

    def _naming(self, query: str, scope: Scope, which: Params, asked: MemoryFilter, moment: Moment) -> list[Naming]:
        params = {**self._home.visible(scope, moment), **wanted(asked), **which}
        with self._home.reading(scope) as connection:
            return [
                Naming(entity_id, memory_id, passage, bool(subject), confidence)
                for entity_id, memory_id, passage, subject, confidence in connection.execute(_SQL[query], params)
            ]
