"""Memories by what joins them: terms, entities, tags."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from trigraph.model.ids import first_id
from trigraph.model.memory import MEMORY_PREFIX, Kind, MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros
from trigraph.stores.sqlite.by_words import match_any
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries, wanted

_SQL = queries("bridges")
_SQL_OF_ALL = queries("bridges", {"wanted": "TRUE"})
_AFTER_ALL = f"{MEMORY_PREFIX}_~"


class SqliteBridges:
    """See `contracts.Bridges`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def newest(self, scope: Scope, asked: MemoryFilter, moment: Moment, limit: int) -> list[str]:
        params = {**self._params(scope, asked, moment), "limit": limit}
        found: list[str] = []
        with self._home.reading(scope) as connection:
            for kind in _kinds(asked):
                found += (id_ for (id_,) in connection.execute(_sql(asked)["newest"], {**params, "kind": kind}))
        return sorted(found, reverse=True)[:limit]

    def spread(self, scope: Scope, asked: MemoryFilter, moment: Moment, times: Sequence[datetime]) -> list[str]:
        params = self._params(scope, asked, moment)
        ends = [*(first_id(MEMORY_PREFIX, at) for at in sorted(times)), _AFTER_ALL]
        found: list[str] = []
        with self._home.reading(scope) as connection:
            for start, end in pairwise(ends):
                rows = connection.execute(_sql(asked)["from_here"], {**params, "first_id": start, "until_id": end})
                found += (id_ for (id_,) in rows)
        return found

    def first(self, scope: Scope, asked: MemoryFilter, moment: Moment) -> datetime | None:
        params = self._params(scope, asked, moment)
        found: list[int] = []
        with self._home.reading(scope) as connection:
            for kind in _kinds(asked):
                found += (at for (at,) in connection.execute(_sql(asked)["oldest"], {**params, "kind": kind}))
        return from_micros(min(found)) if found else None

    def frequencies(self, scope: Scope, terms: Collection[str]) -> Mapping[str, int]:
        with self._home.reading(scope) as connection:
            return dict(connection.execute(_SQL["frequencies"], {"terms": json.dumps(list(terms))}))

    def holding(
        self, scope: Scope, terms: Collection[str], asked: MemoryFilter, moment: Moment, most: int
    ) -> Mapping[str, tuple[str, ...]]:
        keys = {term: {"match": match_any([term])} for term in terms}
        return self._held("holding", scope, keys, asked, moment, most)

    def speaking_of(
        self, scope: Scope, entity_ids: Collection[str], asked: MemoryFilter, moment: Moment, most: int
    ) -> Mapping[str, tuple[str, ...]]:
        keys = {id_: {"entity_id": id_} for id_ in entity_ids}
        return self._held("speaking_of", scope, keys, asked, moment, most)

    def tagged(
        self, scope: Scope, tags: Collection[str], asked: MemoryFilter, moment: Moment, most: int
    ) -> Mapping[str, tuple[str, ...]]:
        return self._held("tagged", scope, {tag: {"tag": tag} for tag in tags}, asked, moment, most)

    def companions(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime, most: int
    ) -> Mapping[str, tuple[str, ...]]:
        params = {**self._home.visible(scope, Moment(known_at, known_at)), "ids": json.dumps(list(memory_ids))}
        found: dict[str, dict[str, None]] = {}
        with self._home.reading(scope) as connection:
            for own, other in connection.execute(_SQL["companions"], params):
                if len(with_one := found.setdefault(own, {})) < most:
                    with_one[other] = None
        return {own: tuple(others) for own, others in found.items()}

    def _held(
        self,
        query: str,
        scope: Scope,
        keys: Mapping[str, Mapping[str, str]],
        asked: MemoryFilter,
        moment: Moment,
        most: int,
    ) -> dict[str, tuple[str, ...]]:
        params = self._params(scope, asked, moment)
        statement = _sql(asked)[query]
        with self._home.reading(scope) as connection:
            return {
                key: _first(connection.execute(statement, {**params, **named}), most) for key, named in keys.items()
            }

    def _params(self, scope: Scope, asked: MemoryFilter, moment: Moment) -> Params:
        return {**self._home.visible(scope, moment), **wanted(asked)}


def _first(rows: Iterable[tuple[str]], most: int) -> tuple[str, ...]:
    """The first ids, each once; no more rows are read than that takes."""
    found: dict[str, None] = {}
    for (id_,) in rows:
        found[id_] = None
        if len(found) == most:
            break
    return tuple(found)


def _kinds(asked: MemoryFilter) -> list[Kind]:
    return [kind for kind in asked.kinds or Kind if kind is not Kind.EPISODE]


def _sql(asked: MemoryFilter) -> Mapping[str, str]:
    return _SQL_OF_ALL if asked == MemoryFilter() else _SQL
