"""The storage suite on the embedded store, kept in files; and what only files can show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trigraph.contracts import Store
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import ALL, ANNE, BERT, NOW, ids, keep, pin, recall_event, register, unit_vectors
from trigraph.testing.changes import erase, keep_document, keep_entity, keep_relation, relate
from trigraph.testing.storage_suite import StorageSuite
from trigraph.testing.suites.transactions import ReadsBesideWritesSuite


class TestSqliteFiles(StorageSuite, ReadsBesideWritesSuite):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = SqliteStore(tmp_path)
        yield store
        store.close()


@pytest.fixture
def two_stores(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """Two stores on one folder, as two processes would have."""
    first, second = SqliteStore(tmp_path), SqliteStore(tmp_path)
    yield first, second
    first.close()
    second.close()


def test_what_was_kept_is_there_when_the_files_are_opened_again(tmp_path: Path) -> None:
    before = SqliteStore(tmp_path)
    register(before, "anne", "bert")
    pin(before)
    kept = keep(before, ANNE, "alpha", vectors=unit_vectors(1))
    event = recall_event(ANNE)
    before.events.add(ANNE, event)
    before.close()
    after = SqliteStore(tmp_path)
    assert after.memories.get(BERT, [kept.id], NOW) == [kept]
    assert len(after.search.lexical(BERT, ["alpha"], ALL, NOW, 10)) == 1
    assert len(after.search.nearest(BERT, unit_vectors(1)[0], ALL, NOW, 10)) == 1
    assert after.events.get(ANNE, event.recall_id) == event
    after.close()


def test_the_vectors_of_another_store_on_the_same_files_are_searched(two_stores: tuple[Store, Store]) -> None:
    ours, theirs = two_stores
    vectors = unit_vectors(2)
    pin(ours)
    first = keep(ours, ANNE, "alpha", vectors=vectors[:1])
    assert len(theirs.search.nearest(ANNE, vectors[0], ALL, NOW, 10)) == 1
    second = keep(ours, ANNE, "beta", vectors=vectors[1:])
    assert len(theirs.search.nearest(ANNE, vectors[1], ALL, NOW, 10)) == 2
    assert ids(theirs.memories.page(ANNE, ALL, NOW, 10, None)) == [second.id, first.id]


def test_what_another_store_on_the_same_files_erased_is_searched_no_more(two_stores: tuple[Store, Store]) -> None:
    ours, theirs = two_stores
    vectors = unit_vectors(2)
    pin(ours)
    erased = keep(ours, ANNE, "alpha", vectors=vectors[:1])
    assert len(theirs.search.nearest(ANNE, vectors[0], ALL, NOW, 10)) == 1
    erase(ours, ANNE, erased)
    assert theirs.search.nearest(ANNE, vectors[0], ALL, NOW, 10) == []
    keep(ours, ANNE, "beta", vectors=vectors[1:])
    for store in two_stores:
        (found,) = store.search.nearest(ANNE, vectors[1], ALL, NOW, 10)
        assert found.score == pytest.approx(1, abs=1e-3)


def test_of_what_was_erased_no_byte_is_left_in_the_files(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    register(store, "anne")
    keep(store, ANNE, "something else")
    _, memory = keep_entity(store, ANNE, "Xylophonist", props={"colour": "ultramarine"}, label="Quetzalcoatl")
    erase(store, ANNE, memory)
    store.close()
    for path in tmp_path.iterdir():
        content = path.read_bytes().lower()
        for word in (b"xylophonist", b"ultramarine", b"quetzalcoatl"):
            assert word not in content, path.name


def test_of_an_erased_document_that_others_refer_to_its_path_is_not_left_either(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    register(store, "anne")
    spec_id, text = keep_document(store, ANNE, "SPEC-1", "north", "xylophonist.md")
    other_id, _ = keep_document(store, ANNE, "SPEC-2", "north")
    keep_relation(store, ANNE, other_id, spec_id)
    relate(store, ANNE, text, spec_id, other_id, section="Quetzalcoatl")
    erase(store, ANNE, text)
    known = store.documents.identity(ANNE, spec_id)
    assert known is not None
    assert known.name_key == "spec-1"
    store.close()
    for path in tmp_path.iterdir():
        content = path.read_bytes().lower()
        assert b"quetzalcoatl" not in content, path.name
        assert b"xylophonist" not in content, path.name


def test_times_rise_across_stores_on_the_same_files(two_stores: tuple[Store, Store]) -> None:
    ours, theirs = two_stores
    kept = [keep(store, ANNE, f"text {number}") for number, store in enumerate([ours, theirs, ours, theirs])]
    times = [memory.created_at for memory in kept]
    assert times == sorted(set(times))
