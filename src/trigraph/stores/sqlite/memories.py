"""Memories and their places in threads."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import apsw

from trigraph.contracts import NewMemory
from trigraph.model.ids import new_id
from trigraph.model.memory import Kind, Memory, MemoryFilter, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.queue import add_job
from trigraph.stores.sqlite.rows import MEMORY_COLUMNS, memory_from, memory_params, version_params
from trigraph.stores.sqlite.space import add_vectors, pinned_key
from trigraph.stores.sqlite.visibility import Params, queries, visible, wanted
from trigraph.text.terms import topic_key

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

_SQL = queries("memories", {"memory_columns": MEMORY_COLUMNS})


class SqliteMemories:
    """See `contracts.Memories`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def add(self, scope: Scope, new: NewMemory) -> None:
        with self._home.writing(scope) as connection:
            memory_key = _add_rows(connection, scope, new)
            passage_keys = _add_passages(connection, memory_key, new)
            _add_vectors_or_job(connection, scope, new.memory, passage_keys, new.vectors)

    def get(self, scope: Scope, ids: Sequence[str], moment: Moment) -> list[Memory]:
        params: Params = {**visible(scope, moment), "ids": json.dumps(list(ids))}
        with self._home.reading(scope) as connection:
            found = {row[0]: memory_from(row) for row in connection.execute(_SQL["get"], params)}
        return [found[id_] for id_ in ids if id_ in found]

    def ids_ending(self, scope: Scope, suffix: str, asked: MemoryFilter, moment: Moment) -> list[str]:
        params: Params = {**visible(scope, moment), **wanted(asked), "suffix": suffix}
        with self._home.reading(scope) as connection:
            return [row[0] for row in connection.execute(_SQL["ids_ending"], params)]

    def ids_of_topic(self, scope: Scope, topic: str, asked: MemoryFilter, moment: Moment, limit: int) -> list[str]:
        params: Params = {
            **visible(scope, moment),
            **wanted(asked),
            "exact_topic_key": topic_key(topic),
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            return [row[0] for row in connection.execute(_SQL["ids_of_topic"], params)]

    def same_text(
        self,
        scope: Scope,
        content_hashes: Collection[str],
        kind: Kind,
        visibility: Visibility,
        moment: Moment,
    ) -> dict[str, str]:
        params: Params = {
            **visible(scope, moment),
            "content_hashes": json.dumps(list(content_hashes)),
            "kind": kind,
            "visibility": visibility,
        }
        with self._home.reading(scope) as connection:
            return dict(connection.execute(_SQL["same_text"], params))

    def page(
        self, scope: Scope, asked: MemoryFilter, moment: Moment, limit: int, before_id: str | None
    ) -> list[Memory]:
        params: Params = {
            **visible(scope, moment),
            **wanted(asked),
            "limit": limit,
            "before_id": before_id,
        }
        with self._home.reading(scope) as connection:
            query = _SQL["page_of_thread" if asked.thread else "page"]
            return [memory_from(row) for row in connection.execute(query, params)]

    def count_by_kind(self, scope: Scope, moment: Moment) -> dict[Kind, int]:
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["count_by_kind"], visible(scope, moment))
            return {Kind(kind): count for kind, count in rows}


def _add_rows(connection: apsw.Connection, scope: Scope, new: NewMemory) -> int:
    params: Params = {
        **memory_params(new.memory),
        "project": scope.project,
        "agent": scope.agent,
        "topic_key": new.topic_key,
        "passage_count": len(new.passages),
    }
    memory_key: int = connection.execute(_SQL["add_memory"], params).get
    connection.execute(_SQL["add_version"], {**version_params(new.memory), "memory_key": memory_key})
    return memory_key


def _add_passages(connection: apsw.Connection, memory_key: int, new: NewMemory) -> list[int]:
    keys: list[int] = []
    for ordinal, passage in enumerate(new.passages):
        terms, names = " ".join(passage.terms), " ".join(passage.identifiers)
        params: Params = {
            "memory_key": memory_key,
            "ordinal": ordinal,
            "start_char": passage.start,
            "end_char": passage.end,
            "label": passage.label,
            "terms": terms,
            "term_count": len(passage.terms),
            "identifiers": names,
        }
        key: int = connection.execute(_SQL["add_passage"], params).get
        connection.execute(_SQL["index_terms"], {"passage_key": key, "terms": terms})
        connection.execute(_SQL["index_identifiers"], {"passage_key": key, "identifiers": names})
        keys.append(key)
    total = sum(len(passage.terms) for passage in new.passages)
    connection.execute(_SQL["add_to_totals"], {"passages": len(keys), "terms": total})
    return keys


def _add_vectors_or_job(
    connection: apsw.Connection,
    scope: Scope,
    memory: Memory,
    passage_keys: Sequence[int],
    vectors: Vectors | None,
) -> None:
    if vectors is None:
        payload = json.dumps({"memory_id": memory.id})
        add_job(connection, scope, new_id("j", memory.created_at), "embed", payload, memory.created_at)
        return
    add_vectors(connection, pinned_key(connection, scope), passage_keys, vectors)
