"""`contracts.Retention` as tests."""

from __future__ import annotations

from dataclasses import replace

from trigraph.contracts import Store
from trigraph.model.change import CitationKind
from trigraph.model.insight import RecallFilter
from trigraph.testing.builders import ANNE, BERT, DAY, NOW, START, keep
from trigraph.testing.changes import cite, erase
from trigraph.testing.suites.base import Suite
from trigraph.testing.suites.figures import EVERYONE, OWN, recalled


class RetentionSuite(Suite):
    """`contracts.Retention`."""

    def test_what_days_count_is_the_same_after_their_events_are_gone(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        for number in range(7):
            event = recalled(store, ANNE if number % 2 else BERT, memory, at=START + number % 3 * DAY)
            if number < 3:
                cite(store, ANNE if number % 2 else BERT, memory, recall_id=event.recall_id)
        before = store.figures.days(ANNE, EVERYONE)
        assert [store.retention.roll_up(ANNE, START + 9 * DAY, 2) for _ in range(5)] == [2, 2, 2, 1, 0]
        after = store.figures.days(ANNE, EVERYONE)
        assert all(one.rolled_up for one in after)
        assert sorted(map(str, (replace(one, rolled_up=False) for one in after))) == sorted(map(str, before))
        assert store.figures.recalls(ANNE, RecallFilter(), 10, None) == []
        assert (store.events.count(ANNE), store.events.count(BERT)) == (0, 0)

    def test_a_day_that_is_rolled_up_in_part_counts_every_recall_once(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        first, second = recalled(store, ANNE, memory), recalled(store, ANNE, memory)
        assert store.retention.roll_up(ANNE, START + DAY, 1) == 1
        assert sum(one.recalls for one in store.figures.days(ANNE, EVERYONE)) == 2
        kept = [one for one in (first, second) if store.events.get(ANNE, one.recall_id)]
        assert len(kept) == 1
        assert store.retention.roll_up(ANNE, START, 10) == 0

    def test_a_citation_after_its_recall_was_rolled_up_is_still_kept(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        event = recalled(store, ANNE, memory)
        store.retention.roll_up(ANNE, START + DAY, 10)
        assert cite(store, ANNE, memory, recall_id=event.recall_id, at=START + DAY)
        assert [one.kind for one in store.figures.citations_of(ANNE, event.recall_id)] == [CitationKind.CITED]
        (day,) = store.figures.days(ANNE, EVERYONE)
        assert (day.hits, day.undecided) == (0, 1)
        assert [one.count for one in store.figures.citation_days(ANNE, OWN)] == [1]

    def test_how_often_a_memory_was_shown_outlives_the_events_but_not_the_memory(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        for number in range(3):
            recalled(store, ANNE, memory, at=START + number * DAY)
        store.retention.roll_up(ANNE, START + 2 * DAY, 10)
        (found,) = store.figures.shown_uncited(ANNE, "anne", NOW, 10, 10)
        assert found.shown == 3
        (found,) = store.figures.oldest_uncited(ANNE, "anne", NOW, START + DAY, 10)
        assert found.shown == 3
        erase(store, ANNE, memory)
        store.events.forget(ANNE, memory.id)
        assert store.figures.shown_uncited(ANNE, "anne", NOW, 10, 10) == []

    def test_thinned_recalls_have_no_candidates_and_are_known_by_that(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        old, young = recalled(store, ANNE, memory), recalled(store, ANNE, memory, at=START + DAY)
        for event in (old, young):
            cite(store, ANNE, memory, recall_id=event.recall_id, at=START + DAY)
        assert [store.retention.thin(BERT, START + DAY, 10) for _ in range(2)] == [1, 0]
        assert store.events.get(ANNE, old.recall_id) == replace(old, candidates=())
        assert store.events.get(ANNE, young.recall_id) == young
        assert [one.whole for one in store.figures.recalls(ANNE, RecallFilter(), 10, None)] == [True, False]
        assert [one.event for one in store.figures.useful(ANNE, OWN, 10)] == [young]

    def test_queries_that_are_not_kept_are_gone(self, store: Store) -> None:
        events = [recalled(store, ANNE) for _ in range(3)]
        assert [store.retention.unask(ANNE, 2) for _ in range(3)] == [2, 1, 0]
        assert [store.events.get(ANNE, one.recall_id) for one in events] == [replace(one, query="") for one in events]

    def test_an_agents_recalls_can_be_dropped_with_all_that_was_counted_of_them(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        for number in range(5):
            recalled(store, ANNE, memory, at=START + number * DAY)
        theirs = recalled(store, BERT, memory)
        store.events.used(ANNE, theirs.recall_id, ["e_x"], START)
        store.retention.roll_up(ANNE, START + DAY, 10)
        assert (store.retention.counted(ANNE), store.retention.counted(BERT)) == (1, 1)
        assert [store.retention.drop(ANNE, 3) for _ in range(3)] == [3, 1, 0]
        assert {one.agent for one in store.figures.days(BERT, EVERYONE)} == {"bert"}
        assert store.figures.shown_uncited(ANNE, "anne", NOW, 10, 10) == []
        assert store.events.uses(ANNE, ["e_x"]) == {}
        assert store.retention.counted(BERT) == 1
