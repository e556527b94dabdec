"""Links between memories."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import apsw

from trigraph.errors import StoreError
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.rows import time_from, time_param
from trigraph.stores.sqlite.visibility import Params, array, queries

_SQL = queries("links")


class SqliteLinks:
    """See `contracts.Links`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def add(self, scope: Scope, link: Link) -> None:
        with self._home.writing(scope) as connection:
            _add(connection, scope, link, link.known_from)

    def get(self, scope: Scope, suffix: str, known_at: datetime) -> list[Link]:
        params: Params = {**self._home.visible(scope, Moment(known_at, known_at)), "suffix": suffix}
        with self._home.reading(scope) as connection:
            return [_link_from(row) for row in connection.execute(_SQL["get"], params)]

    def of(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime, types: Collection[LinkType] = ()
    ) -> list[Link]:
        params: Params = {
            **self._home.visible(scope, Moment(known_at, known_at)),
            "ids": json.dumps(list(memory_ids)),
            "types": array(types),
        }
        with self._home.reading(scope) as connection:
            return [_link_from(row) for row in connection.execute(_SQL["of"], params)]

    def strongest(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime, types: Collection[LinkType], limit: int
    ) -> list[Link]:
        params: Params = {
            **self._home.visible(scope, Moment(known_at, known_at)),
            "ids": json.dumps(list(memory_ids)),
            "types": array(types),
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            found = [_link_from(row) for row in connection.execute(_SQL["strongest"], params)]
        return sorted(found, key=lambda link: (-link.confidence, link.id))

    def reach(
        self,
        scope: Scope,
        memory_id: str,
        known_at: datetime,
        both_ways: Collection[LinkType],
        onward: Collection[LinkType],
        limit: int,
    ) -> list[str]:
        params: Params = {
            **self._home.visible(scope, Moment(known_at, known_at)),
            "id": memory_id,
            "both_ways": json.dumps(list(both_ways)),
            "onward": json.dumps(list(onward)),
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            return [str(id_) for (id_,) in connection.execute(_SQL["reach"], params)]

    def standing(self, scope: Scope, type_: LinkType, moment: Moment, limit: int) -> list[Link]:
        params: Params = {**self._home.visible(scope, moment), "type": type_, "limit": limit}
        with self._home.reading(scope) as connection:
            return [_link_from(row) for row in connection.execute(_SQL["standing"], params)]

    def fading(self, scope: Scope, before: datetime, after_id: str | None, limit: int) -> list[Link]:
        params: Params = {
            "project": scope.project,
            "before": to_micros(before),
            "after_id": after_id,
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            return [_link_from(row) for row in connection.execute(_SQL["fading"], params)]

    def revise(self, scope: Scope, link: Link, at: datetime) -> None:
        self.close(scope, link.id, at)
        with self._home.writing(scope) as connection:
            _add(connection, scope, link, at)

    def close(self, scope: Scope, link_id: str, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            params: Params = {"id": link_id, "project": scope.project, "at": to_micros(at)}
            connection.execute(_SQL["close"], params)

    def close_to(self, scope: Scope, memory_id: str, types: Collection[LinkType], at: datetime) -> list[str]:
        params: Params = {
            "id": memory_id,
            "project": scope.project,
            "types": json.dumps(list(types)),
            "at": to_micros(at),
        }
        with self._home.writing(scope) as connection:
            return [str(id_) for (id_,) in connection.execute(_SQL["close_to"], params).fetchall()]


def _add(connection: apsw.Connection, scope: Scope, link: Link, known_from: datetime) -> None:
    params: Params = {
        "id": link.id,
        "project": scope.project,
        "author": link.author,
        "from_id": link.from_id,
        "to_id": link.to_id,
        "type": link.type,
        "confidence": link.confidence,
        "created_by": link.created_by,
        "reason": link.reason,
        "valid_from": to_micros(link.valid_from),
        "valid_until": time_param(link.valid_until),
        "known_from": to_micros(known_from),
        "similarity": link.similarity,
        "gap_seconds": link.gap_seconds,
        "span_start": link.span[0] if link.span else None,
        "span_end": link.span[1] if link.span else None,
    }
    if not connection.execute(_SQL["add"], params).fetchall():
        raise StoreError(f"a link needs both its ends: {link.from_id} and {link.to_id}")


def _link_from(row: Sequence[Any]) -> Link:
    (id_, from_id, to_id, type_, confidence, created_by, author, reason, valid_from, valid_until, known_from,
     known_until, similarity, gap_seconds, span_start, span_end, drawn_at) = row  # fmt: skip
    return Link(
        id=id_,
        from_id=from_id,
        to_id=to_id,
        type=LinkType(type_),
        confidence=confidence,
        created_by=LinkOrigin(created_by),
        author=author,
        reason=reason,
        valid_from=from_micros(valid_from),
        valid_until=time_from(valid_until),
        known_from=from_micros(known_from),
        known_until=time_from(known_until),
        similarity=similarity,
        gap_seconds=gap_seconds,
        span=None if span_start is None else (span_start, span_end),
        drawn_at=from_micros(drawn_at),
    )
