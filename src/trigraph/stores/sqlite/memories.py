"""Memories and their places in threads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import apsw

from trigraph.contracts import Held, NewMemory, NewPassage
from trigraph.errors import StoreError
from trigraph.model.change import MemoryVersion, Verb
from trigraph.model.ids import new_id
from trigraph.model.memory import Kind, Memory, MemoryFilter, Source, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros, to_micros
from trigraph.stores.sqlite.dividing import divided
from trigraph.stores.sqlite.erasing import erase_memory
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.queue import add_job
from trigraph.stores.sqlite.rows import memory_from, memory_params, time_param, version_from, version_params
from trigraph.stores.sqlite.space import add_vectors, pinned_key
from trigraph.stores.sqlite.visibility import Params, queries, wanted
from trigraph.text.terms import topic_key

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

_SQL = queries("memories")


class SqliteMemories:
    """See `contracts.Memories`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def add(self, scope: Scope, new: NewMemory) -> None:
        with self._home.writing(scope) as connection:
            memory_key = _add_rows(connection, scope, new)
            passage_keys = add_passages(connection, memory_key, new.passages)
            add_vectors_or_job(connection, scope, new.memory.id, passage_keys, new.vectors, new.memory.created_at)

    def get(self, scope: Scope, ids: Sequence[str], moment: Moment) -> list[Memory]:
        params: Params = {**self._home.visible(scope, moment), "ids": json.dumps(list(ids))}
        with self._home.reading(scope) as connection:
            found = {row[0]: memory_from(row) for row in connection.execute(_SQL["get"], params)}
        return [found[id_] for id_ in ids if id_ in found]

    def find(self, scope: Scope, suffix: str, known_at: datetime) -> list[Memory]:
        params: Params = {**self._home.visible(scope, Moment(known_at, known_at)), "suffix": suffix}
        with self._home.reading(scope) as connection:
            return [memory_from(row) for row in connection.execute(_SQL["find"], params)]

    def versions(self, scope: Scope, ids: Collection[str], known_at: datetime) -> list[MemoryVersion]:
        params: Params = {**self._home.visible(scope, Moment(known_at, known_at)), "ids": json.dumps(list(ids))}
        with self._home.reading(scope) as connection:
            return [version_from(row) for row in connection.execute(_SQL["versions"], params)]

    def revise(self, scope: Scope, memory: Memory, verb: Verb, reason: str | None, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            params: Params = {
                **version_params(memory, at),
                "memory_key": key_of(connection, scope, memory.id),
                "agent": scope.agent,
                "verb": verb,
                "reason": reason,
            }
            connection.execute(_SQL["close_version"], params)
            connection.execute(_SQL["add_version"], params)

    def erase(self, scope: Scope, memory_id: str, at: datetime) -> None:
        with self._home.writing(scope) as connection:
            erase_memory(connection, scope, key_of(connection, scope, memory_id), memory_id, at)

    def ids_ending(self, scope: Scope, suffix: str, asked: MemoryFilter, moment: Moment) -> list[str]:
        params: Params = {**self._home.visible(scope, moment), **wanted(asked), "suffix": suffix}
        with self._home.reading(scope) as connection:
            return [row[0] for row in connection.execute(_SQL["ids_ending"], params)]

    def ids_of_topic(self, scope: Scope, topic: str, asked: MemoryFilter, moment: Moment, limit: int) -> list[str]:
        params: Params = {
            **self._home.visible(scope, moment),
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
        group: str | None,
        moment: Moment,
    ) -> dict[str, tuple[str, ...]]:
        params: Params = {
            **self._home.visible(scope, moment),
            "content_hashes": json.dumps(list(content_hashes)),
            "kind": kind,
            "visibility": visibility,
            "group_name": group,
        }
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["same_text"], params)
            return {content_hash: tuple(sorted(json.loads(ids))) for content_hash, ids in rows}

    def page(
        self, scope: Scope, asked: MemoryFilter, moment: Moment, limit: int, before_id: str | None
    ) -> list[Memory]:
        params: Params = {
            **self._home.visible(scope, moment),
            **wanted(asked),
            "limit": limit,
            "before_id": before_id,
        }
        with self._home.reading(scope) as connection:
            query = _SQL["page_of_thread" if asked.thread else "page_of_session" if asked.session else "page"]
            return [memory_from(row) for row in connection.execute(query, params)]

    def held(self, scope: Scope, ids: Collection[str], known_at: datetime) -> dict[str, Held]:
        params: Params = {"project": scope.project, "ids": json.dumps(list(ids)), "known_at": to_micros(known_at)}
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["held"], params)
            return {
                id_: Held(confidence, from_micros(since), Kind(kind), session)
                for id_, confidence, since, kind, session in rows
            }

    def from_source(
        self, scope: Scope, source: Source, since: datetime | None, after_id: str | None, known_at: datetime, limit: int
    ) -> list[Memory]:
        params: Params = {
            **self._home.visible(scope, Moment(known_at, known_at)),
            "source": source,
            "since": time_param(since),
            "after_id": after_id,
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            return [memory_from(row) for row in connection.execute(_SQL["from_source"], params)]

    def changed(
        self, scope: Scope, after: datetime, after_id: str, known_at: datetime, limit: int
    ) -> list[MemoryVersion]:
        params: Params = {
            **self._home.visible(scope, Moment(known_at, known_at)),
            "after": to_micros(after),
            "after_id": after_id,
            "limit": limit,
        }
        with self._home.reading(scope) as connection:
            return [version_from(row) for row in connection.execute(_SQL["changed"], params)]

    def find_all(self, scope: Scope, ids: Collection[str], known_at: datetime) -> dict[str, Memory]:
        params: Params = {**self._home.visible(scope, Moment(known_at, known_at)), "ids": json.dumps(list(ids))}
        with self._home.reading(scope) as connection:
            return {row[0]: memory_from(row) for row in connection.execute(_SQL["find_all"], params)}

    def facets(self, scope: Scope, asked: MemoryFilter, moment: Moment, most: int) -> dict[str, dict[str, int]]:
        params: Params = {**self._home.visible(scope, moment), **wanted(asked)}
        with self._home.reading(scope) as connection:
            alike = Counter(connection.execute(_SQL["facets"], params))
        return divided(alike, asked.status, most)

    def count_by_kind(self, scope: Scope, moment: Moment) -> dict[Kind, int]:
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["count_by_kind"], self._home.visible(scope, moment))
            return {Kind(kind): count for kind, count in rows}


