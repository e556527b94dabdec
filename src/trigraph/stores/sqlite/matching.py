"""BM25 as FTS5 works it out, for all passages at once.

FTS5 looks up the length of every passage that holds a term, one query each: of a common word that is most of what a
search costs. Here lengths are kept in memory and the weighing is arithmetic on arrays; the index is only asked where
each term stands. O(places of the terms); the lengths take two bytes a passage.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import apsw
import numpy as np
from numpy.typing import NDArray

from trigraph.contracts import TermStatistics
from trigraph.stores.sqlite.vectors import Scanned
from trigraph.stores.sqlite.visibility import queries

_SQL = queries("search")
_K1 = 1.2
_B = 0.75
_RARITY_LEAST = 1e-6
_LENGTH_MOST = 65_535
_SEVEN_BITS = 0x7F


class _State(NamedTuple):
    """The lexical index as it stands: whatever is put into it or taken out changes this."""

    passages: int
    terms: int
    erasures: int

    @property
    def usual(self) -> float:
        """How many terms a passage has."""
        return self.terms / max(self.passages, 1)


class _Places(NamedTuple):
    """The passages that hold a term, and how often each does."""

    keys: NDArray[np.int64]
    often: NDArray[np.int64]


class Matcher:
    """Weighs the passages of one tenant. Their keys are never used again, and what they hold never changes: lengths
    are only ever added."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen = 0
        self._lengths: NDArray[np.uint16] = np.zeros(0, dtype=np.uint16)
        self._last: tuple[object, dict[str, _Places]] = (None, {})

    def statistics(self, connection: apsw.Connection, terms: Collection[str]) -> TermStatistics:
        """How many passages hold each of the terms, as `contracts.Search` tells it."""
        state = _State(*connection.execute(_SQL["state"]).get)
        holding = {term: len(places.keys) for term, places in self._places(connection, state, terms).items()}
        return TermStatistics(state.passages, state.usual, {term: many for term, many in holding.items() if many})

    def matches(self, connection: apsw.Connection, terms: Sequence[str]) -> Scanned:
        """The passages that hold any of the terms, and how well they match."""
        state = _State(*connection.execute(_SQL["state"]).get)
        places = self._places(connection, state, terms)
        lengths = self._caught_up(connection)
        passages, total, *_ = (*_numbers(connection.execute(_SQL["averages"]).get or b""), 0, 0)
        if not passages:
            return Scanned(np.zeros(0), np.zeros(0, dtype=np.int64))
        scores = np.zeros(len(lengths))
        for keys, often in (places[term] for term in dict.fromkeys(terms)):
            rarity = max(math.log((passages - len(keys) + 0.5) / (len(keys) + 0.5)), _RARITY_LEAST)
            longer = 1 - _B + _B * lengths[keys] / (total / passages)
            scores[keys] += rarity * ((often * (_K1 + 1)) / (often + _K1 * longer))  # as FTS5 rounds it
        found = np.flatnonzero(scores)
        return Scanned(scores[found], found)

    def _places(self, connection: apsw.Connection, state: _State, terms: Collection[str]) -> Mapping[str, _Places]:
        """Where the terms stand. What was read last is kept: a recall asks for statistics first, then for matches."""
        with self._lock:
            known_in, known = self._last
        found = {term: known[term] for term in terms if term in known} if known_in == state else {}
        found |= {term: _read(connection, term) for term in terms if term not in found}
        with self._lock:
            self._last = (state, found)
        return found

    def _caught_up(self, connection: apsw.Connection) -> NDArray[np.uint16]:
        with self._lock:
            newer = connection.execute(_SQL["lengths"], {"seen": self._seen})
            added: dict[int, int] = {key: min(_numbers(size)[0], _LENGTH_MOST) for key, size in newer}
            if added:
                self._seen = max(added)
                if self._seen >= len(self._lengths):
                    # A new array, so that a search under way keeps the one it took.
                    grown = np.zeros(max(self._seen + 1, 2 * len(self._lengths)), dtype=np.uint16)
                    grown[: len(self._lengths)] = self._lengths
                    self._lengths = grown
                self._lengths[list(added)] = list(added.values())
            return self._lengths


def _read(connection: apsw.Connection, term: str) -> _Places:
    """FTS5 tells them in the order of their keys."""
    told = connection.execute(_SQL["places"], {"term": term}).get or ""
    places = np.fromstring(told, dtype=np.int64, sep=" ")
    first = np.flatnonzero(np.diff(places, prepend=-1))
    return _Places(places[first], np.diff(first, append=len(places)))


def _numbers(block: bytes) -> list[int]:
    """Numbers as SQLite keeps them: seven bits a byte, the highest first, the last byte of each below 128."""
    found, number = [], 0
    for byte in block:
        number = number << 7 | byte & _SEVEN_BITS
        if byte <= _SEVEN_BITS:
            found.append(number)
            number = 0
    return found
