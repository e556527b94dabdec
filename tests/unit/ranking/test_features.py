"""Features of candidates, worked out by hand for tiny cases, and the order that they are weighed into."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.contracts import PassageText, TermStatistics
from trigraph.ranking.context import Neighbourhood, lexical_scores, words_of
from trigraph.ranking.features import Meanings, likeness_features
from trigraph.ranking.order import LIKENESS, Order, shipped

STATISTICS = TermStatistics(passages=10, mean_terms=4.0, holding={"apple": 1, "pie": 4})


def _passage(
    key: int, terms: str, *, thread: int | None = None, seq: int | None = None, speaker: str | None = None
) -> PassageText:
    return PassageText(key, f"m{key}", thread, seq, 0, 1, 0, 1, terms, True, speaker=speaker)


def _features(
    passages: list[PassageText], vectors: np.ndarray, query: np.ndarray | Meanings, text: str = "apple pie"
) -> dict[str, np.ndarray]:
    around = Neighbourhood(passages, {one.passage for one in passages}, reach=2)
    words = words_of(["apple", "pie"], STATISTICS, around)
    asked = query if isinstance(query, Meanings) else Meanings(query)
    found = likeness_features(text, words, lexical_scores(words, around), vectors, asked, around)
    assert found.shape == (len(passages), len(LIKENESS))
    return dict(zip(LIKENESS, found.T, strict=True))


def test_coverage_counts_rare_terms_more_and_neighbours_in_a_second_feature() -> None:
    thread = [_passage(1, "apple", thread=1, seq=0), _passage(2, "pie", thread=1, seq=1), _passage(3, "x")]
    found = _features(thread, np.eye(3), np.array([1.0, 0.0, 0.0]))

    # ln(1 + 9.5/1.5) and ln(1 + 6.5/4.5) are the rarities
    assert found["coverage"] == pytest.approx([0.690319, 0.309681, 0], abs=1e-6)
    assert found["coverage_around"] == pytest.approx([1, 1, 0])


def test_the_best_of_a_thread_is_the_best_of_the_others() -> None:
    thread = [_passage(key, "apple" if key == 1 else "x", thread=1, seq=key) for key in (1, 2, 3)]
    vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    found = _features(thread, vectors, np.array([1.0, 0.0]))

    base = (found["words"] + found["meaning"]) / 2
    assert found["thread_best"] == pytest.approx([base[1], base[0], base[0]])
    assert found["thread_mean"] == pytest.approx([base.mean()] * 3)
    assert found["thread_rank"] == pytest.approx([0.75] * 3)


def test_memories_that_all_stand_alone_are_ordered_by_their_own_likeness() -> None:
    alone = [_passage(1, "apple pie"), _passage(2, "pie"), _passage(3, "x")]
    vectors = np.array([[1.0, 0.0], [0.7, 0.7], [0.0, 1.0]])
    found = _features(alone, vectors, np.array([1.0, 0.0]))

    for name in ("thread_best", "thread_mean", "beside", "beside_two"):
        assert found[name] == pytest.approx([0, 0, 0]), name
    assert list(np.argsort(-Order({"words": 1.0, "thread_best": 1.0}).scores(np.stack(list(found.values()), 1)))) == [
        0,
        1,
        2,
    ]


def test_a_related_word_counts_for_less_than_the_word_itself_and_further_away_for_less_again() -> None:
    thread = [_passage(1, "pie", thread=1, seq=0), _passage(2, "pastri", thread=1, seq=1), _passage(3, "ladder")]
    found = _features(thread, np.eye(3), np.array([1.0, 0.0, 0.0]))

    assert found["words_meant"][0] > found["words_meant"][1] > found["words_meant"][2] == 0
    assert found["words_meant_around"][1] == pytest.approx(max(found["words_meant"][1], 0.7 * found["words_meant"][0]))


def test_what_somebody_says_who_is_asked_about_is_told_apart() -> None:
    said = [_passage(1, "pie", speaker="Ada Byron"), _passage(2, "pie", speaker="Bert"), _passage(3, "pie")]
    vectors, query = np.eye(3), np.array([1.0, 0.0, 0.0])

    assert _features(said, vectors, query, "Which pie does Ada like?")["of_named"].tolist() == [1, 0, 0]
    assert _features(said, vectors, query, "which pie does ada like?")["of_named"].tolist() == [0, 0, 0]


def test_the_query_without_names_counts_only_where_the_names_are_of_those_who_speak() -> None:
    said = [_passage(1, "pie", speaker="Ada"), _passage(2, "pie", speaker="Bert"), _passage(3, "pie")]
    whole, unnamed = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])

    of_ada = _features(said, np.eye(3), Meanings(whole, unnamed, frozenset({"ada"})))
    of_paris = _features(said, np.eye(3), Meanings(whole, unnamed, frozenset({"ada", "paris"})))

    assert int(np.argmax(of_ada["meaning_unnamed"])) == 1
    assert of_paris["meaning_unnamed"] == pytest.approx(of_paris["meaning_alone"])


@given(st.integers(1, 12), st.integers(0, 1_000))
@settings(max_examples=50, deadline=None)
def test_every_feature_of_any_candidates_is_a_number(size: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    terms = ["apple", "pie", "x", "apple pie pie"]
    passages = [
        _passage(key, terms[chance.integers(4)], thread=int(chance.integers(3)) or None, seq=int(chance.integers(5)))
        for key in range(1, size + 1)
    ]
    found = _features(passages, chance.normal(size=(size, 4)) * chance.integers(2), chance.normal(size=4))
    assert all(np.isfinite(values).all() for values in found.values())


def test_the_shipped_weights_are_of_features_that_there_are() -> None:
    assert set(shipped().weights) <= set(LIKENESS)
    assert any(shipped().weights.values())
