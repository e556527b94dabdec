"""Vectors as bytes, and the in-process index over them.

The index is derived: it follows the `vector` table by change number, so that many processes share one
file, and can be thrown away at any time. Search is an exact scan, O(n × dimension): 100,000 vectors are
one matrix product over 154 MB.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from trigraph.errors import StoreCorrupt
from trigraph.stores.sqlite.visibility import queries

_SQL = queries("space")
_SCALE = np.dtype("<f4")
_LOAD_ROWS = 20_000
_REPLACED = 0
_QUERIES_AT_ONCE = 64
_NEAR_MOST = 1000
_BLOCK_ROWS = 16
_SHARE_ROWS = 9_600
"""So many rows are scanned before it is looked who takes the next ones. A multiple of every size of block."""
_BLOCK_NUMBERS = 9_000
"""OpenBLAS multiplies so many numbers on one core."""

Vectors = NDArray[np.float32]
Keys = NDArray[np.int64]


def encode(vectors: Vectors) -> list[bytes]:
    """Each row as a 4-byte scale and one signed byte per dimension. Costs nothing measurable in quality."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-12) / 127.0
    quantised = np.rint(vectors / scales[:, None]).astype(np.int8)
    packed = zip(scales.astype(_SCALE), quantised, strict=True)
    return [scale.tobytes() + row.tobytes() for scale, row in packed]


def decode(blobs: Sequence[bytes], dimension: int) -> Vectors:
    """The inverse of `encode`, as unit vectors. A blob of another length is damage, never data."""
    size = _SCALE.itemsize + dimension
    if any(len(blob) != size for blob in blobs):
        raise StoreCorrupt(
            f"a stored vector does not have {dimension} dimensions.", fix="Run `trigraph reembed --all`."
        )
    table = np.frombuffer(b"".join(blobs), dtype=np.uint8).reshape(len(blobs), size)
    vectors = table[:, _SCALE.itemsize :].view(np.int8).astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Scanned:
    """How well passages match a query, as every leg that goes through all of them tells it."""

    scores: Vectors | NDArray[np.float64]
    keys: Keys

    def ranked(self, first: int) -> Iterator[list[tuple[int, float]]]:
        """Passages by falling score, in chunks that grow, the first of that size: the caller stops when it has
        enough."""
        scores, keys, count = self.scores, self.keys, len(self.keys)
        taken, wanted = 0, min(first, count)
        while taken < count:
            # All that tie with the last one, so that every chunk cuts the same order.
            edge = np.partition(scores, count - wanted)[count - wanted]
            order = np.flatnonzero(scores >= edge)
            order = order[np.lexsort((keys[order], -scores[order]))][taken:wanted]
            yield list(zip(keys[order].tolist(), scores[order].tolist(), strict=True))
            taken, wanted = wanted, min(count, wanted * 5)


class Scanning:
    """The cosines of all rows of an index with a query, in shares that several threads may take from."""

    def __init__(self, matrix: Vectors, keys: Keys, query: Vectors) -> None:
        self._matrix = matrix
        self._query = query
        self._shares = iter(range(0, len(keys), _SHARE_ROWS))
        self._cosines: Vectors = np.empty(len(keys), dtype=np.float32)
        self.scanned = Scanned(self._cosines, keys)
        """What is found, whole when every thread that takes shares has returned."""

    def go_on(self) -> None:
        """Take shares until there are none."""
        for start in self._shares:  # `next` of a range is one step of the interpreter: no share is taken twice
            rows = slice(start, start + _SHARE_ROWS)
            _cosines(self._matrix[rows], self._query, self._cosines[rows])


