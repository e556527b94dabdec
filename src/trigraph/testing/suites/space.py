"""`contracts.EmbeddingSpace`, as tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from trigraph.contracts import Store
from trigraph.errors import StoreError
from trigraph.model.memory import Visibility
from trigraph.model.status import EmbeddingModel
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    MODEL,
    NOW,
    OTHER_MODEL,
    START,
    Vectors,
    keep,
    keep_episode,
    keep_job,
    keep_thread,
    memories_of,
    passage_keys,
    pin,
    unit_vectors,
)
from trigraph.testing.suites.base import Suite


class EmbeddingSpaceSuite(Suite):
    """`contracts.EmbeddingSpace`."""

    def test_no_model_is_pinned_before_the_first(self, store: Store) -> None:
        assert store.space.pinned(ANNE) is None
        pin(store)
        assert store.space.pinned(ANNE) == MODEL
        assert store.space.pinned(BERT) == MODEL

    def test_a_memory_with_vectors_needs_a_pinned_model(self, store: Store) -> None:
        with pytest.raises(StoreError):
            keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []

    def test_a_memory_without_vectors_is_queued(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        assert store.queue.waiting(ANNE, "embed") == 0
        keep(store, ANNE, "beta", "gamma")
        assert store.queue.waiting(ANNE, "embed") == 1
        assert store.queue.unembedded(BERT, NOW, 10) == 1
        assert store.space.count(ANNE, NOW) == (3, 1)

    def test_what_waits_and_what_is_counted_is_what_may_be_seen(self, store: Store) -> None:
        pin(store)
        keep(store, BERT, "alpha", visibility=Visibility.PRIVATE)
        assert (store.queue.unembedded(ANNE, NOW, 10), store.space.count(ANNE, NOW)) == (0, (0, 0))
        assert (store.queue.unembedded(BERT, NOW, 10), store.space.count(BERT, NOW)) == (1, (1, 0))

    def test_missing_passages_come_with_all_that_the_model_is_to_see(self, store: Store) -> None:
        pin(store)
        thread = keep_thread(store, ANNE)
        keep(store, ANNE, "with a vector", vectors=unit_vectors(1))
        kept = keep_episode(
            store, ANNE, thread, 0, "Ünï 😀 code", "second", label="Title", visibility=Visibility.PRIVATE
        )
        missing = store.space.missing(BERT, MODEL, 0, 10)
        assert [one.passage for one in missing] == passage_keys(store, kept)
        seen = [(one.label, one.speaker, one.text) for one in missing]
        assert seen == [("Title", "Anne", "Ünï 😀 code"), ("Title", "Anne", "second")]

    def test_missing_passages_are_read_in_order_from_after_one(self, store: Store) -> None:
        keep(store, ANNE, *(f"piece{number}" for number in range(5)))
        everything = [one.passage for one in store.space.missing(ANNE, MODEL, 0, 10)]
        assert everything == sorted(everything)
        assert len(everything) == 5
        following = store.space.missing(ANNE, MODEL, everything[1], 2)
        assert [one.passage for one in following] == everything[2:4]

    def test_put_makes_what_was_missing_near(self, store: Store) -> None:
        pin(store)
        kept, vector = keep(store, ANNE, "alpha"), unit_vectors(1)
        self._put(store, MODEL, passage_keys(store, kept), vector)
        assert store.space.missing(ANNE, MODEL, 0, 10) == []
        found = store.search.nearest(ANNE, vector[0], ALL, NOW, 10)
        assert memories_of(store, ANNE, found) == [kept.id]

    def test_put_over_a_vector_replaces_it(self, store: Store) -> None:
        vectors = unit_vectors(2)
        pin(store)
        keys = passage_keys(store, keep(store, ANNE, "alpha", vectors=vectors[:1]))
        assert store.search.nearest(ANNE, vectors[0], ALL, NOW, 10)[0].score == pytest.approx(1, abs=1e-3)
        self._put(store, MODEL, keys, vectors[1:])
        found = store.search.nearest(ANNE, vectors[1], ALL, NOW, 10)
        assert [one.passage for one in found] == keys[:1]
        assert found[0].score == pytest.approx(1, abs=1e-3)
        assert np.allclose(store.search.vectors(ANNE, keys), vectors[1:], atol=1e-3)

    def test_vectors_of_another_model_wait_beside_until_it_is_pinned(self, store: Store) -> None:
        ours, theirs = unit_vectors(1), unit_vectors(1, OTHER_MODEL.dimension)
        pin(store)
        keys = passage_keys(store, keep(store, ANNE, "alpha", vectors=ours))
        self._put(store, OTHER_MODEL, keys, theirs)
        assert store.space.pinned(ANNE) == MODEL
        assert np.allclose(store.search.vectors(ANNE, keys), ours, atol=1e-3)
        pin(store, OTHER_MODEL)
        assert store.space.pinned(ANNE) == OTHER_MODEL
        assert np.allclose(store.search.vectors(ANNE, keys), theirs, atol=1e-3)
        assert [one.passage for one in store.space.missing(ANNE, MODEL, 0, 10)] == keys

    def test_pinning_another_model_drops_the_vectors_of_the_first(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        pin(store, OTHER_MODEL)
        assert store.space.count(ANNE, NOW) == (1, 0)
        pin(store, MODEL)
        assert store.space.count(ANNE, NOW) == (1, 0)
        assert store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10) == []

    def test_pinning_the_pinned_model_changes_nothing(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        pin(store)
        assert store.space.count(ANNE, NOW) == (1, 1)

    def test_drop_forgets_every_vector_and_the_pinned_model(self, store: Store) -> None:
        pin(store)
        kept = keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        assert len(store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10)) == 1
        self._drop(store)
        assert store.space.pinned(ANNE) is None
        assert store.queue.unembedded(ANNE, NOW, 10) == 1
        assert store.space.count(ANNE, NOW) == (1, 0)
        assert store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10) == []
        assert [one.passage for one in store.space.missing(ANNE, MODEL, 0, 10)] == passage_keys(store, kept)

    @pytest.mark.parametrize("model", [MODEL, OTHER_MODEL], ids=lambda model: model.model_id)
    def test_after_a_drop_only_the_new_vectors_are_searched(self, store: Store, model: EmbeddingModel) -> None:
        pin(store)
        keys = passage_keys(store, keep(store, ANNE, "alpha", "beta", vectors=unit_vectors(2)))
        assert len(store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10)) == 2
        self._drop(store)
        fresh = unit_vectors(1, model.dimension, seed=3)
        pin(store, model)
        self._put(store, model, keys[:1], fresh)
        found = store.search.nearest(ANNE, fresh[0], ALL, NOW, 10)
        assert [one.passage for one in found] == keys[:1]
        assert found[0].score == pytest.approx(1, abs=1e-3)
        assert not store.search.vectors(ANNE, keys[1:]).any()

    def test_a_job_is_settled_once_its_memory_has_all_its_vectors(self, store: Store) -> None:
        pin(store)
        keys = passage_keys(store, keep(store, ANNE, "alpha", "beta"))
        keep(store, ANNE, "gamma")
        keep_job(store, ANNE, "tidy")
        self._put(store, MODEL, keys[:1], unit_vectors(1))
        self._settle(store)
        assert store.queue.waiting(ANNE, "embed") == 2
        self._put(store, MODEL, keys[1:], unit_vectors(1))
        self._settle(store)
        assert store.queue.waiting(ANNE, "embed") == 1
        assert store.queue.waiting(ANNE, "tidy") == 1

    def _put(self, store: Store, model: EmbeddingModel, passages: Sequence[int], vectors: Vectors) -> None:
        with store.transaction(ANNE, START):
            store.space.put(ANNE, model, passages, vectors)

    def _drop(self, store: Store) -> None:
        with store.transaction(ANNE, START):
            store.space.drop(ANNE, NOW.known_at)

    def _settle(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            store.space.settle_jobs(ANNE, now)
