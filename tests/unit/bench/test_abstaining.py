"""Telling own questions from foreign ones: the measures by hand, the model from planted signals."""

from __future__ import annotations

import numpy as np
import pytest

from trigraph.bench.abstaining import Asked, _renamed, auroc, fit, judged
from trigraph.ranking.certainty import SIGNALS


def _asked(nearest: float, form: str, category: str = "1", store: str = "a") -> Asked:
    signals = np.zeros(len(SIGNALS))
    signals[SIGNALS.index("nearest")] = nearest
    return Asked(signals, 0.0, store, store, form, category)


def test_auroc_counts_pairs_and_half_of_the_equal_ones() -> None:
    assert auroc(np.array([3.0, 2.0]), np.array([1.0, 0.0])) == 1.0
    assert auroc(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 0.5
    assert auroc(np.array([1.0, 3.0]), np.array([2.0])) == 0.5


def test_names_are_replaced_whole_and_at_once() -> None:
    names = {"Ann": "Bob", "Bob": "Ann"}

    assert _renamed("Did Ann tell Bob about Annapolis?", names) == "Did Bob tell Ann about Annapolis?"


def test_the_model_learns_which_signal_tells_them_apart() -> None:
    chance = np.random.default_rng(3)
    own = [_asked(float(one), "own") for one in chance.normal(0.8, 0.05, 200)]
    others = [_asked(float(one), "foreign") for one in chance.normal(0.6, 0.05, 400)]

    model = fit([*own, *others])

    assert model["weights"]["nearest"] > 10
    assert all(weight == 0 for name, weight in model["weights"].items() if name != "nearest")
    middle = -model["intercept"] / model["weights"]["nearest"]
    assert middle == pytest.approx(0.7, abs=0.02)


def test_adversarial_questions_teach_nothing() -> None:
    rows = [_asked(0.8, "own"), _asked(0.7, "own"), _asked(0.5, "foreign"), _asked(0.4, "foreign")]

    assert fit([*rows, _asked(0.1, "own", category="5")]) == fit(rows)


def test_the_gain_is_over_the_better_of_two_plain_signs() -> None:
    rows = [_asked(0.8, "own", store=one) for one in "ab"] + [_asked(0.9, "foreign", store=one) for one in "ab"]
    rows += [_asked(0.9, "renamed", store=one) for one in "ab"]
    logits = np.array([1.0, 1.0, -1.0, -1.0, -1.0, -1.0])

    told = judged(rows, logits)["auroc"]["foreign"]

    assert (told["certainty"], told["nearest"], told["top_score"]) == (1.0, 0.0, 0.5)
    assert told["gain"] == {"gain": 0.5, "low": 0.5, "high": 0.5}
    assert told["flagged"] == 1.0
