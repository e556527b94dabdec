"""Hits that say the same thing give way to others, by hand-made vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.ranking.diversity import diverse

NONE: frozenset[str] = frozenset()


def _vectors(*rows: tuple[float, ...]) -> np.ndarray:
    found = np.array(rows, dtype=np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_i14_of_three_that_say_the_same_the_third_comes_last() -> None:
    vectors = _vectors((1, 0, 0), (1, 0.01, 0), (1, 0, 0.01), (0, 1, 0), (0, 0, 1))

    places, losses = diverse(np.array([5.0, 4.9, 4.8, 1.0, 0.5]), vectors, [NONE] * 5, [None] * 5, weight=0.0)

    assert places == [0, 1, 3, 4, 2]
    assert losses[:4] == [0.0, 0.0, 0.0, 0.0]
    assert losses[4] == 4.5


def test_what_differs_in_a_number_does_not_say_the_same() -> None:
    vectors = _vectors((1, 0, 0), (1, 0.01, 0), (1, 0, 0.01), (0, 1, 0))
    numbers = [frozenset({str(number)}) for number in range(4)]

    assert diverse(np.array([5.0, 4.9, 4.8, 1.0]), vectors, numbers, [None] * 4, weight=0.0)[0] == [0, 1, 2, 3]


def test_of_two_nearly_as_good_the_one_that_says_something_else_goes_first() -> None:
    vectors = _vectors((1, 0, 0), (1, 0.5, 0), (0, 0, 1))
    scores = np.array([2.0, 1.0, 0.9])

    assert diverse(scores, vectors, [NONE] * 3, [None] * 3, weight=0.0)[0] == [0, 1, 2]
    assert diverse(scores, vectors, [NONE] * 3, [None] * 3, weight=0.5)[0] == [0, 2, 1]


def test_of_two_nearly_as_good_the_one_of_another_thread_goes_first() -> None:
    vectors = _vectors((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1))
    scores = np.array([2.0, 1.0, 0.95, 0.0])

    assert diverse(scores, vectors, [NONE] * 4, [7, 7, 8, 8], weight=0.0, spread=0.1)[0] == [0, 2, 1, 3]
    assert diverse(scores, vectors, [NONE] * 4, [None] * 4, weight=0.0, spread=0.1)[0] == [0, 1, 2, 3]


def test_many_of_one_thread_cost_no_more_than_five() -> None:
    vectors = np.eye(10, dtype=np.float32)
    scores = np.linspace(10.0, 9.0, 10)

    losses = diverse(scores, vectors, [NONE] * 10, [1] * 10, weight=0.0, spread=0.1)[1]

    assert max(losses) == pytest.approx(5 * 0.1 * float(scores.std()))


def test_a_clear_lead_is_kept() -> None:
    vectors = _vectors((1, 0, 0), (1, 0.5, 0), (0, 0, 1))

    assert diverse(np.array([2.0, 1.5, 0.1]), vectors, [NONE] * 3, [None] * 3, weight=0.2)[0] == [0, 1, 2]


@given(st.integers(1, 20), st.integers(0, 500), st.floats(0, 2))
@settings(max_examples=60, deadline=None)
def test_every_candidate_has_one_place_and_the_best_the_first(size: int, seed: int, weight: float) -> None:
    chance = np.random.default_rng(seed)
    scores = chance.normal(size=size)
    vectors = _vectors(*map(tuple, chance.normal(size=(size, 4))))

    places, losses = diverse(scores, vectors, [NONE] * size, [None] * size, weight=weight)

    assert sorted(places) == list(range(size))
    assert places[0] == int(np.argmax(scores))
    assert losses[0] == 0
    assert min(losses) >= 0
