"""`contracts.Search`, as tests."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from trigraph.contracts import PASSAGES_PER_MEMORY, PassageText, Store
from trigraph.model.memory import Kind, Memory, MemoryFilter, Provenance, Source, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    MICROSECOND,
    MODEL,
    NOW,
    START,
    Vectors,
    ids,
    keep,
    keep_episode,
    keep_thread,
    memories_of,
    new_memory,
    passage_keys,
    pin,
    unit_vectors,
)
from trigraph.testing.suites.base import Suite


class LexicalSuite(Suite):
    """`contracts.Search`: words and identifiers."""

    def test_any_of_the_terms_is_enough(self, store: Store) -> None:
        one, two = keep(store, ANNE, "alpha beta"), keep(store, ANNE, "gamma delta")
        keep(store, ANNE, "epsilon zeta")
        found = store.search.lexical(BERT, ["alpha", "delta", "unheard"], ALL, NOW, 10)
        assert set(memories_of(store, BERT, found)) == {one.id, two.id}

    def test_no_terms_find_nothing(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        assert store.search.lexical(ANNE, [], ALL, NOW, 10) == []
        assert store.search.identifiers(ANNE, [], ALL, NOW, 10) == []

    def test_a_rare_term_and_a_repeated_term_rank_higher(self, store: Store) -> None:
        for number in range(8):
            keep(store, ANNE, f"common filler{number} padding")
        twice = keep(store, ANNE, "common common padding")
        rare = keep(store, ANNE, "rare filler padding")
        found = store.search.lexical(ANNE, ["common", "rare"], ALL, NOW, 3)
        assert memories_of(store, ANNE, found)[:2] == [rare.id, twice.id]
        assert found[0].score > found[1].score > found[2].score
        assert len(found) == 3

    def test_the_best_passage_of_a_memory_is_the_one_that_holds_the_term(self, store: Store) -> None:
        kept = keep(store, ANNE, "alpha beta", "gamma delta", "epsilon zeta")
        found = store.search.lexical(ANNE, ["gamma"], ALL, NOW, 10)
        assert [one.passage for one in found] == [passage_keys(store, kept)[1]]

    @pytest.mark.parametrize("term", ['"', "*", "NOT", "alpha*", 'a"b', "terms:alpha", "^alpha", "(", "NEAR(a b)"])
    def test_a_term_is_never_read_as_a_query_language(self, store: Store, term: str) -> None:
        keep(store, ANNE, "nothing of the kind alphabet")
        assert store.search.lexical(ANNE, [term], ALL, NOW, 10) == []
        assert store.search.identifiers(ANNE, [term], ALL, NOW, 10) == []

    def test_results_are_not_starved_by_what_the_asker_may_not_see(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            for number in range(95):
                hidden = new_memory(ANNE, f"alpha {number}", at=now, visibility=Visibility.PRIVATE)
                store.memories.add(ANNE, hidden)
        ours = {keep(store, BERT, f"alpha ours and longer {number}").id for number in range(5)}
        found = store.search.lexical(BERT, ["alpha"], ALL, NOW, 5)
        assert set(memories_of(store, BERT, found)) == ours

    def test_an_identifier_is_found_by_a_part_of_it(self, store: Store) -> None:
        kept = keep(store, ANNE, "calls it", identifiers=["getuserbyid", "spec-054"])
        keep(store, ANNE, "calls another", identifiers=["setgroup", "spec-055"])
        for part in ("userby", "getuserbyid", "c-054"):
            found = store.search.identifiers(BERT, [part, "unheard"], ALL, NOW, 10)
            assert memories_of(store, BERT, found) == [kept.id]

    def test_identifiers_keep_to_filter_and_limit(self, store: Store) -> None:
        skill = keep(store, ANNE, "one", identifiers=["parse_config"], kind=Kind.SKILL)
        keep(store, ANNE, "two", identifiers=["parse_config"])
        found = store.search.identifiers(ANNE, ["config"], MemoryFilter(kinds=(Kind.SKILL,)), NOW, 10)
        assert memories_of(store, ANNE, found) == [skill.id]
        assert len(store.search.identifiers(ANNE, ["config"], ALL, NOW, 1)) == 1

    def test_statistics_count_every_passage_of_the_tenant(self, store: Store) -> None:
        keep(store, ANNE, "alpha alpha beta gamma", "beta delta", visibility=Visibility.PRIVATE)
        keep(store, BERT, "alpha beta gamma")
        statistics = store.search.statistics(BERT, ["alpha", "beta", "unheard"])
        assert statistics.passages == 3
        assert statistics.mean_terms == pytest.approx((4 + 2 + 3) / 3)
        held = {term: statistics.holding.get(term, 0) for term in ("alpha", "beta", "unheard")}
        assert held == {"alpha": 2, "beta": 3, "unheard": 0}

    def test_statistics_of_an_empty_store_are_zeros(self, store: Store) -> None:
        statistics = store.search.statistics(ANNE, ["alpha"])
        assert (statistics.passages, statistics.mean_terms) == (0, 0)
        assert statistics.holding.get("alpha", 0) == 0


class NearestSuite(Suite):
    """`contracts.Search`: vectors."""

    def test_nothing_is_near_before_the_first_vector(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        assert store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10) == []

    def test_the_order_is_exactly_that_of_the_cosines(self, store: Store) -> None:
        vectors = unit_vectors(500)
        kept = _keep_rows(store, ANNE, vectors)
        query = unit_vectors(1, seed=2)[0]
        found = store.search.nearest(BERT, query, ALL, NOW, 450)
        cosines = vectors @ query
        expected = np.argsort(-cosines)[:450]
        assert memories_of(store, BERT, found) == [kept[row] for row in expected]
        assert [one.score for one in found] == pytest.approx(cosines[expected].tolist(), abs=1e-3)

    def test_a_memory_of_several_passages_is_near_at_each(self, store: Store) -> None:
        pin(store)
        vectors = unit_vectors(3)
        kept = keep(store, ANNE, "alpha", "beta", "gamma", vectors=vectors)
        for vector, passage in zip(vectors, passage_keys(store, kept), strict=True):
            assert store.search.nearest(ANNE, vector, ALL, NOW, 1)[0].passage == passage

    def test_results_are_not_starved_by_nearer_rows_the_asker_may_not_see(self, store: Store) -> None:
        vectors, query = unit_vectors(1000), unit_vectors(1, seed=2)[0]
        nearest_first = vectors[np.argsort(-(vectors @ query))]
        _keep_rows(store, ANNE, nearest_first[:950], visibility=Visibility.PRIVATE)
        ours = _keep_rows(store, BERT, nearest_first[950:])
        found = store.search.nearest(BERT, query, ALL, NOW, 20)
        assert memories_of(store, BERT, found) == ours[:20]

    def test_equal_vectors_are_each_found_once(self, store: Store) -> None:
        tied, better = unit_vectors(1), unit_vectors(1, seed=2)
        same = np.repeat(tied, 1000, axis=0)
        same[::7] = better
        kept = _keep_rows(store, ANNE, same)
        found = memories_of(store, ANNE, store.search.nearest(ANNE, better[0], ALL, NOW, 1000))
        assert len(found) == 1000
        assert set(found) == set(kept)
        assert set(found[:143]) == set(kept[::7])

    def test_a_filter_applies_before_the_limit(self, store: Store) -> None:
        vectors, query = unit_vectors(40), unit_vectors(1, seed=2)[0]
        nearest_first = vectors[np.argsort(-(vectors @ query))]
        _keep_rows(store, ANNE, nearest_first[:30])
        skills = _keep_rows(store, ANNE, nearest_first[30:], kind=Kind.SKILL)
        found = store.search.nearest(ANNE, query, MemoryFilter(kinds=(Kind.SKILL,)), NOW, 4)
        assert memories_of(store, ANNE, found) == skills[:4]

    def test_a_scan_answers_for_every_filter(self, store: Store) -> None:
        vectors, query = unit_vectors(40), unit_vectors(1, seed=2)[0]
        nearest_first = vectors[np.argsort(-(vectors @ query))]
        facts = _keep_rows(store, ANNE, nearest_first[:30])
        skills = _keep_rows(store, ANNE, nearest_first[30:], kind=Kind.SKILL)
        with store.snapshot(ANNE):
            scan = store.search.scan(ANNE, query)
            store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10)
            near, skilled = scan.nearest(ALL, NOW, 5), scan.nearest(MemoryFilter(kinds=(Kind.SKILL,)), NOW, 4)
        assert memories_of(store, ANNE, near) == facts[:5]
        assert memories_of(store, ANNE, skilled) == skills[:4]

    def test_a_scan_does_not_see_what_is_written_after_its_snapshot(self, store: Store) -> None:
        vectors = unit_vectors(2)
        first = _keep_rows(store, ANNE, vectors[:1])
        with store.snapshot(ANNE):
            scan = store.search.scan(ANNE, vectors[1])
            found = memories_of(store, ANNE, scan.nearest(ALL, NOW, 9))
        _keep_rows(store, ANNE, vectors[1:])
        assert found == first
        assert len(store.search.scan(ANNE, vectors[1]).nearest(ALL, NOW, 9)) == 2

    def test_what_is_added_later_is_near_too(self, store: Store) -> None:
        vectors = unit_vectors(2)
        first = _keep_rows(store, ANNE, vectors[:1])
        assert memories_of(store, ANNE, store.search.nearest(ANNE, vectors[1], ALL, NOW, 9)) == first
        second = _keep_rows(store, ANNE, vectors[1:])
        found = store.search.nearest(ANNE, vectors[1], ALL, NOW, 9)
        assert memories_of(store, ANNE, found) == second + first

    def test_vectors_come_as_asked_with_zeros_where_there_is_none(self, store: Store) -> None:
        vectors = unit_vectors(2)
        pin(store)
        kept = keep(store, ANNE, "alpha", "beta", vectors=vectors)
        bare = keep(store, ANNE, "gamma")
        alpha, beta = passage_keys(store, kept)
        asked = [beta, *passage_keys(store, bare), alpha, beta]
        rows = store.search.vectors(ANNE, asked)
        expected = np.stack([vectors[1], np.zeros(MODEL.dimension), vectors[0], vectors[1]])
        assert rows.shape == (4, MODEL.dimension)
        assert np.allclose(rows, expected, atol=1e-3)
        assert not rows[1].any()

    def test_no_passages_have_no_vectors(self, store: Store) -> None:
        pin(store)
        assert len(store.search.vectors(ANNE, [])) == 0


def _keep_rows(store: Store, scope: Scope, vectors: Vectors, **fields: Any) -> list[str]:
    """A memory per vector, all in one transaction; their ids."""
    kept = []
    with store.transaction(scope, START) as now:
        if store.space.pinned(scope) is None:
            store.space.pin(scope, MODEL)
        for number, vector in enumerate(vectors):
            new = new_memory(scope, f"row {number} {now}", at=now, vectors=vector[None, :], **fields)
            store.memories.add(scope, new)
            kept.append(new.memory.id)
    return kept


class SurroundingsSuite(Suite):
    """`contracts.Search`: what stands around a passage."""

    def test_passages_come_with_their_place_and_terms(self, store: Store) -> None:
        kept = keep(store, ANNE, "Alpha beta", "gamma", visibility=Visibility.PRIVATE)
        alpha, gamma = passage_keys(store, kept)
        around = store.search.surroundings(ANNE, [alpha], 1, ALL, NOW)
        assert sorted(around, key=lambda text: text.ordinal) == [
            PassageText(alpha, kept.id, None, None, 0, 2, 0, 10, "alpha beta", True, kept.created_at, "Alpha beta"),
            PassageText(gamma, kept.id, None, None, 1, 2, 11, 16, "gamma", True, kept.created_at, "gamma"),
        ]

    def test_one_long_memory_does_not_crowd_out_the_others(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, *["alpha"] * 40, vectors=np.repeat(unit_vectors(1), 40, axis=0))
        others = [keep(store, ANNE, f"alpha beta{number}", vectors=unit_vectors(1)).id for number in range(5)]
        lexical = store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10)
        nearest = store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10)
        for found in (lexical, nearest):
            whose = memories_of(store, ANNE, found)
            assert len(whose) == PASSAGES_PER_MEMORY + len(others)
            assert set(others) < set(whose)

    @pytest.mark.parametrize(("reach", "expected"), [(0, [3]), (1, [2, 3, 4]), (2, [1, 2, 3, 4, 5])])
    def test_within_a_memory_the_passages_up_to_reach_away_come_along(
        self, store: Store, reach: int, expected: list[int]
    ) -> None:
        kept = keep(store, ANNE, *(f"piece{number}" for number in range(7)))
        keep(store, ANNE, "another")
        keys = passage_keys(store, kept)
        around = store.search.surroundings(BERT, [keys[3]], reach, ALL, NOW)
        assert sorted(text.ordinal for text in around) == expected
        assert {text.memory_id for text in around} == {kept.id}

    @pytest.mark.parametrize(("reach", "expected"), [(0, [3]), (1, [2, 3, 4]), (2, [1, 2, 3, 4, 5])])
    def test_along_a_thread_the_episodes_up_to_reach_away_come_along(
        self, store: Store, reach: int, expected: list[int]
    ) -> None:
        kept = self._conversation(store, range(7))
        around = store.search.surroundings(BERT, passage_keys(store, kept[3]), reach, ALL, NOW)
        assert sorted(text.seq for text in around if text.seq is not None) == expected
        assert len({text.thread for text in around}) == 1
        assert {text.speaker for text in around} == {"Anne"}

    def test_episodes_of_another_thread_do_not_come_along(self, store: Store) -> None:
        kept = self._conversation(store, range(3))
        self._conversation(store, range(3))
        around = store.search.surroundings(ANNE, passage_keys(store, kept[1]), 2, ALL, NOW)
        assert {text.memory_id for text in around} == set(ids(kept.values()))

    def test_holes_stay_holes(self, store: Store) -> None:
        kept = self._conversation(store, [0, 1, 3, 4, 6])
        around = store.search.surroundings(ANNE, passage_keys(store, kept[3]), 2, ALL, NOW)
        assert sorted(text.seq for text in around if text.seq is not None) == [1, 3, 4]

    def test_a_hidden_neighbour_stays_hidden_and_is_not_stepped_over(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        kept = [
            keep_episode(store, ANNE, thread, seq, f"message{seq}", visibility=visibility)
            for seq, visibility in enumerate([Visibility.SHARED, Visibility.PRIVATE, Visibility.SHARED])
        ]
        keys = passage_keys(store, kept[2])
        assert _seqs(store.search.surroundings(BERT, keys, 1, ALL, NOW)) == [2]
        assert _seqs(store.search.surroundings(BERT, keys, 2, ALL, NOW)) == [0, 2]
        assert _seqs(store.search.surroundings(ANNE, keys, 2, ALL, NOW)) == [0, 1, 2]

    def test_a_neighbour_not_true_or_not_known_then_stays_hidden(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        first = keep_episode(store, ANNE, thread, 0, "first", valid_from=START - 9 * DAY)
        keep_episode(store, ANNE, thread, 1, "second", at=START + DAY, valid_from=START - DAY)
        keys = passage_keys(store, first)

        def seqs(as_of: datetime, known_at: datetime) -> list[int]:
            return _seqs(store.search.surroundings(ANNE, keys, 1, ALL, Moment(as_of, known_at)))

        assert seqs(NOW.as_of, NOW.known_at) == [0, 1]
        assert seqs(START - DAY - MICROSECOND, NOW.known_at) == [0]
        assert seqs(NOW.as_of, START + DAY - MICROSECOND) == [0]

    def test_neighbours_that_the_filter_does_not_ask_for_come_along_unwanted(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        sessions = [None, "session-1", None]
        kept = [
            keep_episode(
                store,
                ANNE,
                thread,
                seq,
                f"message{seq}",
                provenance=Provenance(Source.USER, ANNE.agent, session),
            )
            for seq, session in enumerate(sessions)
        ]
        wanted = MemoryFilter(session="session-1")
        around = store.search.surroundings(ANNE, passage_keys(store, kept[1]), 1, wanted, NOW)
        assert {text.seq: text.wanted for text in around} == {0: False, 1: True, 2: False}

    def test_past_its_ends_a_long_episode_meets_the_nearest_passage_of_the_next(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        before, long, after = (
            keep_episode(store, ANNE, thread, seq, *(f"{word}{number}" for number in range(3)))
            for seq, word in enumerate(["before", "long", "after"])
        )
        first, _, last = passage_keys(store, long)
        around = {text.passage for text in store.search.surroundings(ANNE, [first, last], 1, ALL, NOW)}
        assert {passage_keys(store, before)[2], passage_keys(store, after)[0]} <= around
        assert passage_keys(store, before)[1] not in around

    def test_with_reach_zero_only_what_was_asked_comes_back(self, store: Store) -> None:
        kept = keep_episode(store, ANNE, keep_thread(store, ANNE), 0, "alpha", "beta", "gamma")
        beta = passage_keys(store, kept)[1]
        around = store.search.surroundings(ANNE, [beta], 0, ALL, NOW)
        assert [text.passage for text in around] == [beta]

    def test_each_passage_comes_once(self, store: Store) -> None:
        kept = self._conversation(store, range(4))
        keys = [passage_keys(store, one)[0] for one in kept.values()]
        around = store.search.surroundings(ANNE, keys, 2, ALL, NOW)
        assert sorted(text.passage for text in around) == sorted(keys)

    def test_nothing_surrounds_no_passage(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        assert store.search.surroundings(ANNE, [], 2, ALL, NOW) == []

    def _conversation(self, store: Store, seqs: Collection[int]) -> dict[int, Memory]:
        thread = keep_thread(store, ANNE)
        return {seq: keep_episode(store, ANNE, thread, seq, f"message{seq}") for seq in seqs}


def _seqs(around: Collection[PassageText]) -> list[int]:
    return sorted(text.seq for text in around if text.seq is not None)