class VectorIndex:
    """All vectors of one model in one project, in memory. Rows are only ever appended."""

    def __init__(self, model_key: int, dimension: int, erasures: int = 0) -> None:
        self.model_key = model_key
        self.erasures = erasures
        self.dimension = dimension
        self._lock = threading.Lock()
        self._seen = 0
        self._count = 0
        self._matrix: Vectors = np.empty((0, dimension), dtype=np.float32)
        self._keys: Keys = np.empty(0, dtype=np.int64)
        self._rows: dict[int, int] = {}

    def catch_up(self, connection: apsw.Connection) -> None:
        """Read what was written since the last call, by any process."""
        with self._lock:
            params = {"model_key": self.model_key, "seen": self._seen}
            for batch in _batched(connection.execute(_SQL["follow"], params), _LOAD_ROWS):
                self._append(batch)

    def scanning(self, query: Vectors) -> Scanning:
        """The cosines of all vectors there are now. What is written later does not change them."""
        with self._lock:
            count, matrix, keys = self._count, self._matrix, self._keys
        return Scanning(matrix[:count], keys[:count], query)

    @property
    def count(self) -> int:
        """How many rows a scan goes through."""
        return self._count

    def above(self, queries: Vectors, least: float) -> list[list[tuple[int, float]]]:
        """For each query, the nearest passages of at least that cosine, by falling cosine."""
        with self._lock:
            count, matrix, keys = self._count, self._matrix, self._keys
        found: list[list[tuple[int, float]]] = []
        for start in range(0, len(queries), _QUERIES_AT_ONCE):
            scores = queries[start : start + _QUERIES_AT_ONCE] @ matrix[:count].T
            for row in scores:
                near = np.flatnonzero(row >= least)
                if len(near) > _NEAR_MOST:
                    near = near[np.argpartition(-row[near], _NEAR_MOST)[:_NEAR_MOST]]
                near = near[np.lexsort((keys[near], -row[near]))]
                found.append([(int(keys[one]), float(row[one])) for one in near if keys[one] != _REPLACED])
        return found

    def vectors(self, passages: Sequence[int]) -> Vectors:
        """One row per passage, zeros where there is none."""
        with self._lock:
            rows = np.array([self._rows.get(passage, -1) for passage in passages], dtype=np.int64)
            found = self._matrix[np.maximum(rows, 0)] if self._count else np.zeros((len(rows), self.dimension))
        return np.where(rows[:, None] >= 0, found, 0).astype(np.float32)

    def _append(self, batch: list[tuple[int, int, bytes]]) -> None:
        seqs, passages, blobs = zip(*batch, strict=True)
        vectors = decode(blobs, self.dimension)
        needed = self._count + len(batch)
        if needed > len(self._keys):
            capacity = max(needed, 2 * len(self._keys), 1024)
            # New arrays, so that a search under way keeps the ones it took.
            matrix = np.empty((capacity, self.dimension), dtype=np.float32)
            matrix[: self._count] = self._matrix[: self._count]
            keys = np.empty(capacity, dtype=np.int64)
            keys[: self._count] = self._keys[: self._count]
            self._matrix, self._keys = matrix, keys
        self._matrix[self._count : needed] = vectors
        self._keys[self._count : needed] = passages
        replaced = [self._rows[passage] for passage in passages if passage in self._rows]
        if replaced:
            self._keys = self._keys.copy()  # as above
            self._keys[replaced] = _REPLACED
        self._rows.update(zip(passages, range(self._count, needed), strict=True))
        self._count, self._seen = needed, seqs[-1]


def _cosines(matrix: Vectors, query: Vectors, out: Vectors) -> None:
    """The product, by blocks that BLAS does not share out to other cores: one is busy with the words of the query. Rows
    have the same cosine whatever the number of cores."""
    rows = min(_BLOCK_NUMBERS // max(matrix.shape[1], 1), _BLOCK_ROWS) // 4 * 4
    whole = len(matrix) // rows * rows if rows else 0
    if whole:
        np.matmul(matrix[:whole].reshape(-1, rows, matrix.shape[1]), query, out=out[:whole].reshape(-1, rows))
    np.matmul(matrix[whole:], query, out=out[whole:])


def _batched(rows: Iterable[tuple[int, int, bytes]], size: int) -> Iterator[list[tuple[int, int, bytes]]]:
    batch: list[tuple[int, int, bytes]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
