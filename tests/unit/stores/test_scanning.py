"""Scans beside other reads: threads that start when they are needed and end with the store."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from trigraph.contracts import Store
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import ALL, ANNE, NOW, keep, pin, register, unit_vectors

ROWS = 6_000
"""More than are scanned by whoever asks."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("scans")
    store = SqliteStore(home)
    register(store, "anne")
    pin(store)
    for start in range(0, ROWS, 2_000):
        keep(store, ANNE, *["alpha"] * 2_000, vectors=unit_vectors(2_000, seed=start))
    store.close()
    return home


@pytest.fixture
def store(filled: Path) -> Iterator[Store]:
    store = SqliteStore(filled)
    yield store
    store.close()


def _scanning() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name.startswith("trigraph-scan")]


def test_no_thread_starts_before_the_first_scan_and_none_is_left_after_close(store: Store) -> None:
    assert _scanning() == []
    assert store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 3)
    assert _scanning() != []
    store.close()
    assert _scanning() == []


def test_a_scan_finds_the_same_as_one_product_over_all_vectors(store: Store) -> None:
    everything = np.concatenate([unit_vectors(2_000, seed=start) for start in range(0, ROWS, 2_000)])
    query = unit_vectors(1, seed=9)[0]
    (nearest,) = store.search.scan(ANNE, query).nearest(ALL, NOW, 1)
    assert nearest.score == pytest.approx(float((everything @ query).max()), abs=0.02)


def test_many_scan_at_once_and_each_gets_its_own_answer(store: Store) -> None:
    queries = unit_vectors(16, seed=5)
    alone = [store.search.nearest(ANNE, query, ALL, NOW, 3) for query in queries]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda query: store.search.nearest(ANNE, query, ALL, NOW, 3), queries))
    assert together == alone
