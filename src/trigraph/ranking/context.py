"""Scoring candidates exactly, with what stands just before and after them.

What was said around a message decides whether it answers a question. Nothing is copied into an index
for that: neighbours are looked up when a query is scored, under the query's own visibility. A candidate's
term counts are its own plus half of those one place away plus a quarter of those two places away; its
vector score is smoothed likewise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trigraph.contracts import PassageText, TermStatistics
from trigraph.ranking.rarity import rarity
from trigraph.text.related import related

REACH = 2
TERM_WEIGHTS = {1: 0.5, 2: 0.25}
VECTOR_WEIGHTS = {1: 0.4, 2: 0.2}
MEANT_WEIGHTS = {1: 0.7, 2: 0.4}
BM25_K1 = 0.9
BM25_B = 0.4

Floats = NDArray[np.float64]
_OFFSETS = tuple(sign * distance for distance in range(1, REACH + 1) for sign in (-1, 1))


class Neighbourhood:
    """Candidates in their lines: which passage stands at which distance from which.

    Passages are numbered as given. Within a memory, neighbours are the passages before and after; past
    its ends, the nearest passage of the episodes before and after in its thread. Holes stay holes.
    """

    def __init__(self, passages: Sequence[PassageText], brought: Collection[int], *, reach: int) -> None:
        self.passages = passages
        self._by_place = {(text.memory_id, text.ordinal): row for row, text in enumerate(passages)}
        self._first_at: dict[tuple[int, int], int] = {}
        self._last_at: dict[tuple[int, int], int] = {}
        for row, text in enumerate(passages):
            if text.thread is not None and text.seq is not None:
                place = (text.thread, text.seq)
                first, last = self._first_at.setdefault(place, row), self._last_at.setdefault(place, row)
                if text.ordinal < passages[first].ordinal:
                    self._first_at[place] = row
                if text.ordinal > passages[last].ordinal:
                    self._last_at[place] = row
        self.offsets = tuple(offset for offset in _OFFSETS if abs(offset) <= reach)
        self.rows_at = {
            offset: np.array([self._at(text, offset) for text in passages], dtype=np.int64) for offset in self.offsets
        }
        self.candidates = self._candidates(brought)

    def smoothed(self, values: Floats, weights: Mapping[int, float]) -> Floats:
        """Each row's value plus its neighbours', weighted by distance. Rows may be vectors of values.

        A neighbour that does not exist (the memory stands alone, the thread begins here) is presumed to
        follow its row as closely as, in this query, neighbours at that distance follow theirs. So a memory
        without neighbours is neither punished for standing alone nor rewarded for it.
        """
        total = values.copy()
        for offset in self.offsets:
            rows = self.rows_at[offset]
            there = rows >= 0
            own, near = values[there], values[rows[there]]
            total[there] += weights[abs(offset)] * near
            following = float((own * near).sum() / max((own * own).sum(), 1e-12))
            total[~there] += weights[abs(offset)] * min(max(following, 0.0), 1.0) * values[~there]
        return total

    def summed(self, values: Floats) -> Floats:
        """Each row's values plus those of all its neighbours."""
        total = values.copy()
        for offset in self.offsets:
            rows = self.rows_at[offset]
            total[rows >= 0] += values[rows[rows >= 0]]
        return total

    def nearest(self, values: Floats, weights: Mapping[int, float]) -> Floats:
        """The greatest of each row's values and its neighbours', weighted by distance. Rows are vectors of values."""
        best = values.copy()
        for offset in self.offsets:
            rows = self.rows_at[offset]
            there = rows >= 0
            best[there] = np.maximum(best[there], weights[abs(offset)] * values[rows[there]])
        return best

    def value_at(self, values: Floats, offset: int) -> Floats:
        """The value at that place before or after each row; NaN where there is none."""
        rows = self.rows_at.get(offset, np.full(len(values), -1))
        return np.where(rows >= 0, values[rows], np.nan)

    def best_at(self, values: Floats, distance: int) -> Floats:
        """The greater of the values at that distance before and after each row; NaN where there is neither."""
        best = np.full(len(values), np.nan)
        for offset in (offset for offset in self.offsets if abs(offset) == distance):
            rows = self.rows_at[offset]
            best = np.fmax(best, np.where(rows >= 0, values[rows], np.nan))
        return best

    def _candidates(self, brought: Collection[int]) -> list[int]:
        """Rows to be ranked: what a leg brought, then their neighbours, if the filter asks for them."""
        first = [row for row, text in enumerate(self.passages) if text.passage in brought]
        chosen = dict.fromkeys(row for row in first if self.passages[row].wanted)
        for offset in self.offsets:
            for row in first:
                near = int(self.rows_at[offset][row])
                if near >= 0 and self.passages[near].wanted:
                    chosen.setdefault(near)
        return list(chosen)

    def _at(self, text: PassageText, offset: int) -> int:
        ordinal = text.ordinal + offset
        if 0 <= ordinal < text.passage_count:
            return self._by_place.get((text.memory_id, ordinal), -1)
        if text.thread is None or text.seq is None:
            return -1
        beyond = ordinal - (text.passage_count - 1) if offset > 0 else ordinal
        nearest = self._first_at if offset > 0 else self._last_at
        return nearest.get((text.thread, text.seq + beyond), -1)


