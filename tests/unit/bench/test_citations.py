"""The model of users who cite: on questions made up here, whose answers follow a feature that the prior ignores."""

from __future__ import annotations

import numpy as np
import pytest

from trigraph.bench.citations import ROUNDS, citations_table, divided, ndcgs, simulated, taught
from trigraph.bench.ordering import Asked
from trigraph.ranking.order import LIKENESS

pytestmark = pytest.mark.req("S9")

PRIOR = {"words": 1.0, "meaning": 1.0}


def _asked(count: int, seed: int = 1) -> list[Asked]:
    """Thirty candidates, of which the two best by words, meaning and a question mark answer."""
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        features = chance.normal(size=(30, len(LIKENESS)))
        worth = features[:, [LIKENESS.index(name) for name in ("words", "meaning", "asks")]].sum(axis=1)
        answers = np.zeros(30, dtype=bool)
        answers[np.argsort(-worth)[:2]] = True
        found.append(Asked(features, answers))
    return found


def test_citations_of_answers_bring_a_gain_and_citations_by_position_are_not_used() -> None:
    found = simulated(_asked(300), _asked(150, 2), PRIOR, seed=1)

    none, few, some, every = found["answers"]
    assert none["used"] == {"NDCG@10": found["baseline"], "gain": 0.0, "low": 0.0, "high": 0.0} == none["if_used"]
    assert (none["citations"], none["recalls"], none["promoted"]) == (0, none["recalls"], False)
    assert few["citations"] <= 100 < some["citations"] <= 500 < every["citations"]
    assert every["promoted"]
    assert every["used"]["low"] > 0
    assert every["used"] == every["if_used"]
    assert not any(step["promoted"] for step in found["position"])
    assert {step["used"]["gain"] for step in found["position"]} == {0.0}


def test_the_table_tells_every_step() -> None:
    found = simulated(_asked(40), _asked(20, 2), PRIOR, seed=1)
    told = citations_table({"priors": {"plain": found}, "cited": 40, "held_out": 20})

    assert told.startswith("LoCoMo, 40 questions cited, each asked 3 times, 20 held out\n")
    assert told.count("| plain ") == 8


def test_ndcg_is_over_all_candidates() -> None:
    features = np.zeros((12, len(LIKENESS)))
    features[:, LIKENESS.index("words")] = np.arange(12, 0, -1)
    answers = np.zeros(12, dtype=bool)
    answers[[1, 11]] = True

    # The second is found, the twelfth is not: 1 / log2(3) of 1 + 1 / log2(3).
    assert ndcgs([Asked(features, answers)], PRIOR) == pytest.approx([0.63093 / 1.63093], abs=1e-5)
    assert ndcgs([Asked(features, np.zeros(12, dtype=bool))], PRIOR).tolist() == [0.0]


def test_users_cite_what_answers_and_look_at_the_first_most() -> None:
    lessons = taught(_asked(400), PRIOR, np.random.default_rng(1), by_gold=True)
    blind = taught(_asked(400), PRIOR, np.random.default_rng(1), by_gold=False)

    assert len(lessons) == 400 * ROUNDS
    assert all(len(one.ranks) == 10 for one in lessons)
    by_rank = np.nansum([one.rewards for one in blind], axis=0) / len(blind)
    assert by_rank[[0, 3, 9]] == pytest.approx([0.2, 0.2 / 4**0.6, 0.2 / 10**0.6], abs=0.04)


def test_conversations_are_cut_so_that_nothing_is_measured_on_what_was_used() -> None:
    asked = [_asked(10, seed) for seed in range(10)]
    ten, two = divided(asked), divided(asked[:2])

    assert (len(ten.prior), len(ten.cited), len(ten.held_out)) == (50, 30, 20)
    assert list(map(id, ten.held_out)) == list(map(id, asked[8] + asked[9]))
    assert list(map(id, two.prior)) == list(map(id, asked[0]))
    assert list(map(id, two.cited + two.held_out)) == list(map(id, asked[1]))
    assert len(two.held_out) == 4
