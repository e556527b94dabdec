"""`transaction`, `snapshot`, `present`, `describe` and `close` of `contracts.Store`, as tests."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from trigraph.contracts import Job, Store
from trigraph.errors import StoreClosed, StoreError
from trigraph.model.ids import new_id
from trigraph.model.memory import Kind, Memory, Place, Visibility
from trigraph.model.thread import Thread
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    MICROSECOND,
    MODEL,
    NOW,
    OTHER_MODEL,
    START,
    ids,
    keep,
    new_memory,
    pin,
    recall_event,
    unit_vectors,
)
from trigraph.testing.suites.base import Suite, in_another_thread, undone

WRITES: dict[str, Callable[[Store], object]] = {
    "memories.add": lambda store: store.memories.add(ANNE, new_memory(ANNE, "alpha", at=START)),
    "threads.add": lambda store: store.threads.add(
        ANNE, Thread(new_id("t", START), "x", None, None, ANNE.agent, START)
    ),
    "space.pin": lambda store: store.space.pin(ANNE, MODEL),
    "space.put": lambda store: store.space.put(ANNE, MODEL, [], unit_vectors(0)),
    "space.drop": lambda store: store.space.drop(ANNE, NOW.known_at),
    "space.settle_jobs": lambda store: store.space.settle_jobs(ANNE, START),
    "queue.put": lambda store: store.queue.put(ANNE, Job(new_id("j", START), "tidy", "{}", 0), START),
}
"""Every verb that writes and needs a transaction for it."""

OTHER_VERBS: dict[str, Callable[[Store], object]] = {
    "memories.get": lambda store: store.memories.get(ANNE, [], NOW),
    "memories.ids_ending": lambda store: store.memories.ids_ending(ANNE, "abcdefgh", ALL, NOW),
    "memories.ids_of_topic": lambda store: store.memories.ids_of_topic(ANNE, "needles", ALL, NOW, 10),
    "memories.same_text": lambda store: store.memories.same_text(ANNE, [], Kind.FACT, Visibility.SHARED, None, NOW),
    "memories.page": lambda store: store.memories.page(ANNE, ALL, NOW, 10, None),
    "memories.count_by_kind": lambda store: store.memories.count_by_kind(ANNE, NOW),
    "threads.find": lambda store: store.threads.find(ANNE, "x", NOW),
    "threads.episodes_at": lambda store: store.threads.episodes_at(ANNE, "x", [0]),
    "threads.next_seq": lambda store: store.threads.next_seq(ANNE, "x"),
    "threads.count": lambda store: store.threads.count(ANNE, NOW),
    "search.lexical": lambda store: store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10),
    "search.identifiers": lambda store: store.search.identifiers(ANNE, ["alpha"], ALL, NOW, 10),
    "search.nearest": lambda store: store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10),
    "search.surroundings": lambda store: store.search.surroundings(ANNE, [1], 1, ALL, NOW),
    "search.statistics": lambda store: store.search.statistics(ANNE, ["alpha"]),
    "search.vectors": lambda store: store.search.vectors(ANNE, [1]),
    "space.pinned": lambda store: store.space.pinned(ANNE),
    "space.missing": lambda store: store.space.missing(ANNE, MODEL, 0, 10),
    "space.count": lambda store: store.space.count(ANNE, NOW),
    "events.add": lambda store: store.events.add(ANNE, recall_event(ANNE)),
    "events.get": lambda store: store.events.get(ANNE, new_id("r", START)),
    "events.count": lambda store: store.events.count(ANNE),
    "queue.unembedded": lambda store: store.queue.unembedded(ANNE, NOW, 1),
    "queue.waiting": lambda store: store.queue.waiting(ANNE, "tidy"),
    "transaction": lambda store: store.transaction(ANNE, START).__enter__(),
    "snapshot": lambda store: store.snapshot(ANNE).__enter__(),
    "present": lambda store: store.present(ANNE, START),
    "describe": lambda store: store.describe(ANNE),
}

every_write = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)


class TransactionsSuite(Suite):
    """`transaction`, `snapshot`, `present`, `describe`, `close`."""

    def test_a_transaction_keeps_all_its_writes_and_sees_them_itself(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            news = [new_memory(ANNE, f"text {number}", at=now) for number in range(3)]
            for new in news:
                store.memories.add(ANNE, new)
            assert len(store.memories.page(ANNE, ALL, NOW, 10, None)) == 3
        assert store.memories.page(BERT, ALL, NOW, 10, None) == [new.memory for new in reversed(news)]

    def test_a_transaction_that_fails_leaves_nothing_behind(self, store: Store) -> None:
        pin(store)
        vector = unit_vectors(1)
        with undone(store, ANNE) as now:
            thread = Thread(new_id("t", now), "planning", None, None, ANNE.agent, now)
            store.threads.add(ANNE, thread)
            new = new_memory(
                ANNE,
                "alpha",
                at=now,
                vectors=vector,
                identifiers=["xneedlex"],
                kind=Kind.EPISODE,
                place=Place(thread.id, 0, None, None),
            )
            store.memories.add(ANNE, new)
            store.memories.add(ANNE, new_memory(ANNE, "beta", at=now))
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []
        assert store.threads.find(ANNE, "planning", NOW) is None
        assert store.threads.episodes_at(ANNE, thread.id, [0]) == {}
        assert store.search.lexical(ANNE, ["alpha", "beta"], ALL, NOW, 10) == []
        assert store.search.identifiers(ANNE, ["needle"], ALL, NOW, 10) == []
        assert store.search.nearest(ANNE, vector[0], ALL, NOW, 10) == []
        assert store.space.count(ANNE, NOW) == (0, 0)
        assert store.space.missing(ANNE, MODEL, 0, 10) == []
        assert store.queue.waiting(ANNE, "embed") == 0
        statistics = store.search.statistics(ANNE, ["alpha"])
        assert (statistics.passages, statistics.mean_terms) == (0, 0)
        assert statistics.holding.get("alpha", 0) == 0

    def test_a_change_of_model_that_fails_leaves_the_first_one_searched(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        with undone(store, ANNE):
            store.space.pin(ANNE, OTHER_MODEL)
        with undone(store, ANNE):
            store.space.drop(ANNE, NOW.known_at)
        assert store.space.pinned(ANNE) == MODEL
        assert len(store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10)) == 1

    def test_after_a_failed_write_the_next_transaction_works(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        with pytest.raises(StoreError):
            keep(store, ANNE, "two", id=kept.id)
        after = keep(store, ANNE, "three")
        assert ids(store.memories.page(ANNE, ALL, NOW, 10, None)) == [after.id, kept.id]

    def test_a_transaction_has_the_time_it_was_given(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            assert now == START
        with store.transaction(BERT, START + MICROSECOND) as now:
            assert now == START + MICROSECOND

    def test_times_rise_strictly_even_when_the_clock_goes_back(self, store: Store) -> None:
        times = []
        for given in (START, START, START - DAY, START + DAY, START, START + DAY):
            with store.transaction(ANNE, given) as now:
                times.append(now)
        assert times == sorted(set(times))
        assert times[0] == START
        assert times[3] == START + DAY

    def test_the_present_is_never_before_what_was_committed(self, store: Store) -> None:
        assert store.present(ANNE, START) == START
        with store.transaction(ANNE, START + DAY) as now:
            pass
        assert store.present(BERT, START) == now
        assert store.present(BERT, START + 2 * DAY) == START + 2 * DAY

    @every_write
    def test_a_write_outside_a_transaction_is_an_error_and_writes_nothing(
        self, store: Store, write: Callable[[Store], object]
    ) -> None:
        with pytest.raises(StoreError):
            write(store)
        with pytest.raises(StoreError), store.snapshot(ANNE):
            write(store)
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []
        assert store.threads.find(ANNE, "x", NOW) is None
        assert store.space.pinned(ANNE) is None
        assert store.queue.waiting(ANNE, "tidy") == 0

    @every_write
    def test_the_transaction_of_one_thread_is_not_that_of_another(
        self, store: Store, write: Callable[[Store], object]
    ) -> None:
        with store.transaction(ANNE, START):
            outcome = in_another_thread(lambda: write(store))
        assert isinstance(outcome, StoreError)

    def test_reads_in_a_snapshot_see_one_state(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        writer = threading.Thread(target=keep, args=(store, BERT, "alpha beta"), daemon=True)
        with store.snapshot(ANNE):
            before = ids(store.memories.page(ANNE, ALL, NOW, 10, None))
            writer.start()
            if not self.writers_wait_for_readers:
                writer.join(60)
                assert not writer.is_alive(), "the writer waits; is writers_wait_for_readers to be set?"
            assert ids(store.memories.page(ANNE, ALL, NOW, 10, None)) == before
            assert len(store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10)) == 1
            assert store.memories.count_by_kind(ANNE, NOW) == {Kind.FACT: 1}
            assert store.search.statistics(ANNE, ["alpha"]).passages == 1
        writer.join(60)
        assert store.memories.count_by_kind(ANNE, NOW) == {Kind.FACT: 2}

    def test_many_threads_write_at_once_and_nothing_is_lost(self, store: Store) -> None:
        kept: list[Memory] = []

        def write(number: int) -> None:
            for round_ in range(10):
                kept.append(keep(store, ANNE, f"writer {number} round {round_}"))

        writers = [threading.Thread(target=write, args=(number,), daemon=True) for number in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(60)
        assert len({memory.created_at for memory in kept}) == 40
        assert {memory.id for memory in store.memories.page(ANNE, ALL, NOW, 100, None)} == set(ids(kept))

    def test_a_store_describes_itself(self, store: Store) -> None:
        words, schema_version, size_bytes = store.describe(ANNE)
        assert words.strip()
        assert schema_version >= 1
        assert size_bytes >= 0

    @pytest.mark.parametrize("verb", [*WRITES.values(), *OTHER_VERBS.values()], ids=[*WRITES, *OTHER_VERBS])
    def test_every_verb_of_a_closed_store_says_so(self, store: Store, verb: Callable[[Store], object]) -> None:
        keep(store, ANNE, "alpha")
        store.close()
        with pytest.raises(StoreClosed):
            verb(store)

    def test_closing_twice_is_closing_once(self, store: Store) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreClosed):
            store.present(ANNE, START)


class ReadsBesideWritesSuite(Suite):
    """For a store that lets other threads read while one writes. `StorageSuite` is without it."""

    def test_what_is_not_committed_is_not_seen_by_others(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            store.memories.add(ANNE, new_memory(ANNE, "alpha", at=now))
            seen = in_another_thread(lambda: store.memories.page(ANNE, ALL, NOW, 10, None))
        assert seen == []
