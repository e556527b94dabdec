"""The lexical and the vector leg, and the surroundings of their candidates."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import apsw

from trigraph.contracts import PASSAGES_PER_MEMORY, PassageText, ScoredPassage, TermStatistics
from trigraph.errors import StoreError
from trigraph.model.memory import MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, from_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries, wanted

if TYPE_CHECKING:
    from trigraph.contracts import Vectors
    from trigraph.stores.sqlite.vectors import VectorIndex

_SPACE = queries("space")
_SQL = queries("search")


class SqliteSearch:
    """See `contracts.Search`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._indexes: dict[tuple[str, str], VectorIndex] = {}

    def lexical(
        self, scope: Scope, terms: Sequence[str], asked: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        return self._match("lexical", scope, terms, asked, moment, limit)

    def identifiers(
        self, scope: Scope, names: Sequence[str], asked: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        return self._match("identifiers", scope, names, asked, moment, limit)

    def nearest(
        self, scope: Scope, vector: Vectors, asked: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        # The scan orders everything; visibility is checked from the top until enough has passed, so the
        # answer is the same as if only visible rows had been scanned, and nobody's results are starved.
        params = {**self._home.visible(scope, moment), **wanted(asked)}
        ranking = _Ranking(limit)
        with self._home.reading(scope) as connection:
            for chunk in self._index(scope, connection).ranked(vector):
                params["passages"] = json.dumps([key for key, _ in chunk])
                memory_of = dict(connection.execute(_SQL["visible_among"], params))
                for key, score in chunk:
                    if key in memory_of:
                        ranking.add(key, memory_of[key], score)
                if ranking.full:
                    break
        return ranking.found

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
            rows = connection.execute(_SQL["surroundings"], params)
            return [_passage_text(*row) for row in rows]

    def statistics(self, scope: Scope, terms: Collection[str]) -> TermStatistics:
        with self._home.reading(scope) as connection:
            passages, total = connection.execute(_SQL["totals"]).get
            holding = dict(connection.execute(_SQL["holding"], {"terms": json.dumps(list(terms))}))
        return TermStatistics(passages, total / max(passages, 1), holding)

    def vectors(self, scope: Scope, passages: Sequence[int]) -> Vectors:
        with self._home.reading(scope) as connection:
            return self._index(scope, connection).vectors(passages)

    def _match(
        self,
        query: str,
        scope: Scope,
        words: Sequence[str],
        asked: MemoryFilter,
        moment: Moment,
        limit: int,
    ) -> list[ScoredPassage]:
        if not words:
            return []
        params: Params = {
            **self._home.visible(scope, moment),
            **wanted(asked),
            "match": _match_any(words),
        }
        ranking = _Ranking(limit)
        with self._home.reading(scope) as connection:
            for key, memory_key, score in connection.execute(_SQL[query], params):
                ranking.add(key, memory_key, score)
                if ranking.full:
                    break
        return ranking.found

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


class _Ranking:
    """The first `limit` passages of those added, no more than `PASSAGES_PER_MEMORY` of any memory."""

    def __init__(self, limit: int) -> None:
        self.found: list[ScoredPassage] = []
        self._limit = limit
        self._taken: Counter[int] = Counter()

    @property
    def full(self) -> bool:
        return len(self.found) >= self._limit

    def add(self, passage: int, memory: int, score: float) -> None:
        if not self.full and self._taken[memory] < PASSAGES_PER_MEMORY:
            self._taken[memory] += 1
            self.found.append(ScoredPassage(passage, score))


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


def _match_any(words: Sequence[str]) -> str:
    """An FTS5 expression for any of the words. Each is quoted: the query language is out of reach."""
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
