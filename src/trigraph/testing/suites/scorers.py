"""`contracts.Scorers`, and what `contracts.Events` gives to learn from, as tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trigraph.contracts import Store
from trigraph.errors import StoreError
from trigraph.model.change import CitationKind
from trigraph.model.ids import new_id
from trigraph.model.scorer import Evidence, HeldOut, Judgement, Scorer, ScorerState, ShownList
from trigraph.testing.builders import ANNE, BERT, DAY, START, keep, recall_event
from trigraph.testing.changes import cite, erase
from trigraph.testing.suites.base import Suite

LEARNT = Scorer(
    state=ScorerState.PROMOTED,
    why="it helped",
    weights={"words": 0.1 + 0.2, "a feature of another version": -2.0},
    learnt_from="0123456789abcdef",
    evidence=Evidence(citations=9, labelled=8, positive=7, learnt_from=5, trusted=0.0244),
    held_out=HeldOut(2, 0.5, 0.625, 0.125, 0.01, 0.25),
    trained_at=START,
)


def put(store: Store, scorer: Scorer) -> None:
    with store.transaction(ANNE, START):
        store.scorers.put(ANNE, scorer)


class ScorersSuite(Suite):
    """`contracts.Scorers`."""

    def test_a_scorer_comes_back_whole_and_the_last_one_counts(self, store: Store) -> None:
        assert store.scorers.get(ANNE) is None
        put(store, Scorer(ScorerState.OFF, "switched off"))
        assert store.scorers.get(ANNE) == Scorer(ScorerState.OFF, "switched off")
        put(store, LEARNT)
        assert store.scorers.get(ANNE) == LEARNT

    def test_a_scorer_is_of_the_whole_project_and_of_no_other(self, store: Store) -> None:
        store.registry.add_project(ANNE.tenant, "mill", START)
        put(store, LEARNT)
        assert store.scorers.get(BERT) == LEARNT
        assert store.scorers.get(replace(ANNE, project="mill")) is None

    def test_a_scorer_is_kept_in_a_transaction_or_not_at_all(self, store: Store) -> None:
        with pytest.raises(StoreError):
            store.scorers.put(ANNE, LEARNT)
        assert store.scorers.get(ANNE) is None

    def test_judgements_are_those_of_recalls_by_any_agent_the_latest_first(self, store: Store) -> None:
        first, second = new_id("r", START), new_id("r", START)
        one, other = keep(store, ANNE, "one"), keep(store, BERT, "other")
        cite(store, ANNE, one, recall_id=first)
        cite(store, BERT, other, CitationKind.DISMISSED, recall_id=second, at=START + DAY)
        cite(store, ANNE, one, at=START + 2 * DAY)
        found = [
            Judgement(second, "bert", other.id, CitationKind.DISMISSED),
            Judgement(first, "anne", one.id, CitationKind.CITED),
        ]
        assert store.scorers.judgements(ANNE, 10) == found
        assert store.scorers.judgements(BERT, 1) == found[:1]

    def test_judgements_of_another_project_are_not_learnt_from(self, store: Store) -> None:
        store.registry.add_project(ANNE.tenant, "mill", START)
        cite(store, ANNE, keep(store, ANNE, "one"), recall_id=new_id("r", START))
        assert store.scorers.judgements(replace(ANNE, project="mill"), 10) == []

    def test_what_was_erased_is_learnt_from_no_longer(self, store: Store) -> None:
        memory = keep(store, ANNE, "alpha")
        event = recall_event(ANNE)
        shown = (replace(event.shown[0], memory_id=memory.id), event.shown[1])
        event = replace(event, shown=shown, explored=memory.id)
        store.events.add(ANNE, event)
        cite(store, ANNE, memory, recall_id=event.recall_id)
        erase(store, ANNE, memory)
        store.events.forget(ANNE, memory.id)
        assert store.scorers.judgements(ANNE, 10) == []
        (found,) = store.events.lists(ANNE, [event.recall_id])
        assert found.shown == event.shown[1:]
        left = store.events.get(ANNE, event.recall_id)
        assert left is not None
        assert (left.explored, left.shown) == (None, event.shown[1:])

    def test_lists_are_those_with_features_of_any_agent_the_oldest_first(self, store: Store) -> None:
        late, early, plain = recall_event(ANNE, START + DAY), recall_event(BERT), recall_event(ANNE)
        plain = replace(plain, feature_names=(), shown=())
        for scope, event in ((ANNE, late), (BERT, early), (ANNE, plain)):
            store.events.add(scope, event)
        asked = [late.recall_id, early.recall_id, plain.recall_id, new_id("r", START)]
        assert store.events.lists(ANNE, asked) == [
            ShownList(one.recall_id, one.agent, one.at, one.feature_names, one.shown) for one in (early, late)
        ]

    def test_lists_of_another_project_are_not_learnt_from(self, store: Store) -> None:
        store.registry.add_project(ANNE.tenant, "mill", START)
        event = recall_event(ANNE)
        store.events.add(ANNE, event)
        assert store.events.lists(replace(ANNE, project="mill"), [event.recall_id]) == []
