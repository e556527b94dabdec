"""`contracts.Uses` and `contracts.Answers`, as tests."""

from __future__ import annotations

import pytest

from trigraph.contracts import Store
from trigraph.model.change import CitationKind, Verb
from trigraph.model.ids import new_id
from trigraph.model.memory import Visibility
from trigraph.model.scope import Scope
from trigraph.testing.builders import ANNE, BERT, DAY, START, keep
from trigraph.testing.changes import cite, keep_link
from trigraph.testing.suites.base import Suite

CITED, DISMISSED, REWROTE = CitationKind.CITED, CitationKind.DISMISSED, CitationKind.REWROTE
RECALL, OTHER_RECALL = new_id("r", START), new_id("r", START)


def vote(store: Store, scope: Scope, target: str, value: int) -> int:
    """Vote; returns the vote that counted before, 0 if none."""
    with store.transaction(scope, START) as now:
        before, moved = store.uses.last_vote(scope, target) or (0, 0.0)
        assert moved == before / 10
        store.uses.vote(scope, target, value, value / 10, "because", now)
    return before


def answer(store: Store, scope: Scope, verb: Verb, key: str, text: str, *, days: int = 0) -> None:
    with store.transaction(scope, START + days * DAY) as now:
        store.answers.put(scope, verb, key, f"print of {text}", f'"{text}"', now)


class UsesSuite(Suite):
    """`contracts.Uses` and `contracts.Answers`."""

    # Citations

    def test_citations_are_counted_by_kind(self, store: Store) -> None:
        one, other, third = (keep(store, ANNE, text) for text in ("one", "other", "third"))
        for memory, kind in ((one, CITED), (one, CITED), (one, DISMISSED), (other, REWROTE)):
            assert cite(store, ANNE, memory, kind)
        assert cite(store, BERT, one, CITED)
        counted = store.uses.citations(BERT, [one.id, other.id, third.id])
        assert counted == {one.id: {CITED: 3, DISMISSED: 1}, other.id: {REWROTE: 1}}

    def test_the_very_same_citation_of_a_recall_is_kept_once(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        assert cite(store, ANNE, one, CITED, recall_id=RECALL)
        assert not cite(store, ANNE, one, CITED, recall_id=RECALL)
        assert store.uses.citations(ANNE, [one.id]) == {one.id: {CITED: 1}}
        assert cite(store, ANNE, one, DISMISSED, recall_id=RECALL)
        assert cite(store, ANNE, one, CITED, recall_id=OTHER_RECALL)
        assert cite(store, BERT, one, CITED, recall_id=RECALL)
        assert cite(store, ANNE, other, CITED, recall_id=RECALL)
        assert store.uses.citations(ANNE, [one.id]) == {one.id: {CITED: 3, DISMISSED: 1}}

    def test_a_correction_takes_over_the_citations_of_what_it_corrects(self, store: Store) -> None:
        first = keep(store, ANNE, "first")
        cite(store, ANNE, first)
        second = keep(store, ANNE, "second", root_id=first.id)
        cite(store, ANNE, second)
        third = keep(store, ANNE, "third", root_id=first.id)
        cite(store, ANNE, third, DISMISSED)
        asked = [first.id, second.id, third.id]
        assert store.uses.citations(BERT, asked) == {
            first.id: {CITED: 1},
            second.id: {CITED: 2},
            third.id: {CITED: 2, DISMISSED: 1},
        }

    def test_the_citations_of_a_hidden_memory_are_hidden(self, store: Store) -> None:
        hidden = keep(store, ANNE, "one", visibility=Visibility.PRIVATE)
        cite(store, ANNE, hidden)
        assert store.uses.citations(BERT, [hidden.id]) == {}
        assert store.uses.citations(ANNE, [hidden.id]) == {hidden.id: {CITED: 1}}

    def test_a_tally_is_of_the_agents_own_citations_in_a_session(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        for kind in (CITED, CITED, REWROTE):
            cite(store, ANNE, memory, kind, session="session-1")
        cite(store, ANNE, memory, session="session-2")
        cite(store, ANNE, memory)
        cite(store, BERT, memory, session="session-1")
        assert store.uses.tally(ANNE, "session-1") == {CITED: 2, REWROTE: 1}
        assert store.uses.tally(BERT, "session-1") == {CITED: 1}
        assert store.uses.tally(BERT, "session-2") == {}

    # Votes

    @pytest.mark.parametrize("on", ["memory", "link"])
    def test_the_latest_vote_of_each_agent_counts(self, store: Store, on: str) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        target, beside = one.id, other.id
        if on == "link":
            target, beside = (keep_link(store, ANNE, *ends).id for ends in ((one, other), (other, one)))
        assert [vote(store, ANNE, target, value) for value in (1, -1, -1, 1)] == [0, 1, -1, -1]
        assert vote(store, BERT, target, -1) == 0
        assert vote(store, ANNE, beside, -1) == 0
        assert vote(store, ANNE, target, -1) == 1

    # Answers

    def test_an_answer_is_kept_for_the_agent_the_verb_and_the_key(self, store: Store) -> None:
        answer(store, ANNE, Verb.REMEMBER, "k", "first")
        answer(store, ANNE, Verb.CORRECT, "k", "second")
        answer(store, BERT, Verb.REMEMBER, "k", "third")
        get = store.answers.get
        assert get(ANNE, Verb.REMEMBER, "k") == ("print of first", '"first"')
        assert get(ANNE, Verb.CORRECT, "k") == ("print of second", '"second"')
        assert get(BERT, Verb.REMEMBER, "k") == ("print of third", '"third"')
        assert get(BERT, Verb.CORRECT, "k") is None
        assert get(ANNE, Verb.REMEMBER, "other") is None

    def test_answers_older_than_a_week_are_let_go(self, store: Store) -> None:
        answer(store, ANNE, Verb.REMEMBER, "old", "one")
        answer(store, ANNE, Verb.REMEMBER, "young", "two", days=2)
        answer(store, BERT, Verb.REMEMBER, "new", "three", days=8)
        assert store.answers.get(ANNE, Verb.REMEMBER, "old") is None
        assert store.answers.get(ANNE, Verb.REMEMBER, "young") is not None
        answer(store, ANNE, Verb.REMEMBER, "old", "again", days=8)
        assert store.answers.get(ANNE, Verb.REMEMBER, "old") == ("print of again", '"again"')
