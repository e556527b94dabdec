"""The storage suite on the embedded store, kept in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from trigraph.contracts import Store
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.storage_suite import StorageSuite


class TestSqliteInMemory(StorageSuite):
    writers_wait_for_readers = True  # it has a single connection, taken in turns

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        store = SqliteStore(None)
        yield store
        store.close()