def key_of(connection: apsw.Connection, scope: Scope, memory_id: str) -> int:
    """The key of a memory of the scope's project."""
    row = connection.execute(_SQL["key_of"], {"id": memory_id, "project": scope.project}).fetchone()
    if row is None:
        raise StoreError(f"there is no memory {memory_id}")
    return int(row[0])


def _add_rows(connection: apsw.Connection, scope: Scope, new: NewMemory) -> int:
    params: Params = {
        **memory_params(new.memory),
        "project": scope.project,
        "agent": scope.agent,
        "topic_key": new.topic_key,
        "passage_count": len(new.passages),
    }
    memory_key: int = connection.execute(_SQL["add_memory"], params).get
    version: Params = {
        **version_params(new.memory, new.memory.created_at),
        "memory_key": memory_key,
        "agent": scope.agent,
        "verb": new.verb,
        "reason": new.reason,
    }
    connection.execute(_SQL["add_version"], version)
    return memory_key


def add_passages(connection: apsw.Connection, memory_key: int, passages: Sequence[NewPassage]) -> list[int]:
    """Write a memory's passages and index them; their keys."""
    keys: list[int] = []
    for ordinal, passage in enumerate(passages):
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
    total = sum(len(passage.terms) for passage in passages)
    connection.execute(_SQL["add_to_totals"], {"passages": len(keys), "terms": total})
    return keys


def add_vectors_or_job(
    connection: apsw.Connection,
    scope: Scope,
    memory_id: str,
    passage_keys: Sequence[int],
    vectors: Vectors | None,
    at: datetime,
) -> None:
    """Keep a memory's vectors; without them it waits for embedding."""
    if vectors is None:
        add_job(connection, scope, new_id("j", at), "embed", json.dumps({"memory_id": memory_id}), at)
        return
    add_vectors(connection, pinned_key(connection, scope), passage_keys, vectors)
