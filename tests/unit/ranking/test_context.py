"""Candidates are scored with what stands before and after them: worked out by hand for tiny cases."""

from __future__ import annotations

import numpy as np
import pytest

from trigraph.contracts import PassageText, TermStatistics
from trigraph.ranking.context import Neighbourhood, inverse_frequency, lexical_scores, vector_scores, words_of

STATISTICS = TermStatistics(passages=10, mean_terms=4.0, holding={"apple": 1, "pie": 4})


def _passage(
    key: int, terms: str = "x", *, memory: str = "", thread: int | None = 1, seq: int | None = 0,
    ordinal: int = 0, count: int = 1, wanted: bool = True,
) -> PassageText:  # fmt: skip
    return PassageText(key, memory or f"m{key}", thread, seq, ordinal, count, 0, 1, terms, wanted)


def _thread(*terms: str) -> list[PassageText]:
    return [_passage(10 + seq, held, seq=seq) for seq, held in enumerate(terms)]


def test_bm25_counts_half_of_a_neighbour_and_a_quarter_of_the_next() -> None:
    around = Neighbourhood(_thread("apple", "yes", "no"), {10}, reach=2)
    scores = lexical_scores(words_of(["apple"], STATISTICS, around), around)

    # counts 1, 1/2, 1/4 at equal lengths: idf * 1.9 * count / (count + 0.9), where idf is ln(1 + 9.5/1.5)
    assert scores == pytest.approx([1.992430165, 1.352006183, 0.822960285])


def test_without_context_bm25_counts_a_passage_alone() -> None:
    around = Neighbourhood(_thread("apple pie", "yes"), {10}, reach=0)

    # 2 terms where 1.5 are usual: idf * 1.9 / (1 + 0.9 * (0.6 + 0.4 * 2 / 1.5))
    assert lexical_scores(words_of(["apple"], STATISTICS, around), around) == pytest.approx([1.874067977, 0])


def test_a_term_held_by_many_is_worth_less_and_never_below_zero() -> None:
    assert inverse_frequency(STATISTICS, "apple") == pytest.approx(1.992430165)
    assert inverse_frequency(STATISTICS, "pie") == pytest.approx(0.893817876)
    assert inverse_frequency(STATISTICS, "unheard") == pytest.approx(3.091042453)
    assert inverse_frequency(TermStatistics(10, 4.0, {"all": 10}), "all") == pytest.approx(0.046520016)


def test_scores_of_several_terms_add_up() -> None:
    around = Neighbourhood(_thread("apple pie", "apple tart", "pie crust"), {10}, reach=0)
    both, first, second = lexical_scores(words_of(["apple", "pie"], STATISTICS, around), around)

    assert first == pytest.approx(1.992430165)
    assert both == pytest.approx(first + second)


def test_cosines_are_smoothed_around_their_mean() -> None:
    around = Neighbourhood(_thread("a", "b", "c"), {10}, reach=2)

    # centred 0.4, 0, -0.4; a place away counts 0.4, two places 0.2
    assert vector_scores(np.array([0.9, 0.5, 0.1]), around) == pytest.approx([0.32, 0, -0.32])


def test_the_ends_of_a_line_lose_nothing() -> None:
    alone = _passage(99, thread=None, seq=None)
    around = Neighbourhood([*_thread("a", "b", "c", "d", "e"), alone], {10}, reach=2)

    assert vector_scores(np.full(6, 0.7), around) == pytest.approx([0] * 6)
    assert around.smoothed(np.ones(6), {1: 0.5, 2: 0.25}) == pytest.approx([2.5] * 6)


