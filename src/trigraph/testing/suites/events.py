"""`contracts.Events`, as tests."""

from __future__ import annotations

from dataclasses import replace

from trigraph.contracts import Store
from trigraph.model.ids import new_id
from trigraph.testing.builders import ANNE, BERT, DAY, START, recall_event
from trigraph.testing.suites.base import Suite


class EventsSuite(Suite):
    """`contracts.Events`."""

    def test_an_event_comes_back_whole(self, store: Store) -> None:
        event = recall_event(ANNE)
        store.events.add(ANNE, event)
        assert store.events.get(ANNE, event.recall_id) == event

    def test_an_event_without_session_or_candidates_comes_back_too(self, store: Store) -> None:
        event = replace(recall_event(ANNE), session=None, candidates=(), result_ids=(), legs=(), weights={})
        store.events.add(ANNE, event)
        assert store.events.get(ANNE, event.recall_id) == event

    def test_another_agents_event_is_none_like_one_that_does_not_exist(self, store: Store) -> None:
        event = recall_event(ANNE)
        store.events.add(ANNE, event)
        assert store.events.get(BERT, event.recall_id) is None
        assert store.events.get(ANNE, new_id("r", START)) is None

    def test_an_agents_own_recalls_are_counted(self, store: Store) -> None:
        for scope in (ANNE, ANNE, BERT):
            store.events.add(scope, recall_event(scope))
        assert (store.events.count(ANNE), store.events.count(BERT)) == (2, 1)

    def test_recalls_follow_one_of_ones_own_as_they_were_kept(self, store: Store) -> None:
        assert store.events.latest(ANNE) is None
        late, early = recall_event(ANNE, START + DAY), recall_event(ANNE, START)
        for scope, event in ((ANNE, late), (BERT, recall_event(BERT)), (ANNE, early)):
            store.events.add(scope, event)
        assert store.events.latest(ANNE) == early.recall_id
        assert store.events.since(ANNE, "", 10) == [late.recall_id, early.recall_id]
        assert store.events.since(ANNE, late.recall_id, 10) == [early.recall_id]
        assert store.events.since(ANNE, early.recall_id, 10) == []
        assert store.events.since(ANNE, "", 1) == [late.recall_id]

    def test_after_a_recall_that_is_not_ones_own_come_those_of_greater_ids(self, store: Store) -> None:
        first, second = recall_event(ANNE, START), recall_event(ANNE, START + DAY)
        theirs = recall_event(BERT, START + DAY / 2)
        for scope, event in ((ANNE, first), (ANNE, second), (BERT, theirs)):
            store.events.add(scope, event)
        assert store.events.since(ANNE, theirs.recall_id, 10) == [second.recall_id]
