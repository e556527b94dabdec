"""The lexical and the vector leg, and the surroundings of their candidates."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import apsw

from trigraph.contracts import PASSAGES_PER_MEMORY, PassageText, Scan, ScoredPassage, TermStatistics
from trigraph.errors import StoreError
from trigraph.model.access import ReadPolicy
from trigraph.model.memory import MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros
from trigraph.stores.sqlite import by_words
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.scanning import Scanner
from trigraph.stores.sqlite.visibility import Params, queries, wanted

if TYPE_CHECKING:
    from trigraph.contracts import Vectors
    from trigraph.stores.sqlite.matching import Matcher
    from trigraph.stores.sqlite.vectors import Scanned, VectorIndex

_SPACE = queries("space")
_SQL = queries("search")
_SQL_OF_ALL = queries("search", {"wanted": "TRUE"})
"""The same where the filter asks for all: its many parts would be looked at for each row."""


class SqliteSearch:
    """See `contracts.Search`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._indexes: dict[tuple[str, str], VectorIndex] = {}
        self._scanner = Scanner()
        self._matchers: dict[str, Matcher] = {}
        self._asked: set[str] = set()

    def lexical(
        self, scope: Scope, terms: Sequence[str], asked: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        if not terms:
            return []
        params: Params = {**self._home.visible(scope, moment), **wanted(asked)}
        matcher = self._matcher(scope)
        with self._home.reading(scope) as connection:
            if matcher is not None:
                chunks = matcher.matches(connection, terms).ranked(by_words.first_chunk(limit))
                return _visible(connection, asked, params, chunks, limit)
            self._asked.add(scope.tenant)
            found = None
            if params["policy"] == ReadPolicy.SHARED and _asks_for_all(asked):
                found = by_words.best(connection, _SQL, terms, params, limit, PASSAGES_PER_MEMORY)
            if found is None:
                found = by_words.every(connection, _SQL, terms, params, limit, PASSAGES_PER_MEMORY)
        return _scored(found)

    def identifiers(
        self, scope: Scope, names: Sequence[str], asked: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        if not names:
            return []
        params: Params = {**self._home.visible(scope, moment), **wanted(asked)}
        with self._home.reading(scope) as connection:
            found = by_words.every(connection, _SQL, names, params, limit, PASSAGES_PER_MEMORY, query="identifiers")
        return _scored(found)

    def nearest(
        self, scope: Scope, vector: Vectors, asked: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        return self.scan(scope, vector).nearest(asked, moment, limit)

    def scan(self, scope: Scope, vector: Vectors) -> Scan:
        with self._home.reading(scope) as connection:
            return _Scan(self._home, scope, self._scanner.begin(self._index(scope, connection), vector))

    def alike(
        self, scope: Scope, vectors: Vectors, asked: MemoryFilter, moment: Moment, least: float, limit: int
    ) -> list[list[tuple[str, float]]]:
        params = {**self._home.visible(scope, moment), **wanted(asked)}
        with self._home.reading(scope) as connection:
            near = self._index(scope, connection).above(vectors, least)
            params["passages"] = json.dumps(sorted({key for row in near for key, _ in row}))
            memory_of = dict(connection.execute(_SQL["whose_among"], params))
        found = []
        for row in near:
            best: dict[str, float] = {}
            for key, cosine in row:
                if key in memory_of and len(best) < limit:
                    best.setdefault(memory_of[key], cosine)
            found.append(list(best.items()))
        return found

    def surroundings(
        self,
        scope: Scope,
        passages: Collection[int],
        reach: int,
        asked: MemoryFilter,
        moment: Moment,
    ) -> list[PassageText]:
        params: Params = {
            **self._home.visible(scope, moment),
            **wanted(asked),
            "passages": json.dumps(list(passages)),
            "reach": reach,
        }
        with self._home.reading(scope) as connection:
            rows = connection.execute(_sql(asked)["surroundings"], params)
            return [_passage_text(*row) for row in rows]

    def statistics(self, scope: Scope, terms: Collection[str]) -> TermStatistics:
        matcher = self._matcher(scope)
        with self._home.reading(scope) as connection:
            if matcher is not None:
                return matcher.statistics(connection, terms)
            passages, total, holding = by_words.statistics(connection, _SQL, terms)
        return TermStatistics(passages, total / max(passages, 1), holding)

    def vectors(self, scope: Scope, passages: Sequence[int]) -> Vectors:
        with self._home.reading(scope) as connection:
            return self._index(scope, connection).vectors(passages)

    def close(self) -> None:
        """End the threads that scan."""
        self._scanner.close()

    def _matcher(self, scope: Scope) -> Matcher | None:
        """What weighs passages, from the second search in a tenant on: what it keeps is loaded once, and who asks once
        is answered sooner by FTS5. Nor is it shown what a transaction wrote and may yet undo."""
        if self._home.of(scope).truth.in_transaction:
            return None
        with self._lock:
            if scope.tenant in self._asked and scope.tenant not in self._matchers:
                from trigraph.stores.sqlite.matching import Matcher  # numpy, likewise

                self._matchers[scope.tenant] = Matcher()
            return self._matchers.get(scope.tenant)

    def _index(self, scope: Scope, connection: apsw.Connection) -> VectorIndex:
        """The index of the pinned model, caught up; built anew when another model was pinned or something erased."""
        from trigraph.stores.sqlite.vectors import VectorIndex  # numpy: only when vectors are searched

        if self._home.of(scope).truth.in_transaction:
            # What this transaction wrote may yet be undone; the index must never have seen it.
            raise StoreError("vectors are searched before a transaction, not inside one")
        row = connection.execute(_SPACE["pinned"], {"project": scope.project}).fetchone()
        model_key, dimension = (row[0], row[2]) if row else (0, 1)
        erasures = int(connection.execute(_SPACE["erasures"]).get)
        with self._lock:
            index = self._indexes.get((scope.tenant, scope.project))
            if index is None or (index.model_key, index.erasures) != (model_key, erasures):
                index = VectorIndex(model_key, dimension, erasures)
                self._indexes[scope.tenant, scope.project] = index
        index.catch_up(connection)
        return index


class _Scan:
    """See `contracts.Scan`. The scan orders everything; visibility is checked from the top until enough has passed, so
    the answer is the same as if only visible rows had been scanned, and nobody's results are starved."""

    def __init__(self, home: HomeFolder, scope: Scope, scanned: Callable[[], Scanned]) -> None:
        self._home = home
        self._scope = scope
        self._scanned = scanned

    def nearest(self, asked: MemoryFilter, moment: Moment, limit: int) -> list[ScoredPassage]:
        params = {**self._home.visible(self._scope, moment), **wanted(asked)}
        chunks = self._scanned().ranked(by_words.first_chunk(limit))
        with self._home.reading(self._scope) as connection:
            return _visible(connection, asked, params, chunks, limit)


def _visible(
    connection: apsw.Connection,
    asked: MemoryFilter,
    params: Params,
    chunks: Iterable[list[tuple[int, float]]],
    limit: int,
) -> list[ScoredPassage]:
    """The first passages of a falling order that may be seen and are wanted."""
    return _scored(by_words.visible_of(connection, _sql(asked), params, chunks, limit, PASSAGES_PER_MEMORY).found)


def _scored(found: by_words.Found) -> list[ScoredPassage]:
    return [ScoredPassage(passage, score) for passage, score in found]


def _sql(asked: MemoryFilter) -> Mapping[str, str]:
    return _SQL_OF_ALL if asked == MemoryFilter() else _SQL


def _asks_for_all(asked: MemoryFilter) -> bool:
    """Whether most of what may be seen is wanted."""
    return replace(asked, domains=(), domainless=False) == MemoryFilter()


def _passage_text(
    passage: int,
    memory_id: str,
    thread: int | None,
    seq: int | None,
    ordinal: int,
    passage_count: int,
    start: int,
    end: int,
    terms: str,
    is_wanted: int,
    at: int,
    text: str | None,
    speaker: str | None,
) -> PassageText:
    place = (passage, memory_id, thread, seq, ordinal, passage_count)
    return PassageText(*place, start, end, terms, bool(is_wanted), from_micros(at), text, speaker)