@dataclass(frozen=True, slots=True)
class Words:
    """How often each passage holds each of the query's terms, how many terms it has, and how rare each term is."""

    counts: Floats
    lengths: Floats
    rarity: Floats
    meant: Floats
    """How nearly each passage holds each term: 1 where it does, less where it holds a related one."""

    def coverage(self, held: Floats | NDArray[np.bool_]) -> Floats:
        """The share of the query's terms that are held, from 0 to 1 each, the rare ones counting more."""
        return np.asarray(held @ self.rarity / max(float(self.rarity.sum()), 1e-12))


def words_of(terms: Sequence[str], statistics: TermStatistics, around: Neighbourhood) -> Words:
    """Which of the query's terms every passage holds, and which it holds a related one of."""
    column = {term: index for index, term in enumerate(terms)}
    worth: dict[str, list[tuple[int, float]]] = {}
    for term, index in column.items():
        for other, value in related(term).items():
            worth.setdefault(other, []).append((index, value))
    sought = column.keys() | worth.keys()
    counts = np.zeros((len(around.passages), len(column)))
    meant = np.zeros((len(around.passages), len(column)))
    lengths = np.zeros(len(around.passages))
    for row, text in enumerate(around.passages):
        held = text.terms.split(" ")
        lengths[row] = len(held)
        for term in sought.intersection(held):
            if term in column:
                counts[row, column[term]] = held.count(term)
            for index, value in worth.get(term, ()):
                meant[row, index] = max(meant[row, index], value)
    meant[counts > 0] = 1.0
    return Words(counts, lengths, np.array([inverse_frequency(statistics, term) for term in column]), meant)


def lexical_scores(words: Words, around: Neighbourhood) -> Floats:
    """BM25 of every passage for the query's terms, over its own and its neighbours' term counts."""
    counts, lengths = (around.smoothed(values, TERM_WEIGHTS) for values in (words.counts, words.lengths))
    return bm25(counts, lengths, words.rarity)


def bm25(counts: Floats, lengths: Floats, rarity: Floats) -> Floats:
    """The sum over the query's terms."""
    usual = max(float(lengths.mean()), 1.0)
    saturation = BM25_K1 * (1 - BM25_B + BM25_B * lengths / usual)
    return np.asarray((rarity * counts * (BM25_K1 + 1) / (counts + saturation[:, None])).sum(axis=1))


def inverse_frequency(statistics: TermStatistics, term: str) -> float:
    """BM25's idf, never negative."""
    return rarity(statistics.passages, statistics.holding.get(term, 0))


def vector_scores(cosines: Floats, around: Neighbourhood) -> Floats:
    """Cosines smoothed over neighbours, measured from the mean of what was loaded."""
    return around.smoothed(cosines - cosines.mean(), VECTOR_WEIGHTS)
