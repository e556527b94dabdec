"""The lexical leg on one connection: which passages hold the words of a query, best first.

Imports nothing that takes time: hooks rank by it, too.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import apsw

Found = list[tuple[int, float]]
"""Passages with their scores."""

_MATCHES_FOR_EACH = 2
"""So many of the best matches are taken for each that is asked for, before it is looked who may see them."""


class Ranking:
    """The first `limit` passages of those added, no more than `per_memory` of any memory."""

    def __init__(self, limit: int, per_memory: int) -> None:
        self.found: Found = []
        self._limit = limit
        self._per_memory = per_memory
        self._taken: Counter[int] = Counter()

    @property
    def full(self) -> bool:
        return len(self.found) >= self._limit

    def add(self, passage: int, memory: int, score: float) -> None:
        if not self.full and self._taken[memory] < self._per_memory:
            self._taken[memory] += 1
            self.found.append((passage, score))


def best(
    connection: apsw.Connection,
    sql: Mapping[str, str],
    terms: Sequence[str],
    params: Mapping[str, object],
    limit: int,
    per_memory: int,
) -> Found | None:
    """The ranking from the best matches alone, of which few are likely to be out of sight; None if it takes more of
    them. `sql` are the queries of the file `search`."""
    most = _MATCHES_FOR_EACH * limit
    found = connection.execute(sql["best_matches"], {"match": match_any(terms), "most": most})
    matches: Found = [(key, -distance) for key, distance in found]
    first = first_chunk(limit)
    ranking = visible_of(connection, sql, params, (matches[:first], matches[first:]), limit, per_memory)
    return ranking.found if ranking.full or len(matches) < most else None


def every(
    connection: apsw.Connection,
    sql: Mapping[str, str],
    words: Sequence[str],
    params: Mapping[str, object],
    limit: int,
    per_memory: int,
    *,
    query: str = "lexical",
) -> Found:
    """The ranking from all that match: terms of a text, or by the query `identifiers` parts of names."""
    ranking = Ranking(limit, per_memory)
    for key, memory_key, score in connection.execute(sql[query], {**params, "match": match_any(words)}):
        ranking.add(key, memory_key, score)
        if ranking.full:
            break
    return ranking.found


def visible_of(
    connection: apsw.Connection,
    sql: Mapping[str, str],
    params: Mapping[str, object],
    chunks: Iterable[Sequence[tuple[int, float]]],
    limit: int,
    per_memory: int,
) -> Ranking:
    """The first passages of a falling order that may be seen and are wanted; no more chunks are taken than it needs."""
    ranking = Ranking(limit, per_memory)
    for chunk in chunks:
        asked = {**params, "passages": json.dumps([key for key, _ in chunk])}
        memory_of = dict(connection.execute(sql["visible_among"], asked))
        for key, score in chunk:
            if key in memory_of:
                ranking.add(key, memory_of[key], score)
        if ranking.full:
            break
    return ranking


def statistics(
    connection: apsw.Connection, sql: Mapping[str, str], terms: Iterable[str]
) -> tuple[int, int, dict[str, int]]:
    """How many passages and terms the tenant has, and how many passages hold each of some terms."""
    passages, total = connection.execute(sql["totals"]).get
    return passages, total, dict(connection.execute(sql["holding"], {"terms": json.dumps(list(terms))}))


def first_chunk(limit: int) -> int:
    """A few more than are asked for: some may be out of sight."""
    return limit + limit // 5 + 1


def match_any(words: Sequence[str]) -> str:
    """An FTS5 expression for any of the words. Each is quoted: the query language is out of reach."""
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