def test_a_neighbour_that_is_missing_is_presumed_to_follow_as_others_do() -> None:
    around = Neighbourhood([*_thread("a", "b"), _passage(99, thread=None, seq=None)], {10}, reach=1)

    # Neighbours are equal here, so the one alone is presumed to have two like itself: 4 + 2 + 2.
    assert around.smoothed(np.array([2.0, 2.0, 4.0]), {1: 0.5}).tolist() == [4, 4, 8]
    # Neighbours are half and double here: forward 1/2, backward 2, of which no more than 1 is presumed.
    assert around.smoothed(np.array([2.0, 1.0, 4.0]), {1: 0.5}).tolist() == [
        2 + 0.5 + 1,
        1 + 1 + 0.25,
        4 + 1 + 2,
    ]
    # Neighbours are opposites here: nothing is presumed.
    assert around.smoothed(np.array([1.0, -1.0, 4.0]), {1: 0.5}).tolist() == [0.5, -0.5, 4]


def test_a_hole_in_a_thread_stays_a_hole() -> None:
    first, _, third, fourth = _thread("a", "b", "c", "d")
    around = Neighbourhood([first, third, fourth], {10}, reach=2)

    assert {offset: rows.tolist() for offset, rows in around.rows_at.items()} == {
        -1: [-1, -1, 1],
        1: [-1, 2, -1],
        -2: [-1, 0, -1],
        2: [1, -1, -1],
    }
    # Every one follows its neighbours nowhere, so that each has only what is there: 0.5 a place away, 0.25 two.
    assert around.smoothed(np.array([1.0, 0, 0]), {1: 0.5, 2: 0.25}).tolist() == [1, 0.25, 0]


def test_threads_and_memories_outside_threads_are_no_neighbours() -> None:
    passages = [
        _passage(1, thread=1, seq=0),
        _passage(2, thread=2, seq=1),
        _passage(3, thread=None, seq=None),
        _passage(4, thread=None, seq=None),
    ]
    around = Neighbourhood(passages, {1}, reach=2)

    assert all((rows == -1).all() for rows in around.rows_at.values())


def test_passages_of_a_memory_are_neighbours_and_past_its_ends_the_next_episodes() -> None:
    long = [_passage(ordinal, memory="long", seq=1, ordinal=ordinal, count=3) for ordinal in range(3)]
    before = [_passage(10 + ordinal, memory="before", seq=0, ordinal=ordinal, count=2) for ordinal in range(2)]
    after, last = _passage(20, memory="after", seq=2), _passage(30, memory="last", seq=3)
    around = Neighbourhood([*long, *before, after, last], {0}, reach=2)
    near = {offset: rows.tolist() for offset, rows in around.rows_at.items()}

    #            long 0, 1, 2 | before 0, 1 | after | last
    assert near[1] == [1, 2, 5, 4, 0, 6, -1]
    assert near[-1] == [4, 0, 1, -1, 3, 2, 5]
    assert near[2] == [2, 5, 6, 0, 5, -1, -1]
    assert near[-2] == [-1, 4, 0, -1, -1, 4, 2]


def test_passages_of_a_document_are_neighbours_without_any_thread() -> None:
    pages = [_passage(n, memory="d", thread=None, seq=None, ordinal=n, count=4) for n in (0, 1, 3)]
    around = Neighbourhood(pages, {0}, reach=2)

    assert around.rows_at[1].tolist() == [1, -1, -1]
    assert around.rows_at[2].tolist() == [-1, 2, -1]


def test_candidates_are_what_was_brought_and_its_neighbours_that_are_wanted() -> None:
    passages = [_passage(10 + seq, seq=seq, wanted=seq not in (1, 4)) for seq in range(7)]

    assert Neighbourhood(passages, {12}, reach=2).candidates == [2, 3, 0]
    assert Neighbourhood(passages, {12}, reach=0).candidates == [2]
    assert Neighbourhood(passages, {11}, reach=1).candidates == [0, 2]
    assert Neighbourhood(passages, {99}, reach=2).candidates == []


def test_the_reach_bounds_the_neighbours() -> None:
    around = Neighbourhood(_thread("a", "b", "c", "d", "e"), {10}, reach=1)

    assert around.offsets == (-1, 1)
    assert around.smoothed(np.array([1.0, 0, 0, 0, 0]), {1: 0.5}).tolist() == [1, 0.5, 0, 0, 0]
