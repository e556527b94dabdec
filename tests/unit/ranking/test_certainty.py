"""Signals of whether memory has anything, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.ranking.certainty import SIGNALS, Certainty, Standing, shipped_certainty, signals


def _standing(cosines: list[float], likeness: list[float], **fields: float) -> Standing:
    size = len(cosines)
    told = {"rarity": 4.0, "unknown": 1.0, "terms": 3, **fields}
    return Standing(
        np.array(cosines),
        np.arange(size, dtype=float),
        np.full(size, 0.5),
        np.array(likeness),
        **told,  # type: ignore[arg-type]
    )


def test_the_signals_of_three_candidates() -> None:
    told = signals(_standing([0.9, 0.6, 0.7], [1.0, 3.0, 1.0]))

    assert told["nearest"] == 0.9
    assert told["nearest_few"] == 0.9
    assert signals(_standing([0.1] * 6 + [0.9, 0.7], [0.0] * 8))["nearest_few"] == pytest.approx(0.8)
    assert told["usual"] == 0.7
    assert told["best_meaning"] == 0.6
    assert told["best_words"] == pytest.approx(1 / 3)
    assert told["best_coverage"] == pytest.approx(0.5 * 4 / 3)
    assert told["unknown"] == pytest.approx(1 / (4 + 2 * 4 / 3))
    assert told["terms"] == pytest.approx(math.log(4))
    share = math.exp(-2)
    total = 1 + 2 * share
    expected = -(math.log(1 / total) + 2 * share * math.log(share / total)) / total / math.log(3)
    assert told["undecided"] == pytest.approx(expected, abs=1e-6)


def test_the_chance_is_logistic() -> None:
    model = Certainty({name: 1.0 if name == "nearest" else 0.0 for name in SIGNALS}, -0.9, 0.5)

    assert model.chance(signals(_standing([0.9], [0.0]))) == pytest.approx(0.5)
    assert model.chance(signals(_standing([0.2], [0.0]))) == pytest.approx(1 / (1 + math.exp(0.7)))


def test_among_few_candidates_one_word_is_enough_to_be_something() -> None:
    model = Certainty(dict.fromkeys(SIGNALS, 0.0), -5.0, 0.5)
    wordless = Standing(np.full(3, 0.5), np.zeros(3), np.zeros(3), np.zeros(3), 4.0, 4.0, 2)

    assert not model.nothing(_standing([0.5] * 19, [0.0] * 19), 0.1)
    assert model.nothing(_standing([0.5] * 20, [0.0] * 20), 0.1)
    assert model.nothing(wordless, 0.1)


def test_what_ships_weighs_every_signal() -> None:
    model = shipped_certainty()

    assert set(model.weights) == set(SIGNALS)
    assert 0 < model.abstains_below < 1


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.floats(0, 10), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_any_standing_gives_a_chance(cosines: list[float], rarity: float, unknown: float) -> None:
    standing = _standing(cosines, [7 * one for one in cosines], rarity=rarity, unknown=unknown * rarity)

    assert 0 <= shipped_certainty().chance(signals(standing)) <= 1
