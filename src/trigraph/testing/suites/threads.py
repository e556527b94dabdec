"""`contracts.Threads`, as tests."""

from __future__ import annotations

import pytest

from trigraph.contracts import Store
from trigraph.errors import StoreError
from trigraph.model.ids import new_id
from trigraph.model.memory import Memory, Status, Visibility
from trigraph.model.times import Moment
from trigraph.testing.builders import ANNE, BERT, DAY, HIDDEN, MICROSECOND, NOW, START, keep, keep_episode, keep_thread
from trigraph.testing.suites.base import Suite


class ThreadsSuite(Suite):
    """`contracts.Threads`."""

    def test_a_thread_is_found_by_its_name_and_by_its_id(self, store: Store) -> None:
        thread = keep_thread(store, ANNE, "planning")
        assert store.threads.find(ANNE, "planning", NOW) == thread
        assert store.threads.find(ANNE, thread.id, NOW) == thread

    def test_a_name_is_its_agents_own(self, store: Store) -> None:
        keep_episode(store, ANNE, keep_thread(store, ANNE, "planning"), 0, "hello")
        assert store.threads.find(BERT, "planning", NOW) is None
        ours = keep_thread(store, BERT, "planning")
        assert store.threads.find(BERT, "planning", NOW) == ours

    def test_an_agents_thread_of_a_name_comes_before_a_thread_of_that_id(self, store: Store) -> None:
        first = keep_thread(store, ANNE)
        second = keep_thread(store, ANNE, first.id)
        assert store.threads.find(ANNE, first.id, NOW) == second

    def test_a_thread_that_is_not_there_is_none(self, store: Store) -> None:
        assert store.threads.find(ANNE, "planning", NOW) is None
        assert store.threads.find(ANNE, new_id("t", START), NOW) is None

    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_a_thread_is_seen_by_others_once_one_of_its_episodes_is(self, store: Store, visibility: Visibility) -> None:
        thread = keep_thread(store, ANNE)
        keep_episode(store, ANNE, thread, 0, "between us", visibility=visibility)
        assert store.threads.find(BERT, thread.id, NOW) is None
        assert (store.threads.count(ANNE, NOW), store.threads.count(BERT, NOW)) == (1, 0)
        keep_episode(store, ANNE, thread, 1, "for all")
        assert store.threads.find(BERT, thread.id, NOW) == thread
        assert store.threads.count(BERT, NOW) == 1

    def test_a_thread_of_episodes_not_yet_known_is_not_counted(self, store: Store) -> None:
        keep_episode(store, ANNE, keep_thread(store, ANNE), 0, "hello", at=START + DAY)
        assert store.threads.count(ANNE, Moment(NOW.as_of, START + DAY - MICROSECOND)) == 0
        assert store.threads.count(ANNE, Moment(NOW.as_of, START + DAY)) == 1

    def test_threads_are_counted_once_however_long(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        keep_thread(store, ANNE, "without a message")
        for seq in range(3):
            keep_episode(store, ANNE, thread, seq, f"message {seq}")
        assert store.threads.count(BERT, NOW) == 1

    def test_what_stands_around_episodes_is_told_in_order_of_place(self, store: Store) -> None:
        thread, other = keep_thread(store, ANNE), keep_thread(store, ANNE)
        kept = {seq: keep_episode(store, ANNE, thread, seq, f"message {seq}") for seq in (5, 0, 1, 2, 4, 9)}
        elsewhere = keep_episode(store, ANNE, other, 1, "elsewhere")
        fact = keep(store, ANNE, "a fact")

        def around(*memories: Memory, reach: int) -> list[int | str]:
            found = store.threads.around(BERT, [one.id for one in memories], reach, NOW)
            assert all(one.place is not None for one in found)
            return [one.text if one.place.thread_id == other.id else one.place.seq for one in found if one.place]

        assert around(kept[1], reach=1) == [0, 1, 2]
        assert around(kept[2], kept[4], reach=1) == [1, 2, 4, 5]
        assert around(kept[9], reach=3) == [9]
        assert around(kept[0], reach=0) == [0]
        assert around(kept[5], elsewhere, fact, reach=1) == [4, 5, "elsewhere"]
        assert around(reach=3) == []

    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_what_may_not_be_seen_is_a_hole_among_what_stands_around(
        self, store: Store, visibility: Visibility
    ) -> None:
        thread = keep_thread(store, ANNE)
        hidden = keep_episode(store, ANNE, thread, 0, "between us", visibility=visibility)
        keep_episode(store, ANNE, thread, 2, "old", status=Status.FORGOTTEN)
        late = keep_episode(store, ANNE, thread, 3, "late", at=START + DAY)
        middle = keep_episode(store, ANNE, thread, 1, "hello", at=START + DAY)
        assert store.threads.around(BERT, [middle.id], 3, NOW) == [middle, late]
        assert store.threads.around(ANNE, [middle.id], 3, NOW) == [hidden, middle, late]
        assert store.threads.around(ANNE, [middle.id], 3, Moment(NOW.as_of, START + DAY - MICROSECOND)) == [hidden]

    def test_a_name_is_given_once_by_an_agent(self, store: Store) -> None:
        thread = keep_thread(store, ANNE, "planning")
        with pytest.raises(StoreError):
            keep_thread(store, ANNE, "planning")
        assert store.threads.find(ANNE, "planning", NOW) == thread

    def test_a_place_taken_is_taken_whoever_may_see_it(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        hidden = keep_episode(store, ANNE, thread, 0, "secret", visibility=Visibility.PRIVATE)
        forgotten = keep_episode(store, ANNE, thread, 2, "old", status=Status.FORGOTTEN)
        keep_episode(store, ANNE, thread, 3, "not asked for")
        assert store.threads.episodes_at(BERT, thread.id, [0, 1, 2]) == {
            0: (hidden.id, hidden.content_hash),
            2: (forgotten.id, forgotten.content_hash),
        }

    def test_a_place_is_taken_once(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        kept = keep_episode(store, ANNE, thread, 4, "hello")
        with pytest.raises(StoreError):
            keep_episode(store, ANNE, thread, 4, "again")
        assert store.threads.episodes_at(ANNE, thread.id, [4]) == {4: (kept.id, kept.content_hash)}

    def test_the_next_place_is_the_one_after_the_last(self, store: Store) -> None:
        thread, other = keep_thread(store, ANNE), keep_thread(store, ANNE)
        assert store.threads.next_seq(ANNE, thread.id) == 0
        keep_episode(store, ANNE, thread, 0, "hello")
        keep_episode(store, ANNE, thread, 1, "secret", visibility=Visibility.PRIVATE)
        assert store.threads.next_seq(BERT, thread.id) == 2
        assert store.threads.next_seq(BERT, other.id) == 0
